SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(0),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/ok4.csv',
  'format' = 'csv'
);
DESCRIBE t;
CREATE VIEW w AS SELECT id, ts FROM t;
DESCRIBE w;
SELECT id, ts FROM t;
SELECT window_start, MAX(ts) AS last, MIN(CAST(ts AS TIMESTAMP(0))) AS first
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end;
SELECT k, MAX(ts) AS last FROM t GROUP BY k;
SET 'execution.runtime-mode' = 'batch';
DESCRIBE t;
