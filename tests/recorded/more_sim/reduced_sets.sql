SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT k, x, AVG(x) AS a, MIN(n) AS m FROM (SELECT k, n, CASE WHEN id > 2 THEN 9223372036854775807 ELSE n END AS x FROM t) GROUP BY GROUPING SETS ((k, x), (x));
SELECT k, x, AVG(x) AS a, MIN(n) AS m FROM (SELECT k, n, CASE WHEN id > 2 THEN 9223372036854775807 ELSE n END AS x FROM t) GROUP BY ROLLUP (k, x);
