/* One SQL statement into a tree: what kind it is, and what is not the grammar's.
 *
 * SET and RESET are sql_setting.c's, the client's own commands sql_command.c's. SHOW and the
 * statements that are only recognised are read here. All others go to the grammar (sql.y). */
#include "parser/sql.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/sql_node.h"
#include "parser/sql_gram.h"

static bool is_word(const struct sql_token *token, const char *word)
{
	return token->kind != T_QUOTED && token->kind != T_STRING &&
	       text_ieq(token->text, text_of(word));
}

static bool is_one_of(const struct sql_token *token, const char *const *words)
{
	for (; *words; words++)
		if (is_word(token, *words))
			return true;
	return false;
}

static bool is_keyword(const struct sql_token *token)
{
	return token->kind != T_QUOTED && sql_word_kind(token->text) != T_WORD;
}

void *sql_refuse_token(struct sql_parser *parser, size_t index)
{
	size_t last = parser->tokens.count - 1;
	const struct sql_token *token = &parser->tokens.items[index < last ? index : last];

	if (token->kind == 0)
		return sql_fail(parser, -EINVAL, token->loc.pos,
			"syntax error at the statement's end: something is missing");
	if (token->kind == T_OUTSIDE)
		return sql_fail(parser, -ENOTSUP, token->loc.pos,
			"'%.*s' is outside of what is read here", TEXT_ARG(token->text));
	return sql_fail(parser, -EINVAL, token->loc.pos, "syntax error at %s'%.*s'",
		token->kind == T_STRING ? "the text "
		: is_keyword(token)	? "the keyword "
					: "",
		TEXT_ARG(token->text));
}

/* The statement as the client hands it on: without TAB and CR, bad bytes as U+FFFD, and two NULs
 * behind it for the scanner. */
static void clean(struct sql_parser *parser, struct text source)
{
	char *out = arena_array(parser->arena, source.len + 1, 3);
	size_t len = 0, in_file;

	if (!out) {
		sql_nomem(parser);
		return;
	}
	for (; source.len; source = text_slice(source, in_file, source.len)) {
		uint32_t c = utf8_decode(source, &in_file);
		struct text bytes = text_slice(source, 0, in_file);

		if (c == '\t' || c == '\r')
			continue;
		if (c == 0xfffd)
			bytes = TEXT("\xef\xbf\xbd");
		memcpy(out + len, bytes.ptr, bytes.len);
		len += bytes.len;
	}
	parser->source = (struct text){out, len};
}

/* The words of these tokens, upper case, a blank between them. */
static struct text join_words(struct sql_parser *parser, size_t from, size_t to)
{
	const struct sql_token *tokens = parser->tokens.items;
	struct text joined = TEXT("");

	for (size_t i = from; i < to && joined.ptr; i++)
		joined = text_format(parser->arena, "%.*s%s%.*s", TEXT_ARG(joined),
			joined.len ? " " : "", TEXT_ARG(tokens[i].text));
	if (!joined.ptr)
		sql_nomem(parser);
	for (size_t i = 0; i < joined.len; i++)
		if (joined.ptr[i] >= 'a' && joined.ptr[i] <= 'z')
			((char *)joined.ptr)[i] -= 'a' - 'A';
	return joined;
}

/* A name with what stands before it, or nothing, at this token; the index behind it. */
static size_t take_path(struct sql_parser *parser, size_t at)
{
	const struct sql_token *tokens = parser->tokens.items;
	struct sql_names path = {0};

	while (tokens[at].kind == T_WORD || tokens[at].kind == T_QUOTED) {
		if (!sql_add_name(parser, &path, tokens[at].text))
			return at;
		at++;
		if (tokens[at].kind != '.')
			break;
		at++;
	}
	if (path.count)
		sql_set_name(parser, &tokens[at - 1].loc, &path, &parser->statement->name,
			&parser->statement->database);
	return at;
}

/* A database with its catalog, where what is shown or used are not tables: the catalog is no
 * database. */
static void read_as_database(struct sql_statement *statement)
{
	struct sql_path *path = statement->paths;

	if (!path)
		return;
	path->catalog = path->database;
	path->database = statement->name;
	statement->database = TEXT("");
}

/* [NOT] LIKE 'pattern' at this token; the index behind it. */
static size_t take_like(struct sql_parser *parser, size_t at)
{
	const struct sql_token *tokens = parser->tokens.items;
	bool negated = tokens[at].kind == T_NOT;
	const struct sql_token *like = &tokens[negated ? at + 1 : at];

	if (like->kind != T_LIKE || like[1].kind != T_STRING)
		return at;
	parser->statement->liked = true;
	parser->statement->not_like = negated;
	parser->statement->like = like[1].text;
	return at + 2 + negated;
}

