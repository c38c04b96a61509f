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

CREATE VIEW half AS SELECT window_time AS rt, COUNT(*) AS c, SUM(reading) AS s
FROM TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '30' SECOND) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, SUM(c) AS cnt, SUM(s) AS total FROM TUMBLE(TABLE half, DESCRIPTOR(rt), INTERVAL '1' MINUTE) GROUP BY window_start, window_end;
