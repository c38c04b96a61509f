#!/bin/bash
# An output and its SQL that come in whatever order, and however long after each other: what the daemon says at the end
# is what ewin-check says of the folder. The times are those of one save, as rsync, unzip and scp keep them.
# ROUNDS=100 goes through all recorded mistakes of each step.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
cases=tests/recorded/watermark/mistakes
steps='ddl batch w5 sweep late filtered slow'
work=$(mktemp -d)
mkdir "$work/lab" "$work/run" "$work/state" "$work/from"
export EWIN_RUN_DIR=$work/run
STATE_DIRECTORY=$work/state "$BUILD/ewind" --foreground --labs contrib/labs --watch watermark="$work/lab" \
	--data-root tests/recorded/root --run-dir "$work/run" 2>"$work/log" &
daemon=$!
trap 'kill "$daemon"; wait "$daemon" 2>/dev/null; rm -rf "$work"' EXIT

# choose N: the N-th mistake of each step.
choose()
{
	rm -f "$work/from"/*
	for step in $steps; do
		all=("$cases/$step"_*/)
		cp "${all[$1 % ${#all[@]}]}/$step".* "$work/from"
	done
	[ "$(($1 % 2))" = 0 ] || cp $cases/ddl_wrong_path/ddl.* $cases/w5_fullwidth_space/w5.* "$work/from"
	cp tests/recorded/watermark/ref/report.json "$work/from"
	touch "$work/from"/*
}

# What a program says of the folder, without what only a daemon knows.
plain()
{
	sed '/"problem":\|"attempt":\|"hint_tier":\|"age_ms":\|"running": false\|"stale": false/d; s/,$//' "$1"
}

is_over()
{
	! grep -q '"searching": *true' "$work/run/status.json" &&
		"$BUILD/ewin-status" --json >"$work/status" &&
		diff <(plain "$work/checked") <(plain "$work/status") >"$work/diff"
}

# comes N FIRST GAP SECOND: all files of one kind, and then all of the other.
comes()
{
	choose "$1"
	cp -p "$work/from"/*."$2" "$work/lab"
	sleep "$3"
	cp -p "$work/from"/*."$4" "$work/from/report.json" "$work/lab"
	"$BUILD/ewin-check" --json --labs contrib/labs --lab watermark --data-root tests/recorded/root "$work/lab" \
		>"$work/checked"
	"$BUILD/ewin-status" wait 20000 && eventually is_over
}

eventually test -e "$work/run/status"
n=0
while [ "$n" -lt "${ROUNDS:-10}" ]; do
	gaps=(0 0.002 0.02 0.1 0.3)
	kinds=(out sql out)
	[ "$((n % 3))" != 0 ] || rm -f "$work/lab"/*
	first=${kinds[n / 5 % 2]} second=${kinds[n / 5 % 2 + 1]} gap=${gaps[n % 5]}
	if ! comes "$((n * 7))" "$first" "$gap" "$second"; then
		sed 's/^/# /' "$work/diff"
		not_ok "round $n: .$first, $gap s, .$second"
		break
	fi
	ok "round $n: .$first, $gap s, .$second"
	n=$((n + 1))
done
finish
