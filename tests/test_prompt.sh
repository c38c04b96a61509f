#!/bin/bash
# The prompt hook for bash, in real interactive shells on a terminal (tests/pty.c), with a status
# written here and an ewin-status that answers what the test has laid down.
# shellcheck disable=SC2016 # what is typed into a shell is expanded there
. tests/tap.sh
. tests/prompt.sh

shell=bash
command=(bash --noprofile --rcfile "$work/home/rc" -i)

# `shown` notes the prompt as it is now, without its colours.
cat >>"$work/tools" <<'EOF'
shown() {
	local prompt code
	prompt=$EWIN_PROMPT
	for code in 31 32 33 0; do
		prompt=${prompt//$'\001\e['${code}m$'\002'/}
	done
	note "$prompt"
}
EOF

rc()
{
	printf '%s\n' "$@" ". $work/tools" 'eval "$(ewin-status init bash)"' "PS1='READY> '" \
		"bind 'set enable-bracketed-paste off'" >"$work/home/rc"
}

# --- init

check "init prints the script of contrib/prompt" \
	cmp -s contrib/prompt/ewin.bash <("$BUILD/ewin-status" init bash)
for other in tcsh ''; do
	"$BUILD/ewin-status" init "$other" >"$work/out" 2>"$work/err"
	check "init '$other' is refused with status 2 and a sentence" \
		test $? -eq 2 -a ! -s "$work/out" -a -s "$work/err"
done
fresh
check "not interactive: silent, and nothing is left" test -z "$(EWIN_RUN_DIR=$work/run \
	bash --norc -c 'eval "$("$0" init bash)"; compgen -v; compgen -A function' \
	"$BUILD/ewin-status" 2>&1 | grep -E '__ewin|EWIN_PROMPT')"

# --- what is shown

fresh
marks='ok fail:w5 partial:w5 cannot-tell:w5 missing:w5 stale:w5 running:w5:12 broken odd:w5'
for mark in $marks; do
	printf 'put 42 5/8 %s\nshown\n' "$mark"
done >"$work/in"
answer settled
type_into <"$work/in"
noted "each mark, in UTF-8" '[watermark 5/8 ✓] ' '[watermark 5/8 ✗w5] ' '[watermark 5/8 ~ w5] ' \
	'[watermark 5/8 ? w5] ' '[watermark 5/8 next w5] ' '[watermark 5/8 stale w5] ' \
	'[watermark 5/8 ✗late] ' '[watermark 5/8 broken] ' '[watermark 5/8 ?] '
type_into LC_ALL=C <<<$'shown\nput 42 6/8 ok\nshown'
noted "ASCII where the locale is not UTF-8" '[watermark 5/8 ?] ' '[watermark 6/8 ok] '
fresh
type_into TERM=dumb <<<'note "$EWIN_PROMPT"'
noted "ASCII and no colour on a plain terminal" '[watermark 5/8 x late] '
type_into NO_COLOR=1 <<<'note "$EWIN_PROMPT"'
noted "nor where NO_COLOR says so" '[watermark 5/8 x late] '
type_into <<<'note "$EWIN_PROMPT"'
noted "a colour that readline does not count" $'[\001\e[31m\002watermark 5/8 ✗late\001\e[0m\002] '
check "and it stands in front of the prompt" grep -q $'\\[\e\\[31mwatermark 5/8 ✗late\e\\[0m\\] ' "$work/tty"
type_into EWIN_PS1=keep <<<$'note "$PS1"'
check "EWIN_PS1=keep leaves PS1 alone" test "$(grep -c EWIN "$work/log")" = 0

printf 'ewind 1 42\nlab a 1/2 ok 1 - /nowhere\nlab b 2/3 ok 1 x.out %s\nend\n' "$work/lab" \
	>"$work/run/status"
type_into <<<$'shown\ncd /\nshown\ncd "$OLDPWD"\nmkdir sub && cd sub\nshown\ncd ../../lab\nshown'
noted "the lab of the current folder, else the first" '[b 2/3 ✓] ' '[a 1/2 ✓] ' '[b 2/3 ✓] ' \
	'[b 2/3 ✓] '

printf 'ewind 1 42\nlab a 1/2 ok 1 - %s\nlab b 2/3 ok 1 - %s/sub\nlab c 3/4 ok 1 - %s\nend\n' "$work" \
	"$work/lab" "$work/lab" >"$work/run/status"
type_into <<<$'shown\ncd sub\nshown\ncd ../..\nshown\ncd /\nshown'
noted "of folders within each other, the innermost" '[c 3/4 ✓] ' '[b 2/3 ✓] ' '[a 1/2 ✓] ' '[a 1/2 ✓] '

# --- nothing new costs no process

# Faults of children that were waited for: a shell that has forked cannot hide it.
faults='faults() { local s; read -r s </proc/$$/stat; s=${s##*) }; set -- $s; note "${9}"; }'
fresh
save w5.out
graded
{
	echo "$faults"
	echo faults
	printf ':\n%.0s' 1 2 3 4 5
	printf 'cd /\n:\ncd "$OLDPWD"\nfaults\n: "$(:)"\nfaults\n'
} >"$work/in"
type_into <"$work/in"
mapfile -t counts <"$work/log"
check "no process while nothing is new" test "${counts[0]}" = "${counts[1]}"
check "and this test would see one" test "${counts[1]}" -lt "${counts[2]}"
check "and ewin-status was not run" test ! -s "$work/calls"

# --- a save

fresh
put 43 6/8 ok
answer settled 'w5: right.'
put 42 5/8 fail:late
type_into <<<$'shown\nsave w5.out\nshown\nput 43 6/8 ok; graded\nshown\n:\nshown'
noted "after a save the new verdict" '[watermark 5/8 ✗late] ' '[watermark 6/8 ✓] ' \
	'[watermark 6/8 ✓] ' '[watermark 6/8 ✓] '
check "with its sentence above the prompt, once for each answer" \
	test "$(grep -c '^w5: right.' "$work/tty")" = 2
check "ewin-status was asked for what this shell has not shown" test \
	"$(<"$work/calls")" = "--run-dir $work/run --since 42 wait 250
--run-dir $work/run --since 43 wait 250"

fresh
answer behind
type_into <<<$'save w5.out\nshown\n:\nshown\ngraded\nshown\nput 43 5/8 ok; graded; rm -f ../answer\nshown'
noted "no verdict in time: checking, and never the old one" '[watermark checking] ' \
	'[watermark checking] ' '[watermark 5/8 ✗late] ' '[watermark 5/8 ✓] '
check "only the first prompt waits" test "$(head -n 2 "$work/calls")" = \
	"--run-dir $work/run --since 42 wait 250
--run-dir $work/run --since 42 wait 0"

fresh
answer down
type_into <<<$'save w5.out\nshown'
noted "a dead daemon is said to be one" '[ewind down] '

fresh
answer settled $'\e]0;title\a'
type_into <<<$'save w5.out\nshown'
check "a sentence with control characters is not printed" test "$(grep -c title "$work/tty")" = 0

fresh
put 42 5/8 running:w5:7
answer settled
type_into <<<$'shown\n:\nshown'
noted "a file that is still written" '[watermark 5/8 running w5 7] ' '[watermark 5/8 running w5 7] '
check "is asked for at every prompt" test "$(grep -c 'wait 250' "$work/calls")" -ge 3

fresh
mkdir "$work/gone"
printf '#!/bin/sh\nexit 127\n' >"$work/gone/ewin-status"
chmod +x "$work/gone/ewin-status"
{ printf '. %q/tools\nPATH=%q:/usr/bin:/bin\n' "$work" "$work/gone"; "$BUILD/ewin-status" init bash
	echo "PS1='READY> '"; } >"$work/home/rc"
type_into <<<$'shown\nput 43 6/8 ok\nshown\nsave w5.out\nshown'
noted "without ewin-status the marks go on" '[watermark 5/8 ✗late] ' '[watermark 6/8 ✓] ' \
	'[watermark checking] '
check "and nothing complains" test "$(grep -c 'ewin-status:' "$work/tty")" = 0

# --- a status that is none

fresh
status=$(<"$work/run/status")
for ((length = 0; length <= ${#status}; length++)); do
	printf 'printf %%s %q >../run/status\nnote "%s $EWIN_PROMPT"\n' "${status:0:length}" "$length"
done >"$work/in"
type_into <"$work/in"
check "cut anywhere, it is refused" test "$(grep -c '^[0-9]* \[ewind ?\] $' "$work/log")" \
	-eq $((${#status} + 1))
fresh
type_into <<'EOF'
mkdir ../kept; mv ../run/status ../kept/1
shown
printf 'ewind 2 42\nlab a 1/2 ok 1 - /\nend\n' >../run/status
shown
rm ../run/status; mkdir ../run/status
shown
rmdir ../run/status; mkfifo ../run/status
shown
rm ../run/status; ln -s nowhere ../run/status
shown
rm ../run/status; mv ../kept/1 ../run/status
shown
rm -r ../run
shown
EOF
noted "missing, another version, a folder, a FIFO, a dangling link, back again, all gone" \
	'[ewind down] ' '[ewind ?] ' '[ewind ?] ' '[ewind ?] ' '[ewind down] ' \
	'[watermark 5/8 ✗late] ' '[ewind down] '
check "and nothing complains" test "$(grep -c 'bash:' "$work/tty")" = 0
type_into <<<$'note "<$EWIN_PROMPT>"'
noted "no daemon ever: nothing is shown" '<>'
mkdir "$work/run"
type_into <<<'shown'
noted "its folder alone: it is down" '[ewind down] '

# --- hostile values

# Typed at a prompt, so that the next real prompt shows what the status holds.
fresh
payloads=('$(touch P)' '`touch P`' '${x:=$(touch P)}' 'a[$(touch P)]' '\$(touch P)' '%F{red}' '%{P%}'
	'!!' '{a,b}' $'\e]0;P\a' $'\eP1$r0m\e\\' $'\302\233P' $'\342\200\256P' $'\001\e[31m\002'
	$'\377\376' $'a\tb' $'a\rb')
for ((n = 0; n < ${#payloads[@]}; n++)); do
	printf 'put 42 5/8 fail:%q\n' "${payloads[n]}" >"$work/payload$n"
	printf '. ../payload%d\n' "$n"
done >"$work/in"
type_into TERM=dumb <"$work/in"
check "no payload is run" test ! -e "$work/lab/P" -a ! -e "$work/run/P" -a ! -e "$work/home/P"
check "each is shown as a question mark" test "$(grep -c '^\[ewind ?\] ' "$work/tty")" \
	-eq ${#payloads[@]}
check "no byte of it reaches the terminal" test -z "$(LC_ALL=C tr -d '\r\n -~' <"$work/tty")"

# Every byte by itself and behind each character that means something to a shell.
cat >"$work/sweep" <<'EOF'
hostile() { printf 'ewind 1 42\nlab watermark 5/8 %s 1 w5.out %s\nend\n' "$1" "$PWD" >../run/status; }
plain() { LC_ALL=C; [[ $1 == [a-zA-Z0-9\ ._:/+=,-] ]]; }
sweep() {
	local n octal byte front want
	for ((n = 1; n < 256; n++)); do
		printf -v octal '\\%03o' "$n"
		printf -v byte "$octal"
		for front in '' \$ \\ \`; do
			hostile "fail:$front$byte"
			__ewin_prompt
			want='[ewind ?] '
			[[ -n $front ]] || ! plain "$byte" || want="[watermark 5/8 x ${byte# }] "
			[[ $EWIN_PROMPT == "$want" ]] || note "$n behind <$front>: $EWIN_PROMPT"
		done
	done
	note "up to $n"
}
EOF
type_into TERM=dumb <<<$'. ../sweep; sweep'
noted "every byte outside the set is refused, every byte in it is shown" 'up to 256'

# --- what a prompt must leave alone

fresh
answer settled 'w5: right.'
cat >"$work/state" <<'EOF'
set +o; shopt -p; trap -p; jobs; alias; compgen -v | grep -v __ewin; printf %q "$IFS"
EOF
cat >"$work/in" <<'EOF'
sleep 60 & trap 'echo interrupted' INT; [[ abc =~ b ]]
. ../state >../before
save w5.out
false | true | (exit 3)
note "$? ${PIPESTATUS[*]}"
put 43 6/8 ok
false | true | (exit 7)
note "$? ${PIPESTATUS[*]}"
: some words
note "$_"
note "${BASH_REMATCH[0]}"
. ../state >../after
kill %1
EOF
type_into <"$work/in"
noted 'the statuses, $_ and BASH_REMATCH are kept' '3 1 0 3' '7 1 0 7' words b
check "options, traps, jobs, aliases and names are kept" cmp "$work/before" "$work/after"

# A read-only global cannot be made local, nor one that is a number hold a word.
everyday=set,rest,line,folder,inner,names,old,file,lab,answer,sentence,wait,kind,step,ok,bad,plain,text,mark,colour
everyday+=,state,seq,record,behind,rc,options
values='"[^"]*"|\$'\''[^'\'']*'\''|\$\{[^}]*\}|[^ ]*'
check "no name of the hook's is one that users have" test -z "$(
	grep -E '^[[:space:]]*(local|for) ' contrib/prompt/ewin.bash | sed -E "s/ in .*//; s/=($values)//g" |
		tr -s '\t ' '\n' | grep -Ev '^(local|for|-|__ewin_.*|)$')"

while IFS='|' read -r name setting; do
	fresh "${setting//\$everyday/$everyday}"
	answer settled 'w5: right.'
	echo 'eval "$(ewin-status init bash)"' >>"$work/home/rc"
	type_into <<<$'! true\nnote "was $?"\nsave w5.out\nshown\nput 42 5/8 fail:w5; graded\nshown\n'
	check "with $name" test "$(grep -v '^1$' "$work/log")" = \
		$'was 1\n[watermark 5/8 ✗late] \n[watermark 5/8 ✗w5] '
	check "with $name: no complaint" test "$(grep -Ec 'bash: |ewin.*(:|not)' "$work/tty")" = 0
done <<'EOF'
no PROMPT_COMMAND|unset PROMPT_COMMAND
a string|PROMPT_COMMAND='echo $?'
a string that ends in a semicolon|PROMPT_COMMAND='echo $?; '
an array|PROMPT_COMMAND=('echo $?' 'echo $?;')
unset variables refused|set -u
any error ends the shell|set -e
an ERR trap|trap 'echo ewin: not ok' ERR
no clobbering|set -o noclobber
failglob|shopt -s failglob
nullglob, extglob, nocasematch|shopt -s nullglob extglob nocasematch
another IFS|IFS=/el:0-9
POSIX mode|POSIXLY_CORRECT=1
everything exported|set -a
no file name expansion|set -f
everyday names that are read-only|readonly {$everyday}=hello
such names declared as numbers|shopt -s localvar_inherit; declare -i {$everyday}=7
assignments anywhere in a command|set -k
EOF
fresh
echo 'eval "$(ewin-status init bash)"' >>"$work/home/rc"
type_into <<<$'note "${#PROMPT_COMMAND[@]} ${PS1//[!\$]}"\n. ../home/rc\nnote "${#PROMPT_COMMAND[@]} ${PS1//[!\$]}"'
noted "evaluated three times: there once" '1 $' '1 $'

fresh
type_into <<<$'mkdir gone; cd gone; rmdir ../gone\nshown\nset -a\nbash --rcfile ~/rc -i\nshown\nexit\nshown'
noted "in a folder that is gone, and in a shell that inherits everything" '[watermark 5/8 ✗late] ' \
	'[watermark 5/8 ✗late] ' '[watermark 5/8 ✗late] '

fresh 'set -k'
type_into <<<$'(exit 7); __ewin_prompt; note "$?"'
noted 'assignments anywhere in a command: the hook itself keeps $?' 7

fresh
echo 'readonly PS1' >>"$work/home/rc"
type_into <<<'shown'
noted "a read-only PS1 stays as it is, and there is the variable" '[watermark 5/8 ✗late] '
check "and nothing complains" test "$(grep -c 'bash: ' "$work/tty")" = 0
fresh 'readonly PROMPT_COMMAND'
type_into <<<'note "<$EWIN_PROMPT>"'
noted "a read-only PROMPT_COMMAND: no mark, and the rest of ~/.bashrc is read" '<>'
check "which is said once" test "$(grep -c 'ewind: PROMPT_COMMAND is read-only' "$work/tty")" = 1
check "and bash complains of nothing" test "$(grep -c 'bash: ' "$work/tty")" = 0

# Two shells at once: neither eats the other's sentence.
fresh
put 43 6/8 ok
answer settled 'w5: right.'
put 42 5/8 fail:late
cat >"$work/in" <<'EOF'
note ready
until [ -e ../go ]; do sleep 0.01; done
shown
shown
EOF
: >"$work/log"
terminal "$work/tty1" <"$work/in" &
terminal "$work/tty2" <"$work/in" &
until [[ $(grep -c ready "$work/log") == 2 ]]; do sleep 0.01; done
put 43 6/8 ok
: >"$work/go"
wait
for tty in "$work/tty1" "$work/tty2"; do
	check "each of two shells says it once" test "$(grep -c 'w5: right.' "$tty")" = 1
done
finish
