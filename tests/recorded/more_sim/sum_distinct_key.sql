SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT n, SUM(DISTINCT n) AS s FROM t GROUP BY n ORDER BY s;
SELECT k, n, SUM(DISTINCT n) AS s FROM t WHERE id > 4 GROUP BY k, n;
