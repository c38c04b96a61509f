SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE p (n INT) WITH ('connector' = 'print');
CREATE TABLE b (n INT) WITH ('connector' = 'blackhole');
SET 'table.dml-sync' = 'true';
BEGIN STATEMENT SET;
INSERT INTO p SELECT 1;
INSERT INTO b SELECT 2;
END;
EXECUTE STATEMENT SET BEGIN
INSERT INTO p SELECT (1);
INSERT INTO b SELECT 2; END;
SELECT 1 AS a;
