CREATE TABLE q (a INT) WITH ('connector' = 'print', 'print-identifier' = 'x', 'standard-error' = 'true');
INSERT INTO q SELECT 1;
CREATE TABLE q2 (a INT) WITH ('connector' = 'print', 'foo' = 'x');
INSERT INTO q2 SELECT 1;
