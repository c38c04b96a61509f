/* Mutations over 17 rows whose tables were worked out by hand: what each belief makes of them. */
#include "sim/mutate.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/memory_file.h"
#include "tests/test.h"

#define STEPS 10000000

/* The seconds after 10:00:00 in order of arrival, of two sensors. */
static const char *const rows[] = {"A 01.000", "B 03.000", "A 09.000", "B 14.000", "A 08.000",
	"A 09.000", "B 15.000", "B 02.000", "A 10.000", "B 20.000", "A 24.999", "A 19.000",
	"B 31.000", "B 12.000", "A 36.000", "B 25.000", "A 38.000"};

static struct text make_csv(struct arena *arena)
{
	struct text csv = TEXT("");

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		csv = text_format(arena, "%.*s%zu,%c,2026-01-01 10:00:%s\n", TEXT_ARG(csv), i + 1,
			rows[i][0], rows[i] + 2);
	return csv;
}

#define TABLE                                                     \
	"CREATE TABLE e (n INT, sensor STRING, ts TIMESTAMP(3), " \
	"WATERMARK FOR ts AS ts - INTERVAL '5' SECOND) "          \
	"WITH ('connector' = 'filesystem', 'path' = '/e.csv', 'format' = 'csv');\n"
#define COUNTS                                                                                   \
	"SELECT window_start, window_end, COUNT(*) AS cnt FROM TUMBLE(TABLE e, DESCRIPTOR(ts), " \
	"INTERVAL '10' SECOND) GROUP BY window_start, window_end;\n"

/* Eager watermarks: interval 0. */
#define EAGER "SET 'pipeline.auto-watermark-interval' = '0';\n"

struct world {
	struct arena arena, scratch;
	struct memory_file file;
	struct sim_files files;
	struct mutator *mutator;
	struct diag diag;
	int err;
};

static void open_world(struct world *world, const char *sql)
{
	*world = (struct world){0};
	arena_init(&world->arena, 64 << 20);
	arena_init(&world->scratch, 64 << 20);
	world->file = (struct memory_file){.bytes = make_csv(&world->arena), .piece = 1000};
	world->files = (struct sim_files){.open = memory_file_open, .ctx = &world->file};
	world->err = mutator_new(
		&world->arena, text_of(sql), &world->files, &world->mutator, &world->diag);
}

static void close_world(struct world *world)
{
	arena_finish(&world->arena);
	arena_finish(&world->scratch);
}

/* The last column of the mutant of that name: "5 3 2 3"; "refused", or "none" where nobody makes
 * it. */
static struct text counts_of(struct world *world, const struct table *table)
{
	struct text all = TEXT("");

	for (size_t i = 0; i < table->row_count; i++)
		all = text_format(&world->scratch, "%.*s%s%lld", TEXT_ARG(all), i ? " " : "",
			(long long)table->rows[i].cells[table->column_count - 1].i);
	return all;
}

static struct text mutant_counts(struct world *world, const char *name)
{
	struct mutant mutant;

	mutator_begin(world->mutator, 0, MUTANTS_NEAR, STEPS, NULL);
	while (mutator_next(world->mutator, &world->scratch, &mutant) == 0) {
		struct text made = mistake_print(&world->scratch, &mutant.mistake);

		if (!text_eq(made, text_of(name)))
			continue;
		if (mutant.same_as != mutant.number &&
			mutator_again(world->mutator, &world->scratch, mutant.entry, mutant.index,
				&mutant))
			return TEXT("failed");
		return mutant.refused ? TEXT("refused") : counts_of(world, &mutant.table);
	}
	return TEXT("none");
}

TEST(a_mutant_s_table_is_what_the_mistake_makes_of_the_rows)
{
	static const struct {
		const char *mistake, *counts;
	} known[] = {{"batch-mode", "6 5 3 3"}, {"sorted-input", "6 5 3 3"},
		{"delay=0s", "3 3 2 3"}, {"delay=2s", "3 3 2 3"}, {"delay=10s", "6 4 3 3"},
		{"delay=1min", "6 5 3 3"}, {"filter-extra", "3 2 2 3"},
		{"filter-extra, late-cmp=>=", "4 3 2 3"}, {"no-watermark", "refused"},
		{"delay=5s", "none"}, {"streaming-mode", "none"}, {"session-gap=5s", "none"}};
	struct world world;

	open_world(&world, EAGER TABLE COUNTS);
	CHECK(world.err == 0);
	if (world.err == 0) {
		CHECK(mutator_count(world.mutator) == 1);
		CHECK(text_eq(counts_of(&world, mutator_table(world.mutator, 0)), TEXT("5 3 2 3")));
	}
	for (size_t i = 0; world.err == 0 && i < sizeof(known) / sizeof(known[0]); i++) {
		struct text counts = mutant_counts(&world, known[i].mistake);

		CHECK(text_eq(counts, text_of(known[i].counts)));
		if (!text_eq(counts, text_of(known[i].counts)))
			printf("# %s: %.*s\n", known[i].mistake, TEXT_ARG(counts));
	}
	close_world(&world);
}

