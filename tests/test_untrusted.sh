#!/bin/bash
# An untrusted learner, and an untrusted author: what is in files, what files and folders are called and what
# a lab says reaches a terminal, a prompt, a page or a journal only cleaned, and nothing of it is run.
# ewin-sim run and normalize print data as the client does, byte for byte; that is their job, and not tested here.
# shellcheck disable=SC2016 # hostile text, and what is typed into a shell
. tests/tap.sh

BUILD=$(cd "${BUILD:-build}" && pwd)
recorded=$PWD/tests/recorded
work=$(mktemp -d)
daemon=''
trap '[ -z "$daemon" ] || kill "$daemon" 2>/dev/null; rm -rf "$work"' EXIT
export LC_ALL=C.UTF-8

# Each kind of text that somebody or something would obey, or show as what it is not; P is what a shell
# would make. In UTF-8; bad bytes follow by themselves.
evil=$'\e]0;P\a\e]52;c;UA==\a\e]8;;http://P\e\\\eP1$r0m\e\\\e[31m\b\x7f\302\233\302\235\342\200\256\342\200\252\342\201\246\342\201\251'
evil+=$'\342\200\216\342\200\217\342\200\213\342\200\215\342\201\240\357\273\277\342\200\250\342\200\251$(touch P)`touch P`%F{red}%{P%}!!'
all=
for n in {1..255}; do
	printf -v byte '\\x%02x' "$n"
	printf -v byte '%b' "$byte"
	all+=$byte
done

# What no terminal may get: what is not UTF-8, and in what is, controls but newlines, what turns or hides text.
hidden()
{
	iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1 || echo "not UTF-8: $1"
	grep -naP '[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{ad}\x{61c}\x{180e}\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}]' "$1" |
		cat -v | head -n 3
}

# shows NAME COMMAND...: what the command prints, on either way, is clean, and it prints something.
shows()
{
	local name=$1
	shift
	"$@" >"$work/shown" 2>&1 </dev/null
	if [ ! -s "$work/shown" ]; then
		not_ok "$name: says something"
	else
		expect_none "$name" "$(hidden "$work/shown")"
	fi
}

# This test sees what it looks for.
printf '%s\n' "$evil" >"$work/evil"
check "hidden text is found" test -n "$(hidden "$work/evil")"
printf '%s\n' $'\377' >"$work/evil"
check "and bad bytes" test -n "$(hidden "$work/evil")"

# --- a lab and a folder that are hostile throughout

# In JSON a control character is an escape; the others stand as they are.
json=$(printf '%s' "$evil" | sed 's/[\\"]/\\&/g; s/\x1b/\\u001b/g; s/\x07/\\u0007/g; s/\x08/\\b/g; s/\x7f/\\u007f/g')
sed_json=$(printf '%s' "$json" | sed 's/[&\\]/\\&/g')
mkdir -p "$work/labs" "$work/run" "$work/state"
cp -r contrib/labs/watermark "$work/labs"
# hostile_lab: makes the lab's lab.json one whose texts are hostile.
hostile_lab()
{
	sed -E "s#\"(en|ja|zh_CN|ko)\": \"#&$sed_json#" contrib/labs/watermark/lab.json >"$work/labs/watermark/lab.json"
}
hostile_lab
mkdir "$work/plain"

# spoil FOLDER: a learner's files in which something hostile stands.
spoil()
{
	local text
	text=$(printf '%s' "$evil" | sed 's/[&|\\]/\\&/g')
	printf '%s\0%s' "$all" "$all" >"$1/slow.out"
	sed "s|\bcnt |$text|" "$recorded/watermark/ref/batch.out" >"$1/batch.out"
	sed "s|AS cnt|AS \`${text//\`/}\`|" "$recorded/watermark/ref/batch.sql" >"$1/batch.sql"
	sed "s|\[ERROR\]|& $text|" "$recorded/watermark/mistakes/sweep_typo_second/sweep.out" >"$1/sweep.out"
	cp "$recorded/watermark/mistakes/w5_delay0/w5.out" "$1/w5.out"
	sed "s|watermark_events.csv|$text|" "$recorded/watermark/ref/w5.sql" >"$1/w5.sql"
	printf '%s' "$all" >"$1/late.sql"
	cp "$recorded/watermark/mistakes/w5_delay0/w5.out" "$1/late.out"
	sed "s|AS |AS /*$text*/ \"$text\" 'x|" "$recorded/watermark/ref/filtered.sql" >"$1/filtered.sql"
	sed "s|WHERE|$text|" "$recorded/watermark/ref/filtered.out" >"$1/filtered.out"
	printf '{"%s": "%s", "total_rows": "%s"}' "$json" "$json" "$json" >"$1/report.json"
}
spoil "$work/plain"

