/* What Flink's parser says of a statement that has a syntax error: the wrong token, its place in
 * the statement and the list of what was expected there (sql_expect.c). Of a place that is not
 * known nothing is said, nor where the wrong token would have been right by the list: Flink reads
 * on there.
 *
 * Recorded: semantics/errors_reserved_groups, semantics/errors_sql_missing_semicolon,
 * format/err_parse, format/stmt_unfinished, format/stmt_two_one_line,
 * format/stmt_fullwidth_space. */
#include <errno.h>

#include "parser/arena.h"
#include "parser/encoding.h"
#include "parser/sql_expected.h"
#include "parser/sql_gram.h"
#include "parser/sql_node.h"

#define NON_QUERY                                                                           \
	"org.apache.calcite.runtime.CalciteException: Non-query expression encountered in " \
	"illegal context"
#define SINGLE "java.lang.IllegalArgumentException: only single statement supported"
#define FAULT_LEXICAL                                                                            \
	"org.apache.flink.sql.parser.impl.TokenMgrError: Lexical error at line %d, column %d.  " \
	"Encountered: \""
#define FAULT_PARSE "org.apache.flink.sql.parser.impl.ParseException: "

/* Is this token of our scanner one that Flink's parser calls so? */
static bool is_called(const struct sql_token *token, struct text name)
{
	switch (token->kind) {
	case 0: return text_eq(name, TEXT(";"));
	case T_STRING: return text_eq(name, TEXT("<QUOTED_STRING>"));
	case T_QUOTED: return text_eq(name, TEXT("<BACK_QUOTED_IDENTIFIER>"));
	case T_INTEGER: return text_eq(name, TEXT("<UNSIGNED_INTEGER_LITERAL>"));
	case T_DECIMAL: return text_eq(name, TEXT("<DECIMAL_NUMERIC_LITERAL>"));
	case T_DOUBLE: return text_eq(name, TEXT("<APPROX_NUMERIC_LITERAL>"));
	case T_HINT: return text_eq(name, TEXT("/*+"));
	default:
		return text_ieq(token->text, name) ||
		       (sql_word_is_free(token->kind) && text_eq(name, TEXT("<IDENTIFIER>")));
	}
}

/* How many of the entry's tokens are there, from `at` on; *len is how many it has. */
static size_t matched(const struct sql_tokens *tokens, size_t at, struct text entry, size_t *len)
{
	size_t count = 0;
	bool fits = true;

	for (*len = 0; entry.len; ++*len) {
		size_t end = text_find(entry, TEXT("~"));

		fits = fits && at + *len < tokens->count &&
		       is_called(&tokens->items[at + *len], text_slice(entry, 0, end));
		count += fits;
		entry = text_slice(entry, end + 1, entry.len);
	}
	return count;
}

/* The longest entry, or 0 where the wrong token would be right: then Flink reads on. */
static size_t longest_entry(
	const struct sql_entries *list, const struct sql_tokens *tokens, size_t at, size_t wrong)
{
	size_t longest = 0;

	for (size_t i = 0; i < list->count; i++) {
		size_t len;

		if (matched(tokens, at, list->items[i], &len) > wrong - at)
			return 0;
		longest = len > longest ? len : longest;
	}
	return longest;
}

/* The token as Flink shows it: as written, with what is not printable as an escape. */
static struct text image(const struct sql_parser *parser, size_t at)
{
	const struct sql_token *token = &parser->tokens.items[at];
	struct text written = text_slice(parser->source, token->loc.begin, token->loc.end);
	struct text shown = TEXT("");
	size_t len;

