SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SET 'execution.runtime-mode' = 'batch';
SELECT window_start, COUNT(*) AS c FROM TUMBLE((SELECT window_time AS rt, COUNT(*) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, window_time), DESCRIPTOR(rt), INTERVAL '10' MINUTE) GROUP BY window_start;
