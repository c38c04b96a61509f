SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, v REAL) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/fields/quotes.csv','format'='csv');
