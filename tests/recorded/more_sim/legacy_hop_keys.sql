SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT HOP_START(ts, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE), k, d, COUNT(*) FROM t GROUP BY HOP(ts, INTERVAL '1' MINUTE, INTERVAL '2' MINUTE), k, d;
