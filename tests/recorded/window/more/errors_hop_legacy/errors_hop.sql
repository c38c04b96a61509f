SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE orders (order_id BIGINT, shop STRING, item STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/orders.csv', 'format' = 'csv');
SELECT HOP_START(ts, INTERVAL '10' MINUTE, INTERVAL '5' MINUTE), COUNT(*) FROM orders GROUP BY HOP(ts, INTERVAL '10' MINUTE, INTERVAL '5' MINUTE);
