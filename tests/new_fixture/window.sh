# shellcheck shell=sh
# The report of the window lab, from saved outputs: sum, rows and cells are of test_new_fixture.sh.

# The longest session: both ends are on one day, so that the times of day tell.
longest()
{
	cells session 1 window_start >"$work/starts"
	cells session 1 window_end | paste -d' ' "$work/starts" - | awk '
		function seconds(time) { split(time, t, ":"); return t[1] * 3600 + t[2] * 60 + t[3] }
		{ length_s = seconds($4) - seconds($2); if (length_s > most) most = length_s }
		END { print most }'
}

report()
{
	first=$(cells cumulate 1 window_start | sort | head -1)
	cells cumulate 1 total >"$work/totals"
	cat <<-EOF
	{"total_orders": $(sum tumble 1 cnt),
	 "tumble_windows": $(rows tumble 1),
	 "shop_rows": $(rows shop 1),
	 "hop_cnt_sum": $(sum hop 1 cnt),
	 "cumulate_same_start": $(cells cumulate 1 window_start | grep -cF "$first"),
	 "first_hour_total": $(cells cumulate 1 window_start | paste -d'|' - "$work/totals" | sed -n "s/^$first|//p" | tail -1),
	 "sessions": $(rows session 1),
	 "longest_session_sec": $(longest),
	 "top2_total": $(sum topshop 1 total),
	 "top3_amount": $(sum toporder 1 amount)}
	EOF
}
