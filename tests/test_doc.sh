#!/bin/bash
# What the documents say is there: every path of ours, every make target, every option.
# shellcheck disable=SC2016	# backquotes of Markdown
. tests/tap.sh

BUILD=${BUILD:-build}
documents=(README.md HACKING.md NEWS contrib/README.md)

# A word that begins with one of our folders is a path; capitals in it stand for any name.
expect_none "every path exists" "$(grep -noE '(^|[^A-Za-z0-9_./=-])(\.ci|contrib|daemon|parser|sim|tests|units)/[A-Za-z0-9_./*-]*' \
	"${documents[@]}" | while IFS=: read -r document line word; do
	path=${word#[^.a-z]}
	path=${path%[.]}
	compgen -G "$(sed -E 's/[A-Z]+/*/g' <<<"$path")" >/dev/null || echo "$document:$line: $path"
done)"

expect_none "every make target exists" "$(grep -noE '(`|^)make( [A-Za-z0-9_=/.-]+)+' "${documents[@]}" |
	while IFS=: read -r document line command; do
		read -ra words <<<"${command#*make}"
		for target in "${words[@]}"; do
			[[ $target == *[=/]* ]] || grep -qE "^$target:" Makefile || echo "$document:$line: $target"
		done
	done)"
expect_none "every target of the Makefile's head exists" "$(sed -nE 's/^#   make ([a-z-]+).*/\1/p' Makefile |
	while read -r target; do
		grep -qE "^$target:" Makefile || echo "$target"
	done)"

check "flink-up says the version of NEWS" test "$(contrib/flink-up --version)" = "flink-up $(sed -n '1s/ewind //p' NEWS)"

# Options, as `ewin-check --json` in the text or `ewin-check [--json]` in a list of them.
for program in ewind ewin-check ewin-status ewin-sim; do
	help=$("$BUILD/$program" --help 2>&1) || {
		not_ok "$program --help ends with status 0"
		continue
	}
	expect_none "$program has every option that the documents name" \
		"$(grep -ohE "(^|[^A-Za-z./-])$program +[^\`]*" "${documents[@]}" | grep -oE -- '--[a-z][a-z-]*' |
			sort -u | while read -r option; do
			grep -qE -- "$option([^a-z-]|$)" <<<"$help" || echo "$option"
		done)"
	check "$program says the version of NEWS" test "$("$BUILD/$program" --version </dev/null)" = \
		"$program $(sed -n '1s/ewind //p' NEWS)"
	"$BUILD/$program" --no-such-option </dev/null >/dev/null 2>&1
	check "$program refuses an unknown option with status 2" test $? -eq 2
done

expect_none "every example of the README runs" "$(sed -n '/^```/,/^```/p' README.md |
	grep -E '^ewin-(check|sim) ' | while read -r line; do
	PATH=$(realpath "$BUILD"):$PATH bash -c "$line" >/dev/null 2>&1 </dev/null || echo "$line"
done)"
finish
