SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE orders (order_id BIGINT, shop STRING, item STRING, amount INT, t STRING, ts AS TO_TIMESTAMP(t), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/orders.csv', 'format' = 'csv');
SELECT order_id, shop, amount, ts, window_start, window_end, window_time FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE);
