CREATE TABLE nope.t (a INT) WITH ('connector'='print');
