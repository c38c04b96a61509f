/* Each reference by itself: it is there, it runs, and it shows what its step asks. What it prints
 * is printed by the simulated client, as a learner's file would be. */
#include <errno.h>
#include <string.h>

#include "daemon/grade/lint.h"
#include "daemon/grade/report_source.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"
#include "parser/transcript_lines.h"
#include "sim/client.h"

/* ---- running ---- */

struct printed {
	struct arena *arena;
	char *bytes;
	size_t count, room;
};

static int keep(void *ctx, const char *bytes, size_t size)
{
	struct printed *printed = ctx;

	while (printed->count + size > printed->room) {
		size_t room = printed->room ? 2 * printed->room : 4096;
		char *grown = arena_array(printed->arena, room, 1);

		if (!grown)
			return -ENOMEM;
		if (printed->count)
			memcpy(grown, printed->bytes, printed->count);
		printed->bytes = grown;
		printed->room = room;
	}
	memcpy(printed->bytes + printed->count, bytes, size);
	printed->count += size;
	return 0;
}

static double no_clock(void *ctx)
{
	(void)ctx;
	return 0;
}

/* What the client prints for a script, which is known to be simulated. 0 or -ENOMEM. */
static int print(struct linting *linting, struct text sql, struct saved_file *ret)
{
	struct printed printed = {.arena = linting->lint->arena};
	struct writer out = {.write = keep, .ctx = &printed};
	struct client client = {.arena = linting->lint->arena,
		.session = session_new(linting->lint->arena, linting->grader.data),
		.out = &out,
		.history = TEXT("history"),
		.seconds = no_clock,
		.release = FLINK_2_3};

	if (!client.session ||
		session_option(client.session, TEXT("sql-client.execution.result-mode"),
			TEXT("tableau")) ||
		client_run(&client, sql, NULL) || out.err)
		return -ENOMEM;
	*ret = (struct saved_file){.state = FILE_THERE, .bytes = {printed.bytes, printed.count}};
	return 0;
}

static int lint_reference(struct linting *linting, size_t number)
{
	const struct fixture_source *source = linting->source;
	const struct step *step = &source->lab->steps[number];
	const struct json *place = linting_member(linting, number, "reference");
	struct expected *expected = &linting->grader.expected[number];
	struct diag diag = {0};
	int err = grader_reference(linting->lint->arena, step, source->lab_files,
		linting->grader.data, expected, &diag);

	if (err == -ENOMEM)
		return err;
	linting->runs[number] = err == 0;
	if (err && diag.line)
		lint_add_diag(linting->lint, LINT_ERROR, &diag);
	else if (err)
		lint_add(linting->lint, LINT_ERROR, place->line, place->col, "%.*s: %s",
			TEXT_ARG(step->reference), diag.text);
	if (err)
		return 0;
	linting->sql[number] = (struct saved_file){.state = FILE_THERE, .bytes = expected->sql};
	return print(linting, expected->sql, &linting->out[number]);
}

static void lint_work(struct linting *linting)
{
	const struct json *place;
	size_t dearest;

	if (!grader_overworks(&linting->grader, &dearest))
		return;
	place = linting_member(linting, dearest, "reference");
	lint_add(linting->lint, LINT_ERROR, place->line, place->col, WORK_BEYOND);
}

int lint_references(struct linting *linting)
{
	const struct lab *lab = linting->source->lab;
	int err = line_patterns_new(linting->lint->arena, NULL, &linting->grader.patterns, NULL);

	for (size_t i = 0; i < lab->step_count && !err; i++)
		if (lab->steps[i].kind != STEP_REPORT)
			err = lint_reference(linting, i);
	if (err)
		return -ENOMEM;
	lint_work(linting);
	return 0;
}

/* ---- reports ---- */

static const char *why_no_value(int err)
{
	switch (err) {
	case -ENOENT: return "a table or a column that it reads is not in the reference's result";
	case -EINVAL: return "a cell that it reads is no whole number, or no value of its column";
	case -ENODATA: return "there is no row to take a value from";
	case -EDOM: return "it divides by zero";
	default: return "its value is too large";
	}
}

static void see_step(void *ctx, struct text id)
{
	struct linting *linting = ctx;
	size_t step = lab_step(linting->source->lab, id);

	linting->runs[linting->source->lab->step_count] &= linting->runs[step];
}

