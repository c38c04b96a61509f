#!/bin/sh
# The whole way: the learner's session of `make demo`, from the saved file through the real daemon to
# the prompt of a real bash. The demo itself ends with an error where a prompt is not as it must be.
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
rm -f "$work/screen"
expect_none "nothing is left behind" "$(ls -A "$work")"
finish
