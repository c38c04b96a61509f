SET 'execution.runtime-mode' = 'batch';
SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT HOP_START(ts, INTERVAL '3' MINUTE, INTERVAL '2' MINUTE), COUNT(*) FROM t GROUP BY HOP(ts, INTERVAL '3' MINUTE, INTERVAL '2' MINUTE);