/* Do all references run that a key reads? Another fault was told where one does not. */
static bool can_eval(struct linting *linting, const struct report_key *key)
{
	bool *all = &linting->runs[linting->source->lab->step_count];

	*all = true;
	report_steps(key->expr, see_step, linting);
	return *all;
}

static int lint_report(struct linting *linting, size_t number)
{
	struct arena *arena = linting->lint->arena;
	const struct step *step = &linting->source->lab->steps[number];
	const struct json *keys = linting_member(linting, number, "keys");
	struct grading grading = {.arena = arena, .grader = &linting->grader, .step = step};
	struct report_source own;
	const struct report_tables tables = {report_source_get, &own};
	struct json *root = json_add(arena, NULL, NULL, JSON_OBJECT);
	struct text printed;

	if (!root || report_source_init(&own, &grading, NULL))
		return -ENOMEM;
	linting->runs[number] = true;
	for (size_t i = 0; i < step->key_count; i++) {
		int64_t value = 0;
		int err = -ECANCELED;

		if (can_eval(linting, &step->keys[i]))
			err = report_eval(step->keys[i].expr, &tables, &value);
		if (err && err != -ECANCELED)
			lint_add(linting->lint, LINT_ERROR, keys->items[i]->line,
				keys->items[i]->col, "the key \"%.*s\" has no value: %s",
				TEXT_ARG(step->keys[i].name), why_no_value(err));
		linting->runs[number] &= err == 0;
		json_add_integer(arena, root, text_copy(arena, step->keys[i].name).ptr, value);
	}
	if (own.nomem || json_print(arena, root, true, &printed))
		return -ENOMEM;
	linting->out[number] = (struct saved_file){.state = FILE_THERE, .bytes = printed};
	return 0;
}

int lint_reports(struct linting *linting)
{
	const struct lab *lab = linting->source->lab;
	int err = 0;

	for (size_t i = 0; i < lab->step_count && !err; i++)
		if (lab->steps[i].kind == STEP_REPORT)
			err = lint_report(linting, i);
	return err;
}

/* ---- asks ---- */

/* Does some query of the reference settle what is asked? */
static bool settles(const struct linting *linting, size_t step, enum query_part part)
{
	const struct expected *expected = &linting->grader.expected[step];

	for (size_t i = 0; i < expected->count; i++) {
		const struct query_facts *facts = &expected->results[i]->facts;

		if ((part == PART_DELAY && facts->has_watermark && facts->delay_known) ||
			(part == PART_WINDOW && facts->windowed) ||
			(part == PART_PATH && facts->path.ptr) ||
			(part == PART_FORMAT && (facts->format.ptr || facts->connector.ptr)))
			return true;
	}
	return false;
}

/* NULL: there is nothing to say. */
static const char *unsettled(const struct linting *linting, size_t step, enum query_part part)
{
	bool describe = linting->source->lab->steps[step].kind == STEP_DESCRIBE;

	switch (part) {
	case PART_TABLE_NAME:
		return describe ? NULL : "only a step of kind \"describe\" has a table's name";
	case PART_INTERVAL:
	case PART_LATE_FILTER:
		return describe ? "DESCRIBE shows no query that could have it" : NULL;
	case PART_WINDOW:
		if (describe)
			return "DESCRIBE shows no query that could have it";
		break;
	default: break;
	}
	return settles(linting, step, part) ? NULL : "the reference itself has none";
}

static void lint_asks_of(struct linting *linting, size_t step)
{
	static const struct {
		const char *name;
		enum query_part part;
	} parts[] = {{"delay", PART_DELAY}, {"interval", PART_INTERVAL},
		{"late_filter", PART_LATE_FILTER}, {"window", PART_WINDOW}, {"path", PART_PATH},
		{"format", PART_FORMAT}, {"table_name", PART_TABLE_NAME}};
	const struct json *asks = linting_member(linting, step, "asks");

	for (size_t i = 0; i < asks->count; i++)
		for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
			const struct json *asked = asks->items[i];
			const char *why = text_eq(asked->string, text_of(parts[k].name))
						  ? unsettled(linting, step, parts[k].part)
						  : NULL;

			if (why)
				lint_add(linting->lint, LINT_WARNING, asked->line, asked->col,
					"\"%s\" is asked, and nothing is compared: %s",
					parts[k].name, why);
		}
}

void lint_asks(struct linting *linting)
{
	const struct lab *lab = linting->source->lab;

	for (size_t i = 0; i < lab->step_count; i++)
		if (lab->steps[i].asks && linting->runs[i])
			lint_asks_of(linting, i);
}
