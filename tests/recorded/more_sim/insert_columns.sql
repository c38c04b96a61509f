CREATE TABLE p (n INT) WITH ('connector' = 'print');
CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');
CREATE TABLE q (a INT, b STRING, c BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO q (b, a) SELECT 'x', 1;
INSERT INTO q VALUES (1, 'a', 2), (3, 'b', 4);
INSERT INTO q SELECT 1, 'a', 1;
INSERT INTO p SELECT CAST(1 AS TINYINT);
INSERT INTO q SELECT 1, 'a';