/* SHOW with what is shown, and the name where it is of something. */
static void parse_show(struct sql_parser *parser)
{
	static const char *const plain[] = {
		"TABLES",
		"VIEWS",
		"CATALOGS",
		"DATABASES",
		"FUNCTIONS",
		"JARS",
		"MODULES",
		"PROCEDURES",
		"JOBS",
		"MODELS",
		"CONNECTIONS",
		NULL,
	};
	static const char *const complete[] = {"TABLES", "VIEWS", "COLUMNS", NULL};
	static const char *const leading[] = {
		"CREATE",
		"CURRENT",
		"FULL",
		"USER",
		"MATERIALIZED",
		"COLUMNS",
		"PARTITIONS",
		NULL,
	};
	const struct sql_token *token = &parser->tokens.items[1];
	size_t words = 1, last;

	if (is_one_of(token, leading))
		words += !is_word(token, "COLUMNS") && !is_word(token, "PARTITIONS");
	else if (!is_one_of(token, plain)) {
		sql_refuse_token(parser, 1);
		return;
	}
	if (1 + words >= parser->tokens.count) {
		sql_refuse_token(parser, parser->tokens.count);
		return;
	}
	parser->statement->kind = STMT_SHOW;
	parser->statement->what = join_words(parser, 1, 1 + words);
	last = 1 + words;
	if (is_word(&token[words], "FROM") || is_word(&token[words], "IN"))
		last++;
	last = take_path(parser, last);
	if (is_word(token, "TABLES") || is_word(token, "VIEWS"))
		read_as_database(parser->statement);
	last = take_like(parser, last);
	parser->statement->more = parser->tokens.items[last].kind != 0;
	if (parser->statement->more && is_one_of(token, complete))
		sql_fail(parser, -EINVAL, parser->tokens.items[last].loc.pos,
			"syntax error at '%.*s'", TEXT_ARG(parser->tokens.items[last].text));
}

/* ALTER TABLE t MODIFY WATERMARK, or ADD, also in brackets; or DROP WATERMARK, RENAME TO, SET. */
static bool is_alter_known(const struct sql_parser *parser)
{
	const struct sql_token *tokens = parser->tokens.items;

	for (size_t i = 3; i < parser->tokens.count; i++) {
		size_t verb = tokens[i - 1].kind == '(' ? i - 2 : i - 1;

		if (tokens[i].kind == T_WATERMARK)
			return tokens[verb].kind == T_ADD || tokens[verb].kind == T_MODIFY ||
			       tokens[verb].kind == T_DROP;
		if ((tokens[i].kind == T_TO && tokens[i - 1].kind == T_RENAME) ||
			(tokens[i].kind == '(' && tokens[i - 1].kind == T_SET))
			return true;
	}
	return false;
}

/* IF [NOT] EXISTS at this token; the index behind it. */
static size_t take_exists(struct sql_parser *parser, size_t at)
{
	const struct sql_token *tokens = parser->tokens.items;

	if (tokens[at].kind != T_IF)
		return at;
	if (tokens[at + 1].kind == T_NOT && tokens[at + 2].kind == T_EXISTS) {
		parser->statement->if_not_exists = true;
		return at + 3;
	}
	parser->statement->if_exists = tokens[at + 1].kind == T_EXISTS;
	return parser->statement->if_exists ? at + 2 : at;
}

/* The name in USE name, USE CATALOG name, CREATE DATABASE [IF NOT EXISTS] name and DROP DATABASE
 * [IF EXISTS] name [CASCADE], where nothing else follows it. */
static void name_other(struct sql_parser *parser)
{
	const struct sql_token *tokens = parser->tokens.items;
	struct sql_statement *statement = parser->statement;
	size_t at = 1;

	if (is_word(&tokens[0], "USE"))
		at += is_word(&tokens[1], "CATALOG") && tokens[2].kind != 0;
	else if (is_word(&tokens[1], "CATALOG") &&
		 (tokens[0].kind == T_DESCRIBE || tokens[0].kind == T_DESC))
		at = 2;
	else if ((tokens[0].kind == T_CREATE || tokens[0].kind == T_DROP) &&
		 is_word(&tokens[1], "DATABASE"))
		at = take_exists(parser, 2);
	else
		return;
	at = take_path(parser, at);
	read_as_database(statement);
	statement->cascade = tokens[0].kind == T_DROP && is_word(&tokens[at], "CASCADE");
	if (tokens[at + statement->cascade].kind != 0)
		statement->name = TEXT("");
}

