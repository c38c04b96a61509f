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
	check "$lab: it ends so" test "$(tail -n 1 "$work/said")" = 'no errors, no warnings'
	check "$lab: the report on its data fits the width" awk '!/: warning: / && length > 100 { bad = 1 } END { exit bad }' "$work/said"
done

# --- how it is written

fresh first
edit '0,/^ *"id": "count"/s//"id": "again", "nope": 1, &/; s/"behind.out"/7/' "$work/lab/lab.json"
check "a key that stands there twice hides no other fault" found 1 "lab.json:$(place '"count"'): error: the same key stands there twice" \
	"lab.json:[0-9]+:[0-9]+: error: the key \"nope\" is not known here" "lab.json:$(place ' 7' | sed 's/:.*//'):[0-9]+: error: \"file\" must be a text"
check "each is said once" test "$(grep -c ': error: ' "$work/said")" = 3

# --- names that cannot be two things

fresh first
edit 's/"count.sql"/"count.out"/' "$work/lab/lab.json"
check "SQL that is the step's output" found 1 "lab.json:$(place '"sql": "count.out"' | cut -d: -f1):.* error: this is the step's \"file\", too"
fresh first
edit 's/"count.sql"/"sensor.sql"/' "$work/lab/lab.json"
check "SQL of two steps" found 1 "lab.json:.* error: this is a file of another step, too"
fresh first
edit 's/"behind.out"/"sensor.sql"/' "$work/lab/lab.json"
check "an output that is another step's SQL" found 1 "lab.json:.* error: this is a file of another step, too"
for root in / // /. /./; do
	fresh first
	edit "s,\"folder\": \"[^\"]*\",\"folder\": \"$root\"," "$work/lab/lab.json"
	check "the folder $root" found 1 "lab.json:$(place '"folder"' | cut -d: -f1):.* error: the root folder is no learner's"
done
fresh watermark
edit 's/"is": "late", "delay": "[^"]*"/"is": "late", "delay": "106751991167 days"/' "$work/lab/lab.json"
check "a duration that is too long" found 1 "lab.json:$(place '"106751991167 days"'): error: this duration is too long"

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
check "a reference that is a symlink" found 1 "lab.json:$(place '"ref/w5.sql"'): error: ref/w5.sql: it is no regular file \(a symlink is not followed\)"
rm "$work/lab/ref/w5.sql"
mkfifo "$work/lab/ref/w5.sql"
check "a reference that is a FIFO" found 1 "lab.json:.* error: ref/w5.sql: it is no regular file"
fresh watermark
rm "$work/lab/data/watermark_events.csv"
check "data that are missing" found 1 "lab.json:[0-9]+:[0-9]+: error: .*watermark_events.csv cannot be read: there is no such file"
cp "$labs/watermark/data/watermark_events.csv" "$work/lab/data/seed1.csv"
ln -s seed1.csv "$work/lab/data/watermark_events.csv"
check "data that are a symlink within their folder" found 0
check "of which another fixture can be made" "$BUILD/ewin-check" --new-fixture "$work/lab" --seed 1 --output "$work/new.csv"
mv "$work/lab/data/seed1.csv" "$work/lab"
ln -sf ../seed1.csv "$work/lab/data/watermark_events.csv"
check "data that are a symlink to elsewhere" found 1 \
	"lab.json:[0-9]+:[0-9]+: error: .*watermark_events.csv cannot be read: it is no regular file, nor a symlink to one in the same folder\$"
fresh first
reference=$(ls "$work/lab/ref/"*.sql | head -n 1)
query=$(sed -n '/^SELECT/,$p' "$reference")
for _ in $(seq 2000); do printf '\n%s\n' "$query"; done >>"$reference"
check "a reference of thousands of queries, where mistakes would be looked for in each" found 1 'lab.json:[0-9:]*: error: ref/.*: it prints too many results'

fresh watermark
printf '1,s2,25,2026-07-06 09:00:00\nx,s4,80,2026-07-06 09:00:00\n' >"$work/lab/data/watermark_events.csv"
check "data of another type, in the file that was read, with the row" found 1 \
	"data/watermark_events.csv:2: error: .*NumberFormatException.* \(row 2, line 2, column 'event_id'\)\$"
check "no lab can be made of them" sh -c "! '$BUILD/ewin-check' --new-fixture '$work/lab' --seed 1 2>'$work/err'"
check "for the same reason" grep -q "^ewin-check: $work/lab/data/watermark_events.csv:2: .*row 2" "$work/err"
: >"$work/lab/data/watermark_events.csv"
check "no data" found 1 "data/watermark_events.csv: error: it holds no row"
fresh watermark
edit 's/, *"data": "[^"]*"//; /^ *"data": "/d' "$work/lab/lab.json"
mkdir -p "$work/machine/opt/lab/fixtures/data"
printf '1,s2,25,2026-07-06 09:00:00\nx,s4,80,2026-07-06 09:00:00\n' >"$work/machine/opt/lab/fixtures/data/watermark_events.csv"
lint --data-root "$work/machine"
check "data of the machine" grep -qE "^$work/lab/lab.json:[0-9]+:[0-9]+: error: /opt/.*watermark_events.csv: .* \(row 2, line 2," "$work/said"
fresh first
edit 's/"celsius", "type": "INT"/"celsius", "type": "STRING"/' "$work/lab/lab.json"
check "a type that the references do not have" found 0 \
	"ref/count.sql:$(grep -n celsius "$labs/first/ref/count.sql" | head -1 | cut -d: -f1):3: warning: the column celsius is INT here, and celsius is STRING in lab.json"
