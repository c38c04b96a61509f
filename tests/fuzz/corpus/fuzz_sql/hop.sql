SELECT k, window_start, window_time, COUNT(DISTINCT v), COUNT(v) FILTER (WHERE b)
FROM TABLE(HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '30' SECOND, INTERVAL '2' MINUTE, INTERVAL '5' SECOND))
GROUP BY window_start, window_end, window_time, k;
