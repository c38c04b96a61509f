#!/bin/sh
# Hostile SQL beside a right output: the output decides, within seconds and in bounded memory.
# Hostile outputs: what one file takes is not taken from the others.
. tests/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp tests/recorded/watermark/ref/* "$work"

# grade STEP...: what ewin-check says, in 30 s and 600 MB of address space where no sanitizer needs more.
grade()
{
	(
		case "$BUILD" in *asan*) ;; *) ulimit -v 700000 ;; esac
		timeout 60 "$BUILD/ewin-check" --data-root tests/recorded/root --lab watermark "$@" "$work"
	)
}

table=$(sed -n '1,/^);/p' tests/recorded/watermark/ref/w5.sql)

# hostile NAME: the SQL in "$evil", behind the lab's CREATE TABLE.
evil=$work/evil
hostile()
{
	{ printf '%s\n' "$table"; cat "$evil"; } >"$work/w5.sql"
	check "$1: the output decides" test "$(grade --step w5 | cut -d' ' -f1 | head -1)" = pass
}

cat >"$evil" <<END
SELECT window_start, COUNT(*) FROM HOP(TABLE events, DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '99' DAY)
GROUP BY window_start, window_end;
END
hostile "a window of a million slides"
{ echo 'SELECT * FROM events WHERE event_id IN (-1'; repeat 100000 ',#'; echo ');'; } >"$evil"
hostile "a list of 100 000"
{ echo 'SELECT event_id'; repeat 20000 ',event_id'; echo ' FROM events;'; } >"$evil"
hostile "one column 20 000 times"
repeat 20000 "SET 'k#' = 'v';
" >"$evil"
hostile "20 000 options"
repeat 20000 'DESCRIBE events;
' >"$evil"
hostile "20 000 descriptions"
{ printf "SELECT '"; repeat 100000 12345678; echo "' FROM events;"; } >"$evil"
hostile "a long text in each row"

# A sanitizer makes minutes of these.
case "$BUILD" in *asan*)
	skip "four outputs of 20 MB" "built with a sanitizer"
	finish
	;;
esac

cp tests/recorded/watermark/ref/w5.sql "$work"
for step in batch sweep late filtered; do
	{
		sed '/^Received\|rows in set/,$d' tests/recorded/watermark/ref/w5.out | sed '$d'
		repeat 200000 '| +I | 2026-07-06 09:14:00.000 | 2026-07-06 09:15:00.000 |                   19 |        1169 |
'
	} >"$work/$step.out"
done
verdicts=$(grade)
# One of them builds on another one, which is wrong as well: that cannot be told.
check "four outputs of 20 MB: each has its verdict" test "$(echo "$verdicts" |
	grep -cE '^(fail|cannot-tell) +(batch|sweep|late|filtered) ')" = 4
check "four outputs of 20 MB: the others keep theirs" test "$(echo "$verdicts" | grep -c '^pass  *\(w5\|slow\) ')" = 2

finish
