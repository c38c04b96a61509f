SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (
  id BIGINT,
  k STRING,
  g INT,
  v INT,
  b BIGINT,
  p DECIMAL(10, 2),
  d DOUBLE,
  s STRING,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/aggs_02.csv',
  'format' = 'csv',
  'csv.null-literal' = 'N'
);
SELECT MAX(v) AS m, COUNT(ts) AS n, AVG(v) AS a FROM t WHERE FALSE;
SELECT COUNT(*) AS n FROM t WHERE v BETWEEN 9 AND 25 AND v IN (100, 2);
SELECT COUNT(*) AS n FROM t WHERE k > 'b' AND k < 'a';
SELECT COUNT(*) AS n FROM t WHERE d > 5.0 AND d < 3.0;
SELECT COUNT(*) AS n FROM t WHERE v IS NULL AND v = 3;
SELECT COUNT(*) AS n FROM t WHERE NOT (v > 5 OR v <= 5);
SELECT COUNT(*) AS n FROM t WHERE v <> v;
SELECT COUNT(*) AS n FROM t WHERE v = NULL;
SELECT COUNT(*) AS n FROM t WHERE id > 1000000;
SELECT FIRST_VALUE(v) AS f FROM t WHERE FALSE;
SELECT COUNT(*) AS n FROM t HAVING FALSE;
SELECT COUNT(*) AS n FROM (SELECT k, SUM(v) AS s FROM t WHERE FALSE GROUP BY k);
