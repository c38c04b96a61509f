# ewind's prompt for bash 4.4 and later. In ~/.bashrc:
#
#	eval "$(ewin-status init bash)"
#
# After each command EWIN_PROMPT holds one short mark, "[watermark 5/8 x late] ", and PS1 refers to
# it. A theme that builds PS1 by itself may refer to ${EWIN_PROMPT-} where it likes; EWIN_PS1=keep
# leaves PS1 alone altogether. EWIN_RUN_DIR names another run directory than /run/ewind.
#
# What it costs. Nothing is forked while nothing is new: a loop of `[[ -nt ]]` over the lab's files
# and one `read` of the daemon's status. `ewin-status` is run once where a save is not graded yet
# (it waits for the verdict, 250 ms at most) or where this shell has not shown a verdict yet (it
# prints the sentence). Where it is gone, the mark still works.
#
# Why the old verdict is not shown after a save. The status file's own modification time is the
# daemon's promise that every save dated before it was looked at, and the verdict is in the status.
# The daemon keeps it behind the clock tick in which it last looked, so two saves within one tick
# are no trap: the second is newer, until the tick is over and the daemon has looked again. The
# files are compared first and the status is read afterwards: a status that is replaced in between
# can only know more. Should the list of files itself be new, both are done again. While
# `ewin-status` runs, the mark is already "checking", so Ctrl-C cannot bring the old one back.
#
# What it trusts. Nothing of the status is evaluated, sourced, or counted with; every character of it
# is one of the set below, else it is not shown at all. It comes into PS1 as a variable that PS1
# refers to, never as text within PS1: bash runs `$(...)` in the latter.
#
# What it leaves alone: $?, PIPESTATUS and $_ (bash itself restores them around an array element of
# PROMPT_COMMAND; older ones get $? back from here), set -eux, IFS, BASH_REMATCH, traps and jobs.

if [[ $- == *i* && $- != *r* ]] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then

# State. The shell's own process id tells variables of a parent that came in by `set -a`.
if [[ ${__ewin_shell-} != "$$" ]]; then
	__ewin_shell=$$
	__ewin_status=     # the status file
	__ewin_record=none # its content as shown last; none: look again
	__ewin_pwd=        # folder at that time: it decides which lab is shown
	__ewin_seq=        # SEQ whose sentences this shell has shown; empty: it has seen no status yet
	__ewin_waited=     # content at which a wait was in vain
	__ewin_watch=()    # files of the lab that is shown
	EWIN_PROMPT=
fi

# Turns a `record` that is no status of a version that is known here into "?". Ranges such as a-z
# depend on the locale, so the characters are spelled out.
__ewin_check() {
	local set=$'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._:/+=,\n-'
	[[ $record == 'ewind 1 '*$'\nend\n' && $record != *[!"$set"]* ]] || record='?'
}

