CREATE TEMPORARY TABLE t (c INT) WITH ('connector' = 'datagen');
DROP TABLE t;
