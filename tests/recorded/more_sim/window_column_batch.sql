SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
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
SELECT window_start, MAX(window_end), COUNT(v) FILTER (WHERE window_end > TIMESTAMP '2026-07-06 09:02:00') FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE) GROUP BY window_start, window_end;
SELECT window_start, MAX(window_end), SUM(v), k FROM CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE) GROUP BY window_start, window_end, k;
SELECT k, SUM(v), window_end FROM (SELECT * FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE)) GROUP BY window_start, window_end, k;
