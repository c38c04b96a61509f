#!/bin/sh
# What cannot be printed is told, with exit status 1: a script that redirects to a full disk is not to take half an
# answer for a whole one.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# tells PROGRAM ARGUMENT...: that the device is full, once.
tells()
{
	"$BUILD/$@" >/dev/full 2>"$work/said"
	[ $? -eq 1 ] && [ "$(grep -cx "$1: standard output: No space left on device" "$work/said")" = 1 ]
}

for program in ewind ewin-check ewin-status ewin-sim; do
	check "$program --help" tells "$program" --help
	check "$program --version" tells "$program" --version
done
check "a shell's hook" tells ewin-status init bash
check "verdicts" tells ewin-check --data-root tests/recorded/root tests/recorded/watermark/ref
check "and as JSON" tells ewin-check --json --data-root tests/recorded/root tests/recorded/watermark/ref
check "what is wrong with a lab" tells ewin-check --lint contrib/labs/watermark
check "and as JSON" tells ewin-check --lint contrib/labs/watermark --json
check "new data" tells ewin-check --new-fixture contrib/labs/watermark --seed 3
check "what a client prints" tells ewin-sim run tests/recorded/watermark/ref/ddl.sql
check "what became of rows" tells ewin-sim explain --data-root tests/recorded/root tests/recorded/watermark/ref/w5.sql
check "what is masked" tells ewin-sim normalize tests/recorded/watermark/ref/w5.out
finish
