#!/bin/sh
# tests/setup with a package that is always missing, and an apt-get and an id that only pretend.
# shellcheck disable=SC2016,SC2317	# text for other scripts; functions that check runs
. tests/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
printf '#!/bin/sh\necho "$*" >>"%s/calls"\nexit "$(cat "%s/status")"\n' "$work" "$work" >"$work/bin/apt-get"
printf '#!/bin/sh\ncat "%s/uid"\n' "$work" >"$work/bin/id"
chmod +x "$work/bin/apt-get" "$work/bin/id"

# run UID APT_STATUS ARGUMENT...: its exit status; what it said is in $work/said.
run()
{
	echo "$1" >"$work/uid"
	echo "$2" >"$work/status"
	: >"$work/calls"
	shift 2
	PATH=$work/bin:$PATH tests/setup "$@" >"$work/said" 2>&1 </dev/null
}

fails()
{
	! "$@"
}

said()
{
	grep -qF -- "$1" "$work/said"
}

check "nothing is missing here, so it succeeds" run 1000 0
check "and says nothing" test ! -s "$work/said"
check "and asks apt-get nothing" test ! -s "$work/calls"

check "root installs what is missing" run 0 0 some-package /no/such/file
check "fresh lists first, nothing recommended" test "$(cat "$work/calls")" = \
	"update -qq
install --no-install-recommends some-package -y -qq"
check "root is told where apt-get fails" fails run 0 1 some-package no-such-program
check "with the command" said "apt-get install --no-install-recommends some-package"

check "others don't get past it" fails run 1000 0 some-package /no/such/file
check "they are told the command" said \
	"apt-get update && apt-get install --no-install-recommends some-package"
check "and nothing is installed" test ! -s "$work/calls"
finish
