/* No tier of hints tells a number that is still to be found: the words of all tiers of each
 * recorded wrong case, in each of the lab's languages, against the values that its step asks for.
 * What stands in the learner's own files is no news to them. Places are not values: "table 2",
 * and a row of the data. A window's start is one like all others: whole cells are looked for as
 * well, also in what programs read as evidence. */
#include <ctype.h>

#include "daemon/grade/diagnose.h"
#include "daemon/grade/look.h"
#include "daemon/grade/report_source.h"
#include "daemon/render.h"
#include "daemon/tier_words.h"
#include "daemon/tiers.h"
#include "parser/encoding.h"
#include "tests/cases.h"

/* Two lines of a terminal; three where causes are alternatives. */
#define NEWS_COLUMNS 200
#define NEWS_MOST    300

static size_t most_columns(const struct verdict *verdict)
{
	return verdict->diagnosis_count && verdict->diagnosis[0].ambiguous ? NEWS_MOST
									   : NEWS_COLUMNS;
}

struct walk {
	size_t wrong, with_row, with_window, with_cause, leaks, long_news;
};

/* A case at work. */
struct scene {
	struct walk *walk;
	struct arena *arena;
	const struct loaded_lab *lab;
	const char *name;
	size_t step;
	struct submission *submissions;
	struct verdict verdict;
	struct status_step shown;
};

/* ---- numbers ---- */

static bool is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == ':' || c == '-';
}

/* The next word of digits alone, or with a point and digits: not "10s", "w5", "09:00:00". */
static bool next_number(struct text *rest, struct text *ret)
{
	while (rest->len) {
		size_t len = 0;
		struct text word;

		while (len < rest->len && is_part(rest->ptr[len]))
			len++;
		word = text_slice(*rest, 0, len);
		*rest = text_slice(*rest, len ? len : 1, rest->len);
		while (word.len && (word.ptr[word.len - 1] == '.' || word.ptr[word.len - 1] == ':'))
			word.len--;
		if (word.len && strspn(word.ptr, "0123456789.") >= word.len) {
			*ret = word;
			return true;
		}
	}
	return false;
}

static bool has_number(struct text bytes, struct text number)
{
	struct text found;

	while (next_number(&bytes, &found))
		if (text_eq(found, number))
			return true;
	return false;
}

/* Is it a value of the step's tables, but of its first column, by which a row is named? */
static bool is_cell(const struct scene *scene, struct text number)
{
	const struct expected *expected = &scene->lab->grader->expected[scene->step];

	for (size_t t = 0; t < expected->count; t++) {
		const struct table *table = expected->tables[t];
		for (size_t r = 0; r < table->row_count; r++)
			for (size_t c = 1; c < table->column_count; c++) {
				char buf[VALUE_TEXT];
				struct text cell = value_text(
					&table->columns[c].type, &table->rows[r].cells[c], buf);
				if (text_eq(cell, number))
					return true;
			}
	}
	return false;
}

/* Is it a value that a report asks for? */
static bool is_key(struct scene *scene, struct text number)
{
	const struct step *step = &scene->lab->lab.steps[scene->step];
	struct grading grading = {.arena = scene->arena, .grader = scene->lab->grader};
	struct report_source truth;
	const struct report_tables tables = {report_source_get, &truth};
	int64_t value, given;

	if (text_to_int64(number, &given) || report_source_init(&truth, &grading, NULL))
		return false;
	for (size_t i = 0; i < step->key_count; i++)
		if (report_eval(step->keys[i].expr, &tables, &value) == 0 && value == given)
			return true;
	return false;
}

static bool is_own(const struct scene *scene, struct text number)
{
	for (size_t i = 0; i < scene->lab->lab.step_count; i++)
		if (has_number(scene->submissions[i].out.bytes, number) ||
			has_number(scene->submissions[i].sql.bytes, number))
			return true;
	return false;
}

static void look_for_numbers(struct scene *scene, struct text words)
{
	struct text rest = words, number;

	while (next_number(&rest, &number)) {
		if (is_own(scene, number) || (!is_cell(scene, number) && !is_key(scene, number)))
			continue;
		printf("# %s tells %.*s: %.*s\n", scene->name, TEXT_ARG(number), TEXT_ARG(words));
		scene->walk->leaks++;
	}
}

