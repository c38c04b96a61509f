/* Reading a lab for lint goes on where author_open() would stop: a file that is missing is one
 * finding among others. */
#include "daemon/author_lint.h"

#include <errno.h>
#include <stdio.h>

#include "daemon/author.h"
#include "daemon/grade/lint.h"
#include "daemon/grade/separate.h"
#include "daemon/labs.h"
#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/diag.h"
#include "parser/json.h"

static const char *const kind_names[] = {"error", "warning"};

static size_t count_errors(const struct lint *lint)
{
	size_t count = 0;

	for (size_t i = 0; i < lint->count; i++)
		count += lint->items[i].kind == LINT_ERROR;
	return count;
}

/* ---- reading ---- */

static int add_faults(struct lint *lint, const struct lab_faults *faults)
{
	for (size_t i = 0; i < faults->count; i++)
		lint_add(lint, LINT_ERROR, faults->items[i].line, faults->items[i].col, "%.*s",
			TEXT_ARG(faults->items[i].text));
	lint_sort(lint);
	return 0;
}

/* Reads each fixture; one that cannot be read is a finding. */
static int read_data(struct lint *lint, struct author_lab *lab)
{
	lab->source.bytes =
		arena_array(lint->arena, lab->lab.fixture_count + 1, sizeof(*lab->source.bytes));
	if (!lab->source.bytes)
		return -ENOMEM;
	for (size_t i = 0; i < lab->lab.fixture_count; i++) {
		const struct fixture *fixture = &lab->lab.fixtures[i];
		struct diag diag = {0};
		int r = author_read_fixture(lint->arena, lab, i, &lab->source.bytes[i], &diag);

		if (r == -ENOMEM)
			return r;
		if (r < 0)
			lint_add(lint, LINT_ERROR, fixture->line, fixture->col, "%s", diag.text);
	}
	return 0;
}

static int lint_parsed(struct lint *lint, struct author_lab *lab, struct text json)
{
	int r = read_data(lint, lab);

	if (r == 0 && count_errors(lint) == 0)
		return lint_lab(lint, &lab->source, json);
	if (r == 0)
		lint_texts(lint, &lab->lab);
	lint_sort(lint);
	return r;
}

/* ---- printing ---- */

static void print_lines(
	struct arena *arena, const struct lint_asked *asked, const struct lint *lint)
{
	struct text lab = clean_copy(arena, text_of(asked->lab));

	for (size_t i = 0; i < lint->count; i++) {
		const struct lint_finding *f = &lint->items[i];
		struct text file = clean_copy(arena, f->file), text = clean_copy(arena, f->text);

		printf("%.*s/%.*s:", TEXT_ARG(lab), TEXT_ARG(file));
		if (f->line)
			printf("%d:", f->line);
		if (f->line && f->col)
			printf("%d:", f->col);
		printf(" %s: %.*s\n", kind_names[f->kind], TEXT_ARG(text));
	}
}

static void put_number(size_t count, const char *noun)
{
	if (count)
		printf("%zu %s%s", count, noun, count == 1 ? "" : "s");
	else
		printf("no %ss", noun);
}

/* The last line, also of a lab of which there is nothing to say. */
static void print_count(size_t errors, size_t warnings)
{
	put_number(errors, "error");
	fputs(", ", stdout);
	put_number(warnings, "warning");
	fputs("\n", stdout);
}

static int print_json(struct arena *arena, const struct lint_asked *asked, const struct lint *lint)
{
	struct json *root = json_add(arena, NULL, NULL, JSON_OBJECT), *list;
	struct text printed;

	json_add_integer(arena, root, "version", 1);
	list = json_add(arena, root, "findings", JSON_ARRAY);
	for (size_t i = 0; i < lint->count; i++) {
		const struct lint_finding *f = &lint->items[i];
		struct json *item = json_add(arena, list, NULL, JSON_OBJECT);

		json_add_text(arena, item, "kind", text_of(kind_names[f->kind]));
		json_add_text(arena, item, "file",
			text_format(arena, "%s/%.*s", asked->lab, TEXT_ARG(f->file)));
		json_add_integer(arena, item, "line", f->line);
		json_add_integer(arena, item, "col", f->col);
		json_add_text(arena, item, "text", f->text);
	}
	if (!list || json_print(arena, root, true, &printed))
		return -ENOMEM;
	printf("%.*s\n", TEXT_ARG(printed));
	return 0;
}

static int print_separation(struct arena *arena, const struct author_lab *lab, struct diag *reterr)
{
	const struct sim_files *files = fixture_files(arena, &lab->source, lab->source.bytes);
	struct text report, line;
	int r = files ? separate_lab(arena, &lab->lab, &lab->own_reader, files, &report, reterr)
		      : diag_nomem(reterr);

	while (r == 0 && text_next_line(&report, &line))
		printf("%.*s\n", TEXT_ARG(clean_copy(arena, line)));
	return r;
}

int author_lint(struct arena *arena, const struct lint_asked *asked, size_t *ret_errors,
	struct diag *reterr)
{
	struct lint lint = {.arena = arena};
	struct author_lab lab;
	struct lab_faults faults;
	struct text json;
	int r;

	author_init(&lab, asked->lab, asked->data_root);
	r = own_files_read(&lab.own, arena, TEXT(LAB_FILE), &json, reterr);
	if (r < 0)
		return r;
	r = lab_parse_all(arena, json, &lab.lab, &faults);
	if (r == -EINVAL)
		r = add_faults(&lint, &faults);
	else if (r == 0)
		r = lint_parsed(&lint, &lab, json);
	if (r < 0 || lint.nomem)
		return diag_nomem(reterr);
	*ret_errors = count_errors(&lint);
	if (asked->json)
		return print_json(arena, asked, &lint) ? diag_nomem(reterr) : 0;
	print_lines(arena, asked, &lint);
	if (!*ret_errors && !lint.large)
		r = print_separation(arena, &lab, reterr);
	if (r == 0)
		print_count(*ret_errors, lint.count - *ret_errors);
	return r;
}