/* A mutation changes a copy: behind all of them the reference is what it was. */
TEST(mutants_leave_the_reference_as_it_is)
{
	struct world world;
	struct mutant mutant;
	size_t made = 0, again = 0;

	open_world(&world, EAGER TABLE COUNTS);
	CHECK(world.err == 0);
	mutator_begin(world.mutator, 0, MUTANTS_NEAR, STEPS, NULL);
	while (mutator_next(world.mutator, &world.scratch, &mutant) == 0)
		made++;
	CHECK(text_eq(mutant_counts(&world, "delay=10s"), TEXT("6 4 3 3")));
	mutator_begin(world.mutator, 0, MUTANTS_NEAR, STEPS, NULL);
	while (mutator_next(world.mutator, &world.scratch, &mutant) == 0)
		again++;
	CHECK(made > 100 && made == again);
	close_world(&world);
}

TEST(a_reference_that_flink_refuses_has_no_mutants)
{
	struct world world;

	open_world(&world, TABLE "SELECT nothing FROM e;\n");
	CHECK(world.err == -EINVAL);
	CHECK(strstr(world.diag.text, "nothing") != NULL);
	close_world(&world);
}

TEST(a_mutant_takes_no_more_steps_than_it_may)
{
	struct world world;
	struct mutant mutant;
	size_t unknown = 0, made = 0;

	open_world(&world, TABLE COUNTS);
	mutator_begin(world.mutator, 0, MUTANTS_NEAR, 500, NULL);
	while (mutator_next(world.mutator, &world.scratch, &mutant) == 0) {
		CHECK(mutant.steps <= 500);
		unknown += mutant.unknown;
		made += mutant.same_as == mutant.number;
	}
	CHECK(unknown > made / 2);
	close_world(&world);
}

/* Where nothing was run because watermarks decide the same, running it gives the same. */
TEST(mutants_that_are_not_made_are_what_they_are_said_to_be)
{
	struct world world;
	struct mutant mutant, made[1000];
	size_t count = 0, skipped = 0;

	open_world(&world, EAGER TABLE COUNTS);
	mutator_begin(world.mutator, 0, MUTANTS_NEAR, STEPS, NULL);
	while (count < 1000 && mutator_next(world.mutator, &world.scratch, &mutant) == 0) {
		made[count] = mutant;
		if (mutant.same_as != count) {
			CHECK(mutant.same_as < count && mutant.number == count);
			CHECK(mutator_again(world.mutator, &world.scratch, mutant.entry,
				      mutant.index, &mutant) == 0);
			CHECK(text_eq(counts_of(&world, &mutant.table),
				counts_of(&world, &made[made[count].same_as].table)));
			skipped++;
		}
		count++;
	}
	CHECK(skipped > 50);
	close_world(&world);
}

/* ---- a judge ---- */

struct judged {
	size_t columns, rows, most; /* shown so far; more rows are not wanted */
};

static bool judge_begin(void *ctx, const struct table *shape)
{
	struct judged *judged = ctx;

	judged->columns = shape->column_count;
	judged->rows = 0;
	return judged->columns == 3;
}

static bool judge_row(void *ctx, enum row_op op, const struct value *cells)
{
	struct judged *judged = ctx;

	(void)op;
	(void)cells;
	return ++judged->rows <= judged->most;
}

