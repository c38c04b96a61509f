#!/bin/sh
# The tutorial in contrib/labs/README.md is true: its commands run as they stand, and make contrib/labs/first.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
first=$PWD/contrib/labs/first
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

awk '/^## /{ in_it = $0 == "## A lab in ten minutes" } in_it && /^```$/ { code = 0 } in_it && code { print }
	in_it && /^```sh$/ { code = 1 }' contrib/labs/README.md >"$work/commands"

# follow: runs the commands in an empty folder.
follow()
{
	mkdir "$work/empty"
	(cd "$work/empty" && PATH=$BUILD:$PATH sh -e "$work/commands" >"$work/said" 2>&1) || { sed 's/^/# /' "$work/said"; false; }
}

check "there are commands" [ "$(wc -l <"$work/commands")" -gt 50 ]
check "all of them succeed" follow
check "right answers pass" grep -q '^3 of 3 steps pass in /' "$work/said"
check "a wrong one does not" grep -q '^0 of 1 steps pass in /' "$work/said"
expect_none "lint finds nothing" "$(grep -E ': (error|warning): ' "$work/said")"
check "the data are those of the lab" diff -r "$work/empty/first/data" "$first/data"
check "and so are the references" diff -r "$work/empty/first/ref" "$first/ref"
check "other data are made" [ "$(wc -l <"$work/empty/other.csv")" -eq "$(wc -l <"$first/data/greenhouse.csv")" ]
check "each property is one of the lab's" sh -c "grep '\"is\"' '$work/empty/first/lab.json' | sed 's/,\$//' | while read -r line; do
	grep -qF \"\$line\" '$first/lab.json' || exit 1; done"
finish