# The longest name that there is, with a newline, and with bytes that are none of UTF-8.
name=$'\377\n'"${evil//\//_}"
while ((${#name} < 300)); do name+=x; done
name=$(LC_ALL=C; printf '%s' "${name:0:255}")
mkdir "$work/$name" || not_ok "a folder of that name"
spoil "$work/$name"

# --- the programs that need no daemon

check_in=("$BUILD/ewin-check" --labs "$work/labs" --data-root "$recorded/root" --lab watermark)
sim=$BUILD/ewin-sim
for folder in "$work/plain" "$work/$name"; do
	kind=$([[ $folder == */plain ]] && echo plain || echo hostile)
	for language in C.UTF-8 ja_JP.UTF-8 C; do
		shows "ewin-check, $kind folder, $language" env LC_ALL=$language "${check_in[@]}" "$folder"
	done
	shows "ewin-check --json, $kind folder" "${check_in[@]}" --json "$folder"
	for step in w5 sweep late filtered batch; do
		shows "ewin-check --explain $step, $kind folder" "${check_in[@]}" --explain $step "$folder"
		shows "ewin-sim explain $step, $kind folder" "$sim" explain --data-root "$recorded/root" "$folder/$step.sql"
		"$sim" run --data-root "$recorded/root" "$folder/$step.sql" 2>"$work/shown" >/dev/null
		expect_none "standard error of ewin-sim run $step, $kind folder" "$(hidden "$work/shown")"
	done
done
for option in --step --lab --labs --explain --lint --new-fixture --odd; do
	shows "ewin-check $option with a hostile value" "${check_in[@]}" "$option" "$work/$name/none" "$work/$name/no"
	shows "ewin-check $option=hostile" "${check_in[@]}" "$option=$evil"
done
shows "a folder that is not there" "${check_in[@]}" "$work/$name/none"
shows "an option of a hostile name" "${check_in[@]}" "--$evil"
for command in run explain normalize "$evil"; do
	shows "ewin-sim ${command:0:9}, a file that is not there" "$sim" "$command" "$work/$name/none"
done
shows "ewin-sim --client" "$sim" run --client "$evil" x
shows "ewin-sim, a hostile option" "$sim" run "--$evil" x
shows "ewin-sim explain --window" "$sim" explain --window "$evil" x
shows "ewin-status of a hostile step" "$BUILD/ewin-status" --run-dir "$work/$name" "$evil"
shows "ewin-status of a hostile option" "$BUILD/ewin-status" "--$evil"
shows "ewin-status init, a hostile shell" "$BUILD/ewin-status" init "$evil"
shows "ewin-status --watch, nothing there" "$BUILD/ewin-status" --run-dir "$work/$name/none" --watch
shows "ewind, a hostile option" "$BUILD/ewind" "--$evil"
shows "ewind, a hostile word" "$BUILD/ewind" "$evil"
shows "ewind, a hostile lab" "$BUILD/ewind" --foreground --labs "$work/labs" --watch "$evil=$evil" --run-dir "$work/run"

# --- lint

lint=("$BUILD/ewin-check" --data-root "$recorded/root" --lint)
shows "lint" "${lint[@]}" "$work/labs/watermark"
check "lint warns of what a text hides" grep -q 'without control or invisible characters' "$work/shown"
shows "lint --json" "${lint[@]}" "$work/labs/watermark" --json
cp -r "$work/labs/watermark" "$work/$name/lab"
shows "lint, a lab in a hostile folder" "${lint[@]}" "$work/$name/lab"
for character in '\u200b' '\u2028' '\u202e' '\u009b' '\u001b' $'\342\200\213' $'\342\200\250' $'\302\233'; do
	sed "s|\"type\": \"BIGINT\"|\"type\": \"BIG${character//\\/\\\\}INT\"|" contrib/labs/watermark/lab.json >"$work/labs/watermark/lab.json"
	shows "lint, a type with $(printf %s "$character" | cat -v)" "${lint[@]}" "$work/labs/watermark"
	sed "0,/\"id\": \"/s//&${character//\\/\\\\}/" contrib/labs/watermark/lab.json >"$work/labs/watermark/lab.json"
	shows "lint, a step with $(printf %s "$character" | cat -v)" "${lint[@]}" "$work/labs/watermark"
	sed "0,/\"en\": \"/s//&${character//\\/\\\\}/" contrib/labs/watermark/lab.json >"$work/labs/watermark/lab.json"
	shows "lint, a title with $(printf %s "$character" | cat -v)" "${lint[@]}" "$work/labs/watermark"
	check "is told of it" grep -q 'without control or invisible' "$work/shown"
done
hostile_lab

# --- the daemon, and who reads its status

# watch FOLDER: a daemon that watches it.
watch()
{
	rm -rf "$work/run" "$work/state"
	mkdir "$work/run" "$work/state"
	STATE_DIRECTORY=$work/state "$BUILD/ewind" --foreground --labs "$work/labs" --data-root "$recorded/root" \
		--watch "watermark=$1" --run-dir "$work/run" 2>"$work/journal" &
	daemon=$!
	for _ in {1..500}; do
		[ ! -e "$work/run/status" ] || break
		sleep 0.02
	done
	check "the daemon has published a status" test -e "$work/run/status"
}

unwatch()
{
	kill "$daemon"
	wait "$daemon"
	daemon=''
	expect_none "its log is clean" "$(hidden "$work/journal")"
}

for folder in "$work/$name" "$work/plain"; do
	watch "$folder"
	for save in 1 2 3 4; do
		cat "$recorded/watermark/mistakes/w5_delay0/w5.out" >"$folder/w5.out"
		printf '%s\n' "$evil" >>"$folder/sweep.out"
		sleep 0.1
	done
	status=("$BUILD/ewin-status" --run-dir "$work/run")
	for language in C.UTF-8 ko_KR.UTF-8 C; do
		shows "ewin-status, $language" env LC_ALL=$language "${status[@]}"
	done
	for step in w5 sweep late filtered batch slow report; do
		shows "ewin-status $step" "${status[@]}" $step
	done
	shows "ewin-status hint" "${status[@]}" hint w5
	shows "ewin-status --json" "${status[@]}" --json
	shows "ewin-status --short" "${status[@]}" --short
	shows "ewin-status --watch" timeout 0.5 "${status[@]}" --watch
	shows "the news" "${status[@]}" --since 0 wait 2000
	expect_none "status.json" "$(hidden "$work/run/status.json")"
	check "the prompt's file has its own set alone" test -z "$(LC_ALL=C tr -d 'A-Za-z0-9 ._:/+=,\n-' <"$work/run/status" | tr -d '?')"
	[[ $folder == */plain ]] || unwatch
done

# --- shells on a terminal, in the folder that is watched and in the hostile one

"${CC:-cc}" -D_GNU_SOURCE -o "$work/pty" tests/pty.c
mkdir "$work/home"
cat >"$work/home/rc.bash" <<'EOF'
eval "$(ewin-status init bash)"
bind 'set enable-bracketed-paste off'
PS1='READY> '
EOF
cat >"$work/home/rc.zsh" <<'EOF'
unsetopt prompt_sp; zmodload zsh/zle; unset zle_bracketed_paste
setopt prompt_subst
PS1='READY> '
eval "$(ewin-status init zsh)"
EOF
cat >"$work/home/rc.fish" <<'EOF'
set -g fish_greeting
function fish_title; end
function fish_prompt; echo -n 'READY> '; end
ewin-status init fish | source
EOF
cp "$work/home/rc.zsh" "$work/home/.zshrc"
ln -s "$work/$name" "$work/link"

# The sequences that fish sends by itself.
own_sequences()
{
	if [[ $1 == fish ]]; then
		LC_ALL=C sed -e 's/\x1b\[[?0-9;]*[A-Za-z]//g' -e 's/\x1b(B//g' -e 's/\x1b]0;\x07//g'
	else
		cat
	fi | tr -d '\r'
}

for shell in bash zsh fish; do
	if ! command -v $shell >/dev/null; then
		skip "$shell: hostile files" "there is no $shell here"
		continue
	fi
	case $shell in
	bash) command=(bash --noprofile --rcfile "$work/home/rc.bash" -i) plain=TERM=dumb ;;
	zsh) command=(zsh -d -i) plain=TERM=dumb ;;
	fish) command=(fish --no-config -i -C "source $work/home/rc.fish") plain='TERM=xterm NO_COLOR=1' ;;
	esac
	{
		for save in ref mistakes/w5_delay0; do
			echo "cat $recorded/watermark/$save/w5.out > w5.out"
			echo 'cat sweep.out > x; cat x > sweep.out'
			echo 'cat slow.out > x; cat x > slow.out'
			echo 'cat report.json > x; cat x > report.json'
			echo 'cat late.sql > x; cat x > late.sql'
		done
		echo 'ewin-status'
		echo "ewin-check --labs $work/labs --data-root $recorded/root --lab watermark ."
		echo "cd $work/link"
		echo "ewin-check --labs $work/labs --data-root $recorded/root --lab watermark ."
		echo 'ewin-sim explain filtered.sql'
		echo :
	} >"$work/in"
	# shellcheck disable=SC2086 # two words
	(cd "$work/plain" && env -i PATH="$BUILD:$PATH" HOME="$work/home" LC_ALL=C.UTF-8 EWIN_RUN_DIR="$work/run" $plain \
		"$work/pty" 'READY> ' "${command[@]}" >"$work/tty" 2>&1 <"$work/in")
	own_sequences $shell <"$work/tty" >"$work/shown"
	expect_none "$shell: nothing hidden reaches the terminal" "$(hidden "$work/shown")"
	check "$shell: the marks are there" grep -q '\[watermark [0-9]/[0-9] ' "$work/shown"
	check "$shell: and the sentences" grep -q 'ewind: ' "$work/shown"
done
unwatch
expect_none "nothing was run" "$(find "$work" -name 'P*')"
finish
