SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE orders (order_id BIGINT, shop STRING, item STRING, amount INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'path' = 'file:///opt/lab/fixtures/data/orders.csv', 'format' = 'csv');
EXPLAIN SELECT window_start, window_end, COUNT(*) AS cnt, SUM(amount) AS total FROM CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR) GROUP BY window_start, window_end;
SELECT window_start, window_end, COUNT(*) AS cnt, SUM(amount) AS total FROM CUMULATE(TABLE orders, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '1' HOUR) GROUP BY window_start, window_end;
