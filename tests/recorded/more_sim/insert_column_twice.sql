CREATE TABLE q (a INT, b INT) WITH ('connector' = 'blackhole');
INSERT INTO q (a, a) SELECT 1, 2;
