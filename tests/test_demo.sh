#!/bin/sh
# The whole way: the learner's session of `make demo`, from the saved file through the real daemon to
# the prompt of a real bash. The demo itself ends with an error where a prompt is not as it must be.
# shellcheck disable=SC2016	# backquotes of Markdown
. tests/tap.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if TMPDIR=$work tests/demo/run >"$work/screen" 2>&1; then
	ok "wrong outputs are named in the prompt, right ones are not"
else
	sed 's/^/# /' "$work/screen"
	not_ok "wrong outputs are named in the prompt, right ones are not"
fi
check "at the end all eight steps pass" grep -q 'watermark 8/8' "$work/screen"
expect_none "README.md opens with lines of this session" "$(sed -n '/^```/,/^```/p; /^## /q' README.md |
	grep -v '^```' | while read -r line; do
	grep -qF -- "$line" "$work/screen" || echo "$line"
done)"
rm -f "$work/screen"
expect_none "nothing is left behind" "$(ls -A "$work")"
finish