TEST(a_mutant_is_ended_where_the_judge_says_so)
{
	struct world world;
	struct judged judged = {.most = 2};
	struct mutant_judge judge = {judge_begin, judge_row, &judged, false};
	struct mutant mutant;
	size_t by_columns = 0, by_rows = 0;

	open_world(&world, EAGER TABLE COUNTS);
	mutator_begin(world.mutator, 0, MUTANTS_NEAR, STEPS, &judge);
	while (mutator_next(world.mutator, &world.scratch, &mutant) == 0) {
		if (mutant.same_as != mutant.number || mutant.refused)
			continue;
		CHECK(!mutant.unknown);
		CHECK(mutant.ended == (judged.columns != 3 || judged.rows > 2));
		CHECK(mutant.table.row_count <= 2);
		by_columns += judged.columns != 3;
		by_rows += mutant.ended && mutant.table.row_count == 2;
	}
	CHECK(by_columns > 3 && by_rows > 50);
	close_world(&world);
}

/* ---- parts of the reference's table ---- */

static bool same_row(const struct table *table, const struct value *a, const struct value *b)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (value_cmp(&table->columns[i].type, &a[i], &b[i]) != 0)
			return false;
	return true;
}

static bool judge_any(void *ctx, const struct table *shape)
{
	(void)ctx;
	(void)shape;
	return true;
}

static bool judge_any_row(void *ctx, enum row_op op, const struct value *cells)
{
	(void)ctx;
	(void)op;
	(void)cells;
	return true;
}

/* Does the reference have each of the mutant's rows, and as often? */
static bool is_part(struct world *world, const struct table *part, const struct table *whole)
{
	bool *taken = arena_array(&world->scratch, whole->row_count + 1, sizeof(*taken));

	for (size_t i = 0; i < part->row_count; i++) {
		size_t k = 0;

		while (k < whole->row_count &&
			(taken[k] || !same_row(whole, part->rows[i].cells, whole->rows[k].cells)))
			k++;
		if (k == whole->row_count)
			return false;
		taken[k] = true;
	}
	return part->column_count == whole->column_count;
}

/* The mutants with this cause that are ended where no part of the reference's table is looked for.
 * Each of those that are ended, run all the same, must be one. */
static size_t count_parts(struct world *world, enum mutants which, const char *cause)
{
	static const struct mutant_judge judge = {judge_any, judge_any_row, NULL, true};
	struct mutant mutant, ended[500];
	size_t count = 0, found = 0;

	mutator_begin(world->mutator, 0, which, STEPS, &judge);
	while (count < 500 && mutator_next(world->mutator, &world->scratch, &mutant) == 0)
		if (mutant.ended)
			ended[count++] = mutant;
	mutator_begin(world->mutator, 0, which, STEPS, NULL);
	for (size_t i = 0; i < count; i++) {
		CHECK(mutator_again(world->mutator, &world->scratch, ended[i].entry, ended[i].index,
			      &mutant) == 0);
		CHECK(is_part(world, &mutant.table, mutator_table(world->mutator, 0)));
		for (size_t k = 0; k < mutant.mistake.cause_count; k++)
			found += strcmp(mutant.mistake.causes[k].id, cause) == 0;
	}
	return found;
}

#define TUMBLED " FROM TUMBLE(TABLE e, DESCRIPTOR(ts), INTERVAL '10' SECOND)"
#define TOTALS                                                             \
	"SELECT window_start, window_end, sensor, SUM(n) AS total" TUMBLED \
	" GROUP BY window_start, window_end, sensor"
#define RANKED "SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY "

/* A LIMIT leaves rows of any query; a condition leaves some of those that are made one by one, and
 * one on groups some of those that nothing else is made of. A filter on lateness is such a
 * condition, with another delay too where the watermark is read nowhere else. */
TEST(what_can_only_be_a_part_of_the_reference_is_not_run_where_none_is_looked_for)
{
	static const struct {
		const char *query;
		bool condition, filter, delayed;
	} known[] = {{COUNTS, true, false, false}, {TOTALS ";\n", true, false, false},
		{"SELECT window_end, total FROM (" RANKED "total DESC) AS rn FROM (" TOTALS
		 ")) WHERE rn <= 1;\n",
			false, false, false},
		{"SELECT n, window_end FROM (" RANKED "n DESC) AS rn" TUMBLED ") WHERE rn <= 2;\n",
			false, false, false},
		{"SELECT n, sensor, window_end" TUMBLED ";\n", true, true, true},
		{"SELECT n, CURRENT_WATERMARK(ts) AS wm, window_end" TUMBLED ";\n", true, true,
			false},
		{"SELECT n, ts FROM e WHERE n > 3;\n", true, false, false},
		{"SELECT n, ts FROM (SELECT n, ts FROM e LIMIT 9);\n", false, false, false},
		{"SELECT n, window_end FROM SESSION(TABLE e PARTITION BY sensor, DESCRIPTOR(ts), "
		 "INTERVAL '3' SECOND);\n",
			false, false, false}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct world world;
		char script[1024];

		snprintf(script, sizeof(script), EAGER TABLE "%s", known[i].query);
		open_world(&world, script);
		CHECK(world.err == 0 && count_parts(&world, MUTANTS_NEAR, "limit") > 0 &&
			(count_parts(&world, MUTANTS_FAR, "where-extra") > 0) ==
				known[i].condition &&
			(count_parts(&world, MUTANTS_NEAR, "filter-extra") > 0) ==
				known[i].filter &&
			(count_parts(&world, MUTANTS_FAR, "filter-extra") > 0) ==
				known[i].delayed &&
			count_parts(&world, MUTANTS_SWITCHED, "limit") == 0);
		close_world(&world);
	}
}

