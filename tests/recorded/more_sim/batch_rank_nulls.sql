SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (id BIGINT, k STRING, g INT, v INT, b BIGINT, p DECIMAL(10, 2), d DOUBLE, s STRING, ts TIMESTAMP(3)) WITH ('connector' = 'filesystem','path' = 'file:///opt/lab/fixtures/data/semtest/aggs_02.csv','format' = 'csv','csv.null-literal' = 'N');
SELECT id, g, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY g ORDER BY g DESC NULLS FIRST, id) AS rn FROM t) WHERE rn <= 2;
SELECT id, g, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY g ORDER BY g ASC NULLS LAST, id DESC) AS rn FROM t) WHERE rn <= 2;