/* True for statements that are recognised by their first words and not looked at any further. */
static bool is_other(const struct sql_parser *parser)
{
	static const char *const first[] = {
		"USE",
		"LOAD",
		"UNLOAD",
		"ADD",
		"REMOVE",
		"ANALYZE",
		"CALL",
		"TRUNCATE",
		"DELETE",
		"UPDATE",
		"STOP",
		"COMPILE",
		"EXECUTE",
		NULL,
	};
	static const char *const described[] = {
		"CATALOG",
		"DATABASE",
		"FUNCTION",
		"JOB",
		"MODEL",
		"CONNECTION",
		NULL,
	};
	static const char *const defined[] = {
		"DATABASE",
		"CATALOG",
		"FUNCTION",
		"MODEL",
		"CONNECTION",
		"MATERIALIZED",
		"SYSTEM",
		"OR",
		NULL,
	};
	const struct sql_token *tokens = parser->tokens.items;
	const struct sql_token *object = &tokens[tokens[1].kind == T_TEMPORARY ? 2 : 1];

	if (is_one_of(&tokens[0], first))
		return true;
	switch (tokens[0].kind) {
	case T_DESCRIBE:
	case T_DESC: return tokens[1].kind && tokens[2].kind && is_one_of(&tokens[1], described);
	case T_CREATE:
	case T_DROP: return is_one_of(object, defined);
	case T_ALTER:
		return tokens[1].kind != T_TABLE
			       ? is_one_of(object, defined)
			       : parser->tokens.count > 4 && !is_alter_known(parser);
	default: return false;
	}
}

/* Drops the ';' at the end. One in the middle is another statement behind it, which the client
 * refuses, but for statement sets. */
static bool cut_semicolons(struct sql_parser *parser)
{
	struct sql_tokens *tokens = &parser->tokens;

	while (tokens->count > 1 && tokens->items[tokens->count - 2].kind == ';') {
		tokens->items[tokens->count - 2] = tokens->items[tokens->count - 1];
		tokens->count--;
	}
	if (is_word(&tokens->items[0], "EXECUTE"))
		return true;
	for (size_t i = 0; i < tokens->count && !parser->several; i++)
		parser->several = tokens->items[i].kind == ';';
	for (size_t i = 0; i < tokens->count; i++)
		if (tokens->items[i].kind == ';')
			return sql_fail(parser, -EINVAL, tokens->items[i + 1].loc.pos,
				"a second statement: the client takes one at a time, so a ';' must "
				"be the last on its line");
	return true;
}

static void parse_tokens(struct sql_parser *parser)
{
	struct sql_statement *statement = parser->statement;
	const struct sql_token *first = parser->tokens.items;

	if (!cut_semicolons(parser))
		return;
	if (is_word(first, "SET") || is_word(first, "RESET")) {
		sql_parse_setting(parser);
	} else if (is_word(first, "SHOW")) {
		parse_show(parser);
	} else if ((is_word(first, "QUIT") || is_word(first, "EXIT")) && first[1].kind == 0) {
		statement->kind = STMT_QUIT;
	} else if (sql_parse_command(parser)) {
		return;
	} else if (is_other(parser)) {
		statement->kind = STMT_OTHER;
		statement->what = join_words(parser, 0, parser->tokens.count > 2 ? 2 : 1);
		name_other(parser);
	} else if (sql_gram_parse(parser) == 2) {
		sql_nomem(parser);
	}
}

void sql_read_piece(struct sql_parser *parser, const struct sql_piece *piece)
{
	clean(parser, piece->source);
	if (parser->err)
		return;
	if (sql_bare_setting(parser->source, parser->statement)) {
		parser->statement->pos = (struct sql_pos){piece->line, piece->col};
		return;
	}
	if (sql_scan(parser, piece) == 0)
		parse_tokens(parser);
	if (!parser->err)
		parser->statement->pos = parser->tokens.items[0].loc.pos;
}

int sql_parse(struct arena *arena, const struct sql_piece *piece, struct sql_statement *ret,
	struct diag *reterr)
{
	struct arena scratch;
	struct sql_statement statement = {0};
	struct sql_parser parser = {
		.arena = arena, .scratch = &scratch, .reterr = reterr, .statement = &statement};

	arena_init(&scratch, arena->limit);
	sql_read_piece(&parser, piece);
	arena_finish(&scratch);
	if (!parser.err)
		*ret = statement;
	return parser.err;
}
