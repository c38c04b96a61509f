/* A hint holds no number, value, column list or clause of the solution. What a program can see of
 * that: a cell of the right answer, a number or a text of the reference's SQL, or three of its
 * tokens in a row. */
#include <errno.h>

#include "daemon/grade/lint.h"
#include "daemon/grade/report_source.h"
#include "parser/arena.h"
#include "parser/json.h"

/* Shorter texts are words like any other; and "one" is no number of the solution, which some
 * languages write as a digit. */
#define SHORTEST_TEXT 3

static bool is_telling(struct text t)
{
	return t.len > 0 && !text_eq(t, TEXT("1"));
}

static bool is_ascii_word(char c)
{
	return text_is_word(c) && (unsigned char)c < 0x80;
}

/* Does a text hold these bytes, and not as a part of a word or of a number? */
static bool holds(struct text t, struct text word)
{
	for (size_t at = 0; word.len && at + word.len <= t.len; at++) {
		size_t end = at + word.len;

		if (text_eq(text_slice(t, at, end), word) &&
			!(at && is_ascii_word(t.ptr[at - 1]) && is_ascii_word(word.ptr[0])) &&
			!(end < t.len && is_ascii_word(t.ptr[end]) &&
				is_ascii_word(word.ptr[word.len - 1])))
			return true;
	}
	return false;
}

/* ---- tokens ---- */

/* Words, numbers and signs; quotes are none, so that a number in an INTERVAL is one. */
struct tokens {
	struct text *items;
	size_t count, room;
};

static bool is_left_out(char c)
{
	return c == '\'' || c == '`' || c == '"' || c == ';' || (c > 0 && c <= ' ');
}

/* A comment at the beginning, or an empty text. */
static struct text comment_at(struct text t)
{
	if (text_starts(t, TEXT("--")))
		return text_slice(t, 0, text_find(t, TEXT("\n")));
	if (text_starts(t, TEXT("/*")))
		return text_slice(t, 0, text_find(t, TEXT("*/")) + 2);
	return text_slice(t, 0, 0);
}

static struct text token_at(struct text t)
{
	size_t len = 1;

	while (is_ascii_word(t.ptr[0]) && len < t.len && is_ascii_word(t.ptr[len]))
		len++;
	return text_slice(t, 0, len);
}

static void cut(struct lint *lint, struct text t, struct tokens *tokens)
{
	while (t.len) {
		struct text skipped = comment_at(t), token = token_at(t);

		if (skipped.len) {
			t = text_slice(t, skipped.len, t.len);
			continue;
		}
		t = text_slice(t, token.len, t.len);
		if (is_left_out(token.ptr[0]))
			continue;
		if (arena_grow(lint->arena, &tokens->items, tokens->count, &tokens->room,
			    sizeof(token))) {
			lint->nomem = true;
			return;
		}
		tokens->items[tokens->count++] = token;
	}
}

static bool is_number(struct text token)
{
	return token.ptr[0] >= '0' && token.ptr[0] <= '9';
}

static bool is_word(struct text token)
{
	return is_ascii_word(token.ptr[0]);
}

/* ---- what a hint may not hold ---- */

/* Tokens in a row that are a clause: a sentence has two by chance. */
#define CLAUSE 3

static bool same_clause(const struct text *a, const struct text *b)
{
	int words = 0;

	for (int i = 0; i < CLAUSE; i++) {
		if (!text_ieq(a[i], b[i]))
			return false;
		words += is_word(a[i]);
	}
	return words >= 2;
}

/* The clause of the SQL that a hint holds; empty: none. */
static struct text clause_in(const struct tokens *hint, const struct tokens *sql)
{
	for (size_t i = 0; i + CLAUSE <= hint->count; i++)
		for (size_t k = 0; k + CLAUSE <= sql->count; k++)
			if (same_clause(&hint->items[i], &sql->items[k])) {
				const char *from = hint->items[i].ptr;
				struct text last = hint->items[i + CLAUSE - 1];

				return (struct text){from, (size_t)(last.ptr - from) + last.len};
			}
	return (struct text){0};
}

