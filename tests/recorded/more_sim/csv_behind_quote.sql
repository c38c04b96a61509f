SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, s STRING) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/fields/quotes.csv','format'='csv','csv.field-delimiter'='|','csv.quote-character'='''');
SET 'execution.runtime-mode' = 'batch';
SELECT * FROM t;
