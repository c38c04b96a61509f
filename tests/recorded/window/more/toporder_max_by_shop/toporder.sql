SET 'sql-client.execution.result-mode' = 'tableau';
SET 'execution.runtime-mode' = 'streaming';
CREATE TABLE orders (
  order_id BIGINT,
  shop STRING,
  item STRING,
  amount INT,
  ts TIMESTAMP(3),
  WATERMARK FOR ts AS ts - INTERVAL '5' SECOND
) WITH (
  'connector' = 'filesystem',
  'path' = 'file:///opt/lab/fixtures/data/orders.csv',
  'format' = 'csv'
);

SELECT window_start, window_end, shop, MAX(amount) AS amount FROM TUMBLE(TABLE orders, DESCRIPTOR(ts), INTERVAL '30' MINUTE) GROUP BY window_start, window_end, shop;
