#!/bin/sh
# contrib/prompt/profile.sh, which /etc/profile reads in whatever shell is a login shell: bash gets the
# prompt, nothing else gets anything, nor does it say a word. And profile.fish, which fish reads.
# shellcheck disable=SC2016,SC2086,SC2317	# text for other shells; lists of words; functions that check runs
. tests/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build=$(realpath "${BUILD:-build}")
profile=contrib/prompt/profile.sh
hooked='case "${PROMPT_COMMAND[*]-}" in *__ewin_prompt*) echo hooked ;; *) echo plain ;; esac'

# run PATH SHELL...: what the shell prints, on both channels.
run()
{
	path=$1
	shift
	env -i PATH="$path" HOME="$work" TERM=dumb "$@" </dev/null 2>&1 | grep -vE 'job control|terminal process group'
}
is()
{
	[ "$2" = "$1" ] || { printf '%s\n' "$2" | sed 's/^/# /'; false; }
}

bash='bash --noprofile --norc'
check "an interactive bash gets the hook" is hooked "$(run "$build:$PATH" $bash -i -c ". $profile; $hooked")"
check "also with set -eu" is hooked "$(run "$build:$PATH" $bash -i -c "set -eu; . $profile; $hooked")"
check "twice is once" is 1 "$(run "$build:$PATH" $bash -i -c ". $profile; . $profile"'
	eval "$(ewin-status init bash)"; printf "%s\n" "${PROMPT_COMMAND[@]}" | grep -c __ewin_prompt')"
check "a script gets none" is plain "$(run "$build:$PATH" $bash -c ". $profile; $hooked")"
mkdir "$work/bin"
for program in bash sh dash grep cat; do
	! command -v $program >/dev/null || ln -s "$(command -v $program)" "$work/bin"
done
check "without ewin-status there is none" is plain "$(run "$work/bin" $bash -i -c ". $profile; $hooked")"
printf '#!/bin/sh\necho "no such shell" >&2\nexit 2\n' >"$work/bin/ewin-status"
chmod +x "$work/bin/ewin-status"
check "where ewin-status fails there is none, either" is plain "$(run "$work/bin" $bash -i -c ". $profile; $hooked")"
if command -v fish >/dev/null; then
	ln -s "$(command -v fish)" "$work/bin"
	# What config.fish says comes later, and its prompt is the one to be wrapped.
	later='function fish_prompt; echo mine; end; emit fish_prompt; functions -q __ewin_prompt; and echo hooked
		functions fish_prompt | string match -q "*EWIN_PROMPT*"; and echo wrapped; fish_prompt'
	check "an interactive fish gets the hook, around its own prompt" is "hooked
wrapped
mine" "$(run "$build:$PATH" fish --no-config -i -c "source contrib/prompt/profile.fish; $later")"
	check "a fish script gets none" is mine \
		"$(run "$build:$PATH" fish --no-config -c "source contrib/prompt/profile.fish; $later")"
	check "nor does fish where ewin-status fails" is mine \
		"$(run "$work/bin" fish --no-config -i -c "source contrib/prompt/profile.fish; $later")"
	rm "$work/bin/ewin-status"
	check "or is missing" is mine "$(run "$work/bin" fish --no-config -i -c "source contrib/prompt/profile.fish; $later")"
else
	skip "an interactive fish gets the hook" "it is not installed"
fi
for shell in sh dash ksh 'busybox sh' 'zsh -f'; do
	if ! command -v "${shell%% *}" >/dev/null; then
		skip "$shell reads it without a word" "it is not installed"
		continue
	fi
	check "$shell reads it without a word" is read "$(run "$build:$PATH" $shell -c "set -eu; . ./$profile; echo read")"
	check "an interactive $shell too" is read "$(run "$build:$PATH" $shell -ic "set -u; . ./$profile; echo read")"
done
finish
