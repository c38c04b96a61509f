#!/bin/sh
# A table's file with a bad row: beside Flink's words, which tests/test_replay.c compares, standard error says
# which file, row, line and column it was.
. tests/tap.sh

BUILD=${BUILD:-build}
sim=$BUILD/ewin-sim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fails WORDS PLACE BYTES [OPTIONS]: what is said of a file of these bytes (as printf takes them).
fails()
{
	# shellcheck disable=SC2059	# escapes are wanted
	printf "$3" >"$work/x.csv"
	cat >"$work/x.sql" <<-SQL
	SET 'sql-client.execution.result-mode' = 'tableau';
	CREATE TABLE t (id INT, twice AS id * 2, ts TIMESTAMP(3), s STRING, WATERMARK FOR ts AS ts)
	WITH ('connector' = 'filesystem', 'path' = 'file:///data/x.csv', 'format' = 'csv'$4);
	SELECT id, ts, s FROM t;
	SQL
	mkdir -p "$work/data" && mv "$work/x.csv" "$work/data"
	"$sim" run --data-root "$work" "$work/x.sql" >"$work/out" 2>"$work/err" &&
		[ "$(cat "$work/err")" = "$work/x.sql:4:1: $1 (/data/x.csv: $2)" ] &&
		grep -qF "$1" "$work/out"
}

good='1,2026-07-06 09:00:00,a\n'
check "a bad number names row, line and column" \
	fails "For input string: \"x\"" "row 2, line 2, column 'id'" "${good}x,2026-07-06 09:00:00,a\n"
check "columns that are computed do not count" \
	fails "Text '' could not be parsed at index 0" "row 1, line 1, column 'ts'" "1,,a\n"
check "a row that begins behind lines in quotes has its own line" \
	fails "Text '' could not be parsed at index 0" "row 2, line 4, column 'ts'" \
	'1,2026-07-06 09:00:00,"a\n\nb"\n2,,a\n'
check "comments and blank lines are lines and no rows" \
	fails "For input string: \"x\"" "row 2, line 4, column 'id'" \
	"# head\n${good}\nx,2026-07-06 09:00:00,a\n" ", 'csv.allow-comments' = 'true'"
check "too few fields are of no column" \
	fails "Row length mismatch. 3 fields expected but was 1." "row 2, line 2" "${good}5\n"
check "too many neither" \
	fails 'Too many entries: expected at most 3 (value #3 (1 chars) "b")' "row 1, line 1" \
	'1,2026-07-06 09:00:00,a,b\n'
check "text behind a quote is the field's" \
	fails "Unexpected character ('x' (code 120)): Expected column separator character (',' (code 44)) or end-of-line" \
	"row 2, line 2, column 's'" "${good}"'2,2026-07-06 09:00:00,"a"x\n'
check "an open quote is where it was opened" \
	fails "Missing closing quote for value" "row 2, line 2, column 's'" \
	"${good}"'2,2026-07-06 09:00:00,"a\n3,2026-07-06 09:00:00,b\n'
check "NULL as rowtime has the time column" \
	fails "RowTime field should not be null, please convert it to a non-null long value." \
	"row 2, line 2, column 'ts'" "${good}2,NULL,a\n" ", 'csv.null-literal' = 'NULL'"
check "bytes that are not UTF-8 have their field" \
	fails "Invalid UTF-8 start byte 0xff (at char #48, byte #46): check content encoding, does not look like UTF-8" \
	"row 2, line 2, column 's'" "${good}2,2026-07-06 09:00:00,a\\377\n"
check "a character that the file's end cuts, too" \
	fails "Unexpected EOF in the middle of a multi-byte UTF-8 character: got 1, needed 3, at char #23, byte #24)" \
	"row 1, line 1, column 's'" "1,2026-07-06 09:00:00,a\\342"

# beyond BYTES: what Flink makes of them is not simulated.
beyond()
{
	fails "" "" "$1"
	"$sim" run --data-root "$work" "$work/x.sql" >"$work/out" 2>"$work/err"
	[ $? -eq 1 ] && grep -qF "$work/x.sql:4:1: A table's file that is not in UTF-8 is not simulated." "$work/err"
}
check "an overlong form is refused" beyond '1,2026-07-06 09:00:00,\300\200\n'
check "a surrogate is" beyond '1,2026-07-06 09:00:00,\355\240\200\n'
check "a code point beyond the last is" beyond '1,2026-07-06 09:00:00,\364\220\200\200\n'
check "UTF-16 is" beyond '1\000,\000'

# Pieces of the file end within a character.
split_character()
{
	yes '1,2026-07-06 09:00:00,äöü€😀' | head -n 9000 >"$work/data/x.csv"
	"$sim" run --data-root "$work" "$work/x.sql" | grep -c 'äöü€😀 |$' | grep -qx 9000
}
fails "" "" "$good"
check "characters of several bytes may be split between two reads" split_character

finish
