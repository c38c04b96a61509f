/* The learner's part: what of their profile one cause is about, put into the asked one. What has
 * no such part (names and order of columns, zones, several changes at once) is not measured. */
#include "daemon/grade/effect.h"
#include "daemon/grade/lateness.h"
#include "daemon/grade/normal.h"
#include "parser/arena.h"
#include "sim/delay.h"

static bool add(struct differing *d, struct terms *terms, struct sql_expr *expr)
{
	if (arena_grow(d->arena, &terms->items, terms->count, &terms->room,
		    sizeof(struct sql_expr *))) {
		d->causes->nomem = true;
		return false;
	}
	terms->items[terms->count++] = expr;
	return true;
}

/* Conditions of both: on lateness from one, all others from the other. */
static void join_conditions(struct differing *d, const struct terms *late,
	const struct terms *others, struct terms *ret)
{
	struct terms joined = {0};

	for (size_t i = 0; i < late->count; i++)
		if (reads_watermark(late->items[i]))
			add(d, &joined, late->items[i]);
	for (size_t i = 0; i < others->count; i++)
		if (!reads_watermark(others->items[i]))
			add(d, &joined, others->items[i]);
	*ret = joined;
}

static bool put_delay(struct differing *d, struct profile *hybrid)
{
	const struct catalog_entry *mine = &d->mine->table;
	int64_t ms;

	if (!mine->has_watermark || !delay_of(mine->watermark, mine->watermark_column, &ms))
		return false;
	hybrid->table.watermark = normal_delayed(d->arena, hybrid->table.watermark_column, ms);
	d->causes->nomem |= !hybrid->table.watermark;
	return true;
}

/* The items whose comparison gives this very cause. */
static bool put_item(struct differing *d, const struct diagnosis *cause, struct profile *hybrid)
{
	size_t asked, mine;
	struct profile_item *items;

	if (!differ_find_item(d, cause, &asked, &mine))
		return false;
	items = arena_array(d->arena, hybrid->item_count + 1, sizeof(*items));
	if (!items) {
		d->causes->nomem = true;
		return false;
	}
	for (size_t i = 0; i < hybrid->item_count; i++)
		items[i] = hybrid->items[i];
	items[asked].expr = d->mine->items[mine].expr;
	hybrid->items = items;
	return true;
}

static bool put_window(
	const struct differing *d, enum diagnosis_id id, struct profile_window *hybrid)
{
	const struct profile_window *mine = &d->mine->window;

	if (!mine->kind.len || !mine->sizes_known)
		return false;
	switch (id) {
	case DIAG_WINDOW_SIZE:
	case DIAG_SESSION_GAP: hybrid->size_ms = mine->size_ms; break;
	case DIAG_WINDOW_SLIDE: hybrid->step_ms = mine->step_ms; break;
	case DIAG_OFFSET: hybrid->offset_ms = mine->offset_ms; break;
	case DIAG_SESSION_PARTITION: hybrid->partition = mine->partition; break;
	default:
		hybrid->kind = mine->kind;
		hybrid->size_ms = mine->size_ms;
		hybrid->step_ms = mine->step_ms;
		hybrid->partition = mine->partition;
	}
	return true;
}

static bool put_rank(const struct differing *d, enum diagnosis_id id, struct profile_rank *hybrid)
{
	const struct profile_rank *mine = &d->mine->rank;

	if (!mine->function.len || mine->on_groups != hybrid->on_groups)
		return false;
	if (id == DIAG_TOPN_N)
		hybrid->bounds = mine->bounds;
	else if (id == DIAG_TOPN_PARTITION)
		hybrid->partition = mine->partition;
	else {
		hybrid->order = mine->order;
		hybrid->descending = mine->descending;
	}
	return true;
}

/* ---- keys ---- */

static bool is_named(
	struct differing *d, const struct profile *of, struct sql_expr *expr, struct text name)
{
	return text_eq(term_text(d, of, expr), name);
}

static bool put_more_keys(struct differing *d, struct text name, struct profile *hybrid)
{
	struct terms keys = {0};
	bool more = false;

	for (size_t i = 0; i < d->asked->keys.count; i++)
		add(d, &keys, d->asked->keys.items[i]);
	for (size_t i = 0; i < d->mine->keys.count; i++)
		if (is_named(d, d->mine, d->mine->keys.items[i], name))
			more = add(d, &keys, d->mine->keys.items[i]);
	hybrid->keys = keys;
	return more;
}

