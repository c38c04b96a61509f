SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (b BOOLEAN, ti TINYINT, i INT, l BIGINT, d DECIMAL(5,2), f FLOAT, g DOUBLE, s STRING, v VARCHAR(10), dt DATE, tm TIME, ts TIMESTAMP(3), nn INT NOT NULL) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/scalar.csv','format'='csv','csv.null-literal'='NULL');
SELECT UPPER(s) AS a, LOWER(v) AS b, INITCAP(s) AS c, CHAR_LENGTH(s) AS d, SUBSTRING(s, 2, 3) AS e, SUBSTRING(s, -3) AS f, LEFT(s, 2) AS g, RIGHT(s, 2) AS h FROM t;
SELECT TRIM('  ' || v || ' ') AS a, TRIM(LEADING 'h' FROM s) AS b, LPAD(s, 13, '*') AS c, REPLACE(s, 'l', 'LL') AS d, POSITION('o' IN s) AS e, INSTR(s, 'o', 1, 2) AS f, SPLIT_INDEX(s, ' ', 1) AS g, REVERSE(s) AS h FROM t;
SELECT s || '!' AS a, CONCAT(s, v) AS b, CONCAT_WS('-', s, v, 'x') AS c, OVERLAY(s PLACING 'ZZ' FROM 2) AS d, s LIKE 'h%' AS e, s LIKE '%_日%' AS f, 'a%b' LIKE 'a!%b' ESCAPE '!' AS g, U&'\00e9' AS h, CHR(233) AS i, ASCII(s) AS j FROM t;
CREATE VIEW w AS SELECT UPPER(v) AS a, SUBSTRING(v, 1) AS b, REVERSE(v) AS c, CHAR_LENGTH('x') AS d, v || 'x' AS e, CONCAT('a') AS f, TRIM(v) AS g, nn + 1 AS h, CASE WHEN b THEN 'a' ELSE 'bcd' END AS i, COALESCE(i, 0) AS j, IF(b, 1, 2) AS k, i IS NULL AS l FROM t;
DESCRIBE w;
SELECT UPPER(i) FROM t;
