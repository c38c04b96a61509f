SET 'sql-client.execution.result-mode' = 'tableau';

CREATE TABLE t (
  id INT,
  k STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '30' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/windows_read.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, k, UPPER(CAST(window_end AS STRING)), COUNT(*) FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE) GROUP BY window_start, window_end, k, CAST(window_end AS STRING);
