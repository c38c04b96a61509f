#!/bin/sh
# ewin-sim explain and ewin-check --explain from the outside: what is shown, exit statuses, and that a
# step's numbers are not told before it has passed. How each row fares is tests/test_explain.c's.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
recorded=tests/recorded
w5=$recorded/watermark/ref/w5.sql
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# explains STATUS ARGUMENT...: what is told is in $work/out.
explains()
{
	expected=$1
	shift
	"$BUILD/ewin-sim" explain --data-root "$recorded/root" "$@" >"$work/out" 2>"$work/err"
	[ $? -eq "$expected" ]
}

# rows N: so many rows are told.
rows()
{
	[ "$(grep -cE '^ *[0-9]+  ' "$work/out")" -eq "$1" ]
}

# What Flink counted in the windows of a recorded table: the sum of its column.
counted()
{
	awk -F'|' '$3 ~ /window_start/ { for (i = 1; i < NF; i++) if ($i ~ / cnt /) at = i }
		$2 ~ /\+I/ { sum += $at } END { print sum }' "$1"
}

check "each row is told" explains 0 "$w5"
check "all 600 of them" rows 600
check "and the sum is what Flink counted" grep -qx \
	"in 600 = counted $(counted "$recorded/watermark/ref/w5.out") + dropped 15 + filtered 0" "$work/out"
expect_none "lines are short enough to read" "$(awk 'length($0) > 100' "$work/out")"
# 15 is also what Flink's operator says of this query: numLateRecordsDropped, in one phase
check "--only dropped" explains 0 --only dropped "$w5"
check "has the rows that Flink dropped" rows 15
check "and says why" grep -qE \
	'^ +51  09:00:57 +09:01:03 +09:00-09:01  dropped +was closed by row 49 \(watermark 09:01:00\)$' "$work/out"
check "--row" explains 0 --row 51 "$w5"
check "has one row" rows 1
expect_none "and no sum, which a report may ask for" "$(grep -E ' = ' "$work/out")"
check "a row beyond the end" explains 0 --row 9999 "$w5"
check "is told" grep -qx 'There is no row 9999: the input ends before it.' "$work/out"
check "but not where there is one" explains 0 --row 600 "$w5"
expect_none "the last" "$(grep 'There is no row' "$work/out")"
check "a time at which no window starts" explains 0 --window 23:00 "$w5"
check "is told, too" grep -qx 'No window that starts then has such a row.' "$work/out"
check "but not where one does" explains 0 --window 09:01 "$w5"
expect_none "which has rows" "$(grep 'No window' "$work/out")"
check "several windows a row" explains 0 "$recorded/window/ref/hop.sql"
check "are explained" grep -q '^A window with (2) behind it is two' "$work/out"
check "--window" explains 0 --window 09:01 "$w5"
check "has its rows" grep -qE '09:01-09:02 +counted' "$work/out"
expect_none "and no sum" "$(grep -E ' = ' "$work/out")"
check "nor has its JSON" explains 0 --json --window 09:01 "$w5"
check "but how it ends" grep -qx '{"batch":false,"whole":true}' "$work/out"
expect_none "and no other" "$(grep -E '^ *[0-9]+  ' "$work/out" | grep -v '09:01-09:02')"
check "--window with a day" explains 0 --window "2026-07-06 09:01" "$w5"
check "is the same" grep -qE '09:01-09:02 +counted' "$work/out"
check "on another day" explains 0 --window "2026-07-07 09:01" "$w5"
check "is nothing" rows 0
check "late rows of all kinds" explains 0 --only late "$recorded/watermark/ref/filtered.sql"
check "are the 98 that the late query prints" rows 98
check "of two SELECTs the last" explains 0 "$recorded/watermark/ref/sweep.sql"
cp "$work/out" "$work/last"
check "is the second" explains 0 --select 2 "$recorded/watermark/ref/sweep.sql"
check "the same rows" cmp -s "$work/out" "$work/last"
check "the first" explains 0 --select 1 "$recorded/watermark/ref/sweep.sql"
check "is another one" test "$(tail -n 1 "$work/out")" != "$(tail -n 1 "$work/last")"
check "batch" explains 0 "$recorded/watermark/ref/batch.sql"
check "drops nothing, and says so" grep -q '^Batch: .* no row is late' "$work/out"
check "--json" explains 0 --json --only dropped "$w5"
check "is an object a row and one more" test "$(grep -c '^{.*}$' "$work/out")" -eq 16

check "1: what Flink refuses" explains 1 "$recorded/window/ref/errors_hop.sql"
check "with the place" grep -q 'errors_hop.sql:[0-9]*:[0-9]*: Flink says: ' "$work/err"
check "1: no such SELECT" explains 1 --select 3 "$w5"
check "2: no such kind" explains 2 --only lost "$w5"
check "2: no such row" explains 2 --row 0 "$w5"
check "2: no time" explains 2 --window 9 "$w5"
cat >"$work/par.sql" <<'SQL'
SET 'parallelism.default' = '2';
SQL
cat "$w5" >>"$work/par.sql"
check "1: with several subtasks chance decides" explains 1 "$work/par.sql"
check "which is said" grep -q 'parallelism' "$work/err"

