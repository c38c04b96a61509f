SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE p (n INT) WITH ('connector' = 'print');
CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');
BEGIN STATEMENT SET;
INSERT INTO p SELECT 1;
