/* The order of looking: texts, data, references, and what can be said only where all of them
 * run. */
#include "daemon/grade/lint.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/json.h"

static void add(struct lint *lint, const struct lint_finding *finding)
{
	if (!finding->text.ptr || !finding->file.ptr ||
		arena_grow(lint->arena, &lint->items, lint->count, &lint->room,
			sizeof(*lint->items))) {
		lint->nomem = true;
		return;
	}
	lint->items[lint->count++] = *finding;
}

void lint_add_diag(struct lint *lint, enum lint_kind kind, const struct diag *diag)
{
	struct lint_finding finding = {.kind = kind,
		.file = diag->file[0] ? text_copy(lint->arena, text_of(diag->file)) : LINT_LAB_FILE,
		.line = diag->line,
		.col = diag->col,
		.text = text_copy(lint->arena, text_of(diag->text))};

	add(lint, &finding);
}

void lint_add(struct lint *lint, enum lint_kind kind, int line, int col, const char *format, ...)
{
	struct diag diag = {0};
	va_list args;

	va_start(args, format);
	diag_vset(&diag, 0, line, col, format, args);
	va_end(args);
	lint_add_diag(lint, kind, &diag);
}

static int by_place(const void *left, const void *right)
{
	const struct lint_finding *a = left, *b = right;
	int file = text_cmp(a->file, b->file);

	if (file)
		return text_eq(a->file, LINT_LAB_FILE)	 ? -1
		       : text_eq(b->file, LINT_LAB_FILE) ? 1
							 : file;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->col != b->col)
		return a->col < b->col ? -1 : 1;
	return text_cmp(a->text, b->text);
}

void lint_sort(struct lint *lint)
{
	if (lint->count)
		qsort(lint->items, lint->count, sizeof(*lint->items), by_place);
}

const struct json *linting_member(const struct linting *linting, size_t step, const char *name)
{
	const struct json *json = linting->steps->items[step],
			  *member = json_get(json, text_of(name));

	return member ? member : json;
}

/* ---- texts ---- */

static bool has_language(const struct lab_texts *texts, struct text language)
{
	for (size_t i = 0; i < texts->count; i++)
		if (text_eq(texts->items[i].language, language))
			return true;
	return false;
}

static bool is_declared(const struct lab *lab, struct text language)
{
	for (size_t i = 0; i < lab->language_count; i++)
		if (text_eq(lab->languages[i], language))
			return true;
	return false;
}

/* What programs put something else in place of; of a lab's texts none does. */
static const char *placeholder_in(struct text text)
{
	static const char *const placeholders[] = {"{0}", "{1}", "{2}", "%s", "%d"};

	for (size_t i = 0; i < sizeof(placeholders) / sizeof(placeholders[0]); i++)
		if (text_find(text, text_of(placeholders[i])) < text.len)
			return placeholders[i];
	return NULL;
}

static bool has_hidden(struct text text)
{
	size_t len;

	for (; text.len; text = text_slice(text, len, text.len))
		if (!clean_shows(utf8_decode(text, &len)))
			return true;
	return false;
}

/* A hint is a sentence or two, in a line below a verdict. */
#define LONGEST_TEXT 400

static size_t count_characters(struct text text)
{
	size_t count = 0;

	for (size_t i = 0; i < text.len; i++)
		count += ((unsigned char)text.ptr[i] & 0xc0) != 0x80;
	return count;
}

static void check_text(struct lint *lint, const struct lab *lab, const struct lab_texts *texts,
	const struct lab_text *text)
{
	const char *placeholder = placeholder_in(text->text);
	bool english = text_eq(text->language, TEXT("en"));

	if (!is_declared(lab, text->language))
		lint_add(lint, LINT_ERROR, text->line, text->col,
			"\"languages\" does not declare \"%.*s\"", TEXT_ARG(text->language));
	if (text_trim(text->text).len == 0)
		lint_add(lint, LINT_ERROR, text->line, text->col, "this text is blank");
	else if (!english && text_find(text->text, TEXT(" ")) < text->text.len &&
		 text_eq(text->text, lab_text_get(texts, TEXT("en"))))
		lint_add(lint, LINT_WARNING, text->line, text->col,
			"this text is not translated: it is the English one");
	if (placeholder)
		lint_add(lint, LINT_WARNING, text->line, text->col,
			"\"%s\" is shown as it stands: nothing is put in its place", placeholder);
	if (count_characters(text->text) > LONGEST_TEXT)
		lint_add(lint, LINT_WARNING, text->line, text->col,
			"this text is long: %zu characters, more than %d",
			count_characters(text->text), LONGEST_TEXT);
	if (has_hidden(text->text))
		lint_add(lint, LINT_WARNING, text->line, text->col,
			"a text is one line, without control or invisible characters");
}

