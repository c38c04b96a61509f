SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/ok4.csv',
  'format' = 'csv'
);
SELECT CASE WHEN v > 1 THEN 'a' ELSE 'b' FROM t;
