SET 'sql-client.execution.result-mode' = 'tableau';

CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BYTES, d BINARY(1), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv', 'format' = 'csv');
SELECT COUNT(DISTINCT n), MAX(n) FROM t GROUP BY k;