struct text_check {
	struct lint *lint;
	const struct lab *lab;
};

static void check_texts(void *ctx, const struct lab_texts *texts)
{
	const struct text_check *check = ctx;

	for (size_t i = 0; i < check->lab->language_count; i++)
		if (!has_language(texts, check->lab->languages[i]))
			lint_add(check->lint, LINT_ERROR, texts->line, texts->col,
				"this text is missing in \"%.*s\"",
				TEXT_ARG(check->lab->languages[i]));
	for (size_t i = 0; i < texts->count; i++)
		check_text(check->lint, check->lab, texts, &texts->items[i]);
}

void lint_texts(struct lint *lint, const struct lab *lab)
{
	struct text_check check = {lint, lab};

	lab_texts_each(lab, check_texts, &check);
}

/* ---- all of it ---- */

static int lint_data(struct lint *lint, const struct fixture_source *source)
{
	struct fixture_findings findings = {0};

	if (fixture_lint(lint->arena, source, &findings))
		return -ENOMEM;
	for (size_t i = 0; i < findings.count; i++) {
		const struct fixture_finding *finding = &findings.items[i];
		struct diag diag = {0};

		if (!finding->wrong)
			continue;
		diag_file(&diag, finding->file);
		diag_set(&diag, 0, finding->line, finding->col, "%.*s", TEXT_ARG(finding->text));
		lint_add_diag(lint, LINT_ERROR, &diag);
	}
	return 0;
}

static int open_linting(struct linting *linting, struct text json)
{
	struct arena *arena = linting->lint->arena;
	const struct lab *lab = linting->source->lab;
	struct json *root = ARENA_NEW(arena, struct json);

	linting->runs = arena_array(arena, lab->step_count + 1, sizeof(*linting->runs));
	linting->sql = arena_array(arena, lab->step_count, sizeof(*linting->sql));
	linting->out = arena_array(arena, lab->step_count, sizeof(*linting->out));
	linting->grader = (struct grader){.lab = lab,
		.data = fixture_files(arena, linting->source, linting->source->bytes),
		.expected = arena_array(arena, lab->step_count, sizeof(*linting->grader.expected))};
	if (!root || !linting->runs || !linting->sql || !linting->out || !linting->grader.data ||
		!linting->grader.expected || json_parse(arena, json, root, NULL))
		return -ENOMEM;
	linting->steps = json_get(root, TEXT("steps"));
	return 0;
}

static bool all_run(const struct linting *linting)
{
	for (size_t i = 0; i < linting->source->lab->step_count; i++)
		if (!linting->runs[i])
			return false;
	return true;
}

/* Data of more bytes are not looked at: what is looked for in them takes a hundred times their
 * memory. A lab has some hundred rows. */
#define LIMIT_LINT_DATA (2u << 20)

static void find_large(struct lint *lint, const struct fixture_source *source)
{
	for (size_t i = 0; i < source->lab->fixture_count; i++) {
		const struct fixture *fixture = &source->lab->fixtures[i];

		if (source->bytes[i].len <= LIMIT_LINT_DATA)
			continue;
		lint->large = true;
		lint_add(lint, LINT_WARNING, fixture->line, fixture->col,
			"%.*s has more than %u MiB: neither it nor what steps make of it is looked "
			"at",
			TEXT_ARG(fixture->path), LIMIT_LINT_DATA >> 20);
	}
}

int lint_lab(struct lint *lint, const struct fixture_source *source, struct text json)
{
	struct linting linting = {.lint = lint, .source = source};
	int err = open_linting(&linting, json);

	if (err)
		return err;
	lint_texts(lint, source->lab);
	find_large(lint, source);
	if (lint->large) {
		lint_sort(lint);
		return lint->nomem ? -ENOMEM : 0;
	}
	err = lint_data(lint, source);
	if (!err)
		err = lint_references(&linting);
	if (!err)
		err = lint_types(&linting);
	if (!err)
		err = lint_reports(&linting);
	if (err)
		return err;
	lint_asks(&linting);
	lint_hints(&linting);
	if (all_run(&linting))
		err = lint_verdicts(&linting);
	lint_sort(lint);
	return err || lint->nomem ? -ENOMEM : 0;
}
