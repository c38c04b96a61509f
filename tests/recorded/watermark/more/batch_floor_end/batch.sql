SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE events (
  event_id BIGINT,
  sensor STRING,
  reading INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/watermark_events.csv',
  'format' = 'csv'
);

SELECT FLOOR(ts TO MINUTE) AS window_start, FLOOR(ts TO MINUTE) + INTERVAL '1' MINUTE AS window_end, COUNT(*) AS cnt, SUM(reading) AS total FROM events GROUP BY FLOOR(ts TO MINUTE);
