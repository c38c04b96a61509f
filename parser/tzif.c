/* TZif: a header and data of 32 bits, which are passed over, the same in 64 bits, and a line that
 * says how clocks change from then on: "CET-1CEST,M3.5.0,M10.5.0/3" (RFC 8536; POSIX, TZ). Names
 * of zones and leap seconds are left out. All sizes are checked before anything is read by
 * them. */
#include "parser/tzif.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"

#define HEADER	     44
#define COUNTS_AT    20
#define TIME_SIZE    8
#define TYPE_SIZE    6
#define LEAP_SIZE    12
#define LEAP_SIZE_32 8
#define TIME_SIZE_32 4

/* POSIX: the change is at two o'clock where no time is written. */
#define DEFAULT_TIME_S 7200

/* One hour ahead, where the offset of summer time is not written. */
#define SUMMER_S 3600

struct tzif_counts {
	uint32_t ut, standard, leaps, changes, types, letters;
};

static int not_tzif(struct diag *reterr)
{
	return diag_set(reterr, -EINVAL, 0, 0, "It is no file of the tz database of version 2.");
}

static uint64_t big_endian(const char *bytes, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++)
		number = number << 8 | (unsigned char)bytes[i];
	return number;
}

/* Cuts a header off *rest. */
static bool cut_header(struct text *rest, struct tzif_counts *ret)
{
	const char *counts = rest->ptr + COUNTS_AT;

	if (rest->len < HEADER || !text_starts(*rest, TEXT("TZif")) || rest->ptr[4] < '2')
		return false;
	ret->ut = (uint32_t)big_endian(counts, 4);
	ret->standard = (uint32_t)big_endian(counts + 4, 4);
	ret->leaps = (uint32_t)big_endian(counts + 8, 4);
	ret->changes = (uint32_t)big_endian(counts + 12, 4);
	ret->types = (uint32_t)big_endian(counts + 16, 4);
	ret->letters = (uint32_t)big_endian(counts + 20, 4);
	*rest = text_slice(*rest, HEADER, rest->len);
	return true;
}

/* Bytes of the data behind a header. Counts of 32 bits cannot overflow it. */
static uint64_t data_size(const struct tzif_counts *counts, uint64_t time_size, uint64_t leap_size)
{
	return counts->changes * (time_size + 1) + counts->types * (uint64_t)TYPE_SIZE +
	       counts->letters + counts->leaps * leap_size + counts->standard + counts->ut;
}

/* Offsets of a day and a bit are the widest that clocks have. */
static bool read_offset(const char *types, uint32_t count, uint32_t type, int32_t *ret)
{
	if (type >= count)
		return false;
	*ret = (int32_t)big_endian(types + (size_t)type * TYPE_SIZE, 4);
	return *ret > -90000 && *ret < 90000;
}

static int read_changes(
	struct arena *arena, const char *data, const struct tzif_counts *counts, struct zone *zone)
{
	const char *indexes = data + (size_t)counts->changes * TIME_SIZE;
	const char *types = indexes + counts->changes;
	struct zone_change *changes = arena_array(arena, counts->changes + 1, sizeof(*changes));

	if (!changes)
		return -ENOMEM;
	if (!read_offset(types, counts->types, 0, &zone->first_offset_s))
		return -EINVAL;
	for (uint32_t i = 0; i < counts->changes; i++) {
		changes[i].at_s = (int64_t)big_endian(data + (size_t)i * TIME_SIZE, TIME_SIZE);
		if (i && changes[i].at_s <= changes[i - 1].at_s)
			return -EINVAL;
		if (!read_offset(
			    types, counts->types, (unsigned char)indexes[i], &changes[i].offset_s))
			return -EINVAL;
	}
	zone->changes = changes;
	zone->change_count = counts->changes;
	return 0;
}

/* Digits of a number up to `most`. */
static bool cut_number(struct text *rest, int most, int *ret)
{
	size_t len = 0;
	int number = 0;

	for (; len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9'; len++) {
		number = number * 10 + (rest->ptr[len] - '0');
		if (number > most)
			return false;
	}
	*rest = text_slice(*rest, len, rest->len);
	*ret = number;
	return len > 0;
}

