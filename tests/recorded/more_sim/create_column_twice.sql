CREATE TABLE t (a INT, a INT) WITH ('connector'='print');
