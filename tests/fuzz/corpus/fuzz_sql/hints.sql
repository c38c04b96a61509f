SELECT /*+ BROADCAST(t) */ * FROM t /*+ OPTIONS('csv.ignore-parse-errors' = 'false') */ -- rest
WHERE id /* in */ > 1 // more
;
