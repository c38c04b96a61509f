CREATE TEMPORARY TABLE t (c INT) WITH ('connector' = 'datagen');
CREATE TEMPORARY TABLE IF NOT EXISTS t (c INT) WITH ('connector' = 'datagen');
CREATE TEMPORARY TABLE t (c INT) WITH ('connector' = 'datagen');
