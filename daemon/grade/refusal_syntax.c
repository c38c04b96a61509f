/* Text that the client's parser refuses. What was wrong is proved where it can be: with that one
 * thing mended, the statement is read. Where nothing is proved, the word in front of the place is
 * named. */
#include <errno.h>

#include "daemon/grade/refusal.h"
#include "parser/arena.h"
#include "parser/diag.h"

/* Where the text goes on behind a comment or a quoted text that starts here; `at` where none
 * does. */
static size_t skip_quoted(struct text t, size_t at)
{
	char c = t.ptr[at];
	struct text rest = text_slice(t, at, t.len);

	if (text_starts(rest, TEXT("--")))
		return at + text_find(rest, TEXT("\n"));
	if (text_starts(rest, TEXT("/*")))
		return at + 2 + text_find(text_slice(rest, 2, rest.len), TEXT("*/"));
	if (c != '\'' && c != '`' && c != '"')
		return at;
	for (at++; at < t.len && t.ptr[at] != c; at++)
		;
	return at + 1;
}

/* The first ';' outside of quotes and comments; t.len: none. */
static size_t find_semicolon(struct text t)
{
	size_t at = 0;

	while (at < t.len && t.ptr[at] != ';') {
		size_t behind = skip_quoted(t, at);

		at = behind > at ? behind : at + 1;
	}
	return at < t.len ? at : t.len;
}

/* Statements in one buffer of the client's: what stands behind the first ';' on its line? */
void refusal_several(struct refusal *r)
{
	struct text source = r->statement ? r->statement->piece.source : (struct text){0};
	size_t at = find_semicolon(source);
	struct text behind = text_slice(source, at + 1, source.len);

	behind = text_slice(behind, 0, text_find(behind, TEXT("\n")));
	behind = text_trim(behind);
	if (at == source.len) {
		size_t from = r->causes->count;

		refusal_add(r, DIAG_COMMENT_AFTER_SEMICOLON, (struct text){0});
		refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("one-line"));
		causes_either(r->causes, from);
	} else if (text_starts(behind, TEXT("--")) || text_starts(behind, TEXT("/*"))) {
		refusal_add(r, DIAG_COMMENT_AFTER_SEMICOLON, (struct text){0});
	} else {
		refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("one-line"));
	}
}

static struct text number_behind(struct text t, const char *mark)
{
	size_t at = text_find(t, text_of(mark)), to;

	if (at == t.len)
		return (struct text){0};
	at += text_of(mark).len;
	to = at;
	while (to < t.len && t.ptr[to] >= '0' && t.ptr[to] <= '9')
		to++;
	return text_slice(t, at, to);
}

static struct text character_name(int64_t code)
{
	static const struct {
		int64_t from, to;
		const char *name;
	} names[] = {{0xa0, 0xa0, "no-break-blank"}, {0x2000, 0x200b, "blank"},
		{0x2010, 0x2015, "dash"}, {0x2018, 0x201f, "quotes"},
		{0x202f, 0x202f, "no-break-blank"}, {0x2212, 0x2212, "dash"},
		{0x3000, 0x3000, "full-width-blank"}, {0xfeff, 0xfeff, "BOM"},
		{0xff1b, 0xff1b, "full-width-semicolon"}, {0xff00, 0xffef, "full-width"},
		{0x80, 0x10ffff, "character"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (code >= names[i].from && code <= names[i].to)
			return text_of(names[i].name);
	return TEXT("character");
}

/* Encountered: "\uff1b" (65307), after : "" */
void refusal_character(struct refusal *r)
{
	int64_t code = 0;
	size_t at = text_find(r->error, TEXT("Encountered: "));
	struct text digits = number_behind(text_slice(r->error, at, r->error.len), "\" (");

	if (text_to_int64(digits, &code) == 0 && code >= 0x80)
		refusal_add(r, DIAG_NON_ASCII_SQL, character_name(code));
	else
		refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("character"));
}

static bool reads(struct refusal *r, struct text source)
{
	struct sql_piece piece = {.source = source, .line = 1, .col = 1, .run = true};
	struct sql_statement statement = {0};
	struct diag diag = {0};
	int err = sql_parse(r->arena, &piece, &statement, &diag);

	if (err == -ENOMEM)
		r->causes->nomem = true;
	return err == 0 || err == -ENOTSUP;
}

static struct text with_blanks(struct refusal *r, struct text source)
{
	struct text copy = text_copy(r->arena, source);

