#!/bin/sh
# No lab and no data is known to the grader: for each lab, on data that `ewin-check --new-fixture` makes,
# the reference passes, the answers of the data that ships do not, and of what learners write the wrong
# does not pass where its table is another one. The report is worked out here, without the grader.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
labs=contrib/labs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# values KEY FILE: what a key of lab.json is, all over the file.
values()
{
	grep -oE "\"($1)\": *\"[^\"]*\"" "$2" | sed 's/.*: *"\(.*\)"/\1/'
}

# cells STEP TABLE COLUMN: a column of the n-th table of an output in $work/out, without blanks around.
cells()
{
	awk -F'|' -v table="$2" -v column="$3" '
		/\+-[-+]*-\+$/ { part = (part + 1) % 3; next }
		part == 1 && /^\|/ { number++; field = 0
			for (i = 1; i <= NF; i++) { gsub(/^ +| +$/, "", $i); if ($i == column) field = i } }
		part == 2 && /^\|/ && number == table { gsub(/^ +| +$/, "", $field); print $field }
	' "$work/out/$1.out"
}

sum() { cells "$@" | awk '{ sum += $1 } END { printf "%d", sum }'; }

# rows STEP TABLE: how many rows the n-th table has.
rows()
{
	awk -v table="$2" '
		/\+-[-+]*-\+$/ { part = (part + 1) % 3; number += part == 1; next }
		part == 2 && /^\|/ && number == table { rows++ }
		END { print rows + 0 }' "$work/out/$1.out"
}

# table_rows FILE: the rows of all tables in any order, without the op column of a stream.
table_rows()
{
	sed -n 's/^| *+I *|/|/; s/ *| */|/g; /^|/p' "$1" | sort
}

# verdict_of FOLDER STEP: what ewin-check says.
verdict_of()
{
	"$BUILD/ewin-check" --labs "$labs" --lab "$lab" --data-root "$work/root" --step "$2" "$1" |
		head -1 | cut -d' ' -f1
}

# make_data SEED: the lab's data below $work/root.
make_data()
{
	mkdir -p "$work/root$(dirname "$fixture")"
	"$BUILD/ewin-check" --new-fixture "$labs/$lab" --seed "$1" >"$work/root$fixture" 2>"$work/facts"
}

# run_references OUT ROOT: what the references print.
run_references()
{
	mkdir -p "$1"
	for reference in $references; do
		step=$(basename "$reference" .sql)
		cp "$labs/$lab/$reference" "$1/$step.sql"
		"$BUILD/ewin-sim" run --data-root "$2" "$1/$step.sql" >"$1/$step.out" 2>"$work/said"
	done
}

all_pass()
{
	"$BUILD/ewin-check" --labs "$labs" --lab "$lab" --data-root "$work/root" "$work/out" >"$work/said" ||
		{ sed 's/^/# /' "$work/said"; false; }
}

# Outputs of the data that ships, of steps with tables that are said to differ. One that builds on another
# may hold back.
old_fail()
{
	for step in $tables; do
		grep -q "step $step is the same" "$work/facts" && continue
		case $(verdict_of "$work/old" "$step") in
		fail | cannot-tell) ;;
		*) echo "# $step"; return 1 ;;
		esac
	done
}

# Each recorded case with SQL of its own, run on the new data. A line a wrong verdict.
judge_cases()
{
	for note in tests/recorded/"$lab"/mistakes/*/note.txt tests/recorded/"$lab"/more/*/note.txt; do
		[ -f "$note" ] || continue
		step=$(sed -n 's/^step: *//p' "$note")
		sql=$(dirname "$note")/$step.sql
		case " $tables " in *" $step "*) ;; *) continue ;; esac
		[ -f "$sql" ] || continue
		rm -rf "$work/case"
		mkdir "$work/case"
		cp "$sql" "$work/case"
		"$BUILD/ewin-sim" run --data-root "$work/root" "$sql" >"$work/case/$step.out" 2>/dev/null ||
			continue
		echo run >>"$work/judged"
		table_rows "$work/case/$step.out" >"$work/rows"
		table_rows "$work/out/$step.out" | cmp -s - "$work/rows" && equal=yes || equal=no
		case $(sed -n "s/^verdict: *//p" "$note"),$equal,$(verdict_of "$work/case" "$step") in
		pass,yes,pass) echo right >>"$work/judged" ;;
		fail,no,pass | pass,yes,*) echo "$(dirname "$note") on seed $seed" ;;
		fail,no,*) echo wrong >>"$work/judged" ;;
		esac
	done
}

