SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (b BOOLEAN, ti TINYINT, i INT, l BIGINT, d DECIMAL(5,2), f FLOAT, g DOUBLE, s STRING, v VARCHAR(10), dt DATE, tm TIME, ts TIMESTAMP(3), nn INT NOT NULL) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/scalar.csv','format'='csv','csv.null-literal'='NULL');
SELECT i + 1 AS a, ti * ti AS b, l % 7 AS c, d * d AS d, d / 3 AS e, f * 3 AS f, f + g AS g, g / 3 AS h, i / nn AS i FROM t WHERE nn <> 0;
SELECT ABS(i) AS a, SIGN(d) AS b, ROUND(d, 1) AS c, ROUND(i, -1) AS d, TRUNCATE(d, 1) AS e, FLOOR(d) AS f, CEIL(g) AS g, MOD(i, 3) AS h, POWER(i, 2) AS i, ROUND(g) AS j FROM t;
SELECT 0.1 + 0.2 AS a, 7 / 2 AS b, -7 % 3 AS c, 1.0 / 3 AS d, 1e0 / 3 AS e, 2147483647 + 1 AS f, 1.0e18 / 3 AS g, PI() AS h, CAST(l AS DOUBLE) / 7 AS i FROM t;
SELECT GREATEST(i, l) AS a, NULLIF(i, 7) AS b, IFNULL(d, 0) AS c, CASE WHEN b THEN f ELSE i END AS d, b AND i > 0 AS e, NOT b AS f, i BETWEEN 0 AND 10 AS g, i IN (7, NULL) AS h, b IS NOT TRUE AS i, i IS DISTINCT FROM 7 AS j FROM t;
CREATE VIEW w AS SELECT i + l AS a, d * d AS b, d / d AS c, f + g AS d, g + f AS e, d + 1 AS f, l % ti AS g, ROUND(d, 1) AS h, FLOOR(d) AS i, nn * 2 AS j, nn / 2.0 AS k FROM t;
DESCRIBE w;
SELECT i / 0 AS a FROM t;
