/* Time zones: what clocks show. Where they change, java.time's rules decide: a local time that
 * exists twice is the earlier of both, one that is skipped lies as far behind the change as it
 * stands in the gap. Flink takes an id where java.util.TimeZone and java.time.ZoneId agree about
 * it: so "GMT+8", but neither "UTC+8" nor "Z". */
#include "parser/zone.h"

#include "parser/calendar.h"

#define S_PER_DAY    86400
#define S_PER_HOUR   3600
#define S_PER_MINUTE 60
#define DAYS_OF_WEEK 7
#define THURSDAY     4 /* 1970-01-01 */
#define NAME_MOST    64
#define OFFSET_HOURS 18
#define LAST_WEEK    5
#define FEBRUARY_END 59 /* days before 1 March, without a leap day */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* Days since the epoch of the rule's day in that year. */
static int64_t rule_day(const struct zone_rule *rule, int64_t year)
{
	int64_t first = calendar_days((struct civil_day){year, 1, 1}), weekday, day;
	bool leap = calendar_month_days(year, 2) == 29;

	if (rule->kind == ZONE_DAY_OF_YEAR)
		return first + rule->day;
	if (rule->kind == ZONE_JULIAN)
		return first + rule->day - 1 + (leap && rule->day > FEBRUARY_END);
	first = calendar_days((struct civil_day){year, rule->month, 1});
	weekday = (first + THURSDAY) % DAYS_OF_WEEK;
	if (weekday < 0)
		weekday += DAYS_OF_WEEK;
	day = (rule->day - weekday + DAYS_OF_WEEK) % DAYS_OF_WEEK + (rule->week - 1) * DAYS_OF_WEEK;
	if (rule->week == LAST_WEEK && day >= calendar_month_days(year, rule->month))
		day -= DAYS_OF_WEEK;
	return first + day;
}

/* Second of the change that rules[i] makes in that year; the other rule's offset is in force
 * before it. */
static int64_t rule_change_s(const struct zone *zone, int i, int64_t year)
{
	return rule_day(&zone->rules[i], year) * S_PER_DAY + zone->rules[i].time_s -
	       zone->rules[1 - i].offset_s;
}

static int32_t rule_offset_s(const struct zone *zone, int64_t epoch_s)
{
	int64_t local_s = epoch_s + zone->rules[0].offset_s;
	int64_t year = calendar_civil(floor_div(local_s, S_PER_DAY)).year;
	int64_t change_s[] = {rule_change_s(zone, 0, year), rule_change_s(zone, 1, year)};
	int last = change_s[1] > change_s[0];

	if (epoch_s >= change_s[last])
		return zone->rules[last].offset_s;
	if (epoch_s >= change_s[1 - last])
		return zone->rules[1 - last].offset_s;
	return zone->rules[last].offset_s;
}

int32_t zone_offset_s(const struct zone *zone, int64_t epoch_s)
{
	size_t low = 0, high = zone->change_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (zone->changes[middle].at_s <= epoch_s)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == zone->change_count && zone->has_rules)
		return rule_offset_s(zone, epoch_s);
	return low ? zone->changes[low - 1].offset_s : zone->first_offset_s;
}

int64_t zone_local_ms(const struct zone *zone, int64_t epoch_ms)
{
	if (!zone)
		return epoch_ms;
	return epoch_ms + zone_offset_s(zone, floor_div(epoch_ms, MS_PER_SECOND)) * MS_PER_SECOND;
}

int64_t zone_epoch_ms(const struct zone *zone, int64_t local_ms)
{
	int64_t local_s = floor_div(local_ms, MS_PER_SECOND);
	int32_t before, after;

	if (!zone)
		return local_ms;
	before = zone_offset_s(zone, local_s - S_PER_DAY);
	after = zone_offset_s(zone, local_s + S_PER_DAY);
	if (zone_offset_s(zone, local_s - before) != before &&
		zone_offset_s(zone, local_s - after) == after)
		before = after;
	return local_ms - before * MS_PER_SECOND;
}

/* "8", "08", "0800" or "08:00"; -1 where it is none of these. */
static int fixed_offset_s(struct text text)
{
	int hour, minute = 0;
	bool colon;

	if (text.len == 1 && calendar_digits(&text, 1, &hour))
		return hour * S_PER_HOUR;
	if (!calendar_digits(&text, 2, &hour))
		return -1;
	colon = text_cut_char(&text, ':');
	if ((colon || text.len) && !calendar_digits(&text, 2, &minute))
		return -1;
	if (text.len || minute > 59 || hour * 60 + minute > OFFSET_HOURS * 60)
		return -1;
	return hour * S_PER_HOUR + minute * S_PER_MINUTE;
}

bool zone_fixed(struct text name, struct zone *ret)
{
	struct text rest = text_slice(name, 3, name.len);
	bool negative;
	int offset_s = 0;

	if (!text_starts(name, TEXT("GMT")) && !text_eq(name, TEXT("UTC")))
		return false;
	if (rest.len && !text_eq(rest, TEXT("0"))) {
		negative = text_cut_char(&rest, '-');
		if (!negative && !text_cut_char(&rest, '+'))
			return false;
		offset_s = fixed_offset_s(rest);
		if (offset_s < 0)
			return false;
		offset_s = negative ? -offset_s : offset_s;
	}
	*ret = (struct zone){.first_offset_s = offset_s};
	return true;
}

bool zone_name_valid(struct text name)
{
	if (!name.len || name.len > NAME_MOST || name.ptr[0] == '/')
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (!text_is_word(name.ptr[i]) && name.ptr[i] != '/' && name.ptr[i] != '+' &&
			name.ptr[i] != '-')
			return false;
	return true;
}
