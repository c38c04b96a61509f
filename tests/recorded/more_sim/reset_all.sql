SET 'sql-client.execution.result-mode' = 'tableau';
RESET;
SELECT 1;
