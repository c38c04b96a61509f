#!/bin/sh
# `make install` into an empty folder, and `make uninstall` again.
# shellcheck disable=SC2046,SC2086,SC2317	# lists of words; functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

make_quietly()
{
	${MAKE:-make} --no-print-directory -s BUILD="$BUILD" DESTDIR="$root" "$@" >/dev/null 2>&1
}

check "install ends well" make_quietly install
for program in ewind ewin-check ewin-status ewin-sim; do
	check "$program is there and may be run" test -x "$root/usr/bin/$program"
done
expect_none "every lab is there" "$(find contrib/labs -type f 2>/dev/null | while read -r file; do
	cmp "$file" "$root/usr/share/ewind/${file#contrib/}"
done 2>&1)"
expect_none "every unit is there" "$(for unit in units/*.service; do
	[ ! -e "$unit" ] || cmp "$unit" "$root/usr/lib/systemd/system/$(basename "$unit")"
done 2>&1)"
expect_none "files only below prefix" "$(find "$root" -type f ! -path "$root/usr/*")"
check "uninstall ends well" make_quietly uninstall
expect_none "uninstall leaves no file" "$(find "$root" ! -type d)"
finish
