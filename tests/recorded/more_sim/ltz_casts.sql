SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.local-time-zone' = 'Europe/Berlin';
CREATE TABLE t (id INT, ts TIMESTAMP_LTZ(3), k STRING, v INT) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/zones/berlin_spring.csv','format'='csv');
SELECT id, CAST(ts AS STRING) AS s, CAST(ts AS TIMESTAMP(0)) AS l, CAST(CAST(ts AS TIMESTAMP(3)) AS TIMESTAMP_LTZ(3)) AS back, CAST('2026-03-29 02:30:00' AS TIMESTAMP_LTZ(3)) AS gap, ts > TIMESTAMP '2026-03-29 01:30:00' AS late FROM t;
SELECT id, FLOOR(ts TO HOUR) AS h, FLOOR(ts TO DAY) AS d, CEIL(ts TO DAY) AS up, EXTRACT(DAY FROM ts) AS day_, DATE_FORMAT(ts, 'yyyy-MM-dd HH:mm:ss') AS f, ts + INTERVAL '1' DAY AS tomorrow FROM t;
