#!/bin/bash
# The prompt hook with the real daemon: a save by the shell itself, and the very next prompt. Wrong
# and right outputs by turns, so that an old verdict would be seen. ROUNDS: how many saves.
# shellcheck disable=SC2016 # what is typed into a shell is expanded there
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
rounds=${ROUNDS:-40}
recorded=$PWD/tests/recorded/watermark
work=$(mktemp -d)
daemon=''
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null; rm -rf "$work"' EXIT
mkdir "$work/run" "$work/lab" "$work/state"

"${CC:-cc}" -D_GNU_SOURCE -o "$work/pty" tests/pty.c
# As the service, the daemon may not read what modes keep from it.
held=(setpriv --bounding-set=-dac_override,-dac_read_search)
"${held[@]}" true 2>/dev/null || held=()
STATE_DIRECTORY=$work/state "${held[@]}" "$BUILD/ewind" --foreground --labs contrib/labs \
	--data-root tests/recorded/root --watch "watermark=$work/lab" --run-dir "$work/run" \
	2>"$work/journal" &
daemon=$!
disown
for _ in {1..500}; do
	[ ! -e "$work/run/status" ] || break
	sleep 0.02
done
if [ ! -e "$work/run/status" ]; then
	sed 's/^/# /' "$work/journal"
	not_ok "the daemon has published a status"
	finish
fi

cat >"$work/rc" <<EOF
eval "\$(ewin-status init bash)"
bind 'set enable-bracketed-paste off'
PS1='READY> '
right=$recorded/ref/w5.out
wrong=$recorded/mistakes/w5_delay0/w5.out
note() { printf '%s\n' "\$*" >>"$work/log"; }
save() { command cat "\${!1}" >w5.out; }
EOF
# type_into [NAME=VALUE]...: in a shell with these variables too.
type_into()
{
	: >"$work/log"
	(cd "$work/lab" && env -i PATH="$BUILD:$PATH" HOME="$work" TERM=dumb LC_ALL=C.UTF-8 \
		EWIN_RUN_DIR="$work/run" "$@" "$work/pty" 'READY> ' bash --noprofile --rcfile "$work/rc" -i \
		>"$work/tty" 2>&1)
}

# Each save at once after the last prompt, so that several fall into one clock tick.
for ((n = 0; n < rounds; n++)); do
	((n % 2)) && echo 'save right' || echo 'save wrong'
done >"$work/in"
echo 'note end' >>"$work/in"
type_into <"$work/in"
grep -o '^\[[^]]*\] READY> .*' "$work/tty" >"$work/prompts"
# A prompt and what was typed at the one before it.
old=$(awk '{ mark = $0; sub(/READY> .*/, "", mark)
	if (typed == "save right" && mark ~ /x w5|~ w5/) print NR ": " mark
	if (typed == "save wrong" && mark !~ /x w5|checking/) print NR ": " mark
	typed = $0; sub(/.*READY> /, "", typed); sub(/\r$/, "", typed) }' "$work/prompts")
expect_none "no prompt of $rounds shows an old verdict" "$old"
check "each prompt was seen" test "$(wc -l <"$work/prompts")" -ge "$rounds"
echo "# checking: $(grep -c checking "$work/prompts") of $rounds"
check "each save is followed by its sentence" test "$(grep -c '^ewind: w5: ' "$work/tty")" -ge \
	$((rounds - 2 * $(grep -c checking "$work/prompts") - 1))

# The same in zsh and fish: two saves in a row, within one clock tick as a rule, and the prompt behind them
# as the next command finds it.
cat >"$work/.zshrc" <<EOF
unsetopt prompt_sp
PS1='READY> '
eval "\$(ewin-status init zsh)"
save() { command cat $work/\$1.out >|w5.out }
seen() { print -r -- "\$1 \$EWIN_PROMPT" >>$work/log }
EOF
cat >"$work/rc.fish" <<EOF
function fish_prompt; echo -n 'READY> '; end
ewin-status init fish | source
function save; command cat $work/\$argv[1].out >w5.out; end
function seen; echo "\$argv[1] \$EWIN_PROMPT" >>$work/log; end
EOF
cp "$recorded/ref/w5.out" "$work/right.out"
cp "$recorded/mistakes/w5_delay0/w5.out" "$work/wrong.out"
for ((n = 0; n < rounds; n++)); do
	((n % 2)) && echo 'save wrong; save right' && echo 'seen right'
	((n % 2)) || { echo 'save right; save wrong' && echo 'seen wrong'; }
