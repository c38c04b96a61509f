SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (ts TIMESTAMP_LTZ(3), k INT, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/before_1970.csv', 'format' = 'csv');
SET 'execution.runtime-mode' = 'batch';
SELECT window_start FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '2' MINUTES) GROUP BY window_start, window_time;
