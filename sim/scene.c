/* Finding: the names of the query's FROM are followed through views, WITH and sub-queries down to
 * the table. */
#include "sim/scene.h"

#include "parser/arena.h"
#include "sim/ast.h"
#include "sim/delay.h"

/* Views in views in views: deeper than that is not a reference's. */
#define DEPTH 20

struct looking {
	struct scene *scene;
	int depth;
};

static void look_query(struct looking *looking, struct sql_query *query);

static void look_table(struct scene *scene, struct sql_create_table *create)
{
	scene->table = create;
	if (!create->has_watermark)
		return;
	scene->rowtime = create->watermark_column;
	scene->delay_known =
		delay_of(create->watermark, create->watermark_column, &scene->delay_ms);
}

/* What a name means: the last definition in front of the target. */
static void look_name(struct looking *looking, struct text name)
{
	struct scene *scene = looking->scene;

	for (const struct sql_with *with = scene->query->with; with; with = with->next)
		if (text_eq(with->name, name)) {
			look_query(looking, with->query);
			return;
		}
	for (size_t i = scene->target; i-- > 0;) {
		struct sql_statement *statement = &scene->statements[i];

		if (statement->kind == STMT_CREATE_VIEW && text_eq(statement->name, name)) {
			look_query(looking, statement->query);
			return;
		}
		if (statement->kind == STMT_CREATE_TABLE &&
			text_eq(statement->create->name, name)) {
			look_table(scene, statement->create);
			return;
		}
	}
}

static const struct window_name {
	const char *name;
	enum window_kind kind;
	const char *lengths[3]; /* their names, in their order */
} window_names[] = {{"TUMBLE", WINDOW_TUMBLE, {"SIZE", "OFFSET", NULL}},
	{"HOP", WINDOW_HOP, {"SLIDE", "SIZE", "OFFSET"}},
	{"CUMULATE", WINDOW_CUMULATE, {"STEP", "SIZE", "OFFSET"}},
	{"SESSION", WINDOW_SESSION, {"GAP", NULL, NULL}}};

#define WINDOW_NAMES (sizeof(window_names) / sizeof(window_names[0]))

static struct sql_expr *named_argument(const struct sql_expr *call, const char *name)
{
	for (size_t i = 0; name && i < call->arg_count; i++)
		if (text_ieq(call->args[i]->arg_name, text_of(name)))
			return call->args[i];
	return NULL;
}

/* Puts named arguments at their places. */
static void place_arguments(struct sql_expr *call, const struct window_name *names)
{
	const char *const order[] = {
		"DATA", "TIMECOL", names->lengths[0], names->lengths[1], names->lengths[2]};
	struct sql_expr *placed[5];
	size_t count = 0;

	for (size_t i = 0; i < 5; i++) {
		struct sql_expr *arg = named_argument(call, order[i]);

		if (arg)
			placed[count++] = arg;
	}
	for (size_t i = 0; count == call->arg_count && i < count; i++) {
		call->args[i] = placed[i];
		call->args[i]->arg_name = (struct text){0};
	}
}

static bool read_length(const struct sql_expr *call, size_t place, int64_t *ret)
{
	if (place >= call->arg_count || call->args[place]->kind != EXPR_INTERVAL ||
		call->args[place]->type.kind != SQL_INTERVAL_DAY)
		return false;
	*ret = call->args[place]->value.i;
	return true;
}

static void look_window(struct looking *looking, struct sql_query *query, struct sql_rel *rel)
{
	struct scene *scene = looking->scene;
	struct sql_expr *call = rel->call;
	const struct window_name *names = NULL;
	bool two, known;

	for (size_t i = 0; i < WINDOW_NAMES; i++)
		if (text_ieq(call->name, text_of(window_names[i].name)))
			names = &window_names[i];
	scene->rowwise = scene->rowwise && names && names->kind != WINDOW_SESSION;
	if (!names || call->arg_count < 3)
		return;
	scene->window_count++;
	place_arguments(call, names);
	two = names->kind == WINDOW_HOP || names->kind == WINDOW_CUMULATE;
	known = read_length(call, two ? 3 : 2, &scene->size_ms) &&
		(!two || read_length(call, 2, &scene->step_ms));
	if (known && !scene->window) {
		scene->kind = names->kind;
		scene->window = call;
		scene->window_rel = rel;
		scene->window_query = query;
	}
	if (call->args[0]->kind == EXPR_TABLE)
		look_name(looking, call->args[0]->name);
	else if (call->args[0]->kind == EXPR_QUERY)
		look_query(looking, call->args[0]->query);
}

