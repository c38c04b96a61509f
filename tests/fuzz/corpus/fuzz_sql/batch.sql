SET 'execution.runtime-mode' = 'batch';
SELECT k, window_start, SUM(c), AVG(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY k, window_start, window_end ORDER BY k DESC NULLS LAST, window_start LIMIT 3;
SELECT * FROM t ORDER BY v, d DESC;
SELECT k, MIN(ts), MAX(d), COUNT(DISTINCT v) FROM t GROUP BY k;
