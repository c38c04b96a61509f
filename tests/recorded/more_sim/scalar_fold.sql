SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (b BOOLEAN, ti TINYINT, i INT, l BIGINT, d DECIMAL(5,2), f FLOAT, g DOUBLE, s STRING, v VARCHAR(10), dt DATE, tm TIME, ts TIMESTAMP(3), nn INT NOT NULL) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/scalar.csv','format'='csv','csv.null-literal'='NULL');
SELECT i, COUNT(*) AS c FROM t WHERE s LIKE '%l%' AND d > 1 GROUP BY i HAVING SUM(l) / 2 > 10;
SELECT UPPER(s) AS u, d * 2 AS x FROM t ORDER BY x DESC;
SELECT 1/0 AS a;
