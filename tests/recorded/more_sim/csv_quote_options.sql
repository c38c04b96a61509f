SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (id INT, s STRING) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/fields/quotes.csv','format'='csv','csv.field-delimiter'='|','csv.quote-character'='''','csv.ignore-parse-errors'='true');
SELECT * FROM t;
CREATE TABLE u (id INT, s STRING) WITH ('connector'='filesystem','path'='file:///opt/lab/fixtures/data/fields/quotes.csv','format'='csv','csv.field-delimiter'='\u007cx','csv.disable-quote-character'='true','csv.ignore-parse-errors'='true');
SELECT * FROM u;
