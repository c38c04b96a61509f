SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
SELECT UNIX_TIMESTAMP('2026-01-31 00:00:00') AS a, UNIX_TIMESTAMP('2024-02-29 23:59:59') AS b, UNIX_TIMESTAMP('2026-12-30 09:00:00.500') AS c;
