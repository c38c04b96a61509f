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
SELECT window_start, window_end, k, SUM(v) AS s FROM (SELECT k, window_start, window_end, v FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE)) GROUP BY window_start, window_end, k;
SELECT window_start, window_end, k, SUM(v) AS s FROM (SELECT k, window_start, window_end, v FROM CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '5' MINUTE) WHERE v > 1) GROUP BY k, window_start, window_end;
CREATE VIEW w AS SELECT * FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE);
SELECT window_start, window_end, k, AVG(DISTINCT v) AS s FROM w WHERE v < 9 GROUP BY window_start, window_end, k;
SELECT we, k, COUNT(*) AS n FROM (SELECT window_end AS we, k, window_start AS ws, v + 1 AS v FROM w) WHERE v < 9 GROUP BY ws, we, k;
SELECT window_start, window_end, COUNT(window_end), MAX(window_time) FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '3' MINUTE) GROUP BY window_start, window_end;
