#!/bin/sh
# ewin-check from the outside: its exit statuses as README.md has them, on recorded outputs.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
recorded=tests/recorded/watermark
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# ends STATUS ARGUMENT...: what it said is in $work/said.
ends()
{
	expected=$1
	shift
	"$BUILD/ewin-check" --data-root tests/recorded/root "$@" >"$work/said" 2>&1
	[ $? -eq "$expected" ]
}

# The lab with other keys in its report.
lab_with()
{
	rm -rf "$work/labs"
	mkdir "$work/labs"
	cp -r contrib/labs/watermark "$work/labs"
	sed "/\"total_rows\"/,/\"dropped_slow\"/d; s/\"keys\": {/&$1/" contrib/labs/watermark/lab.json \
		>"$work/labs/watermark/lab.json"
}

check "0: every step passes" ends 0 "$recorded/ref"
check "it says which folder that was" grep -qx "8 of 8 steps pass in $(realpath "$recorded/ref")" "$work/said"
check "1: a step fails" ends 1 --step w5 "$recorded/mistakes/w5_delay0"
check "1: a step is partial" ends 1 --step batch "$recorded/mistakes/batch_renamed"
check "2: no such step" ends 2 --step nope "$recorded/ref"
check "2: two folders" ends 2 "$recorded/ref" "$recorded/ref"
check "2: an option without its value" ends 2 --lint
check "told by its name" grep -qx 'ewin-check: --lint wants a value' "$work/said"
check "2: a value that is none" ends 2 --explain w5 --row -1 "$recorded/ref"
check "told by that" grep -qx "ewin-check: '-1' is not a value of that option" "$work/said"
check "2: no such option" ends 2 --nope "$recorded/ref"
check "told without a path" grep -q '^ewin-check: .*--nope' "$work/said"
check "3: no such lab" ends 3 --lab nope "$recorded/ref"
check "3: in none of the places" ends 3 --labs contrib/labs --labs "$work" --lab nope "$recorded/ref"
check "which are named" grep -qx "ewin-check: no lab in contrib/labs, $work is called nope" "$work/said"
check "3: no such folder" ends 3 "$work/nope"
check "4: files are missing" ends 4 --lab watermark "$work"
check "2: a folder that tells of no lab" ends 2 "$work"
check "and the labs are named" grep -q '^  watermark$' "$work/said"

# Of what cannot be read nobody knows what was run.
mkdir "$work/fifo"
cp "$recorded/ref/w5.sql" "$work/fifo"
mkfifo "$work/fifo/w5.out"
check "4: an output that is no file" ends 4 --json --lab watermark --step w5 "$work/fifo"
check "without a cause" grep -q '"diagnosis": *\[\]' "$work/said"

# Data that were changed behind an honest run: nobody has edited the output.
data=$work/root/opt/lab/fixtures/data/watermark_events.csv
mkdir -p "${data%/*}" "$work/honest"
sed 's/,s1,82,/,s1,83,/' "tests/recorded/root/${data#"$work/root/"}" >"$data"
cp "$recorded/ref/w5.out" "$recorded/ref/w5.sql" "$work/honest"
touch -d '+1 minute' "$data"
check "1: an output of the data as they were" ends 1 --lab watermark --step w5 "$work/honest" --data-root "$work/root"
check "is told to be run again" grep -q 'The data has changed since this was saved: run it again' "$work/said"
check "and where it differs" grep -q 'column total is wrong' "$work/said"
touch -d '-1 minute' "$data"
ends 1 --lab watermark --step w5 "$work/honest" --data-root "$work/root"
check "of older data nobody knows who changed it" grep -q 'gives other rows on this data: ' "$work/said"
check "and its footer is right" test -z "$(grep footer "$work/said")"

# Which lab it is: by the files' names, then by the data that the SQL reads.
check "0: the other lab, told by its files" ends 0 tests/recorded/window/ref
check "its name" grep -q 'errors_hop' "$work/said"
check "0: and the third" ends 0 tests/recorded/first/ref
check "1: the third, by one step alone" ends 1 tests/recorded/first/mistakes/behind_strict
check "1: told by the data that its SQL reads" ends 1 tests/recorded/window/mistakes/ddl_no_watermark
check "of the other lab" ends 1 "$recorded/mistakes/ddl_wrong_path" --lab watermark
check "2: a report may be of either lab" ends 2 tests/recorded/window/mistakes/report_floats
mkdir -p "$work/root/root/flink/window" && cp -r tests/recorded/root/opt "$work/root"
check "4: a lab's own folder" ends 4 --data-root "$work/root" "$work/root/root/flink/window"

program=$(realpath "$BUILD")/ewin-check root=$(realpath tests/recorded/root)
check "0: the folder here" sh -c "cd '$recorded/ref' && '$program' --data-root '$root' >'$work/said'"
check "1: of the folder here, not the lab's own" sh -c "cd tests/recorded/first/mistakes/behind_strict && '$program' --data-root '$root' >'$work/said'; [ \$? -eq 1 ]"
check "a step tells its lab" ends 4 --step w5 "$work/root"

cp "$recorded/ref"/* "$work"
echo '{"a": 5}' >"$work/report.json"
lab_with '"a": "rows(w5) - 10"'
check "0: a report with other keys" ends 0 --labs "$work/labs" "$work"
lab_with '"a": "sum(w5.nope)"'
check "4: the lab asks for what its tables do not have" ends 4 --labs "$work/labs" "$work"
check "and the learner's number is not called wrong" grep -q '^cannot-tell .*report .*author' "$work/said"
lab_with '"a": "rows(nope)"'
check "3: the lab asks for a step that it does not have" ends 3 --labs "$work/labs" "$work"

rm "$work/w5.sql"
mkdir "$work/w5.sql"
check "0: SQL that cannot be read spoils no right output" ends 0 --step w5 "$work"
check "and it is told" grep -q 'w5.sql cannot be read' "$work/said"
check "3: the lab's data is missing" ends 3 --data-root "$work" "$recorded/ref"
check "and it is told in our words" grep -q 'watermark_events.csv cannot be read' "$work/said"
finish
