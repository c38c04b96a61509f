SELECT window_start, window_end, COUNT(*) AS cnt, SUM(v) AS total, AVG(d), MIN(c), MAX(ts)
FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) WHERE v > 0
GROUP BY window_start, window_end HAVING COUNT(*) > 0;
