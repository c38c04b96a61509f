SET 'sql-client.execution.result-mode' = 'tableau';
CREATE DATABASE d;
CREATE TABLE d.t (a INT) WITH ('connector'='print');
SHOW TABLES;
INSERT INTO d.t SELECT 1;
DROP DATABASE d;
