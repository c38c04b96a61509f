/* What a story shows, as a command line says it. */
#include <errno.h>

#include "parser/calendar.h"
#include "sim/explain.h"
#include "sim/story_row.h"

bool story_only(struct text name, unsigned *ret)
{
	for (int kind = 0; kind < ROW_KINDS; kind++)
		if (text_eq(name, text_of(row_kind_name(kind)))) {
			*ret |= 1u << kind;
			return true;
		}
	if (!text_eq(name, TEXT("late")))
		return false;
	*ret |= ONLY_LATE;
	return true;
}

/* "2026-07-06 " or "2026-07-06T", and its days since 1970. */
static bool cut_day(struct text *rest, int64_t *ret)
{
	struct civil_day civil = {0};
	int year;

	if (!calendar_digits(rest, 4, &year) || !text_cut_char(rest, '-') ||
		!calendar_digits(rest, 2, &civil.month) || !text_cut_char(rest, '-') ||
		!calendar_digits(rest, 2, &civil.day))
		return false;
	civil.year = year;
	if (civil.month < 1 || civil.month > 12 || civil.day < 1 ||
		civil.day > calendar_month_days(year, civil.month))
		return false;
	*ret = calendar_days(civil);
	return text_cut_char(rest, ' ') || text_cut_char(rest, 'T');
}

/* "09:01", "09:01:30", "09:01:30.5" to the end of the text. */
static bool time_of_day(struct text rest, int64_t *ret)
{
	int hour, minute, second = 0, nanos = 0;
	bool dropped;

	if (!calendar_digits(&rest, 2, &hour) || !text_cut_char(&rest, ':') ||
		!calendar_digits(&rest, 2, &minute))
		return false;
	if (text_cut_char(&rest, ':') && !calendar_digits(&rest, 2, &second))
		return false;
	if (text_cut_char(&rest, '.') && !calendar_fraction(&rest, &nanos, &dropped))
		return false;
	*ret = hour * MS_PER_HOUR + minute * MS_PER_MINUTE + second * MS_PER_SECOND +
	       nanos / NANOS_PER_MS;
	return rest.len == 0 && hour < 24 && minute < 60 && second < 60;
}

bool story_start(struct text text, struct start_wanted *ret)
{
	struct start_wanted start = {.set = true};
	int64_t day = 0, ms;

	start.has_day = text.len > 4 && text.ptr[4] == '-';
	if (start.has_day && !cut_day(&text, &day))
		return false;
	if (!time_of_day(text, &ms))
		return false;
	start.ms = day * MS_PER_DAY + ms;
	*ret = start;
	return true;
}

bool story_start_matches(const struct start_wanted *wanted, int64_t start_ms)
{
	int64_t ms_of_day;

	if (wanted->has_day)
		return start_ms == wanted->ms;
	calendar_split_ms(start_ms, &ms_of_day);
	return ms_of_day == wanted->ms;
}

int explain_option(struct explain *explain, int letter, const char *value)
{
	int64_t number;

	switch (letter) {
	case EXPLAIN_ONLY: return story_only(text_of(value), &explain->story.only) ? 1 : -EINVAL;
	case EXPLAIN_WINDOW:
		return story_start(text_of(value), &explain->story.start) ? 1 : -EINVAL;
	case EXPLAIN_ROW:
	case EXPLAIN_SELECT: break;
	default: return 0;
	}
	if (text_to_int64(text_of(value), &number) < 0 || number < 1)
		return -EINVAL;
	*(letter == EXPLAIN_ROW ? &explain->story.row : &explain->select) = number;
	return 1;
}

bool explain_narrowed(const struct explain *explain)
{
	const struct story_options *story = &explain->story;

	return story->only || story->row || story->start.set || explain->select;
}
