# shellcheck shell=sh
# For test scripts, sourced: TAP on standard output.
#
#	. tests/tap.sh
#	check "the file is there" test -e "$file"
#	expect_none "no tabs in names" "$offenders"
#	finish

tap_count=0
tap_failed=0

# ok NAME, not_ok NAME: the result of one test.
ok()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1"
}

not_ok()
{
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $1"
}

# check NAME COMMAND...: passes where the command succeeds.
check()
{
	tap_name=$1
	shift
	if "$@"; then ok "$tap_name"; else not_ok "$tap_name"; fi
}

# expect_none NAME TEXT: passes where the text is empty, and else shows it.
expect_none()
{
	if [ -z "$2" ]; then
		ok "$1"
	else
		printf '%s\n' "$2" | sed 's/^/# /'
		not_ok "$1"
	fi
}

# skip NAME WHY: a test that can't be made here.
skip()
{
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# eventually COMMAND...: it succeeds within twenty seconds, which only a busy machine needs.
eventually()
{
	for _ in $(seq 400); do
		"$@" && return 0
		sleep 0.05
	done
	return 1
}

# repeat COUNT TEXT: prints it so often; a '#' in it stands for 0, 1, 2 ... (No gsub(): mawk's takes minutes.)
repeat()
{
	awk -v n="$1" -v text="$2" 'BEGIN {
		at = index(text, "#")
		head = at ? substr(text, 1, at - 1) : text
		tail = at ? substr(text, at + 1) : ""
		for (i = 0; i < n; i++)
			printf "%s%s%s", head, at ? i : "", tail
	}'
}

# The last line of a script.
finish()
{
	echo "1..$tap_count"
	exit $((tap_failed > 0))
}