# Sets `lab` (the caller's) to the line of the lab that $PWD lies in, without its first word: of folders
# within each other, the innermost; where it lies in none, the first lab. A line with too few fields ends
# the search.
__ewin_lab() {
	local rest=${record#*$'\n'} line folder inner=
	lab=
	while [[ ${rest%%$'\n'*} == 'lab '*' '*' '*' '*' '*' '* ]]; do
		line=${rest%%$'\n'*} rest=${rest#*$'\n'}
		line=${line#lab }
		folder=${line#* * * * * }
		if [[ $PWD/ == "$folder"/* && ${#folder} -gt ${#inner} ]]; then
			lab=$line inner=$folder
		elif [[ -z $lab ]]; then
			lab=$line
		fi
	done
}

# Takes the files to watch from `lab`. Status 1 where they were others before.
__ewin_files() {
	local names=${lab#* * * * } folder=${lab#* * * * * } old="${__ewin_watch[*]}"
	names=${names%% *},
	__ewin_watch=()
	while [[ $names == *,* && $folder == /* ]]; do
		[[ ${names%%,*} == - ]] || __ewin_watch+=("$folder/${names%%,*}")
		names=${names#*,}
	done
	[[ $old == "${__ewin_watch[*]}" ]]
}

# Compares the files, then reads the status: `behind` and `record` are the caller's; `record` is empty
# where there is no status. A folder or a FIFO is not opened. Without a limit `read` reads a file in
# blocks, and an open of /dev/null for what it might complain of would cost as much as five files compared.
# Status 1 where nothing is new.
__ewin_look() {
	local file lab _
	for _ in 1 2 3; do
		behind= record=
		for file in "${__ewin_watch[@]}"; do
			if [[ $file -nt $__ewin_status ]]; then
				behind=behind
				break
			fi
		done
		if [[ -f $__ewin_status && -r $__ewin_status ]]; then
			IFS= read -r -d '' record < "$__ewin_status" || : "${record:=?}"
		elif [[ -e $__ewin_status ]]; then
			record='?'
		fi
		if [[ $record == "$__ewin_record" && $PWD == "$__ewin_pwd" ]]; then
			[[ -n $behind ]]
			return
		fi
		[[ -z $record ]] || __ewin_check
		__ewin_lab
		! __ewin_files || return 0
	done
}

# Runs ewin-status, which answers with a line "settled", "behind" or "down"; where it is settled, the
# status that it judged and perhaps a sentence follow. Prints that, and sets `state` and `record`.
__ewin_ask() {
	local answer sentence wait=250
	[[ $record != "$__ewin_waited" ]] || wait=0
	answer=$(command ewin-status --run-dir "${__ewin_status%/*}" --since "$__ewin_seq" \
		wait "$wait" 2> /dev/null) || :
	state=${answer%%$'\n'*}
	case $state in
	settled) ;;
	behind | down) return 0 ;;
	*)
		state=$behind
		[[ -n $behind ]] || __ewin_seq=$seq
		return 0
		;;
	esac
	answer=${answer#*$'\n'}$'\n'
	sentence=${answer#*$'\nend\n'}
	record=${answer%"$sentence"}
	__ewin_check
	__ewin_seq=${record%%$'\n'*} __ewin_seq=${__ewin_seq##* }
	sentence=${sentence%$'\n'}
	if [[ -n $sentence && $sentence != *[[:cntrl:]]* ]]; then
		printf '%s\n' "$sentence" >&2
	fi
}

# Sets `mark` and `colour` (the caller's) for a MARK of the status. Marks beyond ASCII only where
# bash counts such a one as one character, and neither the terminal nor its user wants it plain.
__ewin_mark() {
	local kind=${1%%:*} step=${1#*:} ok=$'\xe2\x9c\x93' bad=$'\xe2\x9c\x97'
	[[ -z $plain && ${#ok} == 1 ]] || ok=ok bad='x '
	case $kind in
	ok) mark=$ok colour=32 ;;
	fail) mark=$bad$step colour=31 ;;
	partial) mark="~ $step" colour=33 ;;
	cannot-tell) mark="? $step" colour=33 ;;
	missing) mark="next $step" ;;
	stale) mark="stale $step" colour=33 ;;
	running) mark="running ${step%%:*} ${step##*:}" ;;
	broken) mark=broken colour=31 ;;
	*) mark='?' ;;
	esac
}

# Sets EWIN_PROMPT from `record` and `state` (the caller's). A colour is wrapped in the marks by
# which readline counts it as no column.
__ewin_show() {
	local lab plain='' text mark='' colour=''
	[[ -z ${NO_COLOR-} && ${TERM-dumb} != dumb ]] || plain=plain
	__ewin_lab
	text=${lab#* }
	if [[ $state == down ]]; then
		text='ewind down' colour=33
	elif [[ -z $lab ]]; then
		text='ewind ?'
	elif [[ $state == behind ]]; then
		text="${lab%% *} checking"
	else
		mark=${text#* }
		__ewin_mark "${mark%% *}"
		text="${lab%% *} ${text%% *} $mark"
	fi
	if [[ -n $colour && -z $plain ]] && [[ -o emacs || -o vi ]]; then
		text=$'\001\e['$colour$'m\002'$text$'\001\e[0m\002'
	fi
	EWIN_PROMPT="[$text] "
}

# Something may be new: shows what the status says, asks where that may be behind or was not said
# yet, and shows the answer. Without a status and its folder nothing is shown in a new shell.
__ewin_news() {
	local state=$behind seq=${record%%$'\n'*}
	seq=${seq##* }
	if [[ -z $record ]]; then
		state=down
	elif [[ $record != '?' ]]; then
		: "${__ewin_seq:=$seq}"
		__ewin_show
		if [[ -n $behind || $seq != "$__ewin_seq" || $record == *' running:'* ]]; then
			__ewin_ask
		fi
	fi
	__ewin_show
	if [[ -z $record$__ewin_seq && ! -d ${__ewin_status%/*} ]]; then
		EWIN_PROMPT=
	fi
	__ewin_record=$record __ewin_pwd=$PWD __ewin_waited=
	if [[ -n $state && $state != settled ]]; then
		__ewin_waited=$record
	fi
	if [[ -n $__ewin_waited || $record == *' running:'* ]]; then
		__ewin_record=none
	fi
}

# The hook.
__ewin_prompt() {
	local rc=$? options=$- - record='' behind=''
	set +exu
	__ewin_status=${EWIN_RUN_DIR:-/run/ewind}/status
	if __ewin_look; then
		__ewin_news
	fi
	if [[ $PS1 != *EWIN_PROMPT* && ${EWIN_PS1-} != keep ]] && shopt -q promptvars; then
		PS1='${EWIN_PROMPT-}'$PS1
	fi
	[[ $options != *e* ]] || rc=0
	return "$rc"
}

# From 5.1 on PROMPT_COMMAND may be an array, and each element finds $? as the user's command left it.
if [[ "${PROMPT_COMMAND[*]-}" != *__ewin_prompt* ]]; then
	if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
		PROMPT_COMMAND+=('__ewin_prompt || :')
	else
		# shellcheck disable=SC2128,SC2178 # the old form is a string
		PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}__ewin_prompt
	fi
fi
fi
