# shellcheck shell=bash
# Bench: saves and prompts in an interactive bash, as its --rcfile. In the lab's folder; WRONG and
# RIGHT name two outputs of w5, of which the second passes; the result is written to RESULT as
# "rounds in-one-tick stale undecided median-us p99-us prompt-ns": the times are those of a prompt after a
# save, and of one where nothing is new.
unset PROMPT_COMMAND
eval "$(ewin-status init bash)"

# What bash does before it prints PS1.
prompt()
{
	local command
	for command in "${PROMPT_COMMAND[@]}"; do
		eval "$command"
	done
}

# Saves one of the two in one of three ways, and sets `pick` to it.
save()
{
	pick=$(($1 % 2))
	case $(($1 / 2 % 3)) in
	0) cat "${files[pick]}" >w5.out ;;
	1) # both, without a fork in between, so that they share a clock tick as a rule
		printf %s "${texts[1 - pick]}" >w5.out
		: >tick
		printf %s "${texts[pick]}" >w5.out
		[[ w5.out -nt tick ]] || in_one_tick=$((in_one_tick + 1))
		;;
	2) # a writer that ends a while after it wrote, as a JVM does
		{
			cat "${files[pick]}"
			sleep 0.03
		} >w5.out
		;;
	esac
}

# percentile N TIME...: the time that N percent are not above.
percentile()
{
	local sorted
	mapfile -t sorted < <(printf '%s\n' "${@:2}" | sort -n)
	printf '%s ' "${sorted[(${#sorted[@]} - 1) * $1 / 100]}"
}

# The prompt that follows a save must show the last one.
rounds()
{
	local texts=("$(<"$WRONG")"$'\n' "$(<"$RIGHT")"$'\n') marks=(' 0/8 ' ' 1/8 ')
	local i in_one_tick=0 stale=0 undecided=0 pick start times=()
	for ((i = 0; i < 200; i++)); do
		save "$i"
		start=${EPOCHREALTIME/[.,]/}
		prompt 2>/dev/null
		times+=($((${EPOCHREALTIME/[.,]/} - start)))
		if [[ $EWIN_PROMPT == *"${marks[1 - pick]}"* ]]; then
			stale=$((stale + 1))
		elif [[ $EWIN_PROMPT != *"${marks[pick]}"* ]]; then
			undecided=$((undecided + 1))
		fi
	done
	printf '%s %s %s %s ' "$i" "$in_one_tick" "$stale" "$undecided"
	percentile 50 "${times[@]}"
	percentile 99 "${times[@]}"
}

# Nanoseconds a prompt where nothing is new.
idle_prompt()
{
	local i start=${EPOCHREALTIME/[.,]/} empty_us full_us
	for ((i = 0; i < 10000; i++)); do :; done
	empty_us=$((${EPOCHREALTIME/[.,]/} - start))
	sleep 0.1
	prompt
	start=${EPOCHREALTIME/[.,]/}
	for ((i = 0; i < 10000; i++)); do prompt; done
	full_us=$((${EPOCHREALTIME/[.,]/} - start))
	echo $(((full_us - empty_us) / 10))
}

files=("$WRONG" "$RIGHT")
{
	rounds
	idle_prompt
} >"$RESULT"
exit
