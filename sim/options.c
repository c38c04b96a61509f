/* Options of a session, and durations as org.apache.flink.util.TimeUtils reads them.
 * Recorded: semantics/edge_mode_interval_unit, semantics/errors_mode_interval_wrong,
 * watermark/mistakes/slow_ok_1h_nospace, slow_ok_1_hour, slow_ok_1d, slow_interval_neg. */
#include "sim/options.h"

#include <errno.h>

#include "parser/arena.h"

static struct option *find(const struct options *options, struct text key)
{
	struct option *option = options->first;

	while (option && !text_eq(option->key, key))
		option = option->next;
	return option;
}

int options_set(struct options *options, struct text key, struct text value)
{
	struct option *option = find(options, key), **end = &options->first;
	struct text copy = text_copy(options->arena, value);

	if (!copy.ptr)
		return -ENOMEM;
	if (!option) {
		option = ARENA_NEW(options->arena, struct option);
		if (!option)
			return -ENOMEM;
		option->key = text_copy(options->arena, key);
		if (!option->key.ptr)
			return -ENOMEM;
		while (*end)
			end = &(*end)->next;
		*end = option;
		options->count++;
	}
	option->value = copy;
	option->is_set = true;
	return 0;
}

void options_reset(struct options *options, struct text key)
{
	for (struct option *option = options->first; option; option = option->next)
		if (!key.len || text_eq(option->key, key))
			option->is_set = false;
}

struct text options_get(const struct options *options, const char *key, const char *otherwise)
{
	const struct option *option = find(options, text_of(key));

	return option && option->is_set ? option->value : text_of(otherwise);
}

bool options_true(const struct options *options, const char *key)
{
	return text_ieq(text_trim(options_get(options, key, "false")), TEXT("true"));
}

struct unit {
	struct text name;
	int64_t width_ms;
};

/* A label or its plural, in any case; units below the millisecond are cut to it. */
static int unit_width(struct text label, int64_t *ret_ms)
{
	static const struct unit units[] = {{{"", 0}, 1}, {{"ms", 2}, 1}, {{"milli", 5}, 1},
		{{"millis", 6}, 1}, {{"millisecond", 11}, 1}, {{"milliseconds", 12}, 1},
		{{"s", 1}, 1000}, {{"sec", 3}, 1000}, {{"secs", 4}, 1000}, {{"second", 6}, 1000},
		{{"seconds", 7}, 1000}, {{"m", 1}, 60000}, {{"min", 3}, 60000},
		{{"minute", 6}, 60000}, {{"minutes", 7}, 60000}, {{"h", 1}, 3600000},
		{{"hour", 4}, 3600000}, {{"hours", 5}, 3600000}, {{"d", 1}, 86400000},
		{{"day", 3}, 86400000}, {{"days", 4}, 86400000}};

	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (text_ieq(label, units[i].name)) {
			*ret_ms = units[i].width_ms;
			return 0;
		}
	return -ENOTSUP;
}

/* Cuts the digits off the front of *rest. */
static int leading_number(struct text *rest, int64_t *ret)
{
	size_t len = 0;
	int err;

	while (len < rest->len && rest->ptr[len] >= '0' && rest->ptr[len] <= '9')
		len++;
	err = text_to_int64(text_slice(*rest, 0, len), ret);
	*rest = text_slice(*rest, len, rest->len);
	return err == -ERANGE ? -ENOTSUP : err;
}

/* PT1H30M5S, P1D: the ISO-8601 spelling, whole numbers only. */
static int iso_duration(struct text rest, int64_t *ret_ms)
{
	int64_t total = 0, n, width;
	bool time = false;

	while (rest.len) {
		if (rest.ptr[0] == 'T' || rest.ptr[0] == 't') {
			time = true;
			rest = text_slice(rest, 1, rest.len);
			continue;
		}
		if (leading_number(&rest, &n) < 0 || !rest.len)
			return -ENOTSUP;
		if (!time && !text_ieq(text_slice(rest, 0, 1), TEXT("d")))
			return -ENOTSUP;
		if (unit_width(text_slice(rest, 0, 1), &width) < 0 ||
			__builtin_mul_overflow(n, width, &n) ||
			__builtin_add_overflow(total, n, &total))
			return -ENOTSUP;
		rest = text_slice(rest, 1, rest.len);
	}
	*ret_ms = total;
	return 0;
}

int duration_parse(struct text text, int64_t *ret_ms)
{
	struct text rest = text_trim(text);
	int64_t n, width;
	int err;

	if (rest.len > 1 && (rest.ptr[0] == 'P' || rest.ptr[0] == 'p'))
		return iso_duration(text_slice(rest, 1, rest.len), ret_ms);
	if (!rest.len || rest.ptr[0] < '0' || rest.ptr[0] > '9')
		return -EINVAL;
	err = leading_number(&rest, &n);
	if (err == 0)
		err = unit_width(text_trim(rest), &width);
	if (err == 0 && __builtin_mul_overflow(n, width, &n))
		err = -ENOTSUP;
	if (err == 0)
		*ret_ms = n;
	return err;
}

struct text duration_bad_label(struct text text)
{
	static const char *const small[] = {"us", "micro", "micros", "microsecond", "microseconds",
		"ns", "nano", "nanos", "nanosecond", "nanoseconds"};
	struct text label = text_trim(text);
	int64_t number, width;
	bool sure = leading_number(&label, &number) == 0;

	label = text_trim(label);
	for (size_t i = 0; i < label.len; i++)
		sure &= label.ptr[i] >= 'a' && label.ptr[i] <= 'z';
	for (size_t i = 0; i < sizeof(small) / sizeof(*small); i++)
		sure &= !text_eq(label, text_of(small[i]));
	return sure && unit_width(label, &width) < 0 ? label : TEXT("");
}

bool options_batch(const struct options *options)
{
	return text_ieq(options_get(options, "execution.runtime-mode", "streaming"), TEXT("batch"));
}

int64_t options_interval_ms(const struct options *options)
{
	int64_t interval_ms = 200;

	duration_parse(
		options_get(options, "pipeline.auto-watermark-interval", "200 ms"), &interval_ms);
	return interval_ms;
}
