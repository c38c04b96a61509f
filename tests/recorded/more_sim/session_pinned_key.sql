SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (
  id INT,
  k STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/session_pinned.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, k, COUNT(*) AS n
FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)
WHERE v < 5
GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, COUNT(*) AS n
FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)
WHERE k = 'a'
GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, COUNT(*) AS n
FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)
WHERE k = 'a' AND v < 5
GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, COUNT(*) AS n
FROM SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '5' SECOND)
WHERE k <> 'b'
GROUP BY window_start, window_end, k;
