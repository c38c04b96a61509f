SET 'pipeline.auto-watermark-interval' = '0';
SELECT window_end, k, SUM(v) FROM CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)
GROUP BY window_start, window_end, k;
