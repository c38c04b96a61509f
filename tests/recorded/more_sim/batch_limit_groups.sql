SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id INT, ts TIMESTAMP(3), k STRING, g INT, v INT, d DECIMAL(10,2), f DOUBLE, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/mixed/t.csv','format'='csv','csv.null-literal'='NULL');
CREATE TABLE y (id INT, ts TIMESTAMP(3), bo BOOLEAN, ti TINYINT, si SMALLINT, i INT, l BIGINT, fl FLOAT, db DOUBLE, de DECIMAL(10,2), big DECIMAL(38,10), s STRING, da DATE, tm TIME(0), t6 TIMESTAMP(6), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/mixed/y.csv','format'='csv','csv.null-literal'='NULL');
CREATE TABLE p (id INT, ts TIMESTAMP(3), k STRING, g INT, v INT, d DECIMAL(10,2), f DOUBLE, pt AS PROCTIME()) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/mixed/t.csv','format'='csv','csv.null-literal'='NULL');
CREATE TABLE e (id INT, ts TIMESTAMP(3), k STRING, g INT, v INT, d DECIMAL(10,2), f DOUBLE, WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/mixed/e.csv','format'='csv','csv.null-literal'='NULL');
SELECT k, COUNT(*) FROM t GROUP BY k LIMIT 3;
