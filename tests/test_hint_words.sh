#!/bin/bash
# `ewin-status hint` from the outside: what it says, in each language, with and without a daemon.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
recorded=tests/recorded/watermark
work=$(mktemp -d)
mkdir "$work/lab" "$work/run" "$work/state"
data=$work/root/opt/lab/fixtures/data/watermark_events.csv
mkdir -p "${data%/*}"
cp -p tests/recorded/root/opt/lab/fixtures/data/watermark_events.csv \
	tests/recorded/root/opt/lab/fixtures/data/orders.csv "${data%/*}"
export EWIN_RUN_DIR=$work/run
daemon=

end_daemon()
{
	[ -z "$daemon" ] || kill "$daemon"
	wait "$daemon" 2>/dev/null
	daemon=
}
trap 'end_daemon; rm -rf "$work"' EXIT

# says PATTERN ARGUMENT...: ewin-status prints it; what it said is in $work/said.
says()
{
	"$BUILD/ewin-status" "${@:2}" >"$work/said" 2>&1
	grep -q "$1" "$work/said" || ! sed 's/^/# /' "$work/said"
}

# save CASE STEP: the learner's SQL and its output.
save()
{
	cp "$recorded/$1/$2.sql" "$work/lab" && cat "$recorded/$1/$2.out" >"$work/lab/$2.out"
}

stands()
{
	grep -q "watermark ./8 $1" "$work/run/status" 2>/dev/null
}

check "without a daemon it says so" says "is not running" hint
check "and that is a fault" test "$("$BUILD/ewin-status" hint >/dev/null 2>&1; echo $?)" = 1
STATE_DIRECTORY=$work/state "$BUILD/ewind" --foreground --labs contrib/labs --watch watermark="$work/lab" \
	--data-root "$work/root" --run-dir "$work/run" 2>"$work/log" &
daemon=$!
check "a daemon is there" eventually test -e "$work/run/status"
check "nothing is wrong yet" says "^ddl: nothing is known to be wrong" hint ddl
check "two steps are wrong usage" test "$("$BUILD/ewin-status" hint w5 ddl >/dev/null 2>&1; echo $?)" = 2
check "so is a step that is not there" test "$("$BUILD/ewin-status" hint w6 >/dev/null 2>&1; echo $?)" = 2

save mistakes/w5_delay0 w5
check "a wrong save" eventually stands fail:w5
check "its first tier says where" says "cnt: wrong" w5
check "and no cause" test -z "$(grep -i watermark "$work/said" | grep -v watermark\ ./8)"
check "the next tier, of the step that is wrong, is the cause with the learner's own delay" \
	says "WATERMARK line again.*Yours: 0s\." hint
check "and it stays open" says "Yours: 0s\." w5
check "the third is the lab's own hints" says "^Hint: " hint watermark/w5
check "of which both are open" test "$("$BUILD/ewin-status" w5 | grep -c 'Hint: ')" = 2
check "then all are open" says "^All hints of w5 are open" hint w5.out
check "as the JSON says" grep -q '"hint_tier": *3' <<<"$("$BUILD/ewin-status" --json w5)"
for language in ja:ヒント zh_CN:提示 ko:힌트; do
	LANG=${language%:*}.UTF-8 LC_ALL='' says "${language#*:}" hint w5
	check "${language%:*}: a hint is in that language" test $? -eq 0
done

save ref w5
check "a right save" eventually stands missing
check "is explained" says "its window was closed when it came" w5
save mistakes/w5_delay0 w5
check "wrong again" eventually stands fail:w5
check "the hints begin anew" test "$("$BUILD/ewin-status" w5 | grep -c 'Yours')" = 0
# The sentence after a save has the cause at the second wrong one, though it is looked for after the verdict.
seq=$(sed -n 's/^ewind 1 //p' "$work/run/status")
{ cat "$recorded/mistakes/w5_delay0/w5.out"; echo; } >"$work/lab/w5.out"
check "the sentence after the second wrong save has the cause" says "w5: fail: .*Yours: 0s" --since "$seq" wait 5000
# An honest output of data that somebody changes afterwards.
save ref w5
check "right again" eventually stands missing
sed -i 's/,s1,82,/,s1,83,/' "$data"
touch -d '+1 minute' "$data"
check "the data are others" eventually stands fail:w5
check "an honest output is not called changed by hand" eventually says '"id": *"other-data"' --json w5
check "nor anywhere" test -z "$(grep edited-by-hand "$work/said")"
check "and at the first wrong one it is said what happened" says "The data has changed since" w5
# The data are others, but older than what is saved: then it is not of this SQL and these data.
touch -d '-1 hour' "$data"
{ cat "$recorded/ref/w5.out"; echo; } >"$work/lab/w5.out"
touch -d '+1 hour' "$work/lab/w5.out"
check "of data that did not change since" eventually says '"id": *"edited-by-hand"' --json w5
end_daemon
check "the socket is gone with the daemon" test ! -e "$work/run/ctl"
finish
