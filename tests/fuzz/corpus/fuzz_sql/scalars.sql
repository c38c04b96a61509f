SELECT id + 1, v * 2 - 3, d / 2, -c, v % 7, k || 'x', UPPER(k), SUBSTRING(k FROM 1 FOR 2), CHAR_LENGTH(k), CONCAT(k, '-'),
CASE WHEN v > 10 THEN 'big' WHEN v IS NULL THEN NULL ELSE 'small' END, CASE k WHEN 'a' THEN 1 END, COALESCE(k, 'none'), IF(b, 1, 0),
NULLIF(v, 10), GREATEST(v, 3), k LIKE '%a_', v BETWEEN 1 AND 20, k IN ('a', 'b'), NOT b, k IS DISTINCT FROM 'a' FROM t;
