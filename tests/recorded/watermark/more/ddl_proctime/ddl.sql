CREATE TABLE events (
  event_id BIGINT,
  sensor STRING,
  reading INT,
  ts AS PROCTIME()
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/watermark_events.csv',
  'format' = 'csv'
);

DESCRIBE events;
