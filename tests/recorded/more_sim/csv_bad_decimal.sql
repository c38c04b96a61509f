SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, amount DECIMAL(10,2), wide DECIMAL(38,38), dbl DOUBLE, bool BOOLEAN, `day` DATE, tod TIME(3), ts TIMESTAMP(9), `bytes` BYTES, tiny TINYINT, c CHAR(3), txt VARCHAR) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/fields/each_type.csv','format'='csv');
SET 'execution.runtime-mode' = 'batch';
SELECT id, amount FROM t;
