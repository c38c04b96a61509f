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
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/aggs_02.csv',
  'format' = 'csv',
  'csv.null-literal' = 'N'
);
SELECT id, v AS x, d AS x FROM t ORDER BY id;
SELECT *, id FROM t ORDER BY ts, id + 1;
