#!/bin/sh
# `make install` into an empty folder, and `make uninstall` again: under each spelling of the prefix.
# shellcheck disable=SC1003,SC2046,SC2086,SC2317	# lists of words; functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT

make_quietly()
{
	${MAKE:-make} --no-print-directory -s BUILD="$BUILD" DESTDIR="$root" "$@" >/dev/null 2>&1
}

check "install ends well" make_quietly install
for program in ewind ewin-check ewin-status ewin-sim flink-up; do
	check "$program is there and may be run" test -x "$root/usr/bin/$program"
done
expect_none "every lab is there" "$(find contrib/labs -type f 2>/dev/null | while read -r file; do
	case $file in
	contrib/labs/first/*) cmp "$file" "$root/usr/share/doc/ewind/examples/${file#contrib/}" ;;
	*) cmp "$file" "$root/usr/share/ewind/${file#contrib/}" ;;
	esac
done 2>&1)"
check "the tutorial's is no lab of a learner's" test "$(cd "$root/usr/share/ewind/labs" && echo */)" = 'watermark/ window/'
check "but an example that runs" "$BUILD/ewin-check" --labs "$root/usr/share/doc/ewind/examples/labs" \
	--data-root tests/recorded/root tests/recorded/first/ref >/dev/null
expect_none "every unit is there" "$(for unit in units/*.service; do
	[ ! -e "$unit" ] || cmp "$unit" "$root/usr/lib/systemd/system/$(basename "$unit")"
done 2>&1)"
check "what it is for is there to read" cmp README.md "$root/usr/share/doc/ewind/README.md"
expect_none "every manual is there" "$(for page in contrib/man/*.[1-8]; do
	[ ! -e "$page" ] || cmp "$page" "$root/usr/share/man/man${page##*.}/$(basename "$page")"
done 2>&1)"
expect_none "every language is there" "$(for po in daemon/po/*.po; do
	ls "$root/usr/share/locale/$(basename "$po" .po)/LC_MESSAGES/ewind.mo"
done 2>&1 >/dev/null)"
check "login shells have the prompt" cmp contrib/prompt/profile.sh "$root/etc/profile.d/ewin.sh"
expect_none "nothing else is outside prefix" \
	"$(find "$root" -type f ! -path "$root/usr/*" ! -path "$root/etc/profile.d/ewin.sh")"
expect_none "everybody may read everything" "$(find "$root" -mindepth 1 ! -perm -444)"
mkdir -p "$root/usr/share/man/man1"
echo other >"$root/usr/share/man/man1/other.1"
mkdir -p "$root/usr/share/ewind/labs/mine"
echo own >"$root/usr/share/ewind/labs/mine/lab.json"
check "uninstall ends well" make_quietly uninstall
check "what others have put there stays" test "$(find "$root" ! -type d | sort)" = "$root/usr/share/ewind/labs/mine/lab.json
$root/usr/share/man/man1/other.1"
rm -r "$root/usr/share/ewind" "$root/usr/share/man/man1"
expect_none "no folder is left but those that any system has" \
	"$(find "$root" -mindepth 1 -type d -empty ! -path "$root/usr/bin" ! -path "$root/usr/lib" ! -path "$root/usr/share" ! -path "$root/usr/share/man" ! -path "$root/usr/share/doc" \
		! -path "$root/etc/profile.d")"
check "uninstall again is no fault" make_quietly uninstall
rm -rf "${root:?}"/*

# A prefix is compiled in, and another one would build everything anew: --dry-run says what would be done.
would()
{
	${MAKE:-make} --no-print-directory -s -n BUILD="$root/build" "$@" 2>/dev/null | tr -s ' \t\\' '\n'
}
for spelling in prefix PREFIX; do
	check "$spelling=/opt/x is heeded" test "$(would install DESTDIR=/dest $spelling=/opt/x |
		grep -xc '/dest/opt/x/bin/ewind')" = 1
	expect_none "$spelling=/opt/x: nothing goes elsewhere" "$(would install DESTDIR=/dest $spelling=/opt/x |
		grep '^/dest' | grep -v '^/dest/opt/x')"
done
check "of /usr/local the shells and systemd read it all" test "$(would install PREFIX=/usr/local | sort -u |
	grep -xcE '/etc/profile.d/ewin.sh|/usr/local/lib/systemd/system/ewind.service|/usr/local/lib/sysusers.d/ewind.conf')" = 3
# Built for /usr/local, it would take the place of what other tests run: so of copies that are not made anew (-o).
programs="ewind ewin-check ewin-status ewin-sim"
mkdir "$root/build"
cp -r "$BUILD/locale" $(printf "$BUILD/%s " $programs) "$root/build"
check "it installs there" make -s install DESTDIR="$root/local" PREFIX=/usr/local BUILD="$root/build" \
	$(printf -- "-o $root/build/%s " $programs)
check "and the unit names the program there" grep -q '^ExecStart=/usr/local/bin/ewind ' \
	"$root/local/usr/local/lib/systemd/system/ewind.service"
finish
