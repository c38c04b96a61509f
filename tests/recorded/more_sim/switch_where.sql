SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SET 'execution.runtime-mode' = 'batch';
SELECT id FROM t WHERE ts > TIMESTAMP '2026-07-06 09:02:00' AND k = 'a';
SELECT window_start, COUNT(*) AS c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) WHERE ts > TIMESTAMP '2026-07-06 09:02:00' GROUP BY window_start, window_end;
