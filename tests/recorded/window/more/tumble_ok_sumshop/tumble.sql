SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE orders (order_id BIGINT, shop STRING, item STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/orders.csv', 'format' = 'csv');
SELECT window_start, window_end, SUM(cnt) AS cnt, SUM(total) AS total FROM (SELECT window_start, window_end, shop, COUNT(*) AS cnt, SUM(amount) AS total FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE) GROUP BY window_start, window_end, shop) GROUP BY window_start, window_end;
