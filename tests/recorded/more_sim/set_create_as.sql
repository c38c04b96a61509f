SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE p (n INT) WITH ('connector' = 'print');
CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');
BEGIN STATEMENT SET;
CREATE TABLE c WITH ('connector' = 'print') AS SELECT 1 AS a;
INSERT INTO p SELECT 1;
END;
SHOW TABLES;
