#!/bin/sh
# ewin-sim's command line: what is said on which stream, the exit status, and the files it reads. That it
# prints what the client printed is tests/test_replay.c's.
. tests/tap.sh

BUILD=${BUILD:-build}
sim=$BUILD/ewin-sim
recorded=tests/recorded
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

same_when_normalized()
{
	"$sim" run --data-root "$recorded/root" "$recorded/watermark/ref/w5.sql" >"$work/out" &&
		! cmp -s "$work/out" "$recorded/watermark/ref/w5.out" &&
		"$sim" normalize "$work/out" >"$work/a" &&
		"$sim" normalize <"$recorded/watermark/ref/w5.out" >"$work/b" &&
		"$sim" normalize - <"$work/b" >"$work/c" &&
		cmp "$work/a" "$work/b" && cmp "$work/b" "$work/c"
}
check "normalize makes a real output and a simulated one the same" same_when_normalized
bytes_stay()
{
	printf 'a\0b\r\n\377\nno newline' >"$work/in"
	"$sim" normalize "$work/in" | cmp - "$work/in"
}
check "and leaves other bytes as they are" bytes_stay
older()
{
	"$sim" run --client "$1" "$recorded/versions/$2/ddl.sql" >"$work/out" &&
		"$sim" normalize "$work/out" >"$work/a" &&
		"$sim" normalize "$recorded/versions/$2/ddl.out" | cmp - "$work/a"
}
check "--client chooses the release" older 1.18 1.18.1
check "or none of that kind" older 1.20 1.20.5

# refused FILE-CONTENT PATTERN: exit status 1, and the place and the reason on stderr.
refused()
{
	printf '%s\n' "$1" >"$work/x.sql"
	"$sim" run "$work/x.sql" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -qE "^$work/x.sql:$2" "$work/err"
}
check "what is not simulated is refused with its place" \
	refused "SET 'sql-client.execution.result-mode' = 'tableau';
SELECT a FROM t UNION SELECT b FROM u;" "2:[0-9]+: ."
check "also what Flink fails over in batch mode alone" refused "SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (ts TIMESTAMP_LTZ(3)) WITH ('connector' = 'filesystem', 'path' = '$work/t', 'format' = 'csv');
SELECT COUNT(*) FROM t GROUP BY TUMBLE(ts, INTERVAL '1' MINUTE);" "3:[0-9]+: A legacy window over TIMESTAMP_LTZ in batch mode"
check "also where Flink's planner does not come to an end" refused "SET 'execution.runtime-mode' = 'batch';
CREATE TABLE t (k INT) WITH ('connector' = 'filesystem', 'path' = '$work/t', 'format' = 'csv');
SELECT MAX(k), AVG(DISTINCT n) FROM (SELECT k, COUNT(*) AS n FROM t GROUP BY k);" "3:[0-9]+: AVG\(DISTINCT\) of what is never NULL in batch mode"
check "also where the table is at fault" refused "SET 'sql-client.execution.result-mode' = 'tableau';
CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'x.csv', 'format' = 'csv');
SELECT * FROM t;" "3:1: .*x\.csv"
check "so is SQL whose error Flink words in a way that is not known" \
	refused "SELECT a FROM t PIVOT;" "1:[0-9]+: ."

# told CASE PLACE-AND-TEXT: where and what on stderr, beside the client's own text on stdout.
told()
{
	"$sim" run --data-root "$recorded/root" "$recorded/$1.sql" 2>"$work/err" >/dev/null &&
		grep -qF "$recorded/$1.sql:$2" "$work/err"
}
check "an error's place is the one in the file" \
	told semantics/errors_sql_unknown_column "13:8: Column 'nope' not found in any table"
check "so is that of an unknown table" \
	told semantics/errors_sql_unknown_table "2:15: Object 'nope' not found"

usage()
{
	"$sim" "$@" >"$work/out" 2>"$work/err"
	[ $? -eq 2 ] && [ ! -s "$work/out" ] && [ -s "$work/err" ]
}
check "no command is a usage error" usage
check "no file is one" usage run
check "an unknown command is one" usage walk x.sql
check "an unknown option is one" usage run --server x.sql
check "told without a path" grep -q '^ewin-sim: .*--server' "$work/err"
check "an unknown release is one" usage run --client 1.17 x.sql
check "two files to normalize are one" usage normalize a b

fails_at()
{
	"$sim" run "$1" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "^$1: ." "$work/err"
}
mkfifo "$work/fifo"
check "a missing file is an error" fails_at "$work/none.sql"
normalize_fails()
{
	"$sim" normalize "$1" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "^ewin-sim: $1: ." "$work/err"
}
check "it is one for normalize" normalize_fails "$work/none.out"
check "so is a folder" normalize_fails "$work"
check "a folder is one" fails_at "$work"
check "a FIFO is one, and is not waited for" fails_at "$work/fifo"
head -c 2000000 /dev/zero | tr '\0' '-' >"$work/long.sql"
check "a file beyond the limit is one" fails_at "$work/long.sql"

