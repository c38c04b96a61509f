SELECT window_start, k, b, COUNT(*), GROUPING(k) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)
GROUP BY window_start, window_end, GROUPING SETS ((k, b), (k), ());
SELECT window_start, k, SUM(v) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR) GROUP BY window_start, window_end, ROLLUP (k, v);
