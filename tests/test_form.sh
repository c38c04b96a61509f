#!/bin/sh
# How strict a step is: recorded outputs of the window lab under other words in lab.json; and steps
# that build on others.
# shellcheck disable=SC2317	# functions that check runs
. tests/tap.sh

BUILD=${BUILD:-build}
recorded=tests/recorded/window
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# says VERDICT STEP FOLDER: of the lab in $work/labs.
says()
{
	"$BUILD/ewin-check" --labs "$work/labs" --lab window --data-root tests/recorded/root --step "$2" "$3" \
		>"$work/said" 2>&1
	grep -q "^$1 " "$work/said" || { sed 's/^/# /' "$work/said"; false; }
}

# The lab with this as its form.
form()
{
	rm -rf "$work/labs"
	mkdir "$work/labs"
	cp -r contrib/labs/window "$work/labs"
	sed '/^  "form": {/,/^  }/c "form": {'"$1"'},' contrib/labs/window/lab.json >"$work/labs/window/lab.json"
}

cases=$recorded/mistakes
form ''
check "nothing said: other names pass" says pass tumble $cases/tumble_ok_alias
check "but names that Flink made up do not" says partial tumble $cases/tumble_legacy_noalias
check "nothing said: a batch run passes" says pass tumble $cases/tumble_batch
check "nothing said: another order of columns passes" says pass tumble $cases/tumble_ok_column_order
check "nothing said: one column more passes" says pass tumble $cases/tumble_ok_window_time
check "nothing said: another type of a column fails" says fail ddl $cases/ddl_amount_string

form '"names": "asked", "order": "asked", "extra": "asked", "rows": "asked", "mode": "asked", "types": "asked"'
check "asked: other names are partial" says partial tumble $cases/tumble_ok_alias
check "asked: a batch run is partial" says partial tumble $cases/tumble_batch
check "asked: another order of columns is partial" says partial tumble $cases/tumble_ok_column_order
check "asked: a column more is partial" says partial tumble $cases/tumble_ok_window_time
check "asked: another order of rows is partial" says partial tvf $cases/tvf_order_by_ts
check "and told" grep -q 'another order' "$work/said"
check "asked: another type of a column is partial" says partial ddl $cases/ddl_amount_string
check "asked: the type of the event time must be right" says fail ddl $cases/ddl_ltz
for step in ddl tvf tumble shop hop cumulate session; do
	check "asked: what is as asked passes, $step" says pass $step $recorded/ref
done

form '"names": "must", "order": "must", "extra": "must", "rows": "must", "mode": "must", "types": "must"'
check "must: other names fail" says fail tumble $cases/tumble_ok_alias
check "must: a batch run fails" says fail tumble $cases/tumble_batch
check "must: another order of columns fails" says fail tumble $cases/tumble_ok_column_order
check "must: a column more fails" says fail tumble $cases/tumble_ok_window_time
check "must: another order of rows fails" says fail tvf $cases/tvf_order_by_ts
check "must: what is as asked passes" says pass tvf $recorded/ref

# One column taken out of a right output, as a learner's SELECT may leave it out.
without_last()
{
	mkdir -p "$work/less"
	sed -E 's/\|[^|]*\|$/|/; s/\+-+\+$/+/' "$1" >"$work/less/$2"
}
without_last $recorded/ref/tumble.out tumble.out
form '"missing": "asked"'
check "missing asked: one column less is partial" says partial tumble "$work/less"
check "and its name is not told, which nobody gave the learner" test -z "$(grep total "$work/said")"
form '"missing": "asked", "names": "asked"'
check "names asked as well: it is partial all the same" says partial tumble "$work/less"
check "and named" grep -q 'missing: total' "$work/said"
form '"missing": "free"'
check "missing free: one column less passes" says pass tumble "$work/less"
form ''
check "nothing said: one column less fails" says fail tumble "$work/less"

# A look at something else stands beside the answer, in one run: everything up to the first one's closing
# lines, and the other one's from its own query on.
form ''
in_one_run()
{
	mkdir -p "$work/both"
	sed '/^Shutting down/,$d' "$1" >"$work/both/$3"
	sed '1,/^>   .format. = /d' "$2" >>"$work/both/$3"
}
in_one_run $cases/tumble_ok_alias/tumble.out $recorded/ref/shop.out tumble.out
check "the answer under other names before a finer query" says pass tumble "$work/both"
in_one_run $recorded/ref/shop.out $cases/tumble_ok_alias/tumble.out tumble.out
check "and behind it" says pass tumble "$work/both"
in_one_run $recorded/ref/tumble.out $recorded/ref/shop.out tumble.out
check "the answer under the asked names before a finer query" says pass tumble "$work/both"
in_one_run $recorded/ref/tumble.out $cases/tumble_sum_id/tumble.out tumble.out
check "two attempts with the same columns: nobody knows which is meant" says cannot-tell tumble "$work/both"

# Steps that build on others.
mkdir "$work/after"
cp $recorded/ref/shop.out $recorded/ref/topshop.out "$work/after"
sed -i '/campus/d' "$work/after/topshop.out"
form ''
check "a wrong step on a right one fails" says fail topshop "$work/after"
cp $cases/shop_item/shop.out "$work/after"
check "a wrong step on a wrong one cannot be told" says cannot-tell topshop "$work/after"
check "and the other one is named" grep -q 'builds on shop.out' "$work/said"
check "what was found stands there too" grep -q 'campus\|is missing' "$work/said"
cp $recorded/ref/topshop.out "$work/after"
check "a right step on a wrong one passes" says pass topshop "$work/after"
rm "$work/after/shop.out"
check "a right step on none passes" says pass topshop "$work/after"
sed -i '/campus/d' "$work/after/topshop.out"
check "a wrong step on none fails" says fail topshop "$work/after"

# Refusals.
mkdir "$work/refused"
sed 's/600000 ms/700000 ms/' $recorded/ref/errors_hop.out >"$work/refused/errors_hop.out"
check "the same rule with other numbers is partial" says partial errors_hop "$work/refused"
grep -a -o 'HOP table.*600000 ms' $recorded/ref/errors_hop.out >"$work/refused/errors_hop.out"
check "the message alone is partial" says partial errors_hop "$work/refused"
grep -a 'HOP table' $recorded/ref/errors_hop.out >"$work/refused/errors_hop.out"
check "so is its line" says partial errors_hop "$work/refused"
cp $recorded/ref/errors_cumulate.out "$work/refused/errors_hop.out"
check "another refusal fails" says fail errors_hop "$work/refused"
sed 's/TableException/ValidationException/' $recorded/ref/errors_hop.out >"$work/refused/errors_hop.out"
check "the class of the exception may be another one" says pass errors_hop "$work/refused"
finish
