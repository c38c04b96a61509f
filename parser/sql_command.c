/* What the client and its gateway do by themselves: HELP and CLEAR, which no parser sees, and
 * statement sets. Between the BEGIN and the END of EXECUTE STATEMENT SET stand INSERTs, each with
 * its ';'. Recorded: format/stmt_help_clear_history, format/stmt_statement_set. */
#include "parser/sql_node.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/sql_gram.h"

static bool is_word(const struct sql_token *token, const char *word)
{
	return token->kind && token->kind != T_QUOTED && token->kind != T_STRING &&
	       text_ieq(token->text, text_of(word));
}

/* Do the tokens begin with these words? */
static bool begins_with(const struct sql_parser *parser, const char *const *words)
{
	const struct sql_token *token = parser->tokens.items;

	for (; *words; words++, token++)
		if (!is_word(token, *words))
			return false;
	return true;
}

/* Parses the tokens in [from, to) as one INSERT. The one behind them ends it. */
static bool parse_member(
	struct sql_parser *parser, size_t from, size_t to, struct sql_statement *ret)
{
	struct sql_parser member = *parser;

	member.statement = ret;
	member.tokens.items += from;
	member.tokens.count = to - from + 1;
	member.tokens.items[to - from].kind = 0;
	if (sql_gram_parse(&member) == 2)
		sql_nomem(&member);
	ret->pos = member.tokens.items[0].loc.pos;
	if (!member.err && ret->kind != STMT_INSERT)
		sql_fail(&member, -ENOTSUP, ret->pos,
			"a statement set of other than INSERT is outside of what is read here");
	parser->err = member.err;
	return !member.err;
}

static bool parse_members(struct sql_parser *parser, size_t from, size_t end)
{
	const struct sql_token *tokens = parser->tokens.items;
	struct sql_statement *statement = parser->statement;
	size_t room = 0;

	if (from == end)
		return sql_refuse_token(parser, end);
	for (size_t to; from < end; from = to + 1) {
		to = from;
		while (to < end && tokens[to].kind != ';')
			to++;
		if (to == end || to == from)
			return sql_refuse_token(parser, to);
		if (arena_grow(parser->arena, &statement->members, statement->member_count, &room,
			    sizeof(*statement->members)))
			return sql_nomem(parser);
		statement->members[statement->member_count] = (struct sql_statement){0};
		if (!parse_member(parser, from, to, &statement->members[statement->member_count++]))
			return false;
	}
	return true;
}

bool sql_parse_command(struct sql_parser *parser)
{
	static const char *const begin[] = {"BEGIN", "STATEMENT", "SET", NULL};
	static const char *const execute[] = {"EXECUTE", "STATEMENT", "SET", "BEGIN", NULL};
	struct sql_statement *statement = parser->statement;
	const struct sql_token *tokens = parser->tokens.items;
	size_t count = parser->tokens.count - 1; /* without the end */

	if (count == 1 && is_word(tokens, "HELP")) {
		statement->kind = STMT_HELP;
	} else if (count == 1 && is_word(tokens, "CLEAR")) {
		statement->kind = STMT_CLEAR;
	} else if (count == 1 && is_word(tokens, "END")) {
		statement->kind = STMT_END_SET;
	} else if (count == 3 && begins_with(parser, begin)) {
		statement->kind = STMT_BEGIN_SET;
	} else if (count > 4 && begins_with(parser, execute) &&
		   is_word(&tokens[count - 1], "END")) {
		statement->kind = STMT_EXECUTE_SET;
		parse_members(parser, 4, count - 1);
	} else {
		return false;
	}
	return true;
}
