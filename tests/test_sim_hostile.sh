#!/bin/bash
# Hostile SQL and data: ewin-sim says what is wrong and where, within seconds and in little memory; it
# never crashes. The bound on memory is one on address space, which a sanitizer needs for itself.
. tests/tap.sh
shopt -s lastpipe # what is piped into a check is checked in this shell

BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
seconds=10
case $BUILD in
*asan*) memory=unlimited seconds=60 ;;
*) memory=300000 ;;
esac

# sim: runs $work/x.sql. 0 or 1 is its own status, anything else a crash or the time.
sim()
{
	(
		ulimit -v "$memory"
		timeout "$seconds" "$BUILD/ewin-sim" run "$work/x.sql"
	)
}

# after_table TEXT...: x.sql with the table t over rows.csv, and then the text.
after_table()
{
	{
		echo "SET 'sql-client.execution.result-mode' = 'tableau';"
		echo "CREATE TABLE t (id BIGINT, k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts)"
		echo "WITH ('connector' = 'filesystem', 'path' = '$work/${data:-rows.csv}', 'format' = 'csv');"
		cat
	} >"$work/x.sql"
}

# refused NAME PATTERN: what is piped in is an error, Flink's (status 0) or ours (1); standard error has
# its place and the pattern.
refused()
{
	after_table
	sim >"$work/out" 2>"$work/err"
	local status=$?
	if [ $status -le 1 ] && grep -qE "^$work/x.sql:[0-9]+:[0-9]+: .*$2" "$work/err"; then
		ok "$1"
	else
		echo "# status $status: $(head -c 300 "$work/err")"
		not_ok "$1"
	fi
}

# runs NAME PATTERN: what is piped in runs as the client would run it, and prints the pattern.
runs()
{
	after_table
	sim >"$work/out" 2>"$work/err"
	local status=$?
	if [ $status -eq 0 ] && grep -qaE "$2" "$work/out"; then
		ok "$1"
	else
		echo "# status $status: $(head -c 300 "$work/err")"
		not_ok "$1"
	fi
}

printf '1,a,10,2026-01-01 09:00:00\n2,b,20,2026-01-01 09:01:00\n' >"$work/rows.csv"

# ---- Depth ----
{ echo "SELECT"; repeat 100000 '('; echo 1; repeat 100000 ')'; echo ';'; } | refused "100 000 brackets" "deeper than 100"
{ echo "SELECT"; repeat 1000 'CASE WHEN v > 1 THEN '; echo 1; repeat 1000 ' END'; echo ' FROM t;'; } |
	refused "CASE in CASE" "deeper than 100"
{ repeat 1000 'SELECT * FROM ('; echo 'SELECT * FROM t'; repeat 1000 ')'; echo ';'; } | refused "1000 sub-queries" "deeper than 100"
{ echo "SELECT"; repeat 20000 'NOT '; echo 'TRUE;'; } | refused "20 000 times NOT" "deeper than 100"
{ echo "SELECT"; repeat 20000 '- '; echo '1;'; } | refused "20 000 signs" "deeper than 100"
{ echo "SELECT"; repeat 20000 '1 + '; echo '1;'; } | refused "20 000 sums" "deeper than 100"
{ echo "CREATE VIEW v0 AS SELECT * FROM t;"; for i in {1..300}; do echo "CREATE VIEW v$i AS SELECT * FROM v$((i - 1));"; done; echo "SELECT * FROM v300;"; } |
	refused "300 views over each other" "deep nesting"

# ---- Length ----
{ echo "SELECT '"; repeat 131072 12345678; echo "';"; } | after_table
check "SQL over 1 MB is refused" test "$(sim 2>&1 >"$work/out")" = "$work/x.sql: The file is larger than 1048576 bytes."
truncate -s 100M "$work/x.sql"
check "and 100 MB take no longer" test "$(sim 2>&1 >"$work/out")" = "$work/x.sql: The file is larger than 1048576 bytes."
{ echo "SELECT '"; repeat 100000 12345678; echo "' FROM t;"; } | runs "a text of 800 KB" "Received a total of 2 rows"
{ echo "SELECT k AS"; repeat 50000 abcdefgh; echo " FROM t;"; } | runs "a name of 400 KB" "Received a total of 2 rows"
{ echo "SELECT"; repeat 10000 'v AS a#,'; echo 'v FROM t;'; } | refused "10 000 columns of a query" "so many columns"
{ echo "CREATE TABLE w ("; repeat 10000 'c# INT,'; echo "z INT) WITH ('connector' = 'print');"; } |
	refused "10 000 columns of a table" "more than 1000 columns"
repeat 90000 'RESET a;
' | runs "90 000 statements" "Execute statement succeeded"
repeat 2000 'CREATE TABLE t# LIKE t;
' | refused "2000 tables" "so many"
repeat 2000 "SET 'k#' = 'v';
" | refused "2000 options" "so many"
{ echo "SELECT COUNT(*) FROM t GROUP BY k"; repeat 999 ',k'; echo ';'; } | runs "1000 keys" "Received a total of 2 rows"
{ echo "SELECT CASE"; repeat 10000 ' WHEN v = # THEN k'; echo " END FROM t;"; } | runs "10 000 branches" "Received a total of 2 rows"
{ echo "SELECT v FROM t WHERE v IN (0"; repeat 20000 ',#'; echo ");"; } | runs "a list of 20 000" "Received a total of 2 rows"

