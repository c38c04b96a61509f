CREATE TABLE q (a INT, b INT) WITH ('connector' = 'blackhole');
INSERT INTO q (a, x) SELECT 1, 2;
