SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.display.max-column-width' = '99999999999';
SELECT 1 AS a;