# ---- Bytes ----
printf 'SELECT v\0 FROM t;\n' | refused "a NUL byte" "U\+0000"
printf 'SELECT \xff FROM t;\n' | refused "bad UTF-8" "U\+FFFD"
printf "SELECT 'a\\\\0b\xff\xc0\x80\xed\xa0\x80' FROM t;\n" | runs "bad UTF-8 in a text" "Received a total of 2 rows"

# ---- Numbers and times ----
{ echo "SELECT"; repeat 10000 99999999; echo ';'; } | refused "a number of 80 000 digits" "more than 38 digits"
echo "SELECT 1e99999999999999999999, 1e-99999999999999999999;" | after_table
sim >"$work/out" 2>"$work/err"
check "exponents of 20 digits" test $? -le 1
echo "SELECT CAST(v AS DECIMAL(99999999999, 5)) FROM t;" | refused "a precision of 11 digits" "precision"
echo "SELECT * FROM t LIMIT 99999999999999999999999;" | refused "a LIMIT of 23 digits" "LIMIT"
echo "SELECT ts + INTERVAL '99999999999999999999' SECOND FROM t;" | refused "an interval beyond 64 bits" "SECOND"
for window in HOP CUMULATE; do
	echo "SELECT COUNT(*) FROM $window(TABLE t, DESCRIPTOR(ts), INTERVAL '0.001' SECOND, INTERVAL '99' DAY)
GROUP BY window_start, window_end;" | refused "$window of milliseconds over 99 days" "so many slices"
	echo "SELECT * FROM $window(TABLE t, DESCRIPTOR(ts), INTERVAL '0.001' SECOND, INTERVAL '99' DAY);" |
		refused "$window without an aggregate" "so many slices"
done
printf '1,a,1,%s\n' '0001-01-01 00:00:00' '9999-12-31 23:59:59.999' '1970-01-01 00:00:00' >"$work/years.csv"
for window in "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '0.001' SECOND)" \
	"HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY)" \
	"CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY, INTERVAL '2' DAY)" \
	"SESSION(TABLE t, DESCRIPTOR(ts), INTERVAL '1' DAY)"; do
	echo "SELECT window_start, COUNT(*) FROM $window GROUP BY window_start, window_end;" |
		data=years.csv runs "10 000 years: ${window%%(*}" "9999-12-31"
done
echo "SET 'table.display.max-column-width' = '2147483647';
SELECT k FROM t;" | refused "a column of 2 GB" "max-column-width"

# ---- Data ----
from()
{
	echo "SELECT * FROM t;" | data=$1 "${@:2}"
}
mkdir "$work/folder" "$work/two"
touch "$work/two/a.csv" "$work/two/b.csv"
mkfifo "$work/fifo"
from two refused "a folder of two files" "irectory"
from fifo refused "a FIFO is not waited for" "fifo"
from none runs "a missing file is Flink's error" "FileNotFoundException"
if [ "$(id -u)" -ne 0 ]; then
	touch "$work/secret"
	chmod 0 "$work/secret"
	from secret refused "a file that may not be read" "Permission denied"
fi
{ echo '1,a,1,2026-01-01 00:00:00'; repeat 9999 ',1'; } >"$work/wide.csv"
from wide.csv runs "10 000 fields of a row" "Too many entries"
printf '1,a,1,2026-01-01 00:00:00\n' >"$work/sparse.csv"
truncate -s 1G "$work/sparse.csv"
from sparse.csv refused "a line of 1 GB" "behind 1 others, is longer than 1048576 bytes"
printf '1,"' >"$work/quote.csv"
truncate -s 1G "$work/quote.csv"
from quote.csv refused "and one in quotes" "longer than 1048576 bytes"
printf '1,"a"b,1,2026-01-01 00:00:00\n' >"$work/behind.csv"
from behind.csv runs "text behind a closing quote is Flink's error" "Unexpected character"
head -c 100000 /dev/urandom >"$work/random.csv"
echo "SELECT id FROM t;" | data=random.csv after_table
sim >"$work/out" 2>"$work/err"
check "random bytes" test $? -le 1

# ---- Surroundings ----
echo "SELECT * FROM t;" | after_table
told()
{
	[ "$status" -eq 1 ] && grep -qF "$1" "$work/err"
}
sim >/dev/full 2>"$work/err"
status=$?
check "a full disk is told" told "No space left on device"
sim >&- 2>"$work/err"
status=$?
check "so is a closed standard output" told "Bad file descriptor"
{ repeat 1000 'DESCRIBE t;
'; } | after_table
{ sim 2>"$work/err"; echo $? >"$work/status"; } | head -c 1 >/dev/null
check "a reader that goes ends the program" test "$(<"$work/status")" -ne 0
case $BUILD in *asan*) finish ;; esac
{ echo "SET 'execution.runtime-mode' = 'batch';"; echo "SELECT v FROM (VALUES (0)"; repeat 60000 ',(#)'; echo ") AS x (v);"; } | after_table
memory=30000
sim >"$work/out" 2>"$work/err"
status=$?
check "memory at its end is told" told "not enough memory"
finish