	if (token->kind == 0)
		return TEXT(";");
	if (token->kind == T_HINT)
		return TEXT("/*+");
	for (; written.len && shown.ptr; written = text_slice(written, len, written.len)) {
		uint32_t c = utf8_decode(written, &len);

		if (c == '"' || c == '\'' || c == '\\')
			shown = text_format(parser->scratch, "%.*s\\%c", TEXT_ARG(shown), (int)c);
		else if (c == '\n')
			shown = text_format(parser->scratch, "%.*s\\n", TEXT_ARG(shown));
		else if (c >= 0x20 && c < 0x7f)
			shown = text_format(parser->scratch, "%.*s%c", TEXT_ARG(shown), (int)c);
		else if (c < 0x10000)
			shown = text_format(
				parser->scratch, "%.*s\\u%04x", TEXT_ARG(shown), (unsigned)c);
		else
			shown = text_format(parser->scratch, "%.*s\\u%04x\\u%04x", TEXT_ARG(shown),
				(unsigned)(0xd800 + ((c - 0x10000) >> 10)),
				(unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
	}
	return shown;
}

static struct text images(const struct sql_parser *parser, size_t at, size_t count)
{
	struct text shown = TEXT("");

	for (size_t i = at; i < at + count && shown.ptr; i++) {
		bool behind = i >= parser->tokens.count;
		struct text next = behind ? TEXT("<EOF>") : image(parser, i);

		if (!next.ptr)
			return next;
		shown = text_format(parser->scratch, "%.*s%s%.*s", TEXT_ARG(shown),
			i > at ? " " : "", TEXT_ARG(next));
		if (behind)
			break;
	}
	return shown;
}

static struct sql_pos place_in(struct text source, size_t offset)
{
	struct sql_pos pos = {1, 1};
	struct text rest = text_slice(source, 0, offset);
	size_t len;

	for (; rest.len; rest = text_slice(rest, len, rest.len)) {
		uint32_t c = utf8_decode(rest, &len);

		pos.col += c > 0xffff ? 2 : 1;
		if (c == '\n')
			pos = (struct sql_pos){pos.line + 1, 1};
	}
	return pos;
}

/* Flink calls a keyword by name where a name might stand. */
static bool is_loud_keyword(const struct sql_token *token, const struct sql_entries *list)
{
	bool upper = token->kind != 0 && token->kind != T_QUOTED && token->kind != T_STRING &&
		     sql_word_kind(token->text) != T_WORD;
	bool named = false;

	for (size_t i = 0; i < token->text.len; i++)
		upper &= (token->text.ptr[i] >= 'A' && token->text.ptr[i] <= 'Z') ||
			 token->text.ptr[i] == '_';
	for (size_t i = 0; i < list->count && !named; i++)
		named = text_find(list->items[i], TEXT("<IDENTIFIER>")) < list->items[i].len;
	return upper && named;
}

/* The lines of the list. */
static struct text print_list(const struct sql_entries *list)
{
	struct text out = TEXT("");

	for (size_t i = 0; i < list->count && out.ptr; i++) {
		struct text rest = list->items[i];

		out = text_format(list->arena, "%.*s%s", TEXT_ARG(out), i ? "\n   " : "   ");
		while (rest.len && out.ptr) {
			size_t end = text_find(rest, TEXT("~"));
			struct text token = text_slice(rest, 0, end);
			const char *quote = token.ptr[0] == '<' && token.len > 2 ? "" : "\"";

			out = text_format(list->arena, "%.*s %s%.*s%s", TEXT_ARG(out), quote,
				TEXT_ARG(token), quote);
			rest = text_slice(rest, end + 1, rest.len);
		}
		if (out.ptr)
			out = text_format(list->arena, "%.*s %s", TEXT_ARG(out),
				text_eq(list->items[i], TEXT("<EOF>")) ? "" : "...");
	}
	return out;
}

static struct text print_fault(
	const struct sql_parser *parser, const struct sql_entries *list, size_t at, size_t longest)
{
	const struct sql_token *token = &parser->tokens.items[at];
	struct sql_pos pos = place_in(parser->source, token->loc.begin);
	struct text shown = images(parser, at, longest), expected = print_list(list);
	const char *one = list->count == 1 ? "Was expecting:" : "Was expecting one of:";

	if (!shown.ptr || !expected.ptr)
		return (struct text){NULL, 0};
	if (is_loud_keyword(token, list))
		return text_format(parser->arena,
			FAULT_PARSE
			"Incorrect syntax near the keyword '%.*s' at line %d, column %d.\n%s\n%.*s",
			TEXT_ARG(token->text), pos.line, pos.col, one, TEXT_ARG(expected));
	return text_format(parser->arena,
		FAULT_PARSE "Encountered \"%.*s\" at line %d, column %d.\n%s\n%.*s",
		TEXT_ARG(shown), pos.line, pos.col, one, TEXT_ARG(expected));
}

/* Strings side by side are one to Flink, which then reads on. */
static bool is_joined_string(const struct sql_parser *parser)
{
	const struct sql_token *token = &parser->tokens.items[parser->current];

	return parser->current && token[0].kind == T_STRING && token[-1].kind == T_STRING;
}

static int explain(const struct sql_parser *parser, struct text *ret)
{
	struct sql_place place = sql_place(parser);
	struct sql_entries list = {.arena = parser->scratch};
	size_t at, longest;
	int back = 0, err;

	if (is_joined_string(parser))
		return -ENOTSUP;
	err = sql_expect(&list, &place, &back);
	if (err < 0)
		return err;
	if ((size_t)back > parser->current)
		return -ENOTSUP;
	at = parser->current - (size_t)back;
	longest = longest_entry(&list, &parser->tokens, at, parser->current);
	if (!longest)
		return -ENOTSUP;
	*ret = print_fault(parser, &list, at, longest);
	return ret->ptr ? 0 : -ENOMEM;
}

/* Flink takes a statement that begins with a name or a literal for an expression, and complains
 * as soon as that ends. What ends it is anything but an operator; "f (" and "a ." go on. */
static bool is_expression_alone(const struct sql_parser *parser)
{
	static const int ending[] = {0, ',', ')', T_WORD, T_QUOTED, T_STRING, T_INTEGER, T_DECIMAL,
		T_DOUBLE, T_SELECT, T_FROM, T_WHERE, T_GROUP, T_BY, T_TABLE, T_VIEW, T_INTO, T_AS,
		T_FUNCTION, T_DISTINCT, T_WATERMARK, T_TEMPORARY, T_IF, T_SET, T_WITH, T_VALUES};
	const struct sql_token *first = parser->tokens.items;

	if (parser->current || (first->kind != T_WORD && first->kind != T_QUOTED))
		return false;
	if (first[1].kind == '*')
		return first[2].kind == T_FROM || first[2].kind == ',' || first[2].kind == 0;
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (first[1].kind == ending[i])
			return true;
	return false;
}

/* Does the text between two ';' parse? SET and the like are not SQL to the client and stay
 * unknown. */
static bool is_statement(struct arena *arena, struct text source)
{
	static const int known[] = {T_SELECT, T_CREATE, T_INSERT, T_DROP, T_DESCRIBE, T_DESC,
		T_WITH, T_EXPLAIN, T_VALUES};
	struct sql_statement statement = {0};
	struct sql_parser parser = {.arena = arena, .scratch = arena, .statement = &statement};
	struct sql_piece piece = {source, 1, 1, true};
	bool is_sql = false;

	sql_read_piece(&parser, &piece);
	if (parser.err)
		return false;
	if (!parser.tokens.count)
		return true;
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		is_sql |= parser.tokens.items[0].kind == known[i];
	return is_sql || statement.kind == STMT_SHOW || statement.kind == STMT_SET;
}

/* Several statements in one: Flink says so where each of them is right by itself. */
static int explain_several(const struct sql_parser *parser, struct text *ret)
{
	const struct sql_tokens *tokens = &parser->tokens;
	size_t begin = 0;

	for (size_t i = 0; i < tokens->count; i++) {
		const struct sql_loc *loc = &tokens->items[i].loc;

		if (tokens->items[i].kind != ';' && tokens->items[i].kind != 0)
			continue;
		if (!is_statement(parser->scratch, text_slice(parser->source, begin, loc->begin)))
			return -ENOTSUP;
		begin = loc->end;
	}
	*ret = TEXT(SINGLE);
	return 0;
}

/* A character that SQL has not. The client meets it as it looks for the end of the statement,
 * whatever else is wrong; it counts from the first character that is no blank (recorded:
 * watermark/mistakes/w5_fullwidth_space). */
static int explain_character(const struct sql_parser *parser, struct text *ret)
{
	struct text source = text_trim_left(parser->source);
	size_t at = parser->bad_at - (parser->source.len - source.len), len;
	struct sql_pos pos = place_in(source, at);
	uint32_t c = utf8_decode(text_slice(source, at, source.len), &len);

	if (c > 0xffff || c < 0x20 || c == 0x7f)
		return -ENOTSUP;
	*ret = text_format(parser->arena,
		c < 0x7f ? FAULT_LEXICAL "%c\" (%u), after : \"\""
			 : FAULT_LEXICAL "\\u%04x\" (%u), after : \"\"",
		pos.line, pos.col, (unsigned)c, (unsigned)c);
	return ret->ptr ? 0 : -ENOMEM;
}

#define TEXTS                                                                \
	"<BINARY_STRING_LITERAL> <QUOTED_STRING> <PREFIXED_STRING_LITERAL> " \
	"<UNICODE_STRING_LITERAL> <C_STYLE_ESCAPED_STRING_LITERAL> "         \
	"<BIG_QUERY_DOUBLE_QUOTED_STRING> <BIG_QUERY_QUOTED_STRING>"

/* SET 'key' = 'value' and RESET 'key'.
 * Recorded: format/set_forms_5, format/stmt_set_unquoted_forms. */
static int explain_setting(const struct sql_parser *parser, struct text *ret)
{
	const struct sql_token *token = &parser->tokens.items[parser->current];
	struct sql_entries list = {.arena = parser->scratch};
	const char *expected = NULL;
	int err;

	if (parser->current == 1)
		expected = "<EOF> " TEXTS " ;";
	else if (token[-1].kind == '=')
		expected = TEXTS;
	else if (parser->current == 2 && token->kind != T_STRING)
		expected = "UESCAPE <QUOTED_STRING> =";
	if (!expected || parser->current >= parser->tokens.count)
		return -ENOTSUP;
	err = sql_add_list(&list, text_of(expected));
	if (err < 0)
		return err;
	*ret = print_fault(parser, &list, parser->current, 1);
	return ret->ptr ? 0 : -ENOMEM;
}

/* Is there a "!=" that Flink has read, with the beginning of an operand, when it comes to the
 * wrong token? */
static bool is_banged(const struct sql_parser *parser)
{
	for (size_t i = 0; i + 1 < parser->current; i++)
		if (parser->tokens.items[i].kind == T_NE &&
			text_eq(parser->tokens.items[i].text, TEXT("!=")))
			return true;
	return false;
}

static int explain_any(const struct sql_parser *parser, struct text *ret)
{
	if (parser->err == -ENOMEM)
		return -ENOMEM;
	if (parser->err != -EINVAL)
		return -ENOTSUP;
	if (parser->has_bad)
		return explain_character(parser, ret);
	if (parser->fault) {
		*ret = text_of(parser->fault);
		return 0;
	}
	if (parser->setting)
		return explain_setting(parser, ret);
	if (parser->several)
		return explain_several(parser, ret);
	if (!parser->broken)
		return -ENOTSUP;
	if (is_banged(parser)) {
		*ret = TEXT(SQL_FAULT_BANG);
		return 0;
	}
	if (is_expression_alone(parser)) {
		*ret = TEXT(NON_QUERY);
		return 0;
	}
	return explain(parser, ret);
}

int sql_syntax_fault(struct arena *arena, const struct sql_piece *piece, struct text *ret)
{
	struct arena scratch;
	struct sql_statement statement = {0};
	struct sql_parser parser = {.arena = arena, .scratch = &scratch, .statement = &statement};
	int err;

	arena_init(&scratch, arena->limit);
	sql_read_piece(&parser, piece);
	err = explain_any(&parser, ret);
	arena_finish(&scratch);
	return err;
}
