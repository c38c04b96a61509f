CREATE TABLE readings (
  reading_id BIGINT,
  bed STRING,
  celsius INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '30' MINUTE
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/greenhouse.csv',
  'format' = 'csv'
);

DESCRIBE readings;
