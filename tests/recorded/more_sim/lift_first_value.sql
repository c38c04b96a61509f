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
SELECT window_start, window_end, FIRST_VALUE(v), LAST_VALUE(v) FROM CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) WHERE window_end < TIMESTAMP '2026-07-06 09:03:00' GROUP BY window_start, window_end;
SELECT window_start, window_end, LAST_VALUE(v) FROM (SELECT window_start, window_end, v FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE)) GROUP BY window_start, window_end;
