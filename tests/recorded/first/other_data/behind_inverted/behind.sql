SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE readings (
  reading_id BIGINT,
  bed STRING,
  celsius INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '30' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/greenhouse.csv',
  'format' = 'csv'
);

SELECT reading_id, bed, ts
FROM readings
WHERE ts > CURRENT_WATERMARK(ts);
