#!/bin/sh
# The units as systemd reads them. `systemd-analyze verify` only warns of a misspelt directive: any
# word from it fails.
. tests/tap.sh

if ! command -v systemd-analyze >/dev/null; then
	skip "units are verified" "there is no systemd-analyze"
	finish
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for unit in units/*.service; do
	sed "s,^ExecStart=/usr/bin/,ExecStart=$PWD/${BUILD:-build}/," "$unit" >"$folder/${unit#units/}"
done

expect_none "systemd-analyze verify has nothing to say" \
	"$(systemd-analyze verify --man=no "$folder"/*.service 2>&1)"
expect_none "each manual that a unit names is there" "$(sed -n 's/^Documentation=//p' units/*.service | tr ' ' '\n' |
	sed 's/^man:\(.*\)(\([0-9]\))$/contrib\/man\/\1.\2/' | while read -r page; do [ -e "$page" ] || echo "$page"; done)"
expect_none "the exposure is 0.5 of 10 at most" \
	"$(systemd-analyze security --offline=true --threshold=5 "$folder/ewind.service" >"$folder/log" 2>&1 ||
		tail -n 1 "$folder/log")"
# A directive without a reason in front of its group is one that nobody dares to touch later.
expect_none "every group of directives is explained" "$(awk '
	/^#/ { explained = 1 } /^$/ { explained = 0 }
	/^\[/ { explained = 1 } /^[A-Z]/ && !explained { print FILENAME ": " $0 }' units/*.service |
	grep -vE 'Description=|Documentation=')"
finish