check "ends with how many there are" sh -c "tail -n 1 '$work/said' | grep -qx 'no errors, 3 warnings'"

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

fresh first
edit 's/"min": 5}/"min": 50}/' "$work/lab/lab.json"
check "a property that does not hold" found 1 \
	"lab.json:$(place '{"is": "late"'): error: 8 rows late at a delay of 30 s: not allowed, at least 50"

# --- texts

fresh first
edit '0,/"ja": /s/"ja": .*$/"fr": "Bonjour",/' "$work/lab/lab.json"
check "a language that is missing, and one that is not declared" found 1 \
	"lab.json:[0-9]+:[0-9]+: error: this text is missing in \"ja\"" \
	"lab.json:$(place '"Bonjour"'): error: \"languages\" does not declare \"fr\""
fresh first
edit 's/"ko": "자체 시계를 가진 측정값"/"ko": "  "/; s/"ja": "独自の時計を持つ測定値"/"ja": "Readings with a clock of their own"/' "$work/lab/lab.json"
edit 's/"zh_CN": "自带时钟的读数"/"zh_CN": "{0} 的读数\\t"/' "$work/lab/lab.json"
check "blank, not translated, with a placeholder, with a control character" found 1 \
	"lab.json:$(place '"  "'): error: this text is blank" \
	"lab.json:$(place '"Readings with a clock of their own"' | cut -d: -f1 | awk '{ print $1 + 1 }'):[0-9]+: warning: this text is not translated" \
	"lab.json:$(place '"{0} 的读数'): warning: \"\{0\}\" is shown as it stands" \
	"lab.json:$(place '"{0} 的读数'): warning: a text is one line"

# --- hints

# hint TEXT: the first hint of step count is this.
hint()
{
	fresh first
	edit "s/\"en\": \"A tumbling window closes .*/\"en\": \"$1\",/" "$work/lab/lab.json"
	where=$(place "\"$1\"")
}
hint 'Look at 06:05, where 30 is asked.'
check "a number of the SQL" found 0 "lab.json:$where: warning: this hint holds \"30\", a number of the reference's SQL"
hint 'The warmest of the last window has 24 degrees.'
check "a value of the right answer" found 0 "lab.json:$where: warning: this hint holds \"24\", a value of the right answer"
hint 'The basil is nearer to the door.'
edit "s/^GROUP BY/WHERE bed <> 'basil'\n&/" "$work/lab/ref/count.sql"
check "a text of the SQL" found 0 "lab.json:$where: warning: this hint holds \"basil\", a text of the reference's SQL"
hint 'You must group by window_start and more.'
check "a clause" found 0 "lab.json:$where: warning: this hint holds \"group by window_start\", a part of the reference's SQL"
hint 'A window has one end, and 24 hours are a day (240 minutes, 1924).'
check "a part of a number is none" found 0 "lab.json:$where: warning: .*\"24\""
hint 'Rows group by window; 124 or 2400 of them are no matter.'
check "other numbers are none" sh -c "$BUILD/ewin-check --lint '$work/lab' | grep -c ': warning: ' | grep -qx 0"

# --- steps

fresh first
edit 's/"asks": \["delay", "window"\]/"asks": ["delay", "window", "table_name"]/' "$work/lab/lab.json"
edit "s/  WATERMARK.*//; s/TIMESTAMP(3),/TIMESTAMP(3)/" "$work/lab/ref/sensor.sql"
check "what is asked and not there to compare" found 0 \
	"lab.json:$(place '"table_name"'): warning: \"table_name\" is asked, and nothing is compared: only a step of kind \"describe\"" \
	"lab.json:$(place '"delay", "path"'): warning: \"delay\" is asked, and nothing is compared: the reference itself has none"
fresh window
edit 's/"sum(tumble.cnt)"/"sum(tumble.cntt)"/; s/"rows(tumble)"/"rows(tumble) \/ 0"/' "$work/lab/lab.json"
fresh first
edit 's/"asks": \["delay", "window"\]/"asks": ["delay", "size"]/' "$work/lab/lab.json"
check "what cannot be asked, and what can" found 1 "lab.json:$(place '"delay", "size"' | cut -d: -f1):[0-9]+: error: what can be asked of a query is \"delay\", .* or \"window\""
fresh window
edit 's/"sum(tumble.cnt)"/"sum(tumble.cntt)"/; s/"rows(tumble)"/"rows(tumble) \/ 0"/' "$work/lab/lab.json"
check "keys that have no value" found 1 \
	"lab.json:$(place '"sum(tumble.cntt)"'): error: the key \"total_orders\" has no value: a table or a column" \
	"lab.json:$(place '"rows(tumble) / 0"'): error: the key \"tumble_windows\" has no value: it divides by zero"