"$BUILD/ewin-sim" run --only late "$w5" >"$work/out" 2>&1
check "2: options of explain without it" test $? -eq 2

# --- what is kept in memory is bounded: then a line says less, and nothing wrong

# many SIZE: 70000 rows, a second apart, and one that is late at the first second, on the next day.
many()
{
	mkdir -p "$work/root"
	awk 'BEGIN {
		for (i = 0; i < 70000; i++)
			printf "2026-01-01 %02d:%02d:%02d\n", i / 3600, i / 60 % 60, i % 60
		print "2026-01-02 00:00:00\n2026-01-01 00:00:00"
	}' >"$work/root/many.csv"
	cat >"$work/many.sql" <<-SQL
		CREATE TABLE t (ts TIMESTAMP(3), WATERMARK FOR ts AS ts)
		WITH ('connector' = 'filesystem', 'path' = '/many.csv', 'format' = 'csv');
		SELECT window_start, window_end, COUNT(*)
		FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' $1) GROUP BY window_start, window_end;
	SQL
	"$BUILD/ewin-sim" explain --data-root "$work/root" "$work/many.sql" >"$work/out"
}
check "a window of 70000 rows" many DAY
check "its first row did not wait for the closing" grep -qE '^ +1 .* counted +open$' "$work/out"
check "its last did" grep -qE '^ +70000 .* open until row 70001 ' "$work/out"
check "and the late row knows" grep -qE '^ +70002 .* was closed by row 70001 ' "$work/out"
check "70000 windows" many SECOND
check "each row knows the next" grep -qE '^ +69999 .* open until row 70000 ' "$work/out"
check "the first closing is forgotten" grep -qE '^ +70002 .* was closed by row [0-9]+ or one before it$' \
	"$work/out"

# --- ewin-check

# checks STATUS ARGUMENT...
checks()
{
	expected=$1
	shift
	"$BUILD/ewin-check" --data-root "$recorded/root" --lab watermark "$@" >"$work/out" 2>"$work/err"
	[ $? -eq "$expected" ]
}

check "the learner's own SQL" checks 0 --explain w5 "$recorded/watermark/mistakes/w5_delay0"
check "with its own numbers" grep -q \
	"^in 600 = counted $(counted "$recorded/watermark/mistakes/w5_delay0/w5.out") + dropped " "$work/out"
mkdir "$work/learner"
check "4: no SQL, and not passed" checks 4 --explain w5 "$work/learner"
check "and nothing is told" test ! -s "$work/out"
cp "$recorded/watermark/mistakes/w5_delay0/w5.out" "$work/learner"
check "4: also with a wrong output" checks 4 --explain w5 "$work/learner"
check "nothing either" test ! -s "$work/out"
cp "$recorded/watermark/ref/w5.out" "$work/learner"
check "0: after a pass the lab's own" checks 0 --explain w5 "$work/learner"
check "which is said" grep -q "lab's own" "$work/err"
echo "SELECT * FROM a, b;" >"$work/learner/w5.sql"
rm "$work/learner/w5.out"
check "4: SQL that is not simulated" checks 4 --explain w5 "$work/learner"
check "nor anything told" test ! -s "$work/out"
sed "s,/opt/lab/fixtures/data/[a-z_]*.csv,/etc/passwd," "$w5" >"$work/learner/w5.sql"
check "1: no file beside the lab's data" checks 1 --explain w5 "$work/learner"
expect_none "nothing of it" "$(grep -F root: "$work/out")"
check "4: a report has no SQL" checks 4 --explain report "$work/learner"
check "2: its options without it" checks 2 --row 5 "$work/learner"
check "2: no such step" checks 2 --explain nope "$work/learner"

# --- which of several labs it is

# in_folder FOLDER STATUS ARGUMENT...: ewin-check --explain in a folder.
program=$(realpath "$BUILD")/ewin-check root=$(realpath "$recorded/root")
in_folder()
{
	folder=$1 expected=$2
	shift 2
	(cd "$folder" && "$program" --data-root "$root" --explain "$@" >"$work/out" 2>"$work/err")
	[ $? -eq "$expected" ]
}

check "in a lab's folder, its step" in_folder "$recorded/watermark/ref" 0 w5
check "all of its rows" rows 600
check "a folder that is named" in_folder "$work" 0 w5 "$PWD/$recorded/watermark/ref"
check "all of its rows" rows 600
mkdir "$work/one"
cp "$w5" "$work/one"
check "a folder with one file" in_folder "$work/one" 0 w5
check "an empty folder: the only lab with that step, in its own folder" in_folder "$work" 3 w5
check "which is not there" grep -q "^ewin-check: $root/root/flink/watermark: " "$work/err"
check "an empty folder that is named" in_folder "$work" 4 w5 "$work"
check "has none" grep -q 'there is no SQL of the step w5' "$work/err"
check "a step of two labs" in_folder "$work" 2 ddl "$work"
check "is asked for" grep -q 'say which lab it is' "$work/err"
check "a step that no lab has" in_folder "$work" 2 nosuch "$work"
finish
