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

SELECT window_start, window_end, COUNT(*) AS cnt, MIN(celsius) AS warmest
FROM TUMBLE(TABLE readings, DESCRIPTOR(ts), INTERVAL '5' MINUTE)
GROUP BY window_start, window_end;
