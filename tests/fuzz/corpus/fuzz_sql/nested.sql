WITH a AS (SELECT window_time AS rowtime, k, COUNT(*) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)
GROUP BY window_start, window_end, window_time, k)
SELECT window_end, SUM(n) FROM TUMBLE(TABLE a, DESCRIPTOR(rowtime), INTERVAL '1' HOUR) GROUP BY window_start, window_end;