help_is_printed()
{
	"$sim" --help | grep -q "^Usage: ewin-sim run"
}
check "help goes to standard output" help_is_printed

# A table's path may be a folder with one file; hidden files and markers do not count.
mkdir -p "$work/root/data/t" "$work/root/data/two"
printf '1,a\n2,b\n' >"$work/root/data/t/part-0"
touch "$work/root/data/t/_SUCCESS" "$work/root/data/t/.crc" "$work/root/data/two/a" \
	"$work/root/data/two/b"
table()
{
	cat <<-SQL
	SET 'sql-client.execution.result-mode' = 'tableau';
	CREATE TABLE t (n INT, s STRING) WITH ('connector' = 'filesystem', 'path' = 'file://$1', 'format' = 'csv');
	SELECT n, s FROM t;
	SQL
}
one_file_folder()
{
	table /data/t >"$work/x.sql"
	"$sim" run --data-root "$work/root" "$work/x.sql" >"$work/out" &&
		grep -q "^Received a total of 2 rows" "$work/out"
}
check "a folder with one file is read" one_file_folder
no_cost()
{
	{
		echo "SET 'sql-client.display.print-time-cost' = 'false';"
		table /data/t
	} >"$work/x.sql"
	"$sim" run --data-root "$work/root" "$work/x.sql" | grep -qx "Received a total of 2 rows"
}
check "the time cost can be set off" no_cost
mkfifo "$work/root/data/fifo"
fifo_table()
{
	table /data/fifo >"$work/x.sql"
	"$sim" run --data-root "$work/root" "$work/x.sql" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "^$work/x.sql:.*/data/fifo" "$work/err"
}
check "a FIFO is no table's file" fifo_table
two_file_folder()
{
	table /data/two >"$work/x.sql"
	"$sim" run --data-root "$work/root" "$work/x.sql" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ]
}
check "a folder with two files is refused" two_file_folder
# 20 000 good rows are more than any buffer that a failure could overtake.
late_failure()
{
	{ seq -f "%.0f,a" 1 20000 && echo bad,a; } >"$work/root/data/late"
	table /data/late >"$work/x.sql"
	"$sim" run --data-root "$work/root" "$work/x.sql" >"$work/out" &&
		grep -q 'For input string: "bad"' "$work/out" && ! grep -q '^| +I' "$work/out"
}
check "a streaming job that fails late prints no row" late_failure
two_subtasks()
{
	{
		echo "SET 'parallelism.default' = '2';"
		table /data/t
	} >"$work/x.sql"
	"$sim" run --data-root "$work/root" "$work/x.sql" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "parallelism above 1" "$work/err" && ! grep -q '^| +I' "$work/out"
}
check "rows of several subtasks are refused" two_subtasks
stack_trace()
{
	{
		echo "SET 'sql-client.verbose' = 'true';"
		table /data/nothing
	} >"$work/x.sql"
	"$sim" run --data-root "$work/root" "$work/x.sql" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -q "verbose" "$work/err"
}
check "an error in verbose mode is refused" stack_trace
# A place and what was expected, on standard error; standard output stays the client's.
told()
{
	printf '%s\n' "$1" >"$work/x.sql"
	"$sim" run "$work/x.sql" >"$work/out" 2>"$work/err"
	[ $? -eq 0 ] && [ "$(cat "$work/err")" = "${2:+$work/x.sql:$2}" ]
}
check "a syntax error says what was expected" \
	told 'SELECT COUNT(* FROM t;' "1:16: syntax error at the keyword 'FROM', expected \")\""
check "of a long list its beginning" told 'SELECT a b c FROM t;' \
	"1:12: syntax error at 'c', expected one of <EOF>, \"EXCEPT\", \"FETCH\", \"FROM\", \"INTERSECT\", \"LIMIT\", ..."
check "and a statement that the client drops" told "$(printf "SET a=b;\nSELECT 'a;")" \
	"2:1: not run: its end, a ';' outside of quotes and comments, was expected"
check "a comment at the end is none" told "$(printf "SET a=b;\n-- done\n -- so far")" ""

# On a terminal what is refused begins a line of its own; in a file not a byte is added.
printf 'SELECT 1 FROM a JOIN b;\n' >"$work/refused.sql"
"$BUILD/ewin-sim" run "$work/refused.sql" >"$work/file" 2>"$work/told"
check "refused: a file ends as Flink's does" test "$(tail -c 11 "$work/file")" = "Flink SQL> "
check "and the message is one line" test "$(wc -l <"$work/told")" = 1
script -qec "'$BUILD/ewin-sim' run '$work/refused.sql'" /dev/null >"$work/screen" </dev/null
check "on a terminal it stands in a line of its own" grep -qE '^[^ ]*/refused.sql:1:15: ' "$work/screen"
finish
