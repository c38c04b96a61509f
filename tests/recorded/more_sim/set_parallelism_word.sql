SET 'sql-client.execution.result-mode' = 'tableau';
SET 'parallelism.default' = 'abc';
SELECT 1 AS a;
