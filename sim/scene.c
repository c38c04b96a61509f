/* Finding: the names of the query's FROM are followed through views, WITH and sub-queries down to the
 * table. Building: nodes as the parser makes them. */
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
	if (!names || call->arg_count < 3)
		return;
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
	default: break;
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

	if (!query || query->kind != QUERY_SELECT || looking->depth == DEPTH)
		return;
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
	look_query(&looking, scene->query);
}

/* ---- building ---- */

static struct sql_expr *new_expr(struct scene *scene, enum sql_expr_kind kind, size_t args)
{
	struct sql_expr *expr = ARENA_NEW(scene->arena, struct sql_expr);

	scene->touched = true;
	if (expr) {
		expr->kind = kind;
		expr->height = 1;
		expr->pos = scene->statements[scene->target].pos;
		expr->args = arena_array(scene->arena, args + 2, sizeof(*expr->args));
	}
	if (expr && expr->args)
		return expr;
	scene->nomem = true;
	return NULL;
}

struct sql_expr *scene_column(struct scene *scene, struct text name)
{
	struct sql_expr *expr = new_expr(scene, EXPR_COLUMN, 0);

	if (expr)
		expr->name = name;
	return expr;
}

struct sql_expr *scene_number(struct scene *scene, int64_t number)
{
	struct sql_expr *expr = new_expr(scene, EXPR_LITERAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){.kind = SQL_INT, .not_null = true};
	expr->value.i = number;
	expr->name = text_format(scene->arena, "%lld", (long long)number);
	return expr;
}

struct sql_expr *scene_string(struct scene *scene, struct text text)
{
	struct sql_expr *expr = new_expr(scene, EXPR_LITERAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){
		.kind = SQL_CHAR, .precision = (int32_t)text.len, .not_null = true};
	expr->value.s = text;
	expr->name = text;
	return expr;
}

struct sql_expr *scene_time(struct scene *scene, int64_t ms)
{
	struct sql_expr *expr = new_expr(scene, EXPR_LITERAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){.kind = SQL_TIMESTAMP, .precision = 3, .not_null = true};
	expr->value.i = ms;
	expr->name = TEXT("TIMESTAMP");
	return expr;
}

struct sql_expr *scene_interval(struct scene *scene, int64_t ms)
{
	struct sql_expr *expr = new_expr(scene, EXPR_INTERVAL, 0);

	if (!expr)
		return NULL;
	expr->type = (struct sql_type){.kind = SQL_INTERVAL_DAY, .not_null = true};
	expr->value.i = ms;
	expr->interval = (struct sql_interval){.number = TEXT("1"), .unit = TEXT("SECOND")};
	return expr;
}

struct sql_expr *scene_op(
	struct scene *scene, enum sql_op op, struct sql_expr *a, struct sql_expr *b)
{
	struct sql_expr *expr = new_expr(scene, EXPR_OP, 2);

	if (!expr || !a)
		return NULL;
	expr->op = op;
	expr->args[expr->arg_count++] = a;
	if (b)
		expr->args[expr->arg_count++] = b;
	return expr;
}

struct sql_expr *scene_call(
	struct scene *scene, struct text name, struct sql_expr *a, struct sql_expr *b)
{
	struct sql_expr *expr = new_expr(scene, EXPR_CALL, 2);

	if (!expr)
		return NULL;
	expr->name = name;
	expr->star = !a;
	if (a)
		expr->args[expr->arg_count++] = a;
	if (b)
		expr->args[expr->arg_count++] = b;
	return expr;
}

struct sql_query *scene_select(struct scene *scene, struct sql_rel *from)
{
	struct sql_query *query = ARENA_NEW(scene->arena, struct sql_query);

	if (!query) {
		scene->nomem = true;
		return NULL;
	}
	*query = (struct sql_query){.kind = QUERY_SELECT,
		.pos = scene->statements[scene->target].pos,
		.height = 1,
		.from = from};
	return query;
}

/* Few enough to make the array anew for each. */
void scene_item(
	struct scene *scene, struct sql_query *query, struct sql_expr *expr, struct text alias)
{
	struct sql_item *items = arena_array(scene->arena, query->item_count + 1, sizeof(*items));

	if (!items || !expr) {
		scene->nomem = true;
		return;
	}
	for (size_t i = 0; i < query->item_count; i++)
		items[i] = query->items[i];
	items[query->item_count++] = (struct sql_item){expr, alias};
	query->items = items;
}

void scene_group(struct scene *scene, struct sql_query *query, struct sql_expr *expr)
{
	struct sql_expr **group = arena_array(scene->arena, query->group_count + 1, sizeof(*group));

	if (!group || !expr) {
		scene->nomem = true;
		return;
	}
	for (size_t i = 0; i < query->group_count; i++)
		group[i] = query->group[i];
	group[query->group_count++] = expr;
	query->group = group;
	query->grouped = true;
}

struct sql_expr *scene_delayed(struct scene *scene, int64_t delay_ms)
{
	struct sql_expr *column = scene_column(scene, scene->rowtime);

	if (delay_ms == 0)
		return column;
	return scene_op(scene, SQL_OP_SUB, column, scene_interval(scene, delay_ms));
}

struct sql_expr *scene_watermark(struct scene *scene)
{
	return scene_call(
		scene, TEXT("CURRENT_WATERMARK"), scene_column(scene, scene->rowtime), NULL);
}

void scene_where(struct scene *scene, struct sql_query *query, struct sql_expr *condition)
{
	query->where =
		query->where ? scene_op(scene, SQL_OP_AND, condition, query->where) : condition;
}

bool scene_is_column(const struct sql_expr *expr, struct text name)
{
	return expr->kind == EXPR_COLUMN && text_eq(expr->name, name);
}

bool scene_is_window_column(const struct sql_expr *expr)
{
	return scene_is_column(expr, TEXT("window_start")) ||
	       scene_is_column(expr, TEXT("window_end"));
}

bool scene_is_numeric(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_DOUBLE;
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

static void drop_from_query(struct sql_query *query, struct text name)
{
	size_t items = 0, keys = 0;

	for (size_t i = 0; i < query->item_count; i++)
		if (!scene_is_column(query->items[i].expr, name))
			query->items[items++] = query->items[i];
	for (size_t i = 0; i < query->group_count; i++)
		if (!scene_is_column(query->group[i], name))
			query->group[keys++] = query->group[i];
	query->item_count = items;
	query->group_count = keys;
	query->grouped = query->grouped && keys > 0;
}

/* The queries around the aggregate are those of FROM ( ... ) from the target down. */
void scene_drop_column(struct scene *scene, struct text name)
{
	struct sql_query *query = scene->query;

	scene->touched = true;
	for (; query && query != scene->agg; query = query->from ? query->from->query : NULL)
		drop_from_query(query, name);
	if (scene->agg)
		drop_from_query(scene->agg, name);
	if (scene->rank) {
		struct sql_over *over = scene->rank->over;
		size_t kept = 0;

		for (size_t i = 0; i < over->partition_count; i++)
			if (!scene_is_column(over->partition[i], name))
				over->partition[kept++] = over->partition[i];
		over->partition_count = kept;
	}
}
