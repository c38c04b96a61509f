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
SELECT * FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, g ORDER BY g DESC, n) AS rn
  FROM (SELECT window_start, window_end, g, k, COUNT(*) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, g, k)
) WHERE rn <= 2;
SELECT * FROM (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end, g ORDER BY k, g DESC) AS rn
  FROM (SELECT g, window_start, window_end, k, COUNT(*) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, g, k)
) WHERE rn <= 2;
