SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT n, COUNT(*) AS c FROM t GROUP BY ROLLUP (n);
SELECT n, COUNT(*) AS c FROM t WHERE id = 8 GROUP BY ROLLUP (n);
SELECT n, d, COUNT(*) AS c FROM t WHERE id = 8 GROUP BY CUBE (n, d);
SELECT window_start, k, SUM(n) AS s FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) WHERE id = 3 GROUP BY window_start, window_end, ROLLUP (k);
