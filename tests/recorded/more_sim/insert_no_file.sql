CREATE TABLE e (id BIGINT) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/nofile.csv', 'format' = 'csv');
CREATE TABLE b (n BIGINT) WITH ('connector' = 'blackhole');
INSERT INTO b SELECT id FROM e;
SHOW TABLES;
