SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
SET 'table.local-time-zone' = 'Europe/Berlin';
CREATE TABLE t (id INT, ts TIMESTAMP_LTZ(3), k STRING, v INT, WATERMARK FOR ts AS ts - INTERVAL '5' MINUTE) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/zones/berlin_autumn.csv','format'='csv');
SELECT id, ts FROM t;
SELECT window_start, window_end, window_time, COUNT(*) AS n, MIN(ts) AS lo FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)) GROUP BY window_start, window_end, window_time;
SELECT window_start, window_end, k, COUNT(*) AS n FROM TABLE(HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '6' HOUR, INTERVAL '1' DAY)) GROUP BY window_start, window_end, k;
SELECT id, ts, window_start, window_time FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR));
