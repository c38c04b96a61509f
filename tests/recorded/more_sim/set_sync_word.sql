SET 'table.dml-sync' = 'x';
CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');
INSERT INTO b SELECT 1;
