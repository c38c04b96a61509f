/* Refused windows: lengths that do not fit together or are no plain intervals, and windows of the
 * old spelling. */
#include "daemon/grade/refusal.h"
#include "parser/arena.h"

/* Lengths of a window function: of SESSION its gap is the size, TUMBLE and SESSION have no step. */
struct lengths {
	struct text kind;
	int64_t step, size, offset;
	bool known, shifted;
};

static bool has_step(struct text kind)
{
	return text_eq(kind, TEXT("HOP")) || text_eq(kind, TEXT("CUMULATE"));
}

bool refusal_is_window(struct text name)
{
	return text_ieq(name, TEXT("HOP")) || text_ieq(name, TEXT("CUMULATE")) ||
	       text_ieq(name, TEXT("TUMBLE")) || text_ieq(name, TEXT("SESSION"));
}

/* Which length an argument is: by its name, else by its place among the lengths. */
static int64_t *length_of(struct lengths *lengths, const struct sql_expr *arg, size_t place)
{
	static const struct {
		const char *name;
		size_t place;
	} names[] = {{"SLIDE", 0}, {"STEP", 0}, {"SIZE", 1}, {"GAP", 1}, {"OFFSET", 2}};
	int64_t *lengths_by_place[] = {&lengths->step, &lengths->size, &lengths->offset};

	if (!has_step(lengths->kind))
		place++;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (text_ieq(arg->arg_name, text_of(names[i].name)))
			place = names[i].place;
	lengths->shifted = lengths->shifted || place == 2;
	return place < 3 ? lengths_by_place[place] : NULL;
}

static bool see_window(const struct sql_expr *expr, void *ctx)
{
	struct lengths *lengths = ctx;
	size_t place = 0;

	if (expr->kind != EXPR_CALL || !refusal_is_window(expr->name))
		return true;
	*lengths = (struct lengths){.kind = expr->name};
	for (size_t i = 0; i < expr->arg_count; i++) {
		const struct sql_expr *arg = expr->args[i];
		int64_t *length;

		if (arg->kind != EXPR_INTERVAL)
			continue;
		length = length_of(lengths, arg, place++);
		if (length)
			*length = arg->value.i;
	}
	lengths->known = place > 0;
	return false;
}

static struct lengths find_lengths(const struct written *written, size_t before)
{
	struct lengths lengths = {0};

	for (size_t i = before; !lengths.known && i > 0; i--) {
		const struct sql_query *query = written_query(&written->items[i - 1]);

		if (query)
			query_walk(query, see_window, &lengths);
	}
	return lengths;
}

static void say_length(struct refusal *r, enum diagnosis_id id, int64_t ms)
{
	refusal_add(r, id, text_duration(r->arena, ms, ""));
}

/* "... size 300000 ms and slide 600000 ms": which of both is not the asked one, or both
 * exchanged. */
void refusal_lengths(struct refusal *r)
{
	size_t count = r->at < r->written.count ? r->at + 1 : r->written.count;
	struct lengths mine = find_lengths(&r->written, count);
	struct lengths asked = find_lengths(&r->asked, r->asked.count);

	if (!mine.known || !asked.known)
		return;
	if (mine.shifted && (!asked.shifted || mine.offset != asked.offset))
		say_length(r, DIAG_OFFSET, mine.offset);
	if (!text_eq(mine.kind, asked.kind)) {
		refusal_add(r, DIAG_WINDOW_KIND, mine.kind);
	} else if (has_step(mine.kind) && mine.step == asked.size && mine.size == asked.step &&
		   mine.step != mine.size) {
		refusal_add(r, DIAG_WINDOW_ARGS_SWAPPED, (struct text){0});
	} else {
		if (mine.size != asked.size)
			say_length(r,
				text_eq(mine.kind, TEXT("SESSION")) ? DIAG_SESSION_GAP
								    : DIAG_WINDOW_SIZE,
				mine.size);
		if (mine.step != asked.step)
			say_length(r, DIAG_WINDOW_SLIDE, mine.step);
	}
}

/* The window function in FROM and how many arguments it takes without an offset. */
static bool see_window_call(const struct sql_expr *expr, void *ctx)
{
	static const char *const names[] = {"TUMBLE", "HOP", "CUMULATE"};
	const struct sql_expr **found = ctx;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (expr->kind == EXPR_CALL && text_eq(expr->name, text_of(names[i])))
			*found = expr;
	return !*found;
}

static const struct sql_expr *offset_of_window(const struct written *written, size_t count)
{
	const struct sql_expr *call = NULL;
	size_t usual;

	for (size_t i = count < written->count ? count : written->count; !call && i > 0; i--) {
		const struct sql_query *query = written_query(&written->items[i - 1]);

		if (query)
			query_walk(query, see_window_call, &call);
	}
	usual = call && text_eq(call->name, TEXT("TUMBLE")) ? 3 : 4;
	for (size_t i = 0; call && i < call->arg_count; i++)
		if (text_ieq(call->args[i]->arg_name, TEXT("OFFSET")))
			return call->args[i];
	return call && call->arg_count > usual && !call->args[usual]->arg_name.len
		       ? call->args[usual]
		       : NULL;
}

/* An interval worked out, where it is sums and differences of plain ones. */
static bool work_out(const struct sql_expr *expr, int64_t *ret)
{
	int64_t left, right;
	bool sum = expr->kind == EXPR_OP && (expr->op == SQL_OP_ADD || expr->op == SQL_OP_SUB);

	if (expr->kind == EXPR_INTERVAL && expr->type.kind == SQL_INTERVAL_DAY) {
		*ret = expr->value.i;
		return true;
	}
	if (!sum || expr->arg_count != 2 || !work_out(expr->args[0], &left) ||
		!work_out(expr->args[1], &right))
		return false;
	return !(expr->op == SQL_OP_ADD ? __builtin_add_overflow(left, right, ret)
					: __builtin_sub_overflow(left, right, ret));
}

/* A length that is no plain INTERVAL '...': a sum of two, or without its quotes. An offset that
 * nobody asked for would be a fault also if it were written in the right way. */
void refusal_lengths_form(struct refusal *r)
{
	const struct sql_expr *offset = offset_of_window(&r->written, r->at + 1);
	int64_t ms = 0;
	bool known = offset && work_out(offset, &ms);

	if (offset && !offset_of_window(&r->asked, r->asked.count))
		refusal_add(
			r, DIAG_OFFSET, known ? text_duration(r->arena, ms, "") : (struct text){0});
	refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("interval"));
}

void refusal_legacy(struct refusal *r)
{
	refusal_add(r, DIAG_LEGACY_WINDOW, (struct text){0});
}