/* [+-]hh[:mm[:ss]] */
static bool cut_clock(struct text *rest, int32_t *ret_s)
{
	bool negative = text_cut_char(rest, '-');
	int hour, minute = 0, second = 0;

	if (!negative)
		text_cut_char(rest, '+');
	if (!cut_number(rest, 167, &hour))
		return false;
	if (text_cut_char(rest, ':') && !cut_number(rest, 59, &minute))
		return false;
	if (text_cut_char(rest, ':') && !cut_number(rest, 59, &second))
		return false;
	*ret_s = hour * 3600 + minute * 60 + second;
	if (negative)
		*ret_s = -*ret_s;
	return true;
}

/* Letters, or anything in <>. */
static bool cut_name(struct text *rest)
{
	size_t len = 0;

	if (text_cut_char(rest, '<')) {
		len = text_find(*rest, TEXT(">"));
		*rest = text_slice(*rest, len + 1, rest->len);
		return len > 0;
	}
	while (len < rest->len && ((rest->ptr[len] | 32) >= 'a' && (rest->ptr[len] | 32) <= 'z'))
		len++;
	*rest = text_slice(*rest, len, rest->len);
	return len > 0;
}

static bool cut_day(struct text *rest, struct zone_rule *rule)
{
	if (text_cut_char(rest, 'J')) {
		rule->kind = ZONE_JULIAN;
		return cut_number(rest, 365, &rule->day) && rule->day > 0;
	}
	if (!text_cut_char(rest, 'M')) {
		rule->kind = ZONE_DAY_OF_YEAR;
		return cut_number(rest, 365, &rule->day);
	}
	rule->kind = ZONE_MONTH_DAY;
	return cut_number(rest, 12, &rule->month) && rule->month > 0 && text_cut_char(rest, '.') &&
	       cut_number(rest, 5, &rule->week) && rule->week > 0 && text_cut_char(rest, '.') &&
	       cut_number(rest, 6, &rule->day);
}

static bool cut_rule(struct text *rest, struct zone_rule *rule)
{
	rule->time_s = DEFAULT_TIME_S;
	if (!text_cut_char(rest, ',') || !cut_day(rest, rule))
		return false;
	return !text_cut_char(rest, '/') || cut_clock(rest, &rule->time_s);
}

/* The line behind the data. Without summer time the last change holds for ever, and says the
 * same. */
static bool read_footer(struct text line, struct zone *zone)
{
	struct zone_rule *summer = &zone->rules[0], *winter = &zone->rules[1];
	int32_t west_s;

	if (!line.len)
		return true;
	if (!cut_name(&line) || !cut_clock(&line, &west_s))
		return false;
	winter->offset_s = -west_s;
	if (!zone->change_count)
		zone->first_offset_s = -west_s;
	if (!line.len)
		return true;
	summer->offset_s = winter->offset_s + SUMMER_S;
	if (!cut_name(&line))
		return false;
	if (line.len && line.ptr[0] != ',') {
		if (!cut_clock(&line, &west_s))
			return false;
		summer->offset_s = -west_s;
	}
	zone->has_rules = cut_rule(&line, summer) && cut_rule(&line, winter) && !line.len;
	return zone->has_rules;
}

/* Cuts the line between two newlines. */
static bool cut_line(struct text *rest, struct text *ret)
{
	size_t end;

	if (!text_cut_char(rest, '\n'))
		return false;
	end = text_find(*rest, TEXT("\n"));
	*ret = text_slice(*rest, 0, end);
	return end < rest->len;
}

int tzif_read(struct arena *arena, struct text bytes, struct zone *ret, struct diag *reterr)
{
	struct tzif_counts counts;
	struct zone zone = {0};
	struct text rest = bytes, line;
	uint64_t size;
	int err;

	if (!cut_header(&rest, &counts))
		return not_tzif(reterr);
	size = data_size(&counts, TIME_SIZE_32, LEAP_SIZE_32);
	if (size > rest.len)
		return not_tzif(reterr);
	rest = text_slice(rest, size, rest.len);
	if (!cut_header(&rest, &counts))
		return not_tzif(reterr);
	size = data_size(&counts, TIME_SIZE, LEAP_SIZE);
	if (size > rest.len)
		return not_tzif(reterr);
	err = read_changes(arena, rest.ptr, &counts, &zone);
	if (err == -ENOMEM)
		return diag_nomem(reterr);
	rest = text_slice(rest, size, rest.len);
	if (err < 0 || !cut_line(&rest, &line) || !read_footer(line, &zone))
		return not_tzif(reterr);
	*ret = zone;
	return 0;
}
