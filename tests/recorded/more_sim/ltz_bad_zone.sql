SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.local-time-zone' = 'UTC+8';
CREATE TABLE t (id INT, ts TIMESTAMP_LTZ(3), k STRING, v INT) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/zones/berlin_spring.csv','format'='csv');
SELECT ts FROM t;
