CREATE TABLE e (id BIGINT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/ev.csv', 'format' = 'csv');
CREATE VIEW v (a, b) AS SELECT id, k FROM e;
DESCRIBE v;
SHOW COLUMNS FROM v LIKE 'b';
CREATE VIEW v2 (a) AS SELECT id, k FROM e;
