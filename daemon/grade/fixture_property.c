/* Properties as lab.json has them: a name, and parameters of which each name takes its own. */
#include <errno.h>

#include "daemon/grade/fixture.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"
#include "sim/options.h"

enum parameter {
	TAKES_DELAY = 1 << 0,
	TAKES_INTERVAL = 1 << 1,
	TAKES_WINDOW = 1 << 2,
	TAKES_SIZE = 1 << 3,
	TAKES_GAP = 1 << 4,
	TAKES_MORE = 1 << 5,
	TAKES_ABOVE = 1 << 6,
	TAKES_COLUMN = 1 << 7,
	TAKES_SUM = 1 << 8,
	TAKES_BY = 1 << 9,
	TAKES_MIN = 1 << 10,
	TAKES_MAX = 1 << 11,
	TAKES_KEPT = 1 << 12
};

#define TAKES_BOUNDS (TAKES_MIN | TAKES_MAX)

/* What each takes; must: without it, it says nothing. */
static const struct {
	const char *name;
	enum property_kind kind;
	unsigned must, may;
} kinds[] = {
	{"late", PROPERTY_LATE, TAKES_DELAY, TAKES_INTERVAL | TAKES_BOUNDS},
	{"dropped", PROPERTY_DROPPED, TAKES_DELAY | TAKES_WINDOW,
		TAKES_KEPT | TAKES_INTERVAL | TAKES_BOUNDS},
	{"edge", PROPERTY_EDGE, TAKES_SIZE, TAKES_BOUNDS},
	{"touching", PROPERTY_TOUCHING, TAKES_GAP, TAKES_BY | TAKES_BOUNDS},
	{"apart", PROPERTY_APART, TAKES_GAP, TAKES_MORE | TAKES_BY | TAKES_BOUNDS},
	{"no-ties", PROPERTY_NO_TIES, TAKES_SIZE, TAKES_COLUMN | TAKES_SUM | TAKES_BY},
	{"repeats", PROPERTY_REPEATS, TAKES_COLUMN | TAKES_SIZE, TAKES_BOUNDS},
	{"empty-window", PROPERTY_EMPTY_WINDOW, TAKES_SIZE, TAKES_BOUNDS},
	{"steps", PROPERTY_STEPS, TAKES_ABOVE, 0},
	{"unique", PROPERTY_UNIQUE, TAKES_COLUMN, 0},
};

#define KIND_COUNT (sizeof(kinds) / sizeof(kinds[0]))

struct parsing {
	const struct fixture_rows *rows;
	const struct json *json;
	struct property property;
	struct diag *reterr;
};

/* The longest duration of a property: longer than any lab's data, and short of what SQL's
 * intervals hold. */
#define LONGEST_DAYS 3650
#define LONGEST_MS   (LONGEST_DAYS * INT64_C(86400000))

static int refuse(const struct json *at, struct diag *reterr, const char *what)
{
	return diag_set(reterr, -EINVAL, at->line, at->col, "%s", what);
}

static int parse_duration(const struct json *json, int64_t *ret_ms, struct diag *reterr)
{
	int64_t ms;

	if (json->kind != JSON_STRING || duration_parse(json->string, &ms) || ms < 0)
		return refuse(json, reterr, "a duration is expected, as \"5 s\" or \"1 min\"");
	if (ms > LONGEST_MS)
		return diag_set(reterr, -EINVAL, json->line, json->col,
			"this duration is too long: %d days are the longest", LONGEST_DAYS);
	*ret_ms = ms;
	return 0;
}

/* A width of windows, a gap: more than nothing. */
static int parse_width(const struct json *json, int64_t *ret_ms, struct diag *reterr)
{
	int err = parse_duration(json, ret_ms, reterr);

	if (!err && *ret_ms == 0)
		err = refuse(json, reterr, "this must be longer than 0");
	return err;
}

