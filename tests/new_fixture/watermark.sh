# shellcheck shell=sh
# The report of the watermark lab, from saved outputs: sum and rows are of test_new_fixture.sh.
report()
{
	total=$(sum batch 1 cnt)
	cat <<-EOF
	{"total_rows": $total,
	 "dropped_0": $((total - $(sum sweep 1 cnt))),
	 "dropped_5": $((total - $(sum w5 1 cnt))),
	 "dropped_30": $((total - $(sum sweep 2 cnt))),
	 "late_rows_5": $(rows late 1),
	 "dropped_slow": $((total - $(sum slow 1 cnt)))}
	EOF
}
