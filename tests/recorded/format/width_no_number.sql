SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.display.max-column-width' = 'abc';
SELECT 1 AS a;
