SET 'sql-client.execution.result-mode' = 'tableau';
SET 'pipeline.auto-watermark-interval' = '0';
CREATE TABLE t (
  id INT,
  k STRING,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '20' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/session_bridge.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, k, COUNT(*) AS n, MIN(id) AS first, SUM(id * 0.1E0) AS s
FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)
GROUP BY window_start, window_end, k;
SELECT window_end, k, id
FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND);
