/* What is kept of a script is what the client printed for it, also when all memory of the run is
 * gone. */
#include "daemon/grade/script.h"

#include "daemon/grade/compare.h"
#include "daemon/lab_load.h"
#include "parser/transcript.h"
#include "tests/test.h"

#define ROOT	 "tests/recorded/root"
#define RECORDED "tests/recorded/watermark/ref"

static const struct lab_names all;
static struct loaded_lab *lab;

static struct text slurp(struct arena *arena, const char *name)
{
	struct own_files files = {.dir = RECORDED};
	struct text bytes = {0};

	CHECK(own_files_read(&files, arena, text_of(name), &bytes, NULL) == 0);
	return bytes;
}

/* Runs a recorded script; the kept one is in `arena`, and what the run took is given back. */
static size_t keep(struct arena *arena, const char *name, struct script *ret)
{
	struct script script;
	struct arena scratch;
	size_t used;

	arena_init(&scratch, 64u << 20);
	CHECK(script_run(&scratch, slurp(&scratch, name), &lab->data_reader, &script) == 0);
	CHECK(script_keep(arena, &script, ret) == 0);
	used = scratch.used;
	arena_finish(&scratch);
	return used;
}

static void check_kept(const char *sql, const char *out, size_t tables)
{
	struct arena arena;
	struct script kept;
	struct transcript printed;
	size_t count = 0, taken;

	arena_init(&arena, 64u << 20);
	taken = keep(&arena, sql, &kept);
	CHECK(arena.used * 2 < taken);
	CHECK(transcript_parse(&arena, NULL, slurp(&arena, out), &printed, NULL) == 0);
	for (size_t i = 0; i < printed.count; i++) {
		struct comparison c = {0};

		if (printed.results[i].kind != RESULT_TABLE)
			continue;
		CHECK(count < kept.count &&
			compare_tables(&arena, &kept.results[count].table,
				&printed.results[i].table, 1, &c) == 0 &&
			c.equal);
		count++;
	}
	CHECK(count == tables && kept.count == tables);
	arena_finish(&arena);
}

TEST(one_table_is_kept)
{
	check_kept("w5.sql", "w5.out", 1);
}

TEST(all_tables_are_kept)
{
	check_kept("sweep.sql", "sweep.out", 2);
}

TEST(a_definition_is_kept)
{
	check_kept("ddl.sql", "ddl.out", 1);
}

TEST(facts_are_kept)
{
	struct arena arena;
	struct script kept;

	arena_init(&arena, 64u << 20);
	keep(&arena, "w5.sql", &kept);
	CHECK(kept.count == 1 && text_eq(kept.results[0].facts.format, TEXT("csv")));
	CHECK(text_eq(kept.results[0].facts.connector, TEXT("filesystem")));
	CHECK(text_ends(kept.results[0].facts.path, TEXT("watermark_events.csv")));
	CHECK(kept.results[0].facts.delay_ms == 5000);
	arena_finish(&arena);
}

TEST(a_script_without_results_is_kept)
{
	struct arena arena;
	struct script script, kept;

	arena_init(&arena, 64u << 20);
	CHECK(script_run(&arena, TEXT(""), &lab->data_reader, &script) == 0);
	CHECK(script_keep(&arena, &script, &kept) == 0 && kept.count == 0 && kept.whole);
	CHECK(!kept.error.ptr);
	arena_finish(&arena);
}

/* Of a lab there are its texts and its tables, and neither lab.json as a tree nor a run of its
 * references. */
TEST(a_lab_at_rest_is_small)
{
	CHECK(lab->arena.used < 64u << 10);
	lab_open(lab, NULL);
	CHECK(lab->grader && lab->arena.used < 128u << 10);
}

int main(void)
{
	lab = lab_new("contrib/labs/watermark", ROOT, &all, NULL);
	if (!lab)
		return 1;
	lab_read(lab);
	RUN(one_table_is_kept);
	RUN(all_tables_are_kept);
	RUN(a_definition_is_kept);
	RUN(facts_are_kept);
	RUN(a_script_without_results_is_kept);
	RUN(a_lab_at_rest_is_small);
	lab_free(lab);
	return test_finish();
}
