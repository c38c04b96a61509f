SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (ts TIMESTAMP_LTZ(3), k INT, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/before_1970.csv', 'format' = 'csv');
SELECT SESSION_START(ts, INTERVAL '5' SECOND) FROM t WHERE k IS NOT NULL IS NULL AND k > 1 GROUP BY SESSION(ts, INTERVAL '5' SECOND);
