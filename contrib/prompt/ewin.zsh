# ewind's prompt for zsh 5.1 and later. In ~/.zshrc:
#
#	eval "$(ewin-status init zsh)"
#
# After each command EWIN_PROMPT holds one short mark, "[watermark 5/8 x late] ", written for PS1 with
# its `%` doubled, and PS1 refers to the same text by `%21v` to `%24v`, one for each colour. A theme
# that builds PS1 by itself may do so too, or refer to ${EWIN_PROMPT-} where it has set prompt_subst;
# EWIN_PS1=keep leaves PS1 alone altogether. EWIN_RUN_DIR names another run directory than /run/ewind.
#
# What it costs, and why an old verdict is never shown after a save: as in contrib/prompt/ewin.bash,
# function by function. Nothing is forked while nothing is new; `$(<file)` forks nothing in zsh.
#
# What it trusts. Nothing of the status is evaluated, sourced, or counted with; every character of it
# is one of the set below, else it is not shown at all. It comes into PS1 through psvar, which zsh
# searches neither for `%` nor, with prompt_subst, for `$(...)`: PS1 itself is always the same text, so
# whoever keeps a copy of it (virtualenv) keeps no verdict.
#
# What it leaves alone: $?, pipestatus and $_ (zsh itself restores them), every option (none is set
# but within its functions), IFS, match, traps and jobs. prompt_subst is not needed.

if [[ -o interactive && $ZSH_VERSION != [0-4].* && $ZSH_VERSION != 5.0* ]]; then

# State. The shell's own process id tells variables of a parent that came in by `set -a`.
if [[ ${__ewin_shell-} != "$$" ]]; then
	typeset -g __ewin_shell=$$
	typeset -g __ewin_status=     # the status file
	typeset -g __ewin_record=none # its content as shown last; none: look again
	typeset -g __ewin_pwd=        # folder at that time: it decides which lab is shown
	typeset -g __ewin_seq=        # SEQ whose sentences this shell has shown; empty: it has seen no status yet
	typeset -g __ewin_waited=     # content at which a wait was in vain
	typeset -ga __ewin_watch=()   # files of the lab that is shown
	typeset -ga __ewin_psvar=()   # the mark in green, red, yellow or no colour; three of them empty
	typeset -g EWIN_PROMPT=
fi

