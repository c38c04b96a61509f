#!/usr/bin/env python3
"""Bench: the bench's queries in DuckDB, on one thread.

    duckdb_query.py batch|late FILE.csv

Prints the processor milliseconds that the query took, without Python's start, and the windows or
late rows that came out.
"""
import sys
import time

import duckdb

EVENTS = """read_csv('{}', header = false, columns = {{'event_id': 'BIGINT', 'sensor': 'VARCHAR',
    'reading': 'INTEGER', 'ts': 'TIMESTAMP'}})"""

QUERIES = {
    "batch": """SELECT date_trunc('minute', ts) AS window_start, count(*), sum(reading)
        FROM {} GROUP BY window_start ORDER BY window_start""",
    # The watermark before a row, but for the interval in which it is published.
    "late": """SELECT count(*) FROM (SELECT ts, max(ts) OVER (ROWS BETWEEN UNBOUNDED PRECEDING
        AND 1 PRECEDING) - INTERVAL 5 SECOND AS wm FROM {}) WHERE ts <= wm""",
}


def main():
    name, path = sys.argv[1:]
    database = duckdb.connect(config={"threads": 1})
    start = time.process_time()
    result = database.execute(QUERIES[name].format(EVENTS.format(path))).fetchall()
    milliseconds = round((time.process_time() - start) * 1000)
    print(milliseconds, result[0][0] if name == "late" else len(result))


main()