static void look_rel(struct looking *looking, struct sql_query *query, struct sql_rel *rel)
{
	if (!rel)
		return;
	switch (rel->kind) {
	case REL_NAME: look_name(looking, rel->name); break;
	case REL_QUERY: look_query(looking, rel->query); break;
	case REL_FUNCTION: look_window(looking, query, rel); break;
	default: looking->scene->rowwise = false; break;
	}
}

static bool no_aggregate(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !ast_is_aggregate(expr);
}

static bool no_watermark(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return expr->kind != EXPR_CALL || !text_eq(expr->name, TEXT("CURRENT_WATERMARK"));
}

static bool aggregates(const struct sql_query *query)
{
	for (size_t i = 0; i < query->item_count; i++)
		if (!ast_walk(query->items[i].expr, no_aggregate, NULL))
			return true;
	return query->grouped;
}

/* Is it worked out from the columns of one row? */
static bool is_of_one_row(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !expr->over && !expr->query && !ast_is_aggregate(expr);
}

static bool is_rowwise(const struct sql_query *query)
{
	for (size_t i = 0; i < query->item_count; i++)
		if (!ast_walk(query->items[i].expr, is_of_one_row, NULL))
			return false;
	return !query->distinct && !query->grouped && !query->having && !query->qualify &&
	       !query->order && !query->limit && !query->offset &&
	       ast_walk(query->where, is_of_one_row, NULL);
}

static void look_rank(struct scene *scene, struct sql_query *query)
{
	for (size_t i = 0; !scene->ranked && i < query->item_count; i++) {
		struct sql_expr *expr = query->items[i].expr;

		if (expr->kind == EXPR_CALL && expr->over) {
			scene->ranked = query;
			scene->rank = expr;
		}
	}
}

static void look_query(struct looking *looking, struct sql_query *query)
{
	struct scene *scene = looking->scene;

	if (!query || query->kind != QUERY_SELECT || looking->depth == DEPTH) {
		scene->rowwise = false;
		return;
	}
	scene->rowwise = scene->rowwise && is_rowwise(query);
	looking->depth++;
	look_rel(looking, query, query->from);
	looking->depth--;
	if (!scene->agg && aggregates(query))
		scene->agg = query;
	if (scene->ranked && !scene->bound && query->where)
		scene->bound = query;
	look_rank(scene, query);
	if (!scene->late && query->where && !ast_walk(query->where, no_watermark, NULL))
		scene->late = query;
}

void scene_set(struct scene *scene, const char *key, struct text value)
{
	if (!value.ptr || scene->setting_count == SCENE_SETTINGS)
		scene->nomem = true;
	else
		scene->settings[scene->setting_count++] = (struct scene_setting){key, value};
}

void scene_find(struct scene *scene)
{
	struct looking looking = {.scene = scene};

	scene->query = scene->statements[scene->target].query;
	scene->rowwise = true;
	look_query(&looking, scene->query);
}

void scene_set_window(struct scene *scene, enum window_kind kind, int64_t step_ms, int64_t size_ms,
	int64_t offset_ms)
{
	struct sql_expr *call = scene->window;
	struct sql_expr **args = arena_array(scene->arena, 6, sizeof(*args));
	size_t count = 2;

	scene->touched = true;

	if (!args) {
		scene->nomem = true;
		return;
	}
	args[0] = call->args[0];
	args[1] = call->args[1];
	if (kind == WINDOW_HOP || kind == WINDOW_CUMULATE)
		args[count++] = scene_interval(scene, step_ms);
	args[count++] = scene_interval(scene, size_ms);
	if (offset_ms)
		args[count++] = scene_interval(scene, offset_ms);
	for (size_t i = 0; i < WINDOW_NAMES; i++)
		if (window_names[i].kind == kind)
			call->name = text_of(window_names[i].name);
	if (kind != WINDOW_SESSION)
		args[0]->partition_count = 0;
	call->args = args;
	call->arg_count = count;
}
