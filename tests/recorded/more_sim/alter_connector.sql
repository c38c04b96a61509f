SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE e (id BIGINT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/ev.csv', 'format' = 'csv');
ALTER TABLE e SET ('connector' = 'print');
SELECT * FROM e;
