#!/bin/sh
# Data and outputs that are too large for one thing or another: the verdict stands as long as it can be had, and is
# the same for the daemon and for ewin-check.
. tests/tap.sh

BUILD=${BUILD:-build}
work=$(mktemp -d)
pid=
trap '[ -z "$pid" ] || kill "$pid"; rm -rf "$work"' EXIT
data=$work/root/opt/lab/fixtures/data
mkdir -p "$data" "$work/first" "$work/run" "$work/state"

# 351,000 rows; a learner's watermark of another delay, and the output over the small file.
awk 'BEGIN { while ((getline line <"contrib/labs/first/data/greenhouse.csv") > 0) all = all line "\n"
	for (i = 0; i < 6500; i++) printf "%s", all }' >"$data/greenhouse.csv"
cp tests/recorded/first/ref/*.sql tests/recorded/first/ref/*.out "$work/first"
sed -i "s/'30' SECOND/'10' SECOND/" "$work/first/count.sql"

# check_step STEP: its verdict line and what stands below.
check_step()
{
	"$BUILD/ewin-check" --labs contrib/labs --lab first --data-root "$work/root" --step "$1" "$work/first" 2>&1
}

# has STEP PATTERN...
has()
{
	step=$1
	shift
	check_step "$step" >"$work/said"
	for pattern; do
		grep -qE "$pattern" "$work/said" || { sed 's/^/# /' "$work/said"; return 1; }
	done
}

check "few rows of many data: the verdict stands" has count '^fail +count' 'was ended'
check "many rows: the verdict stands" has behind '^fail +behind' 'was ended'

STATE_DIRECTORY=$work/state "$BUILD/ewind" --foreground --labs contrib/labs --data-root "$work/root" --run-dir "$work/run" \
	--watch "first=$work/first" 2>"$work/log" &
pid=$!

# same STEP: does the daemon say, with the causes, what ewin-check says?
same()
{
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		"$BUILD/ewin-status" --run-dir "$work/run" "$1" >"$work/status" 2>&1
		grep -q 'was ended' "$work/status" && break
		sleep 0.5
	done
	check_step "$1" | sed -n '1s/^[a-z-]* *[a-z]* *//p' >"$work/sentence"
	[ -s "$work/sentence" ] && grep -qF "$(cat "$work/sentence")" "$work/status" &&
		grep -q 'was ended' "$work/status" || { sed 's/^/# /' "$work/status"; return 1; }
}
check "the daemon says the same of few rows" same count
check "the daemon says the same of many rows" same behind
expect_none "it lacks no memory" "$(grep -i memory "$work/log")"
kill "$pid"
wait "$pid"
pid=

# Outputs where nothing is wrong but the size.
cp contrib/labs/first/data/greenhouse.csv "$data"
cp tests/recorded/first/ref/count.sql "$work/first"
awk 'BEGIN { for (i = 0; i < 100001; i++) print "+---+\n| a |\n+---+\n| 1 |\n+---+\nReceived a total of 1 row" }' >"$work/first/count.out"
check "too many tables: it cannot be told" has count '^cannot-tell +count .*too large'
truncate -s 33M "$work/first/count.out"
check "too many bytes: it cannot be told" has count '^cannot-tell +count .*too large'

# Lint says which file it does not look at.
cp -r contrib/labs/first "$work/lab"
awk 'BEGIN { while ((getline line <"contrib/labs/first/data/greenhouse.csv") > 0) all = all line "\n"
	for (i = 0; i < 6500; i++) printf "%s", all }' >"$work/lab/data/greenhouse.csv"
"$BUILD/ewin-check" --lint "$work/lab" >"$work/said" 2>&1
check "lint: 0 with a warning" [ $? -eq 0 ]
check "lint: it names the file and the place" grep -qE '^[^ ]*/lab.json:[0-9]+:[0-9]+: warning: .*greenhouse.csv has more than' "$work/said"

finish
