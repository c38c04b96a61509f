SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (ts TIMESTAMP_LTZ(3), k INT, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/before_1970.csv', 'format' = 'csv');
SET 'table.local-time-zone' = 'America/New_York';
SELECT TUMBLE_START(ts, INTERVAL '10' MINUTE) AS s, k FROM t GROUP BY TUMBLE(ts, INTERVAL '10' MINUTE), k;
