CREATE TABLE p (n INT) WITH ('connector' = 'print');
CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');
CREATE VIEW v AS SELECT 1 AS a;
ALTER TABLE v RENAME TO q;
