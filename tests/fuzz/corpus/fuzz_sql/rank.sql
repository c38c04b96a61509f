SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC, k) AS rn
FROM (SELECT window_start, window_end, k, SUM(v) AS total FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR)
GROUP BY window_start, window_end, k)) WHERE rn <= 2;
SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY k ORDER BY ts) AS rn FROM t) WHERE rn = 1;
