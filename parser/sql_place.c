/* The place of a syntax error: the symbols of the grammar around it, without what does not matter
 * to what may come next. Two statements that are broken at the same place are answered with the
 * same list of expected tokens by Flink's parser, wherever the place is in the file.
 *
 * What matters: the innermost open bracket and what is inside; of a chain a AND b = c only its last
 * operand; the last token, since after a number, a text, a bracket or a name other things are
 * looked for. */
#include <string.h>

#include "parser/arena.h"
#include "parser/sql_gram.h"
#include "parser/sql_node.h"

/* The words in front of a bracket behind which Flink's parser has rules of its own. */
static bool is_special(struct text word)
{
	static const char *const special[] = {"TUMBLE", "HOP", "SESSION", "TIMESTAMPADD",
		"TIMESTAMPDIFF", "CONVERT", "TRANSLATE", "OVERLAY", "DATE_TRUNC", "STRING_AGG",
		"GROUP_CONCAT", "ARRAY_CONCAT_AGG", "PERCENTILE_CONT", "PERCENTILE_DISC",
		"DATETIME_TRUNC", "TIMESTAMP_DIFF", "TIMESTAMP_TRUNC", "TIME_DIFF", "TIME_TRUNC",
		"CONTAINS_SUBSTR", "JSON_ARRAY", "JSON_ARRAYAGG", "JSON_EXISTS", "JSON_OBJECT",
		"JSON_OBJECTAGG", "JSON_QUERY", "JSON_VALUE", "DATEADD", "DATEDIFF", "DATE_PART",
		"DATEPART", "MATCH_NUMBER", "CLASSIFIER", "PREV", "NEXT", "LAST", "FIRST",
		"DATE_DIFF", "DATETIME_DIFF"};

	for (size_t i = 0; i < sizeof(special) / sizeof(*special); i++)
		if (text_ieq(word, text_of(special[i])))
			return true;
	return false;
}

/* The bracket that is open before token `end`, or `end` where there is none. */
static size_t open_bracket(const struct sql_token *tokens, size_t end)
{
	int closed = 0;

	for (size_t i = end; i-- > 0;) {
		if (tokens[i].kind == ')' || tokens[i].kind == ']')
			closed++;
		else if ((tokens[i].kind == '(' || tokens[i].kind == '[') && closed-- == 0)
			return i;
	}
	return end;
}

/* What stands in front of a bracket: empty for a name or a function like any other, "-" where it
 * is neither of these nor a word with brackets of its own. */
static struct text before_bracket(const struct sql_token *tokens, size_t bracket)
{
	const struct sql_token *token;

	if (!bracket)
		return TEXT("-");
	token = &tokens[bracket - 1];
	switch (token->kind) {
	case T_QUOTED: return TEXT("");
	case T_WORD:
	case T_FUNCTION:
	case T_UNIT:
	case T_LEFT:
	case T_RIGHT: return is_special(token->text) ? token->text : TEXT("");
	case T_SELECT:
	case T_DISTINCT:
	case T_WHERE:
	case T_HAVING:
	case T_AND:
	case T_OR:
	case T_NOT:
	case T_BY:
	case T_ON:
	case T_WHEN:
	case T_THEN:
	case T_ELSE:
	case T_CASE:
	case T_LIKE: return TEXT("-");
	default: return token->kind > 255 ? token->text : TEXT("-");
	}
}

/* The words in front of a literal of times. */
static bool is_time_word(int kind)
{
	return kind == T_DATE || kind == T_TIME || kind == T_TIMESTAMP;
}

static struct text class_of(struct arena *arena, const struct sql_token *tokens, size_t i)
{
	size_t open;

	switch (tokens[i].kind) {
	case T_STRING: return i && is_time_word(tokens[i - 1].kind) ? TEXT("time") : TEXT("text");
	case T_INTEGER:
	case T_DECIMAL:
	case T_DOUBLE: return TEXT("number");
	case T_WORD:
	case T_QUOTED: return i && tokens[i - 1].kind == T_AS ? TEXT("alias") : TEXT("name");
	case T_NULL:
	case T_TRUE:
	case T_FALSE:
	case T_UNKNOWN:
		return i && (tokens[i - 1].kind == T_IS || tokens[i - 1].kind == T_NOT)
			       ? TEXT("is")
			       : TEXT("constant");
	case ')':
		open = open_bracket(tokens, i);
		if (open == i)
			return TEXT(")");
		return text_format(arena, "%.*s(%s)", TEXT_ARG(before_bracket(tokens, open)),
			tokens[open + 1].kind == T_SELECT ? "SELECT" : "");
	default: return tokens[i].text;
	}
}

/* Is a LIKE in the expression that ends before token `end`? ESCAPE may follow then, however far
 * it is. */
