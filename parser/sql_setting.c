/* SET and RESET, as the client recognises them before any parser sees them: with a bare key they
 * are no SQL at all. Recorded: format/set_forms_1 to _7, format/stmt_set_unquoted_forms. */
#include "parser/sql_node.h"

#include "parser/sql_gram.h"

/* Cuts the characters that are neither blank, quote nor ';' off *rest. */
static struct text take_bare(struct text *rest)
{
	size_t len = 0;

	while (len < rest->len && (unsigned char)rest->ptr[len] > ' ' && rest->ptr[len] != '\'' &&
		rest->ptr[len] != ';')
		len++;
	*rest = text_slice(*rest, len, rest->len);
	return (struct text){rest->ptr - len, len};
}

/* Cuts a value off *rest: what stands between two quotes, or a bare one. False where none is. */
static bool take_value(struct text *rest, struct text *value)
{
	struct text inner = text_slice(*rest, 1, rest->len);
	size_t end = text_find(inner, TEXT("'"));

	if (!text_starts(*rest, TEXT("'"))) {
		*value = take_bare(rest);
		return value->len > 0;
	}
	*value = text_slice(inner, 0, end);
	*rest = text_slice(inner, end + 1, inner.len);
	return end < inner.len;
}

bool sql_bare_setting(struct text source, struct sql_statement *ret)
{
	struct text rest = text_trim(source), word = take_bare(&rest);
	struct sql_statement statement = {
		.kind = text_ieq(word, TEXT("RESET")) ? STMT_RESET : STMT_SET,
	};
	size_t equals;

	if (statement.kind == STMT_SET && !text_ieq(word, TEXT("SET")))
		return false;
	rest = text_trim_left(rest);
	if (statement.kind == STMT_RESET || !rest.len) {
		statement.key = take_bare(&rest);
		if (rest.len)
			return false;
		*ret = statement;
		return true;
	}
	equals = text_find(rest, TEXT("="));
	word = text_slice(rest, 0, equals);
	statement.key = take_bare(&word);
	if (!statement.key.len || text_trim(word).len)
		return false;
	rest = text_trim_left(text_slice(rest, equals + 1, rest.len));
	if (!take_value(&rest, &statement.value) || rest.len)
		return false;
	*ret = statement;
	return true;
}

/* True where the tokens from the second on are of these kinds and no more follow; 0 ends the
 * list. */
static bool are_kinds(const struct sql_parser *parser, const int *kinds)
{
	const struct sql_token *token = &parser->tokens.items[1];

	for (; *kinds && token->kind; kinds++, token++)
		if (token->kind != *kinds)
			return false;
	return *kinds == 0 && token->kind == 0;
}

/* The token of a SET that is not as it should be. Texts side by side are one to the client. */
static size_t wrong_in_set(const struct sql_token *tokens)
{
	size_t i = 1;

	while (tokens[i].kind == T_STRING)
		i++;
	return i > 1 && tokens[i].kind == '=' ? i + 1 : i;
}

void sql_parse_setting(struct sql_parser *parser)
{
	static const int none[] = {0}, set[] = {T_STRING, '=', T_STRING, 0},
			 reset[] = {T_STRING, 0};
	struct sql_statement *statement = parser->statement;
	const struct sql_token *tokens = parser->tokens.items;
	bool is_set = text_ieq(tokens[0].text, TEXT("SET"));

	statement->kind = is_set ? STMT_SET : STMT_RESET;
	if (are_kinds(parser, none))
		return;
	if (!are_kinds(parser, is_set ? set : reset)) {
		parser->setting = true;
		parser->current = is_set ? wrong_in_set(tokens) : 1;
		sql_refuse_token(parser, parser->current);
		return;
	}
	statement->key = tokens[1].text;
	if (is_set)
		statement->value = tokens[3].text;
}
