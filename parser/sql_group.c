/* GROUP BY with GROUPING SETS, ROLLUP and CUBE: spread out into one list of expressions and, for
 * each set, which of them it has. Items with a comma between them are multiplied; GROUPING SETS
 * are added. */
#include "parser/sql_node.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/limits.h"

static uint64_t moved(uint64_t set, size_t by)
{
	return by < LIMIT_GROUPING_KEYS ? set << by : 0;
}

/* The first n expressions. */
static uint64_t first_of(size_t n)
{
	return n < LIMIT_GROUPING_KEYS ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

static bool add_set(struct sql_parser *parser, struct sql_group *group, uint64_t set)
{
	if (group->set_count == LIMIT_GROUPING_SETS)
		return sql_fail(parser, -ENOTSUP, parser->tokens.items[parser->current].loc.pos,
			"more than %d grouping sets are outside of what is read here",
			LIMIT_GROUPING_SETS);
	if (arena_grow(
		    parser->arena, &group->sets, group->set_count, &group->set_room, sizeof(set)))
		return sql_nomem(parser);
	group->sets[group->set_count++] = set;
	return true;
}

/* (a, b) is several expressions. */
static bool add_members(struct sql_parser *parser, struct sql_exprs *list, struct sql_expr *expr)
{
	struct sql_exprs members = {expr->args, expr->arg_count, expr->arg_count};

	if (expr->kind == EXPR_ROW)
		return sql_add_exprs(parser, list, &members);
	return sql_add_expr(parser, list, expr);
}

bool sql_group_expr(struct sql_parser *parser, struct sql_group *ret, struct sql_expr *expr)
{
	*ret = (struct sql_group){0};
	return (!expr || add_members(parser, &ret->list, expr)) &&
	       add_set(parser, ret, first_of(ret->list.count));
}

bool sql_group_rollup(
	struct sql_parser *parser, struct sql_group *ret, const struct sql_exprs *exprs)
{
	*ret = (struct sql_group){.given_sets = true};
	if (!add_set(parser, ret, 0))
		return false;
	for (size_t i = 0; i < exprs->count; i++)
		if (!add_members(parser, &ret->list, exprs->items[i]) ||
			!add_set(parser, ret, first_of(ret->list.count)))
			return false;
	return true;
}

bool sql_group_cube(struct sql_parser *parser, struct sql_group *ret, const struct sql_exprs *exprs)
{
	*ret = (struct sql_group){.given_sets = true};
	if (!add_set(parser, ret, 0))
		return false;
	for (size_t i = 0; i < exprs->count; i++) {
		size_t before = ret->list.count, sets = ret->set_count;

		if (!add_members(parser, &ret->list, exprs->items[i]))
			return false;
		for (size_t j = 0; j < sets; j++)
			if (!add_set(parser, ret,
				    ret->sets[j] | (first_of(ret->list.count) & ~first_of(before))))
				return false;
	}
	return true;
}

bool sql_group_add(struct sql_parser *parser, struct sql_group *group, const struct sql_group *more)
{
	size_t before = group->list.count;

	if (!sql_add_exprs(parser, &group->list, &more->list))
		return false;
	for (size_t i = 0; i < more->set_count; i++)
		if (!add_set(parser, group, moved(more->sets[i], before)))
			return false;
	return true;
}

bool sql_group_multiply(
	struct sql_parser *parser, struct sql_group *group, const struct sql_group *more)
{
	struct sql_group product = {.list = group->list};
	size_t before = group->list.count;

	product.given_sets = group->given_sets || more->given_sets;
	if (!sql_add_exprs(parser, &product.list, &more->list))
		return false;
	for (size_t i = 0; i < group->set_count; i++)
		for (size_t j = 0; j < more->set_count; j++)
			if (!add_set(parser, &product,
				    group->sets[i] | moved(more->sets[j], before)))
				return false;
	*group = product;
	return true;
}
