/* The window: its kind, its lengths, whose pauses a SESSION follows, and whether there is one at
 * all. */
#include "daemon/grade/differing.h"

#include "sim/ast.h"

static void say_length(struct differing *d, enum diagnosis_id id, int64_t ms)
{
	struct text length = text_duration(d->arena, ms, "");

	if (!length.ptr)
		d->causes->nomem = true;
	differ_say(d, id, length);
}

static bool is_kind(const struct profile_window *window, const char *kind)
{
	return text_eq(window->kind, text_of(kind));
}

static bool not_cut(const struct sql_expr *expr, void *ctx)
{
	struct text *cut = ctx;

	if (expr->kind == EXPR_CALL && !ast_is_aggregate(expr) && !expr->over)
		*cut = expr->name;
	return !cut->len;
}

/* The function that a time is cut by. */
static struct text cut_of(const struct sql_expr *expr)
{
	struct text cut = {0};

	if (expr)
		ast_walk(expr, not_cut, &cut);
	return cut;
}

/* What is grouped by instead, or stands under the windows' names: a function of the time, or
 * nothing of it. */
static struct text instead_of_window(const struct profile *mine)
{
	for (size_t i = 0; i < mine->keys.count; i++) {
		const struct sql_expr *key = term_bare(mine->keys.items[i]);

		if (key->kind == EXPR_CALL)
			return key->name;
	}
	for (size_t i = 0; i < mine->item_count; i++) {
		struct text name = mine->items[i].name;
		struct text cut = cut_of(term_bare(mine->items[i].expr));

		if (cut.len && (text_ieq(name, TEXT("window_start")) ||
				       text_ieq(name, TEXT("window_end"))))
			return cut;
	}
	return TEXT("none");
}

static void differ_partition(struct differing *d)
{
	const struct profile_window *asked = &d->asked->window, *mine = &d->mine->window;

	if (mine->legacy || asked->legacy)
		return;
	if (mine->partition.count == 0 && asked->partition.count > 0)
		differ_say(d, DIAG_SESSION_PARTITION, TEXT("none"));
	for (size_t i = 0; i < mine->partition.count; i++)
		if (!terms_have(&asked->partition, mine->partition.items[i]))
			differ_say(d, DIAG_SESSION_PARTITION,
				term_text(d, d->mine, mine->partition.items[i]));
}

/* Is a refusal asked, and nothing was refused? */
static bool is_taken(const struct differing *d)
{
	return d->grading->step->kind == STEP_ERROR && !d->error.len;
}

/* Lengths that Flink takes, where those that it refuses are asked. */
static bool differ_refused(struct differing *d)
{
	if (!is_taken(d))
		return false;
	differ_say(d, DIAG_NOT_REFUSED, (struct text){0});
	return true;
}

static void differ_lengths(struct differing *d)
{
	const struct profile_window *asked = &d->asked->window, *mine = &d->mine->window;
	bool session = is_kind(mine, "SESSION");

	if (!asked->sizes_known || !mine->sizes_known || (session && is_taken(d)))
		return;
	if ((mine->size_ms != asked->size_ms || mine->step_ms != asked->step_ms) &&
		differ_refused(d))
		return;
	if (asked->step_ms && mine->step_ms == asked->size_ms && mine->size_ms == asked->step_ms &&
		mine->size_ms != mine->step_ms) {
		differ_say(d, DIAG_WINDOW_ARGS_SWAPPED, (struct text){0});
		return;
	}
	if (mine->size_ms != asked->size_ms)
		say_length(d, session ? DIAG_SESSION_GAP : DIAG_WINDOW_SIZE, mine->size_ms);
	if (mine->step_ms != asked->step_ms)
		say_length(d, DIAG_WINDOW_SLIDE, mine->step_ms);
	if (mine->offset_ms != asked->offset_ms)
		say_length(d, DIAG_OFFSET, mine->offset_ms);
}

/* Of another kind the whole length alone can be held against the asked one. */
static void differ_kind(struct differing *d)
{
	const struct profile_window *asked = &d->asked->window, *mine = &d->mine->window;

	differ_say(d, DIAG_WINDOW_KIND, mine->kind);
	if (d->same_step || is_kind(asked, "SESSION") || is_kind(mine, "SESSION") ||
		!asked->sizes_known || !mine->sizes_known)
		return;
	if (mine->size_ms != asked->size_ms)
		say_length(d, DIAG_WINDOW_SIZE, mine->size_ms);
	if (mine->offset_ms != asked->offset_ms)
		say_length(d, DIAG_OFFSET, mine->offset_ms);
}

static bool has_window_key(const struct profile *p)
{
	for (size_t i = 0; i < p->keys.count; i++)
		if (term_is_window(p->keys.items[i], "window_start") ||
			term_is_window(p->keys.items[i], "window_end"))
			return true;
	return false;
}

bool loses_windows(const struct differing *d)
{
	const struct profile *mine = d->mine;

	if (!d->asked->window.kind.len)
		return false;
	if (!mine->window.kind.len)
		return mine->aggregated || !d->asked->aggregated;
	return has_window_key(d->asked) && mine->aggregated && mine->grouped &&
	       !has_window_key(mine);
}

void differ_window(struct differing *d)
{
	const struct profile_window *asked = &d->asked->window, *mine = &d->mine->window;

	if (mine->legacy && !asked->legacy) {
		differ_refused(d);
		differ_say(d, DIAG_LEGACY_WINDOW, (struct text){0});
	}
	if (loses_windows(d))
		differ_say(d, DIAG_NO_WINDOW, instead_of_window(d->mine));
	if (!asked->kind.len || !mine->kind.len)
		return;
	if (!text_eq(mine->kind, asked->kind)) {
		differ_kind(d);
		return;
	}
	differ_lengths(d);
	if (is_kind(mine, "SESSION") && !is_taken(d))
		differ_partition(d);
}