for json in "$labs"/*/lab.json; do
	lab=$(basename "$(dirname "$json")")
	fixture=$(values path "$json" | head -1)
	references=$(values reference "$json")
	tables=$(values 'id|kind' "$json" | awk '$0 == "tables" { print id } { id = $0 }')
	tables=$(echo $tables)
	mkdir -p "$work/shipped$(dirname "$fixture")"
	cp "$labs/$lab/$(values data "$json" | head -1)" "$work/shipped$fixture"
	run_references "$work/old" "$work/shipped"
	for seed in 1 2 3; do
		check "$lab, seed $seed: data is made" make_data "$seed"
		cp "$work/root$fixture" "$work/csv"
		make_data "$seed"
		check "$lab, seed $seed: the same bytes again" cmp -s "$work/csv" "$work/root$fixture"
		check "$lab, seed $seed: as many rows" \
			[ "$(wc -l <"$work/csv")" -eq "$(wc -l <"$work/shipped$fixture")" ]
		expect_none "$lab, seed $seed: all properties hold" "$(grep 'not allowed' "$work/facts")"
		rm -rf "$work/out"
		run_references "$work/out" "$work/root"
		if [ -f "tests/new_fixture/$lab.sh" ]; then
			# shellcheck disable=SC1090
			. "tests/new_fixture/$lab.sh"
			report >"$work/out/report.json"
		elif grep -q '"report"' "$json"; then
			skip "$lab: report" "tests/new_fixture/$lab.sh is missing"
			continue
		fi
		check "$lab, seed $seed: the references pass, and the report" all_pass
		check "$lab, seed $seed: outputs of the data that ships fail" old_fail
	done
	[ -d "tests/recorded/$lab" ] || continue
	: >"$work/judged"
	expect_none "$lab: learners' SQL gets the right verdicts on the new data" "$(judge_cases)"
	runs=$(grep -c run "$work/judged")
	check "$lab: right SQL was among it" [ "$(grep -c right "$work/judged")" -ge "$(((runs + 24) / 25))" ]
	check "$lab: wrong SQL was among it" [ "$(grep -c wrong "$work/judged")" -ge "$((runs / 3))" ]
	rm -rf "$work/old" "$work/root" "$work/shipped"
done

# From the outside.
check "another seed makes other data" sh -c "! $BUILD/ewin-check --new-fixture $labs/watermark --seed 8 2>/dev/null |
	cmp -s - '$work/csv'"
check "2: no seed" sh -c "$BUILD/ewin-check --new-fixture watermark 2>/dev/null; [ \$? -eq 2 ]"
check "3: no such lab" sh -c "$BUILD/ewin-check --new-fixture nope --seed 1 2>/dev/null; [ \$? -eq 3 ]"
cp -r "$labs/watermark" "$work/lab"
sed 's/"min": 50/"min": 590/' "$labs/watermark/lab.json" >"$work/lab/lab.json"
"$BUILD/ewin-check" --new-fixture "$work/lab" --seed 1 >"$work/csv" 2>"$work/said"
check "3: the data that ships lacks a property" [ $? -eq 3 ]
check "and it is named, with its place" grep -q 'lab.json:[0-9]*:[0-9]*: .*98 rows late .*at least 590' "$work/said"
finish
