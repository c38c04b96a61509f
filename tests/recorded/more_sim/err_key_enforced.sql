CREATE TABLE t (
  id BIGINT,
  k STRING,
  v INT PRIMARY KEY,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/ok4.csv',
  'format' = 'csv'
);
SELECT 1;
