SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE e (id BIGINT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/ev.csv', 'format' = 'csv');
CREATE TABLE c WITH ('connector' = 'print') AS SELECT id, UPPER(k) AS u, ts FROM e;
DESCRIBE c;
CREATE TABLE c2 (x INT) WITH ('connector' = 'blackhole') AS SELECT id FROM e;
DESCRIBE c2;
CREATE TABLE c WITH ('connector' = 'print') AS SELECT id FROM e;
