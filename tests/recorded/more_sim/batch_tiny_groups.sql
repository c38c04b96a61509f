SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t8 (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/thr8.csv',
  'format' = 'csv'
);
CREATE TABLE t9 (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/thr9.csv',
  'format' = 'csv'
);
CREATE TABLE t12 (
  id BIGINT,
  k STRING,
  v INT,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/thr12.csv',
  'format' = 'csv'
);
CREATE TABLE t (
  id BIGINT,
  k STRING,
  g INT,
  v INT,
  b BIGINT,
  p DECIMAL(10, 2),
  d DOUBLE,
  s STRING,
  ts TIMESTAMP(3)
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/semtest/aggs_02.csv',
  'format' = 'csv',
  'csv.null-literal' = 'N'
);
SELECT v, COUNT(*) AS n FROM t8 GROUP BY v;
SELECT v, k, id, COUNT(*) AS n FROM t8 GROUP BY v, k, id;
SELECT v, COUNT(DISTINCT k) AS n FROM t8 GROUP BY v;
SELECT v, COUNT(DISTINCT k) AS n, SUM(id) AS i, COUNT(DISTINCT id) AS m FROM t8 GROUP BY v;
SELECT DISTINCT v FROM t8 WHERE v > 3 OR k <> 'a';
SELECT v, COUNT(*) AS n FROM t9 GROUP BY v;
SELECT v, k, id, COUNT(*) AS n FROM t9 GROUP BY v, k, id;
SELECT v, COUNT(DISTINCT k) AS n FROM t9 GROUP BY v;
SELECT v, COUNT(DISTINCT k) AS n, SUM(id) AS i, COUNT(DISTINCT id) AS m FROM t9 GROUP BY v;
SELECT DISTINCT v FROM t9 WHERE v > 3 OR k <> 'a';
SELECT v, COUNT(*) AS n FROM t12 GROUP BY v;
SELECT v, k, id, COUNT(*) AS n FROM t12 GROUP BY v, k, id;
SELECT v, COUNT(DISTINCT k) AS n FROM t12 GROUP BY v;
SELECT v, COUNT(DISTINCT k) AS n, SUM(id) AS i, COUNT(DISTINCT id) AS m FROM t12 GROUP BY v;
SELECT DISTINCT v FROM t12 WHERE v > 3 OR k <> 'a';
SELECT v, COUNT(*) AS n FROM t9 WHERE v IS NOT NULL GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE g = 1 AND k = 'a' GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE g IN (1, 2) AND v > 0 GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE g = 1 OR g = 2 GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE k LIKE 'a%' GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE k LIKE 'a%' OR g = 1 GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE NOT (g = 1) AND v BETWEEN -20 AND 60 GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE g <> 1 AND v > 0 AND b > 0 GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE s IS NULL GROUP BY v;
SELECT v, COUNT(*) AS n FROM t WHERE k IN ('a', 'b') AND NOT (v < 0 OR b < 0) GROUP BY v;
SELECT window_start, COUNT(DISTINCT v) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end;
SELECT g, COUNT(DISTINCT v) AS n FROM t GROUP BY g;
SELECT g, COUNT(DISTINCT v) AS n FROM t WHERE v > 0 GROUP BY g;
SELECT n, COUNT(*) AS m FROM (SELECT window_start, window_end, g, COUNT(*) AS n FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start, window_end, g) GROUP BY n;
