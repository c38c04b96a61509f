SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT k, COUNT(*) AS n FROM t WHERE 'abc' LIKE '%' GROUP BY k;
SELECT k, COUNT(*) AS n FROM t WHERE id > 0 OR 1 = 2 GROUP BY k;
SELECT k, COUNT(*) AS n FROM t WHERE NOT (1 = 2 AND id > 3) GROUP BY k;
SELECT k, window_start, COUNT(*) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) WHERE DATE '2026-07-06' IS NOT NULL GROUP BY window_start, window_end, k;
SELECT n, COUNT(*) AS c FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) WHERE 'a' LIKE 'a%' GROUP BY n, window_start ORDER BY window_start;