done >"$work/in"
echo : >>"$work/in"
for shell in zsh fish; do
	if ! command -v $shell >/dev/null; then
		skip "$shell: no old verdict" "there is no $shell here"
		continue
	fi
	command=(zsh -d -i)
	[[ $shell == zsh ]] || command=(fish --no-config -i -C "source $work/rc.fish")
	: >"$work/log"
	(cd "$work/lab" && env -i PATH="$BUILD:$PATH" HOME="$work" TERM=xterm NO_COLOR=1 LC_ALL=C \
		EWIN_RUN_DIR="$work/run" "$work/pty" 'READY> ' "${command[@]}" >"$work/tty" 2>&1 <"$work/in")
	expect_none "$shell: no prompt of $rounds shows an old verdict" \
		"$(grep -E '^right .* x w5|^right .*~ w5|^wrong .* (ok|next)' "$work/log")"
	check "$shell: each prompt was seen" test "$(wc -l <"$work/log")" -eq "$rounds"
	echo "# $shell: checking: $(grep -c checking "$work/log") of $rounds"
	check "$shell: each pair of saves has its sentence" test "$(grep -c 'ewind: w5: ' "$work/tty")" -ge \
		$((rounds - 2 * $(grep -c checking "$work/log") - 1))
done

# What is saved through a redirection and may not be read by the service gets its mark, and the command that opens it.
cat >"$work/close" <<EOF
rm -f ddl.out
umask 777
cat "$recorded/ref/ddl.out" >ddl.out
EOF
cat >"$work/remove" <<EOF
rm -f ddl.out
for _ in \$(seq 500); do
	! grep -q ' missing:ddl ' "$work/run/status" || break
	sleep 0.02
done
EOF
cat >"$work/in" <<EOF
sh "$work/close"
echo "\$EWIN_PROMPT" >"$work/log"
sh "$work/remove"
echo "\$EWIN_PROMPT" >>"$work/log"
:
EOF
for shell in bash zsh fish; do
	command=(bash --noprofile --rcfile "$work/rc" -i)
	[[ $shell != zsh ]] || command=(zsh -d -i)
	[[ $shell != fish ]] || command=(fish --no-config -i -C "source $work/rc.fish")
	if ! command -v $shell >/dev/null; then
		skip "$shell: what may not be read" "there is no $shell here"
		continue
	fi
	(cd "$work/lab" && env -i PATH="$BUILD:$PATH" HOME="$work" TERM=xterm NO_COLOR=1 LC_ALL=C \
		EWIN_RUN_DIR="$work/run" "$work/pty" 'READY> ' "${command[@]}" >"$work/tty" 2>&1 <"$work/in")
	check "$shell: what may not be read has its mark" grep -q '[0-9] ? ddl\]' <(sed -n 1p "$work/log")
	check "$shell: and is opened by a command" \
		grep -q "ewind: ddl: cannot-tell: .*: chmod a+r $work/lab/ddl.out" "$work/tty"
	check "$shell: what is removed is missing" grep -q '[0-9] next ddl\]' <(sed -n 2p "$work/log")
done

# SQL is saved more often than outputs, and none of it may hold a prompt up: not without an output, not
# beside one, not older SQL again. A prompt compares outputs only, so the one within the very
# millisecond in which newer SQL came may not know of it yet.
cat >"$work/in" <<EOF
echo 'SELECT 1;' >sweep.sql
note "\$EWIN_PROMPT"
echo 'SELECT 2;' >new; touch -d '10 seconds' new; mv new w5.sql
ewin-status wait 1000
note "\$EWIN_PROMPT"
touch -d '1 hour ago' w5.sql
note "\$EWIN_PROMPT"
rm w5.sql sweep.sql
note "\$EWIN_PROMPT"
EOF
type_into <"$work/in"
check "saved SQL keeps no prompt waiting" test "$(grep -c checking "$work/log")" -eq 0
check "newer SQL is said to be that" grep -q 'stale w5' "$work/log"

# The sentence is in the learner's language, though no such locale is generated, and the mark is not. What
# cannot show that language gets ASCII alone.
rm -f "$work/lab/w5.out"
printf 'save wrong\n' >"$work/in"
type_into LC_ALL= LANG=ja_JP.UTF-8 <"$work/in"
check "the sentence is in Japanese" grep -q '^ewind: w5: 不合格: テーブル 1 の .* を含む行: 列 cnt の値が誤りです。（' "$work/tty"
check "and the mark is not" grep -q '^\[watermark ./. x w5\] READY> ' "$work/tty"
printf 'save right\n' >"$work/in"
type_into LC_ALL= LANG=C LANGUAGE=ja <"$work/in"
check "the sentence is in English where the locale is C" grep -q '^ewind: w5: pass: ' "$work/tty"
check "and in ASCII alone" test -z "$(LC_ALL=C tr -d '\0-\177' <"$work/tty")"

# A daemon that dies is said to be down when a save waits for it; one that stops takes its status away.
cat >"$work/in" <<EOF
kill -9 $daemon; while kill -0 $daemon 2>/dev/null; do :; done
note "\$EWIN_PROMPT"
save wrong
note "\$EWIN_PROMPT"
EOF
type_into <"$work/in"
daemon=''
check "a daemon that was killed is down" test "$(tail -n 1 "$work/log")" = '[ewind down] '
finish
