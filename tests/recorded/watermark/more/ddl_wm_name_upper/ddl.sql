CREATE TABLE events (
  EVENT_ID BIGINT,
  SENSOR STRING,
  READING INT,
  TS TIMESTAMP(3),
  WATERMARK FOR TS AS TS - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/watermark_events.csv',
  'format' = 'csv'
);

DESCRIBE events;
