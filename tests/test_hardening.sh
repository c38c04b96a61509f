#!/bin/sh
# What the compiler and the linker were asked for is in the four programs: read from the files as built.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if nm "$BUILD/parser/text.o" | grep -q __asan; then
	skip "the programs are hardened" "a sanitizer does it in its own way"
	finish
fi

# has WHAT PATTERN: the pattern is in what readelf says of the program in $said.
has()
{
	check "$program: $1" grep -qE "$2" "$work/said"
}

for program in ewind ewin-check ewin-status ewin-sim; do
	LC_ALL=C readelf -W --file-header --program-headers --dynamic --dyn-syms --notes "$BUILD/$program" >"$work/said"
	has "it can be loaded anywhere" '^ *Type: +DYN '
	has "it says so" '\(FLAGS_1\).*PIE'
	has "its symbols are bound at start" '\(FLAGS_1\).*NOW'
	has "what was bound is read-only then" '^ *GNU_RELRO '
	has "its stack runs no code" '^ *GNU_STACK .* RW +0x'
	has "a stack that was written over is found out" ' __stack_chk_fail@'
	has "what writes past an object is found out" ' __v?snprintf_chk@'
	expect_none "$program: no segment can be written and run" "$(grep -E '^ *LOAD .* RWE ' "$work/said")"
	case $(uname -m) in
	x86_64) has "its calls and returns fit shadow stacks" 'x86 feature:.*SHSTK' ;;
	esac
done

# The program's own note of IBT is not there, since the C library's start has no endbr64 in Debian 12.
if [ "$(uname -m)" = x86_64 ]; then
	expect_none "each object of ours marks where it may be jumped to" "$(
		find "$BUILD/parser" "$BUILD/sim" "$BUILD/daemon" -name '*.o' | while read -r object; do
			LC_ALL=C readelf -n "$object" | grep -q 'x86 feature:.*IBT.*SHSTK' || echo "$object"
		done
	)"
fi

# command VARIABLE...: how one source would be compiled, in a folder of its own, so that nothing is built anew.
compile()
{
	${MAKE:-make} --no-print-directory -n V=1 BUILD="$work/build" "$@" "$work/build/parser/text.o" 2>/dev/null |
		grep -e ' -c -o '
}

keeps()
{
	for flag in -D_FORTIFY_SOURCE=3 -fstack-protector-strong -fPIE -fstack-clash-protection; do
		compile "$@" | grep -q -e "$flag" || return
	done
	! compile "$@" | grep -q -e '-Wp,-D_FORTIFY_SOURCE=2'
}

lacks()
{
	! compile "$@" | grep -qE -e '-D_FORTIFY_SOURCE|-fstack-(protector|clash)'
}

check "CFLAGS that somebody brings keep it" keeps CFLAGS='-O1 -g1'
check "also where they fortify less" keeps CFLAGS='-O2 -Wp,-D_FORTIFY_SOURCE=2'
check "HARDENING= takes it away" lacks HARDENING=
check "a sanitizer goes without" lacks SANITIZE=address
finish
