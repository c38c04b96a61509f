SET 'sql-client.execution.result-mode' = 'tableau';
SELECT * FROM nope.t;
