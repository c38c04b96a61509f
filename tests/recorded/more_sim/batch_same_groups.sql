SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (
  id BIGINT,
  k STRING,
  g INT,
  v INT,
  b BIGINT,
  p DECIMAL(10, 2),
  d DOUBLE,
  s STRING,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/aggs_02.csv',
  'format' = 'csv',
  'csv.null-literal' = 'N'
);
SELECT window_start, window_end, MIN(n) AS a
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' MINUTE)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(DISTINCT m) AS a
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' MINUTE)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT window_start, window_end, SUM(m) AS a, COUNT(*) AS b
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' MINUTE)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT window_start, window_end, MAX(m) FILTER (WHERE n > 1) AS a
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' MINUTE)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT window_start, window_end, MIN(n) AS a
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(DISTINCT m) AS a
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT window_start, window_end, SUM(m) AS a, COUNT(*) AS b
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT window_start, window_end, MAX(m) FILTER (WHERE n > 1) AS a
FROM (SELECT window_start, window_end, COUNT(*) AS n, MAX(id) AS m
FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end)
GROUP BY window_start, window_end;
SELECT k, MAX(n) AS a FROM (SELECT k, COUNT(*) AS n FROM t WHERE g = 1 GROUP BY k) GROUP BY k;
SELECT k, COUNT(n) AS a FROM (SELECT k, COUNT(*) AS n FROM t WHERE g > 1 GROUP BY k) GROUP BY k;