static int parse_column(struct parsing *p, const struct json *json, size_t *ret)
{
	size_t column = json->kind == JSON_STRING ? table_column(&p->rows->table, json->string)
						  : p->rows->table.column_count;

	if (column == p->rows->table.column_count)
		return refuse(json, p->reterr, "a column of the fixture is expected");
	*ret = column;
	return 0;
}

static int parse_number(const struct json *json, int64_t *ret, struct diag *reterr)
{
	int64_t number;

	if (json->kind != JSON_NUMBER || json_integer(json, &number) || number < 0)
		return refuse(json, reterr, "a number of rows is expected");
	*ret = number;
	return 0;
}

static bool is_summed(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_DOUBLE;
}

static int parse_sum(struct parsing *p, const struct json *json)
{
	int err = parse_column(p, json, &p->property.column);

	p->property.sum = true;
	if (!err && !is_summed(&p->rows->table.columns[p->property.column].type))
		err = refuse(json, p->reterr, "a column of numbers is expected");
	return err;
}

static int parse_parameter(struct parsing *p, enum parameter parameter, const struct json *json)
{
	struct property *property = &p->property;

	switch (parameter) {
	case TAKES_DELAY: return parse_duration(json, &property->delay_ms, p->reterr);
	case TAKES_KEPT: return parse_duration(json, &property->kept_ms, p->reterr);
	case TAKES_INTERVAL: return parse_duration(json, &property->interval_ms, p->reterr);
	case TAKES_WINDOW:
	case TAKES_SIZE: return parse_width(json, &property->size_ms, p->reterr);
	case TAKES_ABOVE: return parse_duration(json, &property->size_ms, p->reterr);
	case TAKES_GAP: return parse_width(json, &property->gap_ms, p->reterr);
	case TAKES_MORE: return parse_width(json, &property->more_ms, p->reterr);
	case TAKES_COLUMN: return parse_column(p, json, &property->column);
	case TAKES_SUM: return parse_sum(p, json);
	case TAKES_BY: return parse_column(p, json, &property->by);
	case TAKES_MIN: return parse_number(json, &property->min, p->reterr);
	case TAKES_MAX: return parse_number(json, &property->max, p->reterr);
	}
	return 0;
}

static const struct {
	const char *name;
	enum parameter parameter;
} parameters[] = {{"delay", TAKES_DELAY}, {"kept", TAKES_KEPT}, {"interval", TAKES_INTERVAL},
	{"window", TAKES_WINDOW}, {"size", TAKES_SIZE}, {"gap", TAKES_GAP}, {"more", TAKES_MORE},
	{"above", TAKES_ABOVE}, {"column", TAKES_COLUMN}, {"sum", TAKES_SUM}, {"by", TAKES_BY},
	{"min", TAKES_MIN}, {"max", TAKES_MAX}};

#define PARAMETER_COUNT (sizeof(parameters) / sizeof(parameters[0]))

/* *given: those that are there. */
static int parse_members(struct parsing *p, unsigned takes, unsigned *given)
{
	for (size_t i = 0; i < p->json->count; i++) {
		const struct json *member = p->json->items[i];
		size_t k = 0;
		int err;

		if (text_eq(member->name, TEXT("is")))
			continue;
		while (k < PARAMETER_COUNT && !text_eq(member->name, text_of(parameters[k].name)))
			k++;
		if (k == PARAMETER_COUNT || !(parameters[k].parameter & takes))
			return diag_set(p->reterr, -EINVAL, member->line, member->col,
				"this property has no \"%.*s\"", TEXT_ARG(member->name));
		*given |= parameters[k].parameter;
		err = parse_parameter(p, parameters[k].parameter, member);
		if (err)
			return err;
	}
	return 0;
}

static int check_missing(const struct parsing *p, unsigned missing)
{
	for (size_t k = 0; k < PARAMETER_COUNT; k++)
		if (parameters[k].parameter & missing)
			return diag_set(p->reterr, -EINVAL, p->json->line, p->json->col,
				"this property needs \"%s\"", parameters[k].name);
	return 0;
}

