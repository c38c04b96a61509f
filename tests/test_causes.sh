#!/bin/sh
# Each cause that can be named has a case: a recorded one, or a line of the tests of diagnoses.
. tests/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed -n 's/^	X(DIAG_[A-Z_]*, "\([a-z-]*\)".*/\1/p' daemon/grade/diagnosis.h | sort >"$work/causes"
{
	sed -n 's/^diagnosis: //p' tests/recorded/*/*/*/note.txt
	grep -ho '"[a-z].*"' tests/test_diagnose_sql.c tests/test_diagnose_tells.c
} | tr -s '",| ' '\n' | sed 's/[=@].*//' | sort -u >"$work/cases"

check "there are causes" test "$(wc -l <"$work/causes")" -gt 80
expect_none "each has a case" "$(comm -23 "$work/causes" "$work/cases")"
finish