/* ---- words ---- */

/* What is said of places is taken out: "table 2", "Table 2", "--row 51", "--select 1", "row 51". */
static struct text without_places(struct arena *arena, const char *bytes)
{
	static const char *const places[] = {
		"table ", "Table ", "--row ", "--select ", "row ", "row with ", "データの ", "第 "};
	char *copy = arena_alloc(arena, strlen(bytes) + 1);

	strcpy(copy, bytes);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		for (char *at = strstr(copy, places[i]); at; at = strstr(at, places[i])) {
			at += strlen(places[i]);
			while (is_part(*at))
				*at++ = ' ';
		}
	return text_of(copy);
}

/* ---- cells ---- */

/* Shorter ones are found by their numbers, or are words of everybody's. */
#define LONG_CELL 8

static bool holds(struct text bytes, struct text part)
{
	return text_find(bytes, part) < bytes.len;
}

/* Does a file of the learner's have it? */
static bool is_written(const struct scene *scene, struct text cell)
{
	const struct submission *own = &scene->submissions[scene->step];

	return holds(own->out.bytes, cell) || holds(own->sql.bytes, cell);
}

static void look_for_cell(struct scene *scene, struct text cell, struct text words)
{
	if (cell.len < LONG_CELL || !holds(words, cell) || is_written(scene, cell))
		return;
	printf("# %s tells %.*s: %.*s\n", scene->name, TEXT_ARG(cell), TEXT_ARG(words));
	scene->walk->leaks++;
}

static void look_for_cells(struct scene *scene, struct text words)
{
	const struct expected *expected = &scene->lab->grader->expected[scene->step];
	char buf[VALUE_TEXT];

	for (size_t t = 0; t < expected->count; t++) {
		const struct table *table = expected->tables[t];
		for (size_t i = 0; i < table->row_count * table->column_count; i++)
			look_for_cell(scene,
				value_text(&table->columns[i % table->column_count].type,
					&table->rows[i / table->column_count]
						 .cells[i % table->column_count],
					buf),
				words);
	}
}

/* Where names are free, the task has none to tell. */
static void look_for_names(struct scene *scene, struct text words)
{
	const struct expected *expected = &scene->lab->grader->expected[scene->step];
	bool free = scene->lab->lab.steps[scene->step].form.names == FORM_FREE;

	for (size_t t = 0; free && t < expected->count; t++)
		for (size_t c = 0; c < expected->tables[t]->column_count; c++) {
			struct text name = expected->tables[t]->columns[c].name;
			if (text_eq(words, name) && !is_written(scene, name)) {
				printf("# %s tells of column %.*s\n", scene->name, TEXT_ARG(name));
				scene->walk->leaks++;
			}
		}
}

/* What status.json and --json have of the verdict beside its sentences. */
static void look_for_evidence(struct scene *scene)
{
	for (size_t i = 0; i < scene->verdict.evidence_count; i++) {
		const struct evidence *e = &scene->verdict.evidence[i];
		look_for_cells(scene, e->window_start);
		look_for_names(scene, e->key);
		look_for_names(scene, e->column);
	}
}

/* The arguments of its sentences. */
static void look_for_arguments(struct scene *scene, const struct message *message)
{
	for (size_t i = 0; i < MESSAGE_ARGS; i++) {
		look_for_cells(scene, message->args[i]);
		look_for_names(scene, message->args[i]);
	}
}

static void look_through_verdict(struct scene *scene)
{
	look_for_evidence(scene);
	look_for_arguments(scene, &scene->verdict.summary);
	for (size_t i = 0; i < scene->verdict.remark_count; i++)
		look_for_arguments(scene, &scene->verdict.remarks[i]);
}