/* Of no-ties: the values of a column, or its sums by another. */
static int check_ties(const struct parsing *p, unsigned given)
{
	bool sums = given & TAKES_SUM, columns = given & TAKES_COLUMN;

	if (sums == columns || sums != ((given & TAKES_BY) != 0))
		return refuse(p->json, p->reterr,
			"no-ties is of a \"column\", or of a \"sum\" \"by\" another column");
	return 0;
}

/* At least one, unless only the most is said; of ties and the like there is none. */
static int set_bounds(struct parsing *p, unsigned takes, unsigned given)
{
	struct property *property = &p->property;

	if (!(takes & TAKES_MAX))
		property->max = 0;
	else if (!(given & TAKES_BOUNDS))
		property->min = 1;
	if (property->min > property->max)
		return refuse(p->json, p->reterr, "\"min\" is more than \"max\"");
	return 0;
}

static bool knows_time(const struct fixture_rows *rows)
{
	return rows->rowtime < rows->table.column_count &&
	       (rows->table.columns[rows->rowtime].type.kind == SQL_TIMESTAMP ||
		       rows->table.columns[rows->rowtime].type.kind == SQL_TIMESTAMP_LTZ);
}

static int parse_property(struct parsing *p, struct text is)
{
	unsigned given = 0;
	size_t k = 0;
	int err;

	while (k < KIND_COUNT && !text_eq(is, text_of(kinds[k].name)))
		k++;
	if (k == KIND_COUNT)
		return diag_set(p->reterr, -EINVAL, json_get(p->json, TEXT("is"))->line,
			json_get(p->json, TEXT("is"))->col, "no property is called \"%.*s\"",
			TEXT_ARG(is));
	p->property.kind = kinds[k].kind;
	if (kinds[k].kind != PROPERTY_UNIQUE && !knows_time(p->rows))
		return refuse(p->json, p->reterr,
			"this property needs a \"rowtime\" of the fixture, a TIMESTAMP");
	err = parse_members(p, kinds[k].must | kinds[k].may, &given);
	if (!err)
		err = check_missing(p, kinds[k].must & ~given);
	if (!err && kinds[k].kind == PROPERTY_NO_TIES)
		err = check_ties(p, given);
	return err ? err : set_bounds(p, kinds[k].must | kinds[k].may, given);
}

/* Behind all of its kind or an earlier one. */
static void insert(struct properties *properties, const struct property *property)
{
	size_t at = properties->count++;

	for (; at > 0 && properties->items[at - 1].kind > property->kind; at--)
		properties->items[at] = properties->items[at - 1];
	properties->items[at] = *property;
}

int properties_parse(struct arena *arena, const struct fixture *fixture,
	const struct fixture_rows *rows, struct properties *ret, struct diag *reterr)
{
	struct properties properties = {
		.items = arena_array(arena, fixture->property_count + 1, sizeof(struct property))};

	if (!properties.items)
		return diag_nomem(reterr);
	for (size_t i = 0; i < fixture->property_count; i++) {
		struct parsing p = {.rows = rows,
			.json = fixture->properties[i].json,
			.property = {.interval_ms = FIXTURE_INTERVAL_MS,
				.more_ms = 1000,
				.kept_ms = -1,
				.column = PROPERTY_NO_COLUMN,
				.by = PROPERTY_NO_COLUMN,
				.max = PROPERTY_NO_LIMIT,
				.line = fixture->properties[i].json->line,
				.col = fixture->properties[i].json->col},
			.reterr = reterr};
		int err = parse_property(&p, fixture->properties[i].is);

		if (err)
			return err;
		insert(&properties, &p.property);
	}
	*ret = properties;
	return 0;
}

int64_t property_off(const struct property *property, int64_t count)
{
	if (count < property->min)
		return property->min - count;
	return count > property->max ? count - property->max : 0;
}