/* Without the key, and without the columns that show it. */
static bool put_fewer_keys(struct differing *d, struct text name, struct profile *hybrid)
{
	struct profile_item *items =
		arena_array(d->arena, d->asked->item_count + 1, sizeof(*items));
	struct terms keys = {0};
	size_t count = 0;

	for (size_t i = 0; i < d->asked->keys.count; i++)
		if (!is_named(d, d->asked, d->asked->keys.items[i], name))
			add(d, &keys, d->asked->keys.items[i]);
	for (size_t i = 0; items && i < d->asked->item_count; i++)
		if (!is_named(d, d->asked, d->asked->items[i].expr, name))
			items[count++] = d->asked->items[i];
	d->causes->nomem |= !items;
	hybrid->keys = keys;
	hybrid->items = items;
	hybrid->item_count = count;
	return items && keys.count + 1 == d->asked->keys.count;
}

/* ---- the table ---- */

/* Options of the asked table, with the learner's path. */
static bool put_path(struct differing *d, struct catalog_entry *hybrid)
{
	struct sql_option *options =
		arena_array(d->arena, hybrid->option_count + 1, sizeof(*options));
	struct text path = catalog_option(&d->mine->table, TEXT("path"));

	d->causes->nomem |= !options;
	for (size_t i = 0; options && i < hybrid->option_count; i++) {
		options[i] = hybrid->options[i];
		if (text_eq(options[i].key, TEXT("path")))
			options[i].value = path;
	}
	if (!options || !path.ptr)
		return false;
	hybrid->options = options;
	return true;
}

/* The learner's columns, where their names are those that profiles know them by. */
static bool put_columns(const struct differing *d, struct catalog_entry *hybrid)
{
	const struct catalog_entry *mine = &d->mine->table;

	for (size_t i = 0; i < mine->column_count; i++)
		if (!text_eq(mine->columns[i].name, d->mine->columns[i]))
			return false;
	hybrid->columns = mine->columns;
	hybrid->column_count = mine->column_count;
	return true;
}

bool effect_put(struct differing *d, const struct diagnosis *cause, struct profile *hybrid)
{
	const struct profile *asked = d->asked, *mine = d->mine;

	switch (cause->id) {
	case DIAG_DELAY: return put_delay(d, hybrid);
	case DIAG_INTERVAL:
	case DIAG_INTERVAL_MISSING:
		hybrid->settings.interval_ms = mine->settings.interval_ms;
		return true;
	case DIAG_BATCH_MODE:
	case DIAG_STREAMING_MODE: hybrid->settings.batch = mine->settings.batch; return true;
	case DIAG_WINDOW_SIZE:
	case DIAG_SESSION_GAP:
	case DIAG_WINDOW_SLIDE:
	case DIAG_OFFSET:
	case DIAG_SESSION_PARTITION:
	case DIAG_WINDOW_ARGS_SWAPPED:
	case DIAG_WINDOW_KIND: return put_window(d, cause->id, &hybrid->window);
	case DIAG_FILTER_MISSING:
	case DIAG_FILTER_EXTRA:
	case DIAG_FILTER_INVERTED:
	case DIAG_LATE_CMP:
	case DIAG_LATE_BY:
	case DIAG_NULL_FIRST_ROW:
	case DIAG_NULL_CHECK:
		join_conditions(d, &mine->before, &asked->before, &hybrid->before);
		return mine->behind.count == asked->behind.count && !differ_filters_aggregate(mine);
	case DIAG_WHERE_EXTRA:
		if (text_eq(cause->param, TEXT("FILTER")))
			return put_item(d, cause, hybrid);
		join_conditions(d, &asked->before, &mine->before, &hybrid->before);
		hybrid->behind = mine->behind;
		return true;
	case DIAG_AGG_FUNCTION:
	case DIAG_AGG_COLUMN:
	case DIAG_COLUMN_VALUE: return put_item(d, cause, hybrid);
	case DIAG_GROUP_KEY_EXTRA: return put_more_keys(d, cause->param, hybrid);
	case DIAG_GROUP_KEY_MISSING: return put_fewer_keys(d, cause->param, hybrid);
	case DIAG_LIMIT:
		hybrid->limited = mine->limited;
		hybrid->limit = mine->limit;
		return !mine->rank.function.len && !asked->rank.function.len;
	case DIAG_PATH:
	case DIAG_OTHER_DATA:
	case DIAG_SORTED_INPUT: return put_path(d, &hybrid->table);
	case DIAG_DDL_COLUMNS: return put_columns(d, &hybrid->table);
	case DIAG_TOPN_N:
	case DIAG_TOPN_ORDER:
	case DIAG_TOPN_PARTITION: return put_rank(d, cause->id, &hybrid->rank);
	default: return false;
	}
}
