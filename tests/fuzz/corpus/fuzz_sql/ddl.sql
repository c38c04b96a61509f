CREATE TEMPORARY TABLE IF NOT EXISTS a (id INT NOT NULL, n DECIMAL(38, 18), at AS CAST(n AS STRING), x BYTES, y TIME(0), z DATE,
ts TIMESTAMP_LTZ(3), PRIMARY KEY (id) NOT ENFORCED, WATERMARK FOR ts AS ts - INTERVAL '0.5' SECOND) COMMENT 'c' WITH ('connector' = 'filesystem', 'path' = '/a', 'format' = 'csv', 'csv.field-delimiter' = ';', 'csv.null-literal' = '-');
CREATE TABLE l LIKE t; DESCRIBE a;
SHOW CREATE TABLE a; SHOW TABLES; SHOW VIEWS; DESC late;
ALTER TABLE a MODIFY WATERMARK FOR ts AS ts; ALTER TABLE a RENAME TO aa; ALTER TABLE t SET ('path' = '/b'); DROP VIEW IF EXISTS late; DROP TABLE aa;
