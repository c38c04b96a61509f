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

WITH a AS (SELECT *, CURRENT_WATERMARK(ts) AS wm FROM events), b AS (SELECT * FROM a WHERE wm IS NULL OR ts > wm)
SELECT window_start, window_end, COUNT(*) AS cnt, SUM(reading) AS total FROM TUMBLE(TABLE b, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end;