/* Rows that are made one by one wait for no watermark. */
TEST(delays_that_nothing_depends_on_are_one_mutant)
{
	struct world world;
	struct mutant mutant;
	size_t made = 0, delays = 0;

	open_world(&world, EAGER TABLE "SELECT n, window_end" TUMBLED ";\n");
	mutator_begin(world.mutator, 0, MUTANTS_NEAR, STEPS, NULL);
	while (mutator_next(world.mutator, &world.scratch, &mutant) == 0)
		if (strcmp(mutant.mistake.causes[0].id, "delay") == 0) {
			made += mutant.same_as == mutant.number;
			delays++;
		}
	CHECK(delays > 100 && made == 1);
	close_world(&world);
}

/* ---- bounds on groups ---- */

/* What the bounds leave of MAX(n): "6 9 17; 11; ..." */
static struct text bounded(struct world *world, enum mutants which)
{
	struct text all = TEXT("");
	struct mutant mutant;

	mutator_begin(world->mutator, 0, which, STEPS, NULL);
	while (mutator_next(world->mutator, &world->scratch, &mutant) == 0) {
		const struct cause *last = &mutant.mistake.causes[mutant.mistake.cause_count - 1];

		if (text_eq(last->param.name, TEXT("HAVING")))
			all = text_format(&world->scratch, "%.*s%.*s; ", TEXT_ARG(all),
				TEXT_ARG(counts_of(world, &mutant.table)));
	}
	return all;
}

/* The windows have 5, 3, 2 and 3 rows, in batch mode 6, 5, 3 and 3: any other bound is one of
 * these. */
TEST(a_bound_on_groups_is_tried_where_one_has_so_many_rows)
{
	static const struct {
		const char *limit, *streaming, *batch;
	} known[] = {{"", "6 9 17; 11; 6; 9 11 17; ; 6 9 11 17; ",
			     "8 14; 16 17; 8; 14 16 17; ; 8 14 16 17; "},
		{" LIMIT 2", "6 9; 11; 6; 9 11; ; 6 9; ", "8 14; 16 17; 8; 14 16; ; 8 14; "}};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct world world;
		char script[1024];

		snprintf(script, sizeof(script),
			EAGER TABLE "SELECT window_start, window_end, MAX(n) AS last" TUMBLED
				    " GROUP BY window_start, window_end%s;\n",
			known[i].limit);
		open_world(&world, script);
		CHECK(world.err == 0 &&
			text_eq(bounded(&world, MUTANTS_FAR), text_of(known[i].streaming)) &&
			text_eq(bounded(&world, MUTANTS_SWITCHED), text_of(known[i].batch)));
		close_world(&world);
	}
}

int main(void)
{
	RUN(what_can_only_be_a_part_of_the_reference_is_not_run_where_none_is_looked_for);
	RUN(delays_that_nothing_depends_on_are_one_mutant);
	RUN(a_bound_on_groups_is_tried_where_one_has_so_many_rows);
	RUN(a_mutant_is_ended_where_the_judge_says_so);
	RUN(a_mutant_s_table_is_what_the_mistake_makes_of_the_rows);
	RUN(mutants_leave_the_reference_as_it_is);
	RUN(a_reference_that_flink_refuses_has_no_mutants);
	RUN(mutants_that_are_not_made_are_what_they_are_said_to_be);
	RUN(a_mutant_takes_no_more_steps_than_it_may);
	return test_finish();
}