# Turns a `record` that is no status of a version that is known here into "?".
__ewin_check() {
	local set=$'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 ._:/+=,\n-'
	[[ $record == 'ewind 1 '*$'\nend' && $record != *[^$set]* ]] || record='?'
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
		if [[ $PWD/ == "$folder"/* ]] && ((${#folder} > ${#inner})); then
			lab=$line inner=$folder
		elif [[ -z $lab ]]; then
			lab=$line
		fi
	done
}

# Takes the files to watch from `lab`. Status 1 where they were others before.
__ewin_files() {
	local names=${lab#* * * * } folder=${lab#* * * * * } old="${(F)__ewin_watch}" name
	__ewin_watch=()
	if [[ $folder == /* ]]; then
		for name in ${(s:,:)names%% *}; do
			[[ $name == - ]] || __ewin_watch+=("$folder/$name")
		done
	fi
	[[ $old == "${(F)__ewin_watch}" ]]
}

# Compares the files, then reads the status: `behind` and `record` are the caller's; `record` is empty
# where there is no status. A folder or a FIFO is not opened. Status 1 where nothing is new.
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
			record=$(<$__ewin_status)
			: ${record:=?}
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
		wait "$wait" 2> /dev/null)
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
	record=${record%$'\n'}
	__ewin_check
	__ewin_seq=${record%%$'\n'*} __ewin_seq=${__ewin_seq##* }
	sentence=${sentence%$'\n'}
	if [[ -n $sentence && $sentence != *[[:cntrl:]]* ]]; then
		print -ru2 -- "$sentence"
	fi
}

# Sets `mark` and `colour` (the caller's) for a MARK of the status. Marks beyond ASCII only where
# zsh counts such a one as one character, and neither the terminal nor its user wants it plain.
__ewin_mark() {
	local kind=${1%%:*} step=${1#*:} ok=$'\xe2\x9c\x93' bad=$'\xe2\x9c\x97'
	[[ -z $plain && ${#ok} == 1 ]] || ok=ok bad='x '
	case $kind in
	ok) mark=$ok colour=green ;;
	fail) mark=$bad$step colour=red ;;
	partial) mark="~ $step" colour=yellow ;;
	cannot-tell) mark="? $step" colour=yellow ;;
	missing) mark="next $step" ;;
	stale) mark="stale $step" colour=yellow ;;
	running) mark="running ${step%%:*} ${step##*:}" ;;
	broken) mark=broken colour=red ;;
	*) mark='?' ;;
	esac
}

# Sets EWIN_PROMPT and what goes into psvar from `record` and `state` (the caller's).
__ewin_show() {
	local lab plain= text mark= colour=
	[[ -z ${NO_COLOR-} && ${TERM-dumb} != dumb ]] || plain=plain
	__ewin_lab
	text=${lab#* }
	if [[ $state == down ]]; then
		text='ewind down' colour=yellow
	elif [[ -z $lab ]]; then
		text='ewind ?'
	elif [[ $state == behind ]]; then
		text="${lab%% *} checking"
	else
		mark=${text#* }
		__ewin_mark "${mark%% *}"
		text="${lab%% *} ${text%% *} $mark"
	fi
	[[ -z $plain ]] || colour=
	__ewin_psvar=('' '' '' '')
	case $colour in
	green) __ewin_psvar[1]=$text ;;
	red) __ewin_psvar[2]=$text ;;
	yellow) __ewin_psvar[3]=$text ;;
	*) __ewin_psvar[4]=$text ;;
	esac
	text=${text//\%/%%}
	[[ -z $colour ]] || text="%F{$colour}$text%f"
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
		: ${__ewin_seq:=$seq}
		__ewin_show
		if [[ -n $behind || $seq != "$__ewin_seq" || $record == *' running:'* ]]; then
			psvar[21,24]=("${__ewin_psvar[@]}")
			__ewin_ask
		fi
	fi
	__ewin_show
	if [[ -z $record$__ewin_seq && ! -d ${__ewin_status%/*} ]]; then
		EWIN_PROMPT= __ewin_psvar=('' '' '' '')
	fi
	__ewin_record=$record __ewin_pwd=$PWD __ewin_waited=
	if [[ -n $state && $state != settled ]]; then
		__ewin_waited=$record
	fi
	if [[ -n $__ewin_waited || $record == *' running:'* ]]; then
		__ewin_record=none
	fi
}

# The hook. psvar is set each time: a theme may have made it anew. A PS1 that is read-only stays as it is.
__ewin_prompt() {
	local percent=
	[[ ! -o prompt_percent ]] || percent=percent
	emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return
	local record behind
	__ewin_status=${EWIN_RUN_DIR:-/run/ewind}/status
	if __ewin_look; then
		__ewin_news
	fi
	psvar[21,24]=("${__ewin_psvar[@]}")
	if [[ $PS1 != *EWIN_PROMPT* && $PS1 != *%21v* && ${EWIN_PS1-} != keep && -n $percent &&
		${(t)PS1} != *readonly* ]]; then
		PS1='%(21V.[%F{green}%21v%f] .)%(22V.[%F{red}%22v%f] .)%(23V.[%F{yellow}%23v%f] .)%(24V.[%24v] .)'$PS1
	fi
	return 0
}

if [[ "${precmd_functions[*]-}" != *__ewin_prompt* ]]; then
	typeset -ga precmd_functions
	precmd_functions+=(__ewin_prompt)
fi
fi
