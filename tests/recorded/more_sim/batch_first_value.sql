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
SELECT window_start, FIRST_VALUE(v) AS a, LAST_VALUE(v) AS z, COUNT(*) AS n
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end;
SELECT k, FIRST_VALUE(d) AS a, LAST_VALUE(id) AS z FROM t GROUP BY k;
SELECT LAST_VALUE(id) AS z FROM t;
