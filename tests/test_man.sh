#!/bin/bash
# The manuals: what mandoc says of them, and that they know the options and keys that there are.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In the folder, so that the pages find each other without being installed. How old the list of those that are
# installed is, is no fault of theirs.
if command -v mandoc >/dev/null; then
	expect_none "mandoc has nothing to say" "$(cd contrib/man && mandoc -T lint -- *.[1-8] 2>&1 |
		grep -v '^mandoc: outdated mandoc\.db lacks ')"
else
	skip "mandoc has nothing to say" "there is no mandoc"
fi

for program in ewind ewin-check ewin-status ewin-sim flink-up; do
	page=$(echo contrib/man/"$program".[18])
	command=$BUILD/$program
	[ "$program" != flink-up ] || command=contrib/flink-up
	"$command" --help | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$work/help"
	sed -nE 's/^\.It Fl -([a-z-]+).*/--\1/p' "$page" | sort -u >"$work/page"
	expect_none "$program: --help and the page list the same options" "$(diff "$work/help" "$work/page")"
	expect_none "$program: the page names no option that there is not" \
		"$(grep -oE 'Fl -[a-z-]+' "$page" | sed 's/Fl /-/' | sort -u | comm -23 - "$work/help")"
	"$command" --help | sed -n '/^Exit status/,$p' | grep -oE '(^|[ ,;])[0-9] ' | tr -dc '0-9\n' | sort -u >"$work/help"
	sed -n '/^\.Sh EXIT STATUS/,/^\.El/s/^\.It \([0-9]\)/\1/p' "$page" >"$work/page"
	expect_none "$program: and the same exit statuses" "$(diff "$work/help" "$work/page")"
done

# Every key of the schema, but those of the schema's own language and its names for types.
page=contrib/man/ewin-lab.5
grep -oE '"[a-z]+": *(\{|false|\[)' contrib/labs/lab.schema.json | grep -oE '[a-z]+' |
	grep -vxE 'defs|items|required|enum|type|const|false|absolute|texts|duration|width|strictness|column|property|fixture|link|step|inside' |
	grep -vxE 'anyOf|oneOf|properties|allOf|f' | sort -u >"$work/schema"
expect_none "the page of lab.json knows every key of the schema" "$(while read -r key; do
	grep -qE "Li $key( |$)" "$page" || echo "$key"
done <"$work/schema")"
expect_none "and every word that the schema allows" "$(grep -oE '"(enum|const)": .*' contrib/labs/lab.schema.json |
	sed 's/^"[a-z]*"//' | grep -oE '"[a-z_-]+"' | tr -d '"' | sort -u | while read -r word; do
	grep -qE "(Ql|Li) $word( |$)" "$page" || echo "$word"
done)"
expect_none "and no other key" "$(sed -nE '/^\.Ss The lab/,/^\.Ss Properties/s/^\.It Li ([a-z_]+)$/\1/p' "$page" | while read -r key; do
	grep -qE "\"$key\":" contrib/labs/lab.schema.json || echo "$key"
done)"
mkdir -p "$work/labs/first"
cp -r contrib/labs/first/ref contrib/labs/first/data "$work/labs/first"
sed -n '/^\.Bd/,/^\.Ed/{/^\./d;p}' "$page" >"$work/labs/first/lab.json"
"$BUILD/ewin-check" --lint "$work/labs/first" >"$work/said" 2>&1
check "its example is a lab without an error" test $? -eq 0
expect_none "nor a warning" "$(grep -E ' (error|warning): ' "$work/said")"
check "of all that something is compared" test "$(wc -l <"$work/schema")" -gt 30 -a -s "$work/help" -a -s "$work/said"
finish