static struct text number_in(struct text hint, const struct tokens *sql)
{
	for (size_t k = 0; k < sql->count; k++)
		if (is_number(sql->items[k]) && is_telling(sql->items[k]) &&
			holds(hint, sql->items[k]))
			return sql->items[k];
	return (struct text){0};
}

/* A text in quotes, of a query: what a SET or a table's options say is no part of the answer. */
static struct text quoted_in(struct text hint, struct text query)
{
	struct text rest = query;

	while (rest.len) {
		size_t from = text_find(rest, TEXT("'")) + 1;
		size_t len = text_find(text_slice(rest, from, rest.len), TEXT("'"));
		struct text quoted = text_slice(rest, from, from + len);

		if (quoted.len >= SHORTEST_TEXT && holds(hint, quoted))
			return quoted;
		rest = text_slice(rest, from + len + 1, rest.len);
	}
	return (struct text){0};
}

static struct text literal_in(struct linting *linting, struct text hint, struct text sql)
{
	struct arena *arena = linting->lint->arena;
	struct text found = {0};
	struct sql_script script;

	if (sql_split(arena, sql, &script, NULL))
		return found;
	for (size_t i = 0; i < script.count && !found.len; i++) {
		struct sql_statement statement;

		if (sql_parse(arena, &script.pieces[i], &statement, NULL) == 0 &&
			statement.kind == STMT_SELECT)
			found = quoted_in(hint, script.pieces[i].source);
	}
	return found;
}

static struct text cell_in(struct linting *linting, struct text hint, const struct table *table)
{
	for (size_t i = 0; i < table->row_count; i++)
		for (size_t k = 0; k < table->column_count; k++) {
			const struct sql_type *type = &table->columns[k].type;
			const struct value *value = &table->rows[i].cells[k];
			struct text cell = value_print(linting->lint->arena, type, value);
			bool text = type->kind == SQL_VARCHAR || type->kind == SQL_CHAR;

			linting->lint->nomem = linting->lint->nomem || !cell.ptr;
			if (!value->null && (!text || cell.len >= SHORTEST_TEXT) &&
				type->kind != SQL_BOOLEAN && is_telling(cell) && holds(hint, cell))
				return cell;
		}
	return (struct text){0};
}

/* A hint of a step: what it holds of the right answer. */
static void check_hint(struct linting *linting, size_t number, const struct lab_text *hint,
	const struct tokens *sql)
{
	const struct step *step = &linting->source->lab->steps[number];
	const struct expected *expected = &linting->grader.expected[number];
	struct lint *lint = linting->lint;
	struct tokens words = {0};
	struct text found = {0};

	cut(lint, hint->text, &words);
	for (size_t i = 0; i < expected->count && !found.len && step->kind == STEP_TABLES; i++)
		found = cell_in(linting, hint->text, expected->tables[i]);
	if (found.len)
		lint_add(lint, LINT_WARNING, hint->line, hint->col,
			"this hint holds \"%.*s\", a value of the right answer", TEXT_ARG(found));
	found = number_in(hint->text, sql);
	if (found.len)
		lint_add(lint, LINT_WARNING, hint->line, hint->col,
			"this hint holds \"%.*s\", a number of the reference's SQL",
			TEXT_ARG(found));
	found = literal_in(linting, hint->text, linting->sql[number].bytes);
	if (found.len)
		lint_add(lint, LINT_WARNING, hint->line, hint->col,
			"this hint holds \"%.*s\", a text of the reference's SQL", TEXT_ARG(found));
	found = clause_in(&words, sql);
	if (found.len)
		lint_add(lint, LINT_WARNING, hint->line, hint->col,
			"this hint holds \"%.*s\", a part of the reference's SQL", TEXT_ARG(found));
}

void lint_hints(struct linting *linting)
{
	const struct lab *lab = linting->source->lab;

	for (size_t i = 0; i < lab->step_count; i++) {
		const struct step *step = &lab->steps[i];
		struct tokens sql = {0};

		if (!linting->runs[i])
			continue;
		cut(linting->lint,
			step->kind == STEP_REPORT ? linting->out[i].bytes : linting->sql[i].bytes,
			&sql);
		for (size_t k = 0; k < step->hint_count; k++)
			for (size_t n = 0; n < step->hints[k].count; n++)
				check_hint(linting, i, &step->hints[k].items[n], &sql);
	}
}
