SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/ok4.csv',
  'format' = 'csv'
);
SELECT window_start, window_end, COUNT(*) AS cnt
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY (window_start, window_end;
