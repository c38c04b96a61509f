SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';
SET 'table.local-time-zone' = 'UTC';
SELECT window_start, k, COUNT(*) FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '5' SECOND)
GROUP BY window_start, window_end, k;
