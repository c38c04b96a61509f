SET 'table.display.max-column-width' = '3';
SHOW TABLES;
SHOW CATALOGS;
CREATE TABLE e (id BIGINT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/ev.csv', 'format' = 'csv');
DESCRIBE e;
