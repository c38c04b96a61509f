#!/bin/bash
# The prompt hooks for zsh and fish, in real interactive shells on a terminal (tests/pty.c), beside
# tests/test_prompt.sh for bash: the same status, the same answers of ewin-status, the same marks. What
# is typed is the same in both shells, but for the functions of `rc`.
# shellcheck disable=SC2016 # what is typed into a shell is expanded there
. tests/tap.sh
. tests/prompt.sh

# Functions of bash are no commands of theirs.
for name in put save graded note; do
	program $name <<<". $work/tools; $name \"\$@\""
done

# What the shells can type beside those: `shown` notes the mark without its colours, `faults` how many
# faults of children were waited for, which a shell that has forked cannot hide.
cat >"$work/tools.zsh" <<EOF
unsetopt prompt_sp; zmodload zsh/zle; unset zle_bracketed_paste
shown() {
	emulate -L zsh -o extended_glob
	print -r -- "\${EWIN_PROMPT//(%F\{[a-z]#\}|%f)/}" >>"$work/log"
}
faults() {
	emulate -L zsh
	local s=\$(</proc/\$\$/stat)
	s=\${s##*) }
	print -- "\${\${(s: :)s}[9]}" >>"$work/log"
}
EOF
cat >"$work/tools.fish" <<EOF
set -g fish_greeting
function shown
	string replace -ra '\e\[[0-9]*m' '' -- \$EWIN_PROMPT >>"$work/log"
end
function faults
	read -l s </proc/\$fish_pid/stat
	echo (string split ' ' -- (string replace -r '.*\) ' '' -- \$s))[9] >>"$work/log"
end
EOF

# The lines come before the hook.
rc()
{
	local hook='eval "$(ewin-status init zsh)"' prompt="PS1='READY> '"
	if [[ $shell == fish ]]; then
		hook='ewin-status init fish | source' prompt="function fish_prompt; echo -n 'READY> '; end"
	fi
	printf '%s\n' "source $work/tools.$shell" "$prompt" "$@" "$hook" >"$work/home/rc"
	cp "$work/home/rc" "$work/home/.zshrc"
}

# --- what is shown

test_marks()
{
	local mark
	fresh
	for mark in ok fail:w5 partial:w5 cannot-tell:w5 missing:w5 stale:w5 running:w5:12 broken odd:w5; do
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
	type_into <<<':'
	check "$shell: a coloured mark stands in front of the prompt" grep -Pq \
		'\[\e\[31mwatermark 5/8 ✗late\e\[\d*m\] (?:\e\[[\d;?]*[A-Za-z])*READY> ' "$work/tty"
	type_into $plain <<<':'
	check "$shell: a plain one on a plain terminal" grep -q '\[watermark 5/8 x late\] READY> ' "$work/tty"
	type_into NO_COLOR=1 <<<':'
	check "$shell: and where NO_COLOR says so" grep -q '\[watermark 5/8 x late\] ' "$work/tty"
	type_into EWIN_PS1=keep <<<'shown'
	check "$shell: EWIN_PS1=keep leaves the prompt alone" test "$(grep -c '5/8' "$work/tty")" = 0
	noted "but for the variable" '[watermark 5/8 ✗late] '
}

test_folders()
{
	fresh
	printf 'ewind 1 42\nlab a 1/2 ok 1 - %s\nlab b 2/3 ok 1 - %s/sub\nlab c 3/4 ok 1 x.out %s\nend\n' \
		"$work" "$work/lab" "$work/lab" >"$work/run/status"
	type_into <<<$'shown\nmkdir sub\ncd sub\nshown\ncd ../..\nshown\ncd /\nshown'
	noted "the innermost lab of the current folder, else the first" '[c 3/4 ✓] ' '[b 2/3 ✓] ' '[a 1/2 ✓] ' \
		'[a 1/2 ✓] '
}

# --- nothing new costs no process

test_forks()
{
	local counts
	fresh
	save w5.out
	graded
	type_into <<<$':\nfaults\n:\n:\n:\ncd ..\n:\ncd lab\nfaults\nnote x\nfaults'
	mapfile -t counts < <(grep -v x "$work/log")
	check "$shell: no process while nothing is new" test "${counts[0]}" = "${counts[1]}"
	check "$shell: and this test would see one" test "${counts[1]}" -lt "${counts[2]}"
	check "$shell: and ewin-status was not run" test ! -s "$work/calls"
}

# --- a save

# Makes $work/others: every program of the PATH but ours.
hide_installed()
{
	local folder
	mkdir -p "$work/others"
	for folder in ${PATH//:/ }; do
		ln -s "$folder"/* "$work/others" 2>/dev/null
	done
	rm -f "$work"/others/ewin*
}

test_saves()
{
	fresh
	put 43 6/8 ok
	answer settled 'w5: right.'
	put 42 5/8 fail:late
	type_into <<<$'shown\nsave w5.out\nshown\nput 43 6/8 ok; graded\nshown\n:\nshown'
	noted "after a save the new verdict" '[watermark 5/8 ✗late] ' '[watermark 6/8 ✓] ' \
		'[watermark 6/8 ✓] ' '[watermark 6/8 ✓] '
	check "$shell: with its sentence above the prompt, once for each answer" \
		test "$(grep -c 'w5: right.' "$work/tty")" = 2
	check "$shell: ewin-status was asked for what this shell has not shown" test \
		"$(<"$work/calls")" = "--run-dir $work/run --since 42 wait 250
--run-dir $work/run --since 43 wait 250"

	fresh
	answer behind
	type_into <<<$'save w5.out\nshown\n:\nshown\ngraded\nshown\nput 43 5/8 ok; graded; rm -f ../answer\nshown'
	noted "no verdict in time: checking, and never the old one" '[watermark checking] ' \
		'[watermark checking] ' '[watermark 5/8 ✗late] ' '[watermark 5/8 ✓] '
	check "$shell: only the first prompt waits" test "$(head -n 2 "$work/calls")" = \
		"--run-dir $work/run --since 42 wait 250
--run-dir $work/run --since 42 wait 0"

	fresh
	answer down
	type_into <<<$'save w5.out\nshown'
	noted "a dead daemon is said to be one" '[ewind down] '

	fresh
	answer settled $'\e]0;title\a'
	type_into $plain <<<$'save w5.out\nshown'
	check "$shell: a sentence with control characters is not printed" \
		test "$(grep -c ';title' "$work/tty")" = 0

	fresh
	put 42 5/8 running:w5:7
	answer settled
	type_into <<<$'shown\n:\nshown'
	noted "a file that is still written" '[watermark 5/8 running w5 7] ' '[watermark 5/8 running w5 7] '
	check "$shell: is asked for at every prompt" test "$(grep -c 'wait 250' "$work/calls")" -ge 3

	# A shell whose ewin-status has gone, and finds no other that may be installed here.
	fresh
	hide_installed
	type_into PATH="$work/bin:$work/others" <<<$'mv ../bin/ewin-status ..\nshown\nput 43 6/8 ok\nshown\nsave w5.out\nshown'
	mv "$work/ewin-status" "$work/bin"
	noted "without ewin-status the marks go on" '[watermark 5/8 ✗late] ' '[watermark 6/8 ✓] ' \
		'[watermark checking] '
	check "$shell: and nothing complains" test "$(grep -Eci 'not found|unknown command' "$work/tty")" = 0
}

# --- a status that is none

test_broken()
{
	local status length
	fresh
	status=$(<"$work/run/status")
	for ((length = 0; length < ${#status}; length++)); do
		printf 'head -c %d ../whole >../run/status\nshown\n' "$length"
	done >"$work/in"
	cp "$work/run/status" "$work/whole"
	type_into <"$work/in"
	check "$shell: cut anywhere, it is refused" test "$(grep -c '^\[ewind ?\] $' "$work/log")" -eq ${#status}
	fresh
	type_into <<'EOF'
mkdir -p ../kept; mv ../run/status ../kept/1
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
	check "$shell: and nothing complains" test "$(grep -Ec '(zsh|fish|test): ' "$work/tty")" = 0
	type_into <<<$'note "<$EWIN_PROMPT>"'
	noted "no daemon ever: nothing is shown" '<>'
	mkdir "$work/run"
	type_into <<<'shown'
	noted "its folder alone: it is down" '[ewind down] '
}

# --- hostile values

# Prints the bytes beyond plain ASCII that are not the shell's own: fish has sequences of its own, among
# them one for the title, and a mark for a line without an end.
own_bytes()
{
	LC_ALL=C sed -e 's/\xe2\x8f\x8e//g' -e 's/\x1b]0;[^P\a]*lab\a//g' -e 's/\x1b\[[?0-9;]*[A-Za-z]//g' \
		-e 's/\x1b(B//g' | LC_ALL=C tr -d '\r\n -~'
}

test_hostile()
{
	local n payloads
	fresh
	payloads=('$(touch P)' '(touch P)' '`touch P`' '${x:=$(touch P)}' '${(e)x}' 'a[$(touch P)]' '\$(touch P)'
		'%F{red}' '%{P%}' '%v' '!!' '{a,b}' $'\e]0;P\a' $'\eP1$r0m\e\\' $'\302\233P' $'\342\200\256P'
		$'\342\200\213' $'\001\e[31m\002' $'\377\376' $'a\tb' $'a\rb')
	for ((n = 0; n < ${#payloads[@]}; n++)); do
		printf 'put 42 5/8 fail:%q\n' "${payloads[n]}" >"$work/payload$n"
		printf 'bash ../payload%d\n' "$n"
	done >"$work/in"
	type_into $plain <"$work/in"
	check "$shell: no payload is run" test ! -e "$work/lab/P" -a ! -e "$work/run/P" -a ! -e "$work/home/P"
	check "$shell: each is shown as a question mark" test "$(grep -c '\[ewind ?\] ' "$work/tty")" -ge ${#payloads[@]}
	check "$shell: no byte of it reaches the terminal" test -z "$(own_bytes <"$work/tty")"

	# Every byte by itself and behind each character that means something to a shell.
	rc
	cp "$work/sweep.$shell" "$work/sweep"
	type_into $plain <<<$'source ../sweep'
	noted "every byte outside the set is refused, every byte in it is shown" 'up to 255'
}

cat >"$work/sweep.zsh" <<'EOF'
sweep() {
	emulate -L zsh
	local n front want hostile='ewind 1 42\nlab watermark 5/8 fail:%s' allowed='[a-zA-Z0-9 ._:/+=,-]'
	for n in {1..255}; do
		for front in '' '$' '\' '`' '%'; do
			printf "$hostile\\x$(([##16]n)) 1 w5.out /nowhere\nend\n" "$front" >|../run/status
			__ewin_prompt
			want='[ewind ?] '
			[[ -n $front || ${(#)n} != ${~allowed} ]] || want="[watermark 5/8 x ${${(#)n}# }] "
			[[ $EWIN_PROMPT == "$want" ]] || note "$n behind <$front>: $EWIN_PROMPT"
		done
	done
	note "up to $n"
}
sweep
EOF
cat >"$work/sweep.fish" <<'EOF'
set hostile 'ewind 1 42\nlab watermark 5/8 fail:%s'
for n in (seq 255)
	for front in '' '$' '\\' '(' '%'
		printf "$hostile\\x"(printf %02x $n)' 1 w5.out /nowhere\nend\n' $front >../run/status
		__ewin_prompt
		set want '[ewind ?] '
		set byte (printf '\\x'(printf %02x $n))
		if test -z "$front"; and string match -rq '^[a-zA-Z0-9 ._:/+=,-]$' -- $byte
			set want "[watermark 5/8 x "(string replace ' ' '' -- $byte)"] "
		end
		test "$EWIN_PROMPT" = $want; or note "$n behind <$front>: $EWIN_PROMPT"
	end
end
note "up to $n"
EOF

# --- what a prompt must leave alone

test_kept_zsh()
{
	local name setting late='[watermark 5/8 x late] READY' w5='[watermark 5/8 x w5] READY'
	fresh
	answer settled 'w5: right.'
	cat >"$work/state" <<'EOF'
setopt ksh_option_print; setopt; unsetopt ksh_option_print; trap; jobs; alias
typeset + | grep -Ev '__ewin|psvar|PSVAR|EPOCH|_$|RANDOM|SECONDS|LINENO|status|TTYIDLE|HISTCMD'; print -r -- ${(q)IFS}
EOF
	cat >"$work/in" <<'EOF'
sleep 60 & trap 'echo interrupted' INT
source ../state >../before
save w5.out
false | true | (exit 3)
note "$? $pipestatus"
put 43 6/8 ok
false | true | (exit 7)
note "$? $pipestatus"
: some words
note "$_"
source ../state >../after
kill %1
EOF
	type_into <"$work/in"
	noted 'the statuses and $_ are kept' '3 1 0 3' '7 1 0 7' words
	check "zsh: options, traps, jobs, aliases and names are kept" cmp "$work/before" "$work/after"
	while IFS='|' read -r name setting; do
		fresh "$setting"
		echo 'eval "$(ewin-status init zsh)"' >>"$work/home/.zshrc"
		answer settled 'w5: right.'
		type_into $plain <<<$'(exit 5)\nnote "was $?"\nsave w5.out\nput 42 5/8 fail:w5; graded\n:'
		check "zsh: with $name" test "$(<"$work/log")" = 'was 5'
		check "zsh: with $name: the marks" test "$(grep -o '\[[^]]*] READY' "$work/tty" | tr -d '\n')" = \
			"$late$late$late$late$w5$w5"
		check "zsh: with $name: no complaint" test "$(grep -Ec 'ewin.*: |not found' "$work/tty")" = 0
	done <<'EOF'
nothing|:
prompt_subst|setopt prompt_subst
unset variables refused|setopt no_unset
an ERR trap|TRAPZERR() { [[ $funcstack != *__ewin* ]] || echo '__ewin: fails' }
no clobbering|setopt no_clobber
KSH_ARRAYS and SH_WORD_SPLIT|setopt ksh_arrays sh_word_split
csh's quotes, no NOMATCH|setopt csh_junkie_quotes csh_null_glob no_bare_glob_qual
SH_GLOB and GLOB_SUBST|setopt sh_glob glob_subst
warnings of globals|setopt warn_create_global warn_nested_var
another IFS|IFS=/el:0-9
everything exported|setopt all_export
a theme with a psvar of its own|precmd() { psvar=(one two) }
a theme that makes PS1 anew|precmd() { PS1='READY> ' }
other hooks|precmd_functions=(true) && chpwd_functions=(true)
everyday names that are read-only|readonly {set,rest,line,lab,mark,colour,text,state,seq,record,behind,percent,step,ok}=hello
such names declared as numbers|typeset -i {set,rest,line,lab,mark,colour,text,state,seq,record,behind,percent,step,ok}=7
EOF
	fresh
	echo 'readonly PS1' >>"$work/home/.zshrc"
	type_into $plain <<<'shown'
	noted "a read-only PS1 stays as it is, and there is the variable" '[watermark 5/8 x late] '
	check "zsh: and nothing complains" test "$(grep -c 'read-only' "$work/tty")" = 0
	fresh 'setopt no_prompt_percent'
	type_into $plain <<<':'
	check "zsh: without prompt_percent PS1 is left alone" test "$(grep -c '5/8' "$work/tty")" = 0
	fresh
	type_into $plain <<<$'(venv) 2>/dev/null; OLD=$PS1; PS1="(venv) $PS1"\nPS1=$OLD; put 42 6/8 ok\n:'
	check "zsh: who keeps a copy of PS1 keeps no verdict" grep -q '\[watermark 6/8 ok\] READY' "$work/tty"
	check "zsh: not interactive: silent, and nothing is left" test -z "$(EWIN_RUN_DIR=$work/run \
		zsh -f -c 'eval "$("$0" init zsh)"; typeset +; functions' "$BUILD/ewin-status" 2>&1 | grep -E '__ewin|EWIN_PROMPT')"
}

test_kept_fish()
{
	fresh
	answer settled 'w5: right.'
	echo 'function fish_prompt; note "in $status $pipestatus"; echo -n "READY> "; end' >>"$work/tools.fish"
	sed -i '/^function fish_prompt; echo/d' "$work/home/rc"
	cat >"$work/in" <<'EOF'
sleep 60 &
begin; jobs; set -n | string match -rv '__ewin|^status|pipestatus|DURATION|history'; functions -a | string match -v '__ewin*'; end >../before
save w5.out
false | true | sh -c 'exit 3'
put 43 6/8 ok
false | true | sh -c 'exit 7'
note out $status $pipestatus
begin; jobs; set -n | string match -rv '__ewin|^status|pipestatus|DURATION|history'; functions -a | string match -v '__ewin*'; end >../after
kill %1
EOF
	type_into <"$work/in"
	check "fish: the prompt that is wrapped sees the statuses" test "$(grep -Ec '^in (3 1 0 3|7 1 0 7)$' "$work/log")" = 2
	check "fish: and so does the next command" grep -q '^out 7 1 0 7$' "$work/log"
	check "fish: jobs, variables and functions are kept" cmp "$work/before" "$work/after"
	sed -i '/^function fish_prompt; note/d' "$work/tools.fish"

	fresh
	echo 'ewin-status init fish | source' >>"$work/home/rc"
	type_into $plain <<<$'source ../home/rc\n:'
	check "fish: evaluated several times: there once" test "$(grep -c 'late\] \[' "$work/tty")" = 0
	check "fish: and there" grep -q '\[watermark 5/8 x late\] READY> ' "$work/tty"
	fresh 'function fish_prompt; echo "<$EWIN_PROMPT>"; echo -n "READY> "; end'
	type_into $plain <<<':'
	check "fish: a prompt of several lines that places it itself" grep -q '<\[watermark 5/8 x late\] >' "$work/tty"
	check "fish: is not wrapped" test "$(grep -c '\] READY' "$work/tty")" = 0
	check "fish: not interactive: silent, and nothing is left" test -z "$(EWIN_RUN_DIR=$work/run fish --no-config -c \
		"'$BUILD/ewin-status' init fish | source; set -n; functions -a" 2>&1 | grep -E '__ewin|EWIN_PROMPT')"
}

for shell in zsh fish; do
	if ! command -v $shell >/dev/null; then
		skip "$shell: its prompt" "there is no $shell here"
		continue
	fi
	# On a dumb terminal fish writes the prompt again at each key, and nobody could tell when to type:
	# NO_COLOR=1 makes it as plain.
	case $shell in
	zsh) command=(zsh -d -i) plain=TERM=dumb ;;
	fish) command=(fish --no-config -i -C "source $work/home/rc") plain=NO_COLOR=1 ;;
	esac
	check "$shell: init prints the script of contrib/prompt" \
		cmp -s contrib/prompt/ewin.$shell <("$BUILD/ewin-status" init $shell)
	test_marks
	test_folders
	test_forks
	test_saves
	test_broken
	test_hostile
	test_kept_$shell
done
finish
