CREATE TABLE t (a INT, PRIMARY KEY (a)) WITH ('connector'='print');
