CREATE TABLE t (id INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH ('connector' = 'filesystem', 'path' = 'file:///none.csv', 'format' = 'csv');
SELECT FLOOR(ts TO minutes) FROM t;
