SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/bad/unused.csv','format'='csv');
SELECT k, c FROM (SELECT window_start, window_end, k, c, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY c DESC) AS rn FROM (SELECT window_start, window_end, k, COUNT(*) c FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, k)) WHERE rn <= 2;
SELECT window_start, id FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE);
SELECT k, id FROM (SELECT k, id, ROW_NUMBER() OVER (PARTITION BY k ORDER BY id DESC) AS rn FROM (SELECT k, id FROM t WHERE id > 0)) WHERE rn <= 2;
