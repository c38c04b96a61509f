SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (
  id INT,
  k BYTES,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/session_pinned.csv',
  'format' = 'csv',
  'csv.ignore-parse-errors' = 'true'
);
SELECT k, COUNT(k) AS n, FIRST_VALUE(k) AS f FROM t GROUP BY k;
SELECT window_start, COUNT(*) AS n, MAX(k) AS m
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end;