	for (size_t i = 0; copy.ptr && i < copy.len; i++)
		if (copy.ptr[i] == '\t')
			((char *)copy.ptr)[i] = ' ';
	if (!copy.ptr)
		r->causes->nomem = true;
	return copy;
}

/* Is the statement read where its TABs are blanks? */
static bool is_glued(struct refusal *r, struct text source)
{
	return text_find(source, TEXT("\t")) < source.len && !reads(r, source) &&
	       reads(r, with_blanks(r, source));
}

/* Offset of a line and column, counted without TABs and CRs, which the client drops. */
static size_t offset_of(struct text source, int64_t line, int64_t col)
{
	int64_t l = 1, c = 1;
	size_t i = 0;

	for (; i < source.len && (l < line || (l == line && c < col)); i++) {
		if (source.ptr[i] == '\n') {
			l++;
			c = 1;
		} else if (source.ptr[i] != '\t' && source.ptr[i] != '\r') {
			c++;
		}
	}
	return i;
}

/* Where the client's message points; source.len: it is not known. */
static size_t place(const struct refusal *r, struct text source)
{
	int64_t line = 0, col = 0;

	if (text_to_int64(number_behind(r->error, "at line "), &line) ||
		text_to_int64(number_behind(r->error, ", column "), &col))
		return source.len;
	return offset_of(source, line, col);
}

/* Two statements without a ';' between them: each is read for itself. */
static bool is_unseparated(struct refusal *r, struct text source, size_t at)
{
	return at > 0 && at < source.len && reads(r, text_slice(source, 0, at)) &&
	       reads(r, text_slice(source, at, source.len));
}

static struct text word_before(struct text source, size_t at)
{
	size_t to = at, from;

	while (to > 0 && (unsigned char)source.ptr[to - 1] <= ' ')
		to--;
	from = to;
	while (from > 0 && text_is_word(source.ptr[from - 1]))
		from--;
	return text_slice(source, from < to ? from : (to ? to - 1 : 0), to);
}

/* A hint where none is allowed. A setting of the client in it never
 * reaches the query. */
void refusal_hint(struct refusal *r)
{
	struct text source = r->statement ? r->statement->piece.source : (struct text){0};
	struct text hint = text_slice(source, text_find(source, TEXT("/*+")), source.len);

	hint = text_slice(hint, 0, text_find(hint, TEXT("*/")));
	for (size_t i = 0; i < r->asked.count; i++) {
		const struct written_statement *s = &r->asked.items[i];

		if (s->err || s->tree.kind != STMT_SET || !s->tree.key.len ||
			text_find(hint, s->tree.key) == hint.len)
			continue;
		refusal_add(r, DIAG_SET_LOST, TEXT("hint"));
		return;
	}
	refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("hint"));
}

/* The token that the message names. */
static struct text wrong_token(const struct refusal *r)
{
	struct text mark = TEXT("Encountered \""), keyword = refusal_quoted(r, "the keyword ");
	size_t at = text_find(r->error, mark);
	struct text token = text_slice(r->error, at + mark.len, r->error.len);

	token = text_slice(token, 0, text_find(token, TEXT("\"")));
	return keyword.len ? keyword : token;
}

/* Two words that are read as one, the first of them a word of SQL. */
static bool seems_glued(struct text token)
{
	static const char *const words[] = {"SELECT", "FROM", "WHERE", "GROUP", "ORDER", "HAVING",
		"TABLE", "CREATE", "WATERMARK", "INTERVAL", "WITH", "DESCRIBE"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (token.len > text_of(words[i]).len &&
			text_ieq(text_slice(token, 0, text_of(words[i]).len), text_of(words[i])) &&
			text_is_word(token.ptr[text_of(words[i]).len]))
			return true;
	return false;
}

/* Of an echo only the beginning is known, and a TAB in it has left nothing but a bell in the
 * file. */
static void echo_syntax(struct refusal *r)
{
	struct text bytes = r->grading->submission->out.bytes, token = wrong_token(r);
	bool tabs = text_find(bytes, TEXT("\a")) < bytes.len;
	size_t from = r->causes->count;

	if (tabs)
		refusal_add(r, DIAG_TAB_GLUED, (struct text){0});
	if (!tabs || !seems_glued(token))
		refusal_add(r, DIAG_ERROR_SYNTAX, token);
	causes_either(r->causes, from);
}

static struct text first_word(struct text source)
{
	size_t len = 0;

	source = text_trim(source);
	while (len < source.len && text_is_word(source.ptr[len]))
		len++;
	return text_slice(source, 0, len);
}

void refusal_syntax(struct refusal *r)
{
	struct text source = r->statement ? r->statement->piece.source : (struct text){0};
	size_t at = place(r, source);
	struct text before = at < source.len ? word_before(source, at) : first_word(source);

	if (!r->written.whole)
		echo_syntax(r);
	else if (is_glued(r, source))
		refusal_add(r, DIAG_TAB_GLUED, (struct text){0});
	else if (is_unseparated(r, source, at))
		refusal_add(r, DIAG_ERROR_SYNTAX, TEXT("semicolon"));
	else
		refusal_add(r, DIAG_ERROR_SYNTAX,
			text_eq(before, TEXT(",")) ? TEXT("comma-extra") : before);
}
