/* SQL intervals: their units, and what a number in them amounts to.
 *
 * The rules are those of standard SQL as Flink checks them: the first field has at most as many
 * digits as the precision says, two where it says nothing (recorded:
 * semantics/errors_interval_precision); those behind it stay below the next larger unit; seconds
 * may have a fraction, of which milliseconds count (recorded: format/stmt_describe_watermarks).
 * An interval without quotes is a number times the unit and has no such limit. */
#include "parser/sql_node.h"

#include <errno.h>
#include <string.h>

#define DEFAULT_PRECISION 2

/* Units from large to small. The separator is what stands in front of the field in a range. */
static const struct unit {
	const char *name, *plural;
	int64_t size;  /* in months or ms */
	int64_t bound; /* as a later field: must be below */
	bool months;
	char separator;
} units[] = {
	{"YEAR", "YEARS", 12, 0, true, 0},
	{"QUARTER", "QUARTERS", 3, 0, true, 0},
	{"MONTH", "MONTHS", 1, 12, true, '-'},
	{"WEEK", "WEEKS", 604800000, 0, false, 0},
	{"DAY", "DAYS", 86400000, 0, false, 0},
	{"HOUR", "HOURS", 3600000, 24, false, ' '},
	{"MINUTE", "MINUTES", 60000, 60, false, ':'},
	{"SECOND", "SECONDS", 1000, 60, false, ':'},
};

#define UNITS  (sizeof(units) / sizeof(units[0]))
#define MONTH  2
#define SECOND (UNITS - 1)

/* Index of the unit, UNITS where it is none. */
static size_t find_unit(struct text word)
{
	for (size_t i = 0; i < UNITS; i++)
		if (text_ieq(word, text_of(units[i].name)) ||
			text_ieq(word, text_of(units[i].plural)))
			return i;
	return UNITS;
}

struct text sql_unit_name(struct text word)
{
	size_t unit = find_unit(word);

	return unit < UNITS ? text_of(units[unit].name) : word;
}

bool sql_range_is_months(const struct sql_range *range)
{
	return find_unit(range->start.word) <= MONTH;
}

struct sql_type sql_interval_type(const struct sql_range *range)
{
	return (struct sql_type){
		.kind = sql_range_is_months(range) ? SQL_INTERVAL_MONTH : SQL_INTERVAL_DAY,
		.not_null = true,
	};
}

/* Cuts the digits off *rest. 0; -EINVAL: there are none; -ERANGE: more than `most`. */
static int take_digits(struct text *rest, size_t most, int64_t *ret)
{
	size_t len = 0;
	int64_t number;
	int err;

	while (len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9')
		len++;
	if (len > most)
		return -ERANGE;
	err = text_to_int64(text_slice(*rest, 0, len), &number);
	if (err)
		return err;
	*ret = number;
	*rest = text_slice(*rest, len, rest->len);
	return 0;
}

/* The milliseconds of ".25", cut off *rest where a fraction stands there. */
static int take_fraction(struct text *rest, int64_t *ret_ms)
{
	int64_t weight = 100, ms = 0;
	size_t len = 1;

	if (!rest->len || rest->ptr[0] != '.')
		return 0;
	for (; len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9'; len++) {
		ms += weight * (rest->ptr[len] - '0');
		weight /= 10;
	}
	if (len == 1)
		return -EINVAL;
	*ret_ms = ms;
	*rest = text_slice(*rest, len, rest->len);
	return 0;
}

static size_t precision(const struct sql_interval *interval, const struct sql_unit *unit)
{
	if (interval->unquoted)
		return SIZE_MAX;
	return unit->precision < 0 ? DEFAULT_PRECISION : (size_t)unit->precision;
}

/* Adds the fields from unit `first` to unit `last`, cut off *rest. */
static int take_fields(struct text *rest, size_t first, size_t last, size_t most, int64_t *sum)
{
	int64_t field, ms = 0;
	int err;

	for (size_t unit = first; unit <= last; unit++) {
		if (units[unit].size == 0 || (unit > first && !units[unit].separator))
			continue;
		if (unit > first) {
			if (!rest->len || rest->ptr[0] != units[unit].separator)
				return -EINVAL;
			*rest = text_slice(*rest, 1, rest->len);
		}
		err = take_digits(rest, unit == first ? most : 2, &field);
		if (err)
			return err;
		if (unit > first && field >= units[unit].bound)
			return -EINVAL;
		if (__builtin_mul_overflow(field, units[unit].size, &field) ||
			__builtin_add_overflow(*sum, field, sum))
			return -ERANGE;
	}
	if (last == SECOND) {
		err = take_fraction(rest, &ms);
		if (err)
			return err;
	}
	return __builtin_add_overflow(*sum, ms, sum) ? -ERANGE : 0;
}

int sql_interval_value(
	const struct sql_interval *interval, const struct sql_range *range, int64_t *ret)
{
	size_t first = find_unit(range->start.word);
	size_t last = range->end.word.len ? find_unit(range->end.word) : first;
	struct text rest = interval->number;
	bool negative = interval->negative;
	int64_t sum = 0;
	int err;

	/* A range goes from a unit to a smaller one of the same kind, which follows a field. */
	if (first >= UNITS || last >= UNITS || first > last)
		return -EINVAL;
	if (first < last && (!units[last].separator || units[first].months != units[last].months))
		return -EINVAL;
	if (!interval->unquoted && rest.len && (rest.ptr[0] == '-' || rest.ptr[0] == '+')) {
		negative ^= rest.ptr[0] == '-';
		rest = text_slice(rest, 1, rest.len);
	}
	err = take_fields(&rest, first, last, precision(interval, &range->start), &sum);
	if (err)
		return err;
	if (rest.len)
		return -EINVAL;
	*ret = negative ? -sum : sum;
	return 0;
}
