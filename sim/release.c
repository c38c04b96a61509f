/* Releases: up to 1.20 a window function in FROM needs TABLE( ) around it, and else its TABLE
 * argument is a syntax error. Recorded: versions/1.18.1/w5, versions/1.20.5/w5,
 * versions/1.20.5/w5_wrapped. */
#include "sim/release.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"

static const struct {
	struct text name;
	enum flink_release release;
} releases[] = {
	{{"1.18", 4}, FLINK_1_18},
	{{"1.20", 4}, FLINK_1_20},
	{{"2.0", 3}, FLINK_2_0},
	{{"2.2", 3}, FLINK_2_2},
	{{"2.3", 3}, FLINK_2_3},
};

bool release_find(struct text name, enum flink_release *ret)
{
	for (size_t i = 0; i < sizeof(releases) / sizeof(*releases); i++)
		if (text_eq(releases[i].name, name)) {
			*ret = releases[i].release;
			return true;
		}
	return false;
}

/* Flink counts lines and columns from the statement's first character. */
static struct sql_pos pos_in_statement(const struct sql_piece *piece, struct sql_pos pos)
{
	if (pos.line == piece->line)
		pos.col -= piece->col - 1;
	pos.line -= piece->line - 1;
	return pos;
}

int release_check(struct arena *arena, enum flink_release release, const struct sql_piece *piece,
	const struct sql_statement *statement, struct outcome *ret, struct diag *reterr)
{
	const struct sql_expr *call = statement->bare_call, *first;
	struct sql_pos pos;

	if (release > FLINK_1_20 || !call)
		return 0;
	first = call->arg_count ? call->args[0] : call;
	if (first->kind != EXPR_TABLE || first->arg_name.len)
		return diag_set(reterr, -ENOTSUP, call->pos.line, call->pos.col,
			"A function in FROM without TABLE( ) is not simulated in this release.");
	pos = pos_in_statement(piece, first->pos);
	fault_set(arena, &ret->error,
		FAULT_PARSE "Incorrect syntax near the keyword 'TABLE' at line %d, column %d.\n"
			    "Was expecting one of:\n"
			    "    <BRACKET_QUOTED_IDENTIFIER> ...\n"
			    "    <QUOTED_IDENTIFIER> ...\n"
			    "    <BACK_QUOTED_IDENTIFIER> ...\n"
			    "    <BIG_QUERY_BACK_QUOTED_IDENTIFIER> ...\n"
			    "    <HYPHENATED_IDENTIFIER> ...\n"
			    "    <IDENTIFIER> ...\n"
			    "    <UNICODE_QUOTED_IDENTIFIER> ...",
		pos.line, pos.col);
	ret->kind = OUTCOME_ERROR;
	ret->pos = first->pos;
	return ret->error.ptr ? 0 : diag_nomem(reterr);
}
