#!/bin/sh
# Stands in for Flink's SQL client in `make demo`: prints what the real one printed when the SQL at
# hand was recorded.
exec cat "$DEMO_RECORDED"
