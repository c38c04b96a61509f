# shellcheck shell=bash disable=SC2016 # what is typed into a shell is expanded there
# For tests of the prompt hooks, sourced behind tests/tap.sh: interactive shells on a terminal (tests/pty.c), a
# status that is written here, and an ewin-status that answers what the test has laid down. `shell` is the one
# that is tried, `command` how it is begun, `rc [LINE]...` writes what it reads at its start.
#
#	fresh; put 42 5/8 fail:late; answer settled 'w5: wrong.'
#	type_into TERM=dumb <<<'note "$EWIN_PROMPT"'
#	noted "the mark" '[watermark 5/8 ✗late] '

BUILD=$(cd "${BUILD:-build}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run" "$work/lab" "$work/home"
"${CC:-cc}" -D_GNU_SOURCE -o "$work/pty" tests/pty.c

# program NAME: a script for the shells to run; standard input is its text.
program()
{
	{ echo '#!/bin/bash'; cat; } >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}

program ewin-status <<END
[ "\$1" != init ] || exec "$BUILD/ewin-status" "\$@"
echo "\$*" >>"$work/calls"
cat "$work/answer"
END

# What every shell here can type, and the test itself: `put SEQ PASSED MARK` publishes a status, `save FILE` a
# learner's file, `graded` says that the status knows it, `note` notes anything.
cat >"$work/tools" <<END
put() {
	printf 'ewind 1 %s\nlab watermark %s %s 1 w5.out,w5.sql,report.json %s\nend\n' "\$@" \
		"$work/lab" >"$work/run/status.new"
	command mv "$work/run/status.new" "$work/run/status"
}
save() { echo x >"$work/lab/\$1"; touch -d '+5 seconds' "$work/lab/\$1"; }
graded() { touch -d '+9 seconds' "$work/run/status"; }
note() { printf '%s\n' "\$*" >>"$work/log"; }
END
# shellcheck source=/dev/null
. "$work/tools"

# fresh [LINE]...: nothing saved, and a wrong answer; the shell reads these lines too.
fresh()
{
	rm -rf "$work/run" "$work/lab" "$work/answer"
	mkdir "$work/run" "$work/lab"
	put 42 5/8 fail:late
	rc "$@"
}

# answer STATE [SENTENCE]: what ewin-status answers; the status is as `put` has it now.
answer()
{
	{ echo "$1"; cat "$work/run/status"; shift; printf '%s\n' "$@"; } >"$work/answer"
}

# terminal FILE [NAME=VALUE]...: an interactive shell, `command`, into which the lines of standard input are typed;
# FILE gets what the terminal showed.
terminal()
{
	local tty=$1
	shift
	(cd "$work/lab" && env -i PATH="$work/bin:$PATH" HOME="$work/home" TERM=xterm LC_ALL=C.UTF-8 \
		EWIN_RUN_DIR="$work/run" "$@" "$work/pty" 'READY> ' "${command[@]}" >"$tty" 2>&1)
}

# type_into [NAME=VALUE]...: the same with nothing noted yet. What the shell notes is in $work/log, what the
# terminal showed in $work/tty.
type_into()
{
	: >"$work/log"
	: >"$work/calls"
	terminal "$work/tty" "$@"
}

# noted NAME LINE...: the shell noted these lines.
noted()
{
	local name="$shell: $1"
	shift
	if [[ $(<"$work/log") == "$(printf '%s\n' "$@")" ]]; then
		ok "$name"
	else
		sed 's/^/# noted: /' "$work/log"
		not_ok "$name"
	fi
}
