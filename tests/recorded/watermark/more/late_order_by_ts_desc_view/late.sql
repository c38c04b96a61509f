SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'streaming';
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
CREATE VIEW late_rows AS SELECT event_id, ts, CURRENT_WATERMARK(ts) AS wm FROM events
WHERE ts <= CURRENT_WATERMARK(ts);
SELECT * FROM late_rows ORDER BY ts;
