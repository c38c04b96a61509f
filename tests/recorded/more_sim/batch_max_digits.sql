SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(6), n BIGINT, d DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
CREATE TABLE u (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT n, MAX(ts) AS m FROM t GROUP BY n;
SELECT d, COUNT(*) AS c, MIN(ts) AS m FROM t GROUP BY d ORDER BY c;
SELECT MIN(ts) AS m FROM u GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE);
SELECT MIN(CAST(ts AS TIMESTAMP(9))) AS m FROM u GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE);
