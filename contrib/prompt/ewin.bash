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
# PROMPT_COMMAND; older ones get $? back from here), set -eukx, IFS, BASH_REMATCH, traps and jobs.
#
# Its local variables have names of their own, too: bash refuses a local `step` where the user has a
# read-only one, and one by localvar_inherit takes over what that is declared as.

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

# Turns a `__ewin_now` (the caller's: a record of the daemon's) that is no status of a version that is
# known here into "?". Ranges such as a-z depend on the locale, so the characters are spelled out.
__ewin_check() {
	local __ewin_set=$'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._:/+=,\n-'
	[[ $__ewin_now == 'ewind 1 '*$'\nend\n' && $__ewin_now != *[!"$__ewin_set"]* ]] || __ewin_now='?'
}

# Sets `__ewin_lab` (the caller's) to the line of the lab that $PWD lies in, without its first word: of
# folders within each other, the innermost; where it lies in none, the first lab. A line with too few
# fields ends the search.
__ewin_lab() {
	local __ewin_rest=${__ewin_now#*$'\n'} __ewin_line __ewin_folder __ewin_inner=
	__ewin_lab=
	while [[ ${__ewin_rest%%$'\n'*} == 'lab '*' '*' '*' '*' '*' '* ]]; do
		__ewin_line=${__ewin_rest%%$'\n'*} __ewin_rest=${__ewin_rest#*$'\n'}
		__ewin_line=${__ewin_line#lab }
		__ewin_folder=${__ewin_line#* * * * * }
		if [[ $PWD/ == "$__ewin_folder"/* && ${#__ewin_folder} -gt ${#__ewin_inner} ]]; then
			__ewin_lab=$__ewin_line __ewin_inner=$__ewin_folder
		elif [[ -z $__ewin_lab ]]; then
			__ewin_lab=$__ewin_line
		fi
	done
}

# Takes the files to watch from `__ewin_lab`. Status 1 where they were others before.
__ewin_files() {
	local __ewin_names=${__ewin_lab#* * * * } __ewin_folder=${__ewin_lab#* * * * * }
	local __ewin_old="${__ewin_watch[*]}"
	__ewin_names=${__ewin_names%% *},
	__ewin_watch=()
	while [[ $__ewin_names == *,* && $__ewin_folder == /* ]]; do
		[[ ${__ewin_names%%,*} == - ]] || __ewin_watch+=("$__ewin_folder/${__ewin_names%%,*}")
		__ewin_names=${__ewin_names#*,}
	done
	[[ $__ewin_old == "${__ewin_watch[*]}" ]]
}

# Compares the files, then reads the status, $1: `__ewin_behind` and `__ewin_now` are the caller's; the latter
# is empty where there is no status. A folder or a FIFO is not opened. Without a limit `read` reads a file
# in blocks, and an open of /dev/null for what it might complain of would cost as much as five files
# compared. Status 1 where nothing is new.
__ewin_look() {
	local __ewin_file __ewin_lab __ewin_try
	for __ewin_try in 1 2 3; do
		__ewin_behind= __ewin_now=
		for __ewin_file in "${__ewin_watch[@]}"; do
			if [[ $__ewin_file -nt $1 ]]; then
				__ewin_behind=behind
				break
			fi
		done
		if [[ -f $1 && -r $1 ]]; then
			IFS= read -r -d '' __ewin_now < "$1" || : "${__ewin_now:=?}"
		elif [[ -e $1 ]]; then
			__ewin_now='?'
		fi
		if [[ $__ewin_now == "$__ewin_record" && $PWD == "$__ewin_pwd" ]]; then
			[[ -n $__ewin_behind ]]
			return
		fi
		[[ -z $__ewin_now ]] || __ewin_check
		__ewin_lab
		! __ewin_files || return 0
	done
}

# Runs ewin-status, which answers with a line "settled", "behind" or "down"; where it is settled, the
# status that it judged and perhaps a sentence follow. Prints that, and sets `__ewin_state` and
# `__ewin_now`.
__ewin_ask() {
	local __ewin_answer __ewin_sentence __ewin_wait=250
	[[ $__ewin_now != "$__ewin_waited" ]] || __ewin_wait=0
	__ewin_answer=$(command ewin-status --run-dir "${__ewin_status%/*}" --since "$__ewin_seq" \
		wait "$__ewin_wait" 2> /dev/null) || :
	__ewin_state=${__ewin_answer%%$'\n'*}
	case $__ewin_state in
	settled) ;;
	behind | down) return 0 ;;
	*)
		__ewin_state=$__ewin_behind
		[[ -n $__ewin_behind ]] || __ewin_seq=$__ewin_number
		return 0
		;;
	esac
	__ewin_answer=${__ewin_answer#*$'\n'}$'\n'
	__ewin_sentence=${__ewin_answer#*$'\nend\n'}
	__ewin_now=${__ewin_answer%"$__ewin_sentence"}
	__ewin_check
	__ewin_seq=${__ewin_now%%$'\n'*} __ewin_seq=${__ewin_seq##* }
	__ewin_sentence=${__ewin_sentence%$'\n'}
	if [[ -n $__ewin_sentence && $__ewin_sentence != *[[:cntrl:]]* ]]; then
		printf '%s\n' "$__ewin_sentence" >&2
	fi
}

# Sets `__ewin_mark` and `__ewin_colour` (the caller's) for a MARK of the status. Marks beyond ASCII only
# where bash counts such a one as one character, and neither the terminal nor its user wants it plain.
__ewin_mark() {
	local __ewin_kind=${1%%:*} __ewin_step=${1#*:}
	local __ewin_ok=$'\xe2\x9c\x93' __ewin_bad=$'\xe2\x9c\x97'
	[[ -z $__ewin_plain && ${#__ewin_ok} == 1 ]] || __ewin_ok=ok __ewin_bad='x '
	case $__ewin_kind in
	ok) __ewin_mark=$__ewin_ok __ewin_colour=32 ;;
	fail) __ewin_mark=$__ewin_bad$__ewin_step __ewin_colour=31 ;;
	partial) __ewin_mark="~ $__ewin_step" __ewin_colour=33 ;;
	cannot-tell) __ewin_mark="? $__ewin_step" __ewin_colour=33 ;;
	missing) __ewin_mark="next $__ewin_step" ;;
	stale) __ewin_mark="stale $__ewin_step" __ewin_colour=33 ;;
	running) __ewin_mark="running ${__ewin_step%%:*} ${__ewin_step##*:}" ;;
	broken) __ewin_mark=broken __ewin_colour=31 ;;
	*) __ewin_mark='?' ;;
	esac
}

# Sets EWIN_PROMPT from `__ewin_now` and `__ewin_state` (the caller's). A colour is wrapped in the marks
# by which readline counts it as no column.
__ewin_show() {
	local __ewin_lab __ewin_plain='' __ewin_text __ewin_mark='' __ewin_colour=''
	[[ -z ${NO_COLOR-} && ${TERM-dumb} != dumb ]] || __ewin_plain=plain
	__ewin_lab
	__ewin_text=${__ewin_lab#* }
	if [[ $__ewin_state == down ]]; then
		__ewin_text='ewind down' __ewin_colour=33
	elif [[ -z $__ewin_lab ]]; then
		__ewin_text='ewind ?'
	elif [[ $__ewin_state == behind ]]; then
		__ewin_text="${__ewin_lab%% *} checking"
	else
		__ewin_mark=${__ewin_text#* }
		__ewin_mark "${__ewin_mark%% *}"
		__ewin_text="${__ewin_lab%% *} ${__ewin_text%% *} $__ewin_mark"
	fi
	if [[ -n $__ewin_colour && -z $__ewin_plain ]] && [[ -o emacs || -o vi ]]; then
		__ewin_text=$'\001\e['$__ewin_colour$'m\002'$__ewin_text$'\001\e[0m\002'
	fi
	EWIN_PROMPT="[$__ewin_text] "
}

# Something may be new: shows what the status says, asks where that may be behind or was not said
# yet, and shows the answer. Without a status and its folder nothing is shown in a new shell.
__ewin_news() {
	local __ewin_state=$__ewin_behind __ewin_number=${__ewin_now%%$'\n'*}
	__ewin_number=${__ewin_number##* }
	if [[ -z $__ewin_now ]]; then
		__ewin_state=down
	elif [[ $__ewin_now != '?' ]]; then
		: "${__ewin_seq:=$__ewin_number}"
		__ewin_show
		if [[ -n $__ewin_behind || $__ewin_number != "$__ewin_seq" ||
			$__ewin_now == *' running:'* ]]; then
			__ewin_ask
		fi
	fi
	__ewin_show
	if [[ -z $__ewin_now$__ewin_seq && ! -d ${__ewin_status%/*} ]]; then
		EWIN_PROMPT=
	fi
	__ewin_record=$__ewin_now __ewin_pwd=$PWD __ewin_waited=
	if [[ -n $__ewin_state && $__ewin_state != settled ]]; then
		__ewin_waited=$__ewin_now
	fi
	if [[ -n $__ewin_waited || $__ewin_now == *' running:'* ]]; then
		__ewin_record=none
	fi
}

# The hook. With `set -k` an assignment behind `local` would be none, so $? is kept before. A PS1 that is
# read-only stays as it is.
__ewin_prompt() {
	__ewin_rc=$?
	[[ $- != *e* ]] || __ewin_rc=0
	local - __ewin_now __ewin_behind
	set +ekux
	__ewin_status=${EWIN_RUN_DIR:-/run/ewind}/status
	if __ewin_look "$__ewin_status"; then
		__ewin_news
	fi
	if [[ $PS1 != *EWIN_PROMPT* && ${EWIN_PS1-} != keep && ${PS1@a} != *r* ]] &&
		shopt -q promptvars; then
		PS1='${EWIN_PROMPT-}'$PS1
	fi
	return "$__ewin_rc"
}

# From 5.1 on PROMPT_COMMAND may be an array, and each element finds $? as the user's command left it.
# Where it is read-only, to assign to it would end the reading of ~/.bashrc.
if [[ "${PROMPT_COMMAND[*]-}" != *__ewin_prompt* ]]; then
	# shellcheck disable=SC2030 # it is only tried
	if ! (PROMPT_COMMAND+='') 2> /dev/null; then
		printf '%s\n' 'ewind: PROMPT_COMMAND is read-only, so the prompt has no mark' >&2
	elif ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
		# shellcheck disable=SC2031
		PROMPT_COMMAND+=('__ewin_prompt || :')
	else
		# shellcheck disable=SC2031,SC2128,SC2178 # the old form is a string
		PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}__ewin_prompt
	fi
fi
fi
