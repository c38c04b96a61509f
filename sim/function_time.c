/* Functions between times and texts. A text that is no time is NULL, not an error.
 * Recorded: more_sim/scalar_time, more_sim/batch_string_start, more_sim/late_ok_unix,
 * watermark/more/w5_ok_computed_ts. */
#include "sim/function.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "sim/cast_text.h"
#include "sim/time_pattern.h"

/* A letter that Java does not know fails where the job runs. */
static bool check_pattern(const struct call *call, struct text pattern)
{
	char unknown = time_pattern_unknown(pattern);
	struct text fault;

	if (!unknown) {
		call->eval->beyond |= !time_pattern_known(pattern);
		return !call->eval->beyond;
	}
	fault = text_format(call->expr->scratch->arena,
		"java.lang.IllegalArgumentException: Unknown pattern letter: %c", unknown);
	call->eval->fault = fault.ptr;
	call->eval->beyond |= !fault.ptr;
	return false;
}

static void apply_date_format(const struct call *call, struct value *ret)
{
	struct text pattern = call->args[1].s;

	if (!check_pattern(call, pattern))
		return;
	call->eval->beyond |= !time_pattern_format(call_begin(call), pattern, &call->args[0]);
	call_end(call, ret);
}

static void apply_to_timestamp(const struct call *call, struct value *ret)
{
	static const struct sql_type type = {.kind = SQL_TIMESTAMP, .precision = 3};
	int64_t time_ms = 0;
	int err;

	if (call->count == 1) {
		err = cast_text(call->args[0].s, &type, ret);
	} else {
		if (!check_pattern(call, call->args[1].s))
			return;
		err = time_pattern_parse(call->args[1].s, call->args[0].s, &time_ms);
		ret->i = time_ms;
	}
	call->eval->beyond |= err == -ENOTSUP;
	ret->null = err == -EINVAL;
}

static void apply_to_date(const struct call *call, struct value *ret)
{
	static const struct sql_type type = {.kind = SQL_DATE};
	int err = cast_text(call->args[0].s, &type, ret);

	call->eval->beyond |= err == -ENOTSUP;
	ret->null = err == -EINVAL;
}

const struct function time_functions[] = {
	{"DATE_FORMAT", "Tt", RESULT_STRING, NULL_ALWAYS, apply_date_format, NULL,
		"<TIMESTAMP>, <CHARACTER>|<CHARACTER>, <CHARACTER>"},
	{"TO_DATE", "t", RESULT_DATE, NULL_ALWAYS, apply_to_date, NULL, NULL},
	{"TO_TIMESTAMP", "t?t", RESULT_TIMESTAMP, NULL_ALWAYS, apply_to_timestamp, NULL, NULL},
	{0},
};