fresh first
edit "s/SELECT reading_id, bed, ts/SELECT reading_id, bed || ' is a bed that stands far from the door' AS place, ts/" "$work/lab/ref/behind.sql"
check "a result that the client prints cut off" found 1 \
	"lab.json:$(place '"ref/behind.sql"'): error: the reference's own result does not pass: Some values are cut off"

# --- many at once, and bad bytes

fresh first
edit 's/"version": 1/"version": 2/; s/"kind": "describe"/"kind": "descripe"/; s/"mode": "asked"/"mode": "ask"/' "$work/lab/lab.json"
check "all faults at once" found 1 "lab.json:$(place '2,' | cut -d: -f1):[0-9]+: error: this version" \
	"lab.json:$(place '"descripe"'): error: a step's kind is" "lab.json:$(place '"ask"'): error: \"free\", \"asked\""
check "in the order of the file" sh -c "cut -d: -f2 '$work/said' | sed '\$d' | sort -nc"
fresh first
printf '{"version": 1,\n "name": "\377"}' >"$work/lab/lab.json"
check "bytes that are not UTF-8" found 1 "lab.json:2:[0-9]+: error: "
printf '\357\273\277{}' >"$work/lab/lab.json"
check "a BOM" found 1 "lab.json:1:1: error: "
: >"$work/lab/lab.json"
check "an empty file" found 1 "lab.json:1:1: error: "
fresh first
awk '{ if (!done && sub(/"en": "Readings with/, "\"en\": \"Readings with\001")) { split($0, part, "\001"); printf "%s", part[1]
	for (i = 0; i < 50000; i++) printf " a lot"; $0 = part[2]; done = 1 } print }' "$labs/first/lab.json" >"$work/lab/lab.json"
check "a text of 300 KB" found 0 "lab.json:$(place '"Readings with a lot'): warning: this text is long: 3000[0-9]* characters"
awk '{ print } END { for (i = 0; i < 70000; i++) print "               " }' "$labs/first/lab.json" >"$work/lab/lab.json"
lint
check "3: a lab.json of more than 1 MiB" [ $? -eq 3 ]
check "and it says so" grep -q 'lab.json: it is larger than 1048576 bytes' "$work/err"
fresh first
rm -r "$work/lab/ref"
ln -s "$PWD/$labs/first/ref" "$work/lab/ref"
lint
check "references in a folder that is a link are read: the author's own folder" [ $? -eq 0 ]

# --- the report on the data

# Causes that are words of the catalogue of mistakes.
expect_none "each mistake is explained" "$(grep -oE '^\sX\(DIAG_[A-Z_]+, "[a-z-]+"' daemon/grade/diagnosis.h | cut -d'"' -f2 | while read -r id; do
	grep -qF "\"$id\"" sim/mutate*.c || continue
	grep -q "^|[^|]*\`$id\`[^|]*|" contrib/labs/README.md || echo "$id"
done)"

# --- the other form, and names

fresh first
edit 's/"min": 5}/"min": 50}/' "$work/lab/lab.json"
check "--json is JSON, with the same findings" sh -c "$BUILD/ewin-check --lint '$work/lab' --json >'$work/json'; [ \$? -eq 1 ] &&
	grep -q '\"kind\": \"error\"' '$work/json' && grep -q '\"text\": \"8 rows late' '$work/json'"
check "a lab has a name as well" sh -c "$BUILD/ewin-check --labs '$labs' --lint window >'$work/said' && grep -q hop '$work/said'"

# in_work ARGUMENT...: ewin-check in $work, which holds a folder called as one of the labs; "$work/err" says which.
program=$(realpath "$BUILD")/ewin-check
in_work() { (cd "$work" && "$program" --labs "$root/$labs" "$@" >said 2>err); }
root=$PWD
rm -rf "$work/window"
cp -r "$labs/first" "$work/window"
in_work --lint window
check "a folder here wins over a lab of its name" grep -qE '^  behind: ' "$work/said"
check "and it says so" grep -qx 'ewin-check: the lab in ./window' "$work/err"
check "so it is for other data" in_work --new-fixture window --seed 3
check "which are made of the lab here" grep -qE '^[0-9]+,(basil|fern|mint),' "$work/said"
check "and it says so" grep -qx 'ewin-check: the lab in ./window' "$work/err"
rm "$work/window/lab.json"
in_work --lint window
check "a folder without a lab.json is none" grep -qx "ewin-check: the lab in $root/$labs/window" "$work/err"
in_work --lint nosuch
check "3: no such lab" [ $? -eq 3 ]
check "and it says where it looked" grep -qx "ewin-check: there is no lab nosuch: no lab.json in ./nosuch, $root/$labs/nosuch" "$work/err"
in_work --lint "$work/ref"
check "3: a folder that is no lab" [ $? -eq 3 ]
check "with its path" grep -qx "ewin-check: there is no lab $work/ref: no lab.json in $work/ref" "$work/err"
lint "$work"
check "2: a folder beside it" [ $? -eq 2 ]
finish
