SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/comment.csv', 'format' = 'csv', 'csv.allow-comments' = 'true');
SELECT ts, COUNT(*) AS c FROM t WHERE id < 3 AND v > 5 GROUP BY ts;
SELECT window_start, k, COUNT(*) AS c FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) GROUP BY window_start, window_end, k;
SELECT window_start, COUNT(*) AS c FROM HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE) GROUP BY window_start, window_end;
