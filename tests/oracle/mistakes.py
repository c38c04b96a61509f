"""Statements that learners get wrong, for the texts of the errors."""

from __future__ import annotations

import random

from queries import Query
from world import World

AGGREGATE = "SELECT window_start, window_end, COUNT(*) AS n\nFROM {window}\nGROUP BY window_start, window_end"
WINDOWS = {
    "hop_reversed": "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '10' MINUTE, INTERVAL '5' MINUTE)",
    "hop_uneven": "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '2' MINUTE, INTERVAL '5' MINUTE)",
    "cumulate_reversed": "CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' HOUR, INTERVAL '10' MINUTE)",
    "cumulate_uneven": "CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '7' MINUTE, INTERVAL '1' HOUR)",
    "size_zero": "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '0' MINUTE)",
    "size_negative": "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '-1' MINUTE)",
    "size_month": "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MONTH)",
    "no_size": "TUMBLE(TABLE t, DESCRIPTOR(ts))",
    "no_slide": "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
    "not_rowtime": "TUMBLE(TABLE t, DESCRIPTOR(id), INTERVAL '1' MINUTE)",
    "no_column": "TUMBLE(TABLE t, DESCRIPTOR(nope), INTERVAL '1' MINUTE)",
    "no_table": "TUMBLE(TABLE nope, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
    "no_table_word": "TUMBLE(t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
    "no_descriptor": "TUMBLE(TABLE t, ts, INTERVAL '1' MINUTE)",
    "no_interval": "TUMBLE(TABLE t, DESCRIPTOR(ts), '1' MINUTE)",
    "size_text": "TUMBLE(TABLE t, DESCRIPTOR(ts), '1 MINUTE')",
    "unquoted": "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL 1 MINUTE)",
    "precision": "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '150' SECOND)",
    "offset_big": "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '2' MINUTE)",
    "session_zero": "SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '0' SECOND)",
    "typo": "TUMBEL(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
}
SELECTS = {
    "no_such_column": "SELECT nope FROM t",
    "no_such_table": "SELECT id FROM nope",
    "no_such_function": "SELECT NOPE(id) FROM t",
    "not_grouped": "SELECT k, COUNT(*) FROM t GROUP BY v",
    "window_end_missing": "SELECT window_start, window_end, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE) GROUP BY window_start",
    "watermark_no_argument": "SELECT CURRENT_WATERMARK() FROM t",
    "watermark_of_id": "SELECT CURRENT_WATERMARK(id) FROM t",
    "watermark_after_cast": "SELECT CURRENT_WATERMARK(CAST(ts AS TIMESTAMP(3))) FROM t",
    "order_by_id": "SELECT id, ts FROM t ORDER BY id",
    "reserved_alias": "SELECT COUNT(*) AS count FROM t",
    "missing_from": "SELECT id, ts t",
    "double_quotes": "SELECT id FROM t WHERE k = \"a\"",
    "rank": "SELECT * FROM (SELECT id, RANK() OVER (PARTITION BY k ORDER BY id) AS rn FROM t) WHERE rn <= 2",
    "sum_of_text": "SELECT SUM(CAST(id AS STRING)) FROM t",
    "bad_cast": "SELECT id + TRUE FROM t",
    "selec": "SELEC id FROM t",
    "twice_table": "CREATE TABLE t (a INT) WITH ('connector' = 'blackhole')",
    "division": "SELECT id / 0 FROM t",
    "where_aggregate": "SELECT COUNT(*) FROM t WHERE COUNT(*) > 1",
    "unknown_mode": "SET 'execution.runtime-mode' = 'stream'",
    "unknown_format": "CREATE TABLE x (a INT) WITH ('connector' = 'filesystem', 'path' = 'file:///nowhere', 'format' = 'cvs')",
}


def mistake(rng: random.Random, world: World) -> Query:
    _ = world
    name = rng.choice(sorted(WINDOWS) + sorted(SELECTS))
    text = AGGREGATE.format(window=WINDOWS[name]) if name in WINDOWS else SELECTS[name]
    return Query(text, {"mistake_" + name, "mistake"}, mistake=True)
