#!/bin/bash
# Two labs that both have a step `report`: which one is meant is said by where one stands; and what the log says of
# them, with the cause of a verdict.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
recorded=tests/recorded/watermark
work=$(mktemp -d)
mkdir -p "$work/watermark" "$work/window/deep" "$work/run" "$work/state"
export EWIN_RUN_DIR=$work/run
STATE_DIRECTORY=$work/state "$BUILD/ewind" --foreground --labs contrib/labs --watch watermark="$work/watermark" \
	--watch window="$work/window" --data-root tests/recorded/root --run-dir "$work/run" 2>"$work/log" &
daemon=$!
trap 'kill "$daemon"; wait "$daemon" 2>/dev/null; rm -rf "$work"' EXIT

# labs FOLDER ARGUMENT...: the labs that ewin-status prints there.
labs()
{
	(cd "$1" && "$BUILD/ewin-status" "${@:2}") | sed -n 's/^\([a-z]*\) [0-9].*/\1/p' | xargs
}

# first NAME: the prompt's file begins with this lab.
first()
{
	test "$(sed -n '2s/^lab \([a-z]*\) .*/\1/p' "$work/run/status")" = "$1"
}

check "the log says what is watched" eventually grep -qx 'ewind: watching labs: watermark, window' "$work/log"
check "nothing is saved: the labs in their order" first watermark
check "in a lab's folder its own step" test "$(labs "$work/window" report)" = window
check "and below it" test "$(labs "$work/window/deep" report)" = window
check "and in the other" test "$(labs "$work/watermark" report.json)" = watermark
check "elsewhere both" test "$(labs / report)" = "watermark window"
check "a lab's name is that lab" test "$(labs "$work/window" watermark)" = watermark
check "a step that it has not is the other's" test "$(labs "$work/window" w5)" = watermark
check "and so is one by its full name" test "$(labs "$work/window" watermark/report)" = watermark
check "as JSON it is that lab alone" test "$("$BUILD/ewin-status" --json watermark/ddl | grep -cE '"(lab|name)":')" = 2
"$BUILD/ewin-status" --json watermark/nope >"$work/said" 2>&1
check "and a step that no lab has is wrong usage" test $? -eq 2
check "all are shown without a name" test "$(labs "$work/window")" = "watermark window"

cp tests/recorded/window/ref/tumble.out "$work/window"
check "the lab of the newest save is the first" eventually first window
cp "$recorded/mistakes/w5_delay0/w5.sql" "$recorded/mistakes/w5_delay0/w5.out" "$work/watermark"
check "whichever that is" eventually first watermark
check "the log has the cause" eventually grep -q '^ewind: watermark/w5: fail: .*(attempt 1; delay=0s)$' "$work/log"
check "and of a pass there is none" grep -q '^ewind: window/tumble: pass: .*(attempt 1)$' "$work/log"
hint_in()
{
	(cd "$1" && "$BUILD/ewin-status" hint 2>&1)
}
cp tests/recorded/window/ref/ddl.out "$work/window/tumble.out"
check "a wrong save in each" eventually grep -q '^ewind: window/tumble: fail: ' "$work/log"
cp "$recorded/ref/batch.out" "$work/watermark/w5.out"
check "the other one last" eventually grep -q '^ewind: watermark/w5: .*(attempt 2' "$work/log"
hint_in "$work/window" >"$work/hint"
check "a hint without a name is for the lab where one stands" \
	eventually grep -q '^ewind: window/tumble: hint 2 was asked for' "$work/log"
rm "$work/window/tumble.out"
check "where nothing is saved no attempt is told" eventually grep -q '^ewind: window/tumble: missing: [^(]*$' "$work/log"
finish
