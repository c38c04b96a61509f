# shellcheck shell=bash disable=SC2034,SC2317	# for those that source it
# For the scripts that run in the booted system.
. tests/tap.sh

recorded=$PWD/tests/recorded
fixture=/opt/lab/fixtures/data/watermark_events.csv
folder=/root/flink/watermark

# save CASE STEP: the learner's two files.
save()
{
	cp "$recorded/watermark/$1/$2.sql" "$recorded/watermark/$1/$2.out" "$folder"
}

shows()
{
	grep -qF -- "$1" /run/ewind/status 2>/dev/null
}

# The journal's record of a verdict, by field.
record()
{
	journalctl --sync
	journalctl -t ewind -o json EWIN_STEP="$1" EWIN_VERDICT="$2" | tail -n 1
}

# field NAME PATTERN: of $line; numbers and texts are both in quotes there.
field()
{
	grep -qE "\"$1\":\"$2\"" <<<"$line"
}

# prompt USER: what a new interactive shell of that user shows in front of its first command.
prompt()
{
	setpriv --reuid "$1" --clear-groups env -i PATH="$PATH" HOME=/tmp TERM=dumb LC_ALL=C.UTF-8 \
		script -qec "bash --noprofile --rcfile /tmp/rc -i" /dev/null <<<exit 2>&1 | tr -d '\r'
}

# verdicts: how many the journal has.
verdicts()
{
	journalctl --sync
	journalctl -q -t ewind -o cat EWIN_LAB=watermark | wc -l
}

misses()
{
	! shows "$1"
}

# said PATTERN COMMAND...: what the command prints has it.
said()
{
	[ "$2" != journalctl ] || journalctl --sync
	grep -qE "$1" <<<"$("${@:2}")"
}

# quietly COMMAND...: its output is of no interest.
quietly()
{
	"$@" >/dev/null 2>&1
}