static bool behind_like(const struct sql_token *tokens, size_t end)
{
	int closed = 0;

	for (size_t i = end; i-- > 0;) {
		switch (tokens[i].kind) {
		case ')': closed++; break;
		case '(':
			if (closed-- == 0)
				return false;
			break;
		case T_LIKE:
			if (!closed)
				return true;
			break;
		case ',':
		case T_SELECT:
		case T_WHERE:
		case T_HAVING:
		case T_ON:
		case T_WHEN:
		case T_THEN:
		case T_ELSE:
		case T_FROM:
		case T_BY:
			if (!closed)
				return false;
			break;
		default: break;
		}
	}
	return false;
}

static bool is_in(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

static bool is_operand(const char *name)
{
	static const char *const names[] = {"expr", "operand", "primary", "path", NULL};

	return is_in(name, names);
}

static bool is_operator(const char *name)
{
	static const char *const names[] = {"OR", "AND", "'='", "NE", "'<'", "'>'", "LE", "GE",
		"LIKE", "'+'", "'-'", "'*'", "'/'", "'%'", "CONCAT", NULL};

	return is_in(name, names);
}

static bool is_prefix(const char *name)
{
	static const char *const names[] = {"NOT", "'+'", "'-'", NULL};

	return is_in(name, names);
}

/* The symbols of the trail that matter: from one before the innermost bracket on. */
static size_t first_symbol(const struct sql_trail *trail)
{
	static const char *const common[] = {"path", "'('", "','", NULL};
	size_t i = 0;

	while (i < trail->count && strcmp(trail->names[i], "'('") != 0 &&
		strcmp(trail->names[i], "'['") != 0)
		i++;
	if (i + 3 < trail->count && is_in(trail->names[i + 1], common))
		return i + 4;
	return i + 2 < trail->count ? i + 2 : trail->count;
}

/* How many symbols from `at` on, down to the latest, are an operand and its operator, or a
 * prefix, with more behind them: 0, 1, 2 or 3. */
static size_t passed_over(const struct sql_trail *trail, size_t at)
{
	const char *const *names = trail->names + at; /* names[-1] comes next */

	if (at >= 3 && is_operand(names[0]) && strcmp(names[-1], "NOT_INFIX") == 0 &&
		is_operator(names[-2]))
		return 3;
	if (at >= 2 && is_operand(names[0]) && is_operator(names[-1]))
		return 2;
	if (at >= 1 && is_prefix(names[0]) && at + 1 < trail->count && !is_operand(names[1]))
		return 1;
	return 0;
}

/* The symbols from `to`, not counted, down to `from`. */
static struct text symbols(
	struct arena *arena, const struct sql_trail *trail, size_t from, size_t to)
{
	struct text place = TEXT("");

	for (size_t i = to; i-- > from && place.ptr;) {
		size_t skip = passed_over(trail, i);

		if (skip)
			i -= skip - 1;
		else
			place = text_format(arena, "%.*s%s ", TEXT_ARG(place), trail->names[i]);
	}
	return place;
}

/* The special word in front of the bracket that is open. */
static struct text special_bracket(const struct sql_token *tokens, size_t open, size_t end)
{
	struct text word = open < end ? before_bracket(tokens, open) : TEXT("");

	return is_special(word) ? word : TEXT("");
}

/* How many of the latest symbols are an operand, or an operator behind one. */
static size_t ending_symbols(const struct sql_trail *trail)
{
	static const char *const more[] = {"NOT_INFIX", "BETWEEN", "IN", "IS", "NOT", "plain_call",
		"name", "'.'", "INTERVAL", "sign", "STRING", "unit_word", NULL};
	size_t count = 0;

	while (count < 6 && count < trail->count &&
		(is_operand(trail->names[count]) || is_operator(trail->names[count]) ||
			is_in(trail->names[count], more)))
		count++;
	return count;
}

/* Is the latest symbol an operator, and an operand in front of it? */
static bool ends_in_operator(const struct sql_trail *trail)
{
	return trail->count > 1 && is_operand(trail->names[1]) &&
	       (is_operator(trail->names[0]) || strcmp(trail->names[0], "IS") == 0 ||
		       strcmp(trail->names[0], "IN") == 0);
}

struct sql_place sql_place(const struct sql_parser *parser)
{
	const struct sql_token *tokens = parser->tokens.items;
	const struct sql_trail *trail = &parser->trail;
	struct arena *arena = parser->scratch;
	size_t end = parser->current, open = open_bracket(tokens, end);
	size_t ending = ending_symbols(trail);
	struct sql_place place = {
		.around = symbols(arena, trail, ending, first_symbol(trail)),
		.special = special_bracket(tokens, open, end),
		.ending = symbols(arena, trail, 0, ending),
		.before = TEXT(""),
		.last = TEXT(""),
		.operator= TEXT(""),
		.like = behind_like(tokens, end),
	};

	if (end)
		place.last = class_of(arena, tokens, end - 1);
	if (end > 1)
		place.before = class_of(arena, tokens, end - 2);
	if (ending > 1 && ends_in_operator(trail)) {
		place.operator= place.last;
		place.last = place.before;
	}
	return place;
}
