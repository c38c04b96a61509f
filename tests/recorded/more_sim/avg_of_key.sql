SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT d, AVG(d) AS a FROM (SELECT 0.99349E0 AS d, id FROM t) GROUP BY d;
SELECT d, AVG(d) AS a, SUM(d) AS s FROM (SELECT CAST(k AS VARCHAR(9)) k, CASE WHEN id > 0 THEN 0.99349E0 ELSE 0E0 END AS d FROM t) GROUP BY d;
SELECT d, AVG(d) AS a, COUNT(*) AS n FROM (SELECT CAST(k AS VARCHAR(9)) k, CASE WHEN id > 0 THEN 0.99349E0 ELSE 0E0 END AS d FROM t) GROUP BY d;
