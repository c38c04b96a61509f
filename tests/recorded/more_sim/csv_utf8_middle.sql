SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'streaming';
CREATE TABLE t (a STRING, b INT) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/utf8/middle.csv','format'='csv');
SELECT * FROM t;
