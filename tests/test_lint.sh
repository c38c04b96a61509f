#!/bin/sh
# ewin-check --lint, from the outside: what a lab's author gets of each kind of fault, with its place.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
labs=contrib/labs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# lint: what it says of $work/lab, in $work/said; its exit status.
lint()
{
	"$BUILD/ewin-check" --lint "$work/lab" "$@" >"$work/said" 2>"$work/err"
}

# fresh LAB: a copy of a lab, to be spoilt.
fresh()
{
	rm -rf "$work/lab"
	cp -r "$labs/$1" "$work/lab"
}

# found STATUS PATTERN...: lint ends with this status, and says this; {} stands for the folder.
found()
{
	status=$1
	shift
	lint
	[ $? -eq "$status" ] || { sed 's/^/# /' "$work/said" "$work/err"; return 1; }
	for pattern; do
		grep -qE "^$work/lab/$pattern" "$work/said" || { echo "# no $pattern"; sed 's/^/# /' "$work/said"; return 1; }
	done
}

# place PATTERN: line and column of its first occurrence in lab.json.
place()
{
	awk -v pattern="$1" '!found && (at = index($0, pattern)) { print NR ":" at; found = 1 }' "$work/lab/lab.json"
}

edit() { sed -i "$@"; }

# --- the labs that ship

for lab in "$labs"/*/; do
	lab=$(basename "$lab")
	fresh "$lab"
	lint
	check "$lab: no error" [ $? -eq 0 ]
	expect_none "$lab: no warning" "$(grep -E ': (error|warning): ' "$work/said")"
	check "$lab: the report on its data fits the width" awk '!/: warning: / && length > 100 { bad = 1 } END { exit bad }' "$work/said"
done

# --- files

rm -rf "$work/lab"
lint
check "3: no folder" [ $? -eq 3 ]
mkdir "$work/lab"
lint
check "3: no lab.json" [ $? -eq 3 ]
mkdir "$work/lab/lab.json"
lint
check "3: lab.json is a folder" [ $? -eq 3 ]
rm -r "$work/lab/lab.json"
ln -s "$PWD/$labs/window/lab.json" "$work/lab/lab.json"
lint
check "3: lab.json is a symlink" [ $? -eq 3 ]

fresh watermark
rm "$work/lab/ref/w5.sql"
check "a reference that is missing" found 1 "lab.json:$(place '"ref/w5.sql"'): error: ref/w5.sql: there is no such file"
ln -s "$PWD/$labs/watermark/ref/w5.sql" "$work/lab/ref/w5.sql"
check "a reference that is a symlink" found 1 "lab.json:$(place '"ref/w5.sql"'): error: ref/w5.sql: it is no regular file"
rm "$work/lab/ref/w5.sql"
mkfifo "$work/lab/ref/w5.sql"
check "a reference that is a FIFO" found 1 "lab.json:.* error: ref/w5.sql: it is no regular file"
fresh watermark
rm "$work/lab/data/watermark_events.csv"
check "data that are missing" found 1 "lab.json:[0-9]+:[0-9]+: error: .*watermark_events.csv cannot be read"
fresh watermark
printf '1,s2,25,2026-07-06 09:00:00\nx,s4,80,2026-07-06 09:00:00\n' >"$work/lab/data/watermark_events.csv"
check "data of another type" found 1 "lab.json:[0-9]+:[0-9]+: error: .*NumberFormatException"

# --- references

fresh watermark
edit 's/TUMBLE(TABLE/TUMBLES(TABLE/' "$work/lab/ref/w5.sql"
check "an unknown function, with its place in the SQL" found 1 \
	"ref/w5.sql:$(grep -n TUMBLES "$work/lab/ref/w5.sql" | cut -d: -f1):[0-9]+: error: the reference of step w5: "
edit 's/TUMBLES(TABLE/TUMBLE(TABLE/; s/^SELECT/SELEKT/' "$work/lab/ref/w5.sql"
check "a syntax error" found 1 "ref/w5.sql:$(grep -n SELEKT "$work/lab/ref/w5.sql" | cut -d: -f1):[0-9]+: error: "
: >"$work/lab/ref/w5.sql"
check "an empty reference" found 1 "lab.json:$(place '"ref/w5.sql"'): error: ref/w5.sql: .*no result of the step's kind"
printf 'SELECT 1;\n\377\376;\n' >"$work/lab/ref/w5.sql"
check "a reference that is not UTF-8" found 1 ".*w5.*: error: "
fresh window
cp "$work/lab/ref/hop.sql" "$work/lab/ref/errors_hop.sql"
check "an error step whose reference runs" found 1 "lab.json:$(place '"ref/errors_hop.sql"'): error: .*Flink does not refuse it"
fresh window
cp "$work/lab/ref/tumble.sql" "$work/lab/ref/hop.sql"
check "two steps with one answer" found 0 \
	"lab.json:[0-9]+:[0-9]+: warning: the steps tumble and hop have the same right answer: whoever copies tumble.out"
finish
