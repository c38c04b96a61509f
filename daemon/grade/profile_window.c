/* A window function's arguments: its lengths, by their names or places, and whose pauses a
 * SESSION follows. */
#include "daemon/grade/following.h"
#include "sim/delay.h"
#include "sim/plan_window.h"

static bool take_interval(const struct sql_expr *arg, int64_t *ret)
{
	return !arg || interval_ms_of(arg, ret);
}

/* The lengths of a window by the names of its arguments, or by place from `first` on. */
void take_sizes(struct profile_window *window, const struct sql_expr *call, size_t first)
{
	bool hop = text_eq(window->kind, TEXT("HOP")),
	     session = text_eq(window->kind, TEXT("SESSION"));
	bool two = hop || text_eq(window->kind, TEXT("CUMULATE"));
	struct text size = session ? TEXT("GAP") : TEXT("SIZE");
	const struct sql_expr *arg = window_argument(call, size, first + two);

	window->sizes_known = arg && take_interval(arg, &window->size_ms);
	if (two) {
		arg = window_argument(call, hop ? TEXT("SLIDE") : TEXT("STEP"), first);
		window->sizes_known &= arg && take_interval(arg, &window->step_ms);
	}
	if (!session)
		window->sizes_known &= take_interval(
			window_argument(call, TEXT("OFFSET"), first + two + 1), &window->offset_ms);
}

void take_partition(
	struct following *f, const struct relation *relation, const struct sql_expr *data)
{
	struct profile_window *window = &f->profile->window;

	window->partitioned = data->partition_count > 0;
	for (size_t i = 0; i < data->partition_count; i++)
		add_term(f, &window->partition, expand(f, relation, data->partition[i]));
}
