CREATE TABLE p (n INT) WITH ('connector' = 'print');
CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');
ALTER TABLE p DROP WATERMARK;
