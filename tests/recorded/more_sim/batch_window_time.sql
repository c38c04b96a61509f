SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t0 (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(0)
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/ok4.csv',
  'format' = 'csv'
);
CREATE TABLE t (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(6)
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/ok4.csv',
  'format' = 'csv'
);
SELECT window_start, window_time, COUNT(*) AS n
FROM TUMBLE(TABLE t0, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, window_time;
SELECT id, window_time FROM TUMBLE(TABLE t0, DESCRIPTOR(ts), INTERVAL '1' MINUTE);
SELECT window_start, window_time, COUNT(*) AS n
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, window_time;
SELECT id, window_time FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE);