static void say(struct scene *scene, struct text language)
{
	struct status_lab lab = {.name = TEXT("lab"),
		.folder = TEXT("/lab"),
		.steps = &scene->shown,
		.step_count = 1};
	const struct status status = {.seq = 1, .labs = &lab, .lab_count = 1};
	struct sheet sheet = {.arena = scene->arena, .viewer = {.wants = language}};
	size_t size;
	char *bytes = NULL, *line, *rest = NULL;

	sheet.file = open_memstream(&bytes, &size);
	render_status(&sheet, &status, scene->shown.name);
	render_news(&sheet, &status, 0);
	fclose(sheet.file);
	/* The first line is the lab's own. */
	line = strtok_r(bytes, "\n", &rest);
	while (line && (line = strtok_r(NULL, "\n", &rest))) {
		look_for_numbers(scene, without_places(scene->arena, line));
		if (strncmp(line, "ewind: ", 7) == 0 && !strstr(line, "xception") &&
			client_width(text_of(line)) > most_columns(&scene->verdict))
			scene->walk->long_news++;
	}
	free(bytes);
}

static void say_tiers(struct scene *scene)
{
	const struct lab *lab = &scene->lab->lab;
	const struct step *step = &lab->steps[scene->step];
	struct look look = {0};

	CHECK(look_find(scene->arena, scene->lab->grader, scene->step, scene->submissions,
		      &scene->verdict, &look, NULL) == 0);
	scene->walk->wrong++;
	scene->walk->with_row += look.row > 0;
	scene->walk->with_window += look.window[0] != '\0';
	scene->walk->with_cause += tier_has_cause(&scene->verdict);
	for (int64_t tier = TIER_WHERE; tier <= TIER_ROW; tier++) {
		scene->shown = (struct status_step){.name = step->id,
			.out = {.name = step->file, .state = FILE_THERE},
			.sql = {.name = step->sql, .state = FILE_THERE},
			.seq = 1,
			.verdict = scene->verdict,
			.hint_tier = tier,
			.title = step->title,
			.hints = step->hints,
			.hint_count = tier_hints(tier, &scene->verdict, step->hint_count)};
		if (tier == TIER_ROW)
			scene->shown.look = look;
		for (size_t i = 0; i < lab->language_count; i++)
			say(scene, lab->languages[i]);
	}
}

static void take_step(struct scene *scene, size_t step)
{
	scene->step = step;
	if (scene->submissions[step].out.state != FILE_THERE)
		return;
	CHECK(grade_step(scene->arena, scene->lab->grader, step, scene->submissions,
		      &scene->verdict, NULL) == 0);
	CHECK(diagnose_step(scene->arena, scene->lab->grader, step, scene->submissions,
		      &scene->verdict, NULL) == 0);
	if (scene->lab->lab.steps[step].kind == STEP_TABLES)
		look_through_verdict(scene);
	if (tier_applies(&scene->verdict))
		say_tiers(scene);
}

static void take_case(void *ctx, const struct recorded_case *one)
{
	struct scene scene = {.walk = ctx,
		.arena = one->arena,
		.lab = one->lab,
		.name = one->name,
		.submissions = one->submissions};

	for (size_t i = 0; i < one->lab->lab.step_count; i++)
		take_step(&scene, i);
}

TEST(no_tier_tells_a_number_that_is_still_to_be_found)
{
	struct walk walk = {0};

	visit_set(&(struct case_visitor){take_case, &walk}, "mistakes", RECORDED "/root");
	printf("## hints: %zu wrong answers, %zu with a cause, %zu with a row, %zu with a window\n",
		walk.wrong, walk.with_cause, walk.with_row, walk.with_window);
	/* Flink's own texts, which a summary quotes, may be longer. */
	CHECK(walk.long_news == 0);
	CHECK(walk.wrong > 200 && walk.with_row > 50 && walk.leaks == 0);
}

/* The net has no hole: what it must find, it finds. */
TEST(a_number_is_found_in_words)
{
	CHECK(has_number(TEXT("It is 15."), TEXT("15")) && has_number(TEXT("(585)"), TEXT("585")));
	CHECK(has_number(TEXT("a=31.5, b"), TEXT("31.5")) &&
		!has_number(TEXT("w5 10s 09:15"), TEXT("15")));
}

int main(void)
{
	RUN(a_number_is_found_in_words);
	RUN(no_tier_tells_a_number_that_is_still_to_be_found);
	return test_finish();
}
