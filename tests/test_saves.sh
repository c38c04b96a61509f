#!/bin/bash
# An output saved right behind its SQL, again and again with the very bytes of before: what is said then is of this
# SQL. Neither is the output older than it, nor made by another.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
case=tests/recorded/watermark/mistakes/w5_delay0
pairs=200
work=$(mktemp -d)
mkdir "$work/lab" "$work/run" "$work/state"
export EWIN_RUN_DIR=$work/run
STATE_DIRECTORY=$work/state "$BUILD/ewind" --foreground --labs contrib/labs --watch watermark="$work/lab" \
	--data-root tests/recorded/root --run-dir "$work/run" 2>"$work/log" &
daemon=$!
trap 'kill "$daemon"; wait "$daemon" 2>/dev/null; rm -rf "$work"' EXIT

for _ in $(seq 100); do
	[ ! -e "$work/run/status" ] || break
	sleep 0.05
done

# asks: what a prompt would print next.
asks()
{
	"$BUILD/ewin-status" --since "$seq" wait 5000 >"$work/answer"
	seq=$(sed -n 's/^ewind 1 //p' "$work/answer")
	sed -n '/^ewind: /p' "$work/answer"
}

# pair N: SQL that did not make the output, and then SQL that did, with the same output once more.
pair()
{
	touch -d '3 seconds ago' "$work/lab/w5.out"
	cp tests/recorded/watermark/ref/w5.sql "$work/lab/w5.sql"
	touch -d '3 seconds ago' "$work/lab/w5.sql"
	asks >>"$work/before"
	{ cat "$case/w5.sql"; echo "-- $1"; } >"$work/lab/w5.sql"
	[ $(($1 % 2)) = 0 ] || sleep 0.001
	cat "$case/w5.out" >"$work/lab/w5.out"
	asks >>"$work/said"
}

seq=0
cp "$case/w5.out" "$case/w5.sql" "$work/lab"
asks >"$work/first"
cp tests/recorded/watermark/mistakes/w5_delay15/w5.out "$work/lab"
asks >"$work/first"
for n in $(seq "$pairs"); do
	pair "$n"
done
sed 's/^/# /' <(sort "$work/before" | uniq -c) <(sort "$work/said" | uniq -c)
expect_none "no output is older than its SQL" "$(grep 'stale: ' "$work/said" | head -n 3)"
expect_none "and what is said of the SQL is of this one" "$(grep -v 'Yours: 0s\.' "$work/said" | head -n 3)"
check "each save has its sentence" test "$(wc -l <"$work/said")" = "$pairs"
finish
