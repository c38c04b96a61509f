#!/bin/sh
# The daemon's calls fail one by one (tests/fault/run): each place once, and a random sample.

case "${BUILD:-build}" in
*asan*) EXTRA=0 ;;
*) EXTRA=20 ;;
esac
export EXTRA
exec tests/fault/run
