/* daemon/grade/fixture_steps.c: what is told of the data that a lab ships. When Flink's answers are
 * determined: semantics/repeat_05, semantics/millis_0, semantics/millis_1min. */
#include "daemon/grade/fixture_new.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/test.h"

#define LAB(types, properties)                                                                 \
	"{\"version\": 1, \"name\": \"x\", \"title\": {\"en\": \"X\"}, \"folder\": \"/x\", "   \
	"\"form\": {},\n"                                                                      \
	" \"fixtures\": [{\"path\": \"/d/x.csv\", \"rowtime\": \"ts\", \"columns\": [\n" types \
	"{\"name\": \"ts\", \"type\": \"TIMESTAMP(3)\"}],\n"                                   \
	" \"properties\": [" properties "]}],\n"                                               \
	" \"steps\": [{\"id\": \"a\", \"kind\": \"tables\", \"file\": \"a.out\", \"sql\": "    \
	"\"a.sql\", "                                                                          \
	"\"reference\": \"ref/a.sql\"}]}"

#define COLUMNS "{\"name\": \"k\", \"type\": \"STRING\"}, {\"name\": \"v\", \"type\": \"INT\"}, "

#define TABLE                                                                              \
	"CREATE TABLE t (k STRING, v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts) WITH (" \
	"'connector' = 'filesystem', 'path' = 'file:///d/x.csv', 'format' = 'csv');\n"

#define COUNTS                                                                         \
	TABLE "SELECT window_start, window_end, COUNT(*) AS cnt FROM TUMBLE(TABLE t, " \
	      "DESCRIPTOR(ts), "                                                       \
	      "INTERVAL '1' MINUTE) GROUP BY window_start, window_end;\n"

#define TOP                                                                                        \
	TABLE "SELECT k, v FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, "         \
	      "window_end "                                                                        \
	      "ORDER BY v DESC) AS rn FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) " \
	      "WHERE rn <= 2;\n"

/* Rises of 100 ms. */
#define MILLIS \
	"a,1,2026-07-06 09:00:00.000\nb,2,2026-07-06 09:00:00.100\na,3,2026-07-06 09:02:00.000\n"

/* The second and the third are equal; so are the third and the fourth, and which is the last of two
 * is what nobody can tell. */
#define SECONDS                                                                       \
	"a,9,2026-07-06 09:00:00\nb,5,2026-07-06 09:00:01\nc,5,2026-07-06 09:00:02\n" \
	"d,1,2026-07-06 09:00:03\ne,1,2026-07-06 09:00:04\n"

struct testbed {
	struct arena arena;
	struct lab lab;
	struct lab_files lab_files;
	struct sim_files data;
	struct text sql, bytes;
	struct fixture_source source;
	struct fixture_findings findings;
};

static int read_reference(
	void *ctx, struct arena *arena, struct text path, struct text *ret, struct diag *reterr)
{
	(void)arena;
	(void)path;
	(void)reterr;
	*ret = ((struct testbed *)ctx)->sql;
	return 0;
}

/* What is found, of which *wrong are faults. */
static void lint(struct testbed *t, const char *json, const char *sql, const char *csv)
{
	struct diag diag = {0};

	*t = (struct testbed){.sql = text_of(sql), .bytes = text_of(csv)};
	arena_init(&t->arena, LIMIT_GRADE_ARENA);
	t->lab_files = (struct lab_files){.read = read_reference, .ctx = t};
	t->source = (struct fixture_source){
		.lab = &t->lab, .lab_files = &t->lab_files, .data = &t->data, .bytes = &t->bytes};
	CHECK(lab_parse(&t->arena, text_of(json), &t->lab, &diag) == 0);
	if (diag.text[0])
		printf("# %d:%d %s\n", diag.line, diag.col, diag.text);
	CHECK(fixture_lint(&t->arena, &t->source, &t->findings) == 0);
}

static size_t count_wrong(const struct testbed *t)
{
	size_t wrong = 0;

	for (size_t i = 0; i < t->findings.count; i++)
		wrong += t->findings.items[i].wrong;
	return wrong;
}

static bool says(const struct testbed *t, size_t i, const char *words)
{
	struct text text = i < t->findings.count ? t->findings.items[i].text : TEXT("");

	return text_find(text, text_of(words)) < text.len;
}

static size_t wrong_of(const char *sql, const char *csv)
{
	struct testbed t;
	size_t wrong;

	lint(&t, LAB(COLUMNS, ""), sql, csv);
	wrong = count_wrong(&t);
	arena_finish(&t.arena);
	return wrong;
}

TEST(rises_within_the_interval_are_told)
{
	struct testbed t;

	lint(&t, LAB(COLUMNS, ""), COUNTS, MILLIS);
	CHECK(t.findings.count == 1 && t.findings.items[0].wrong);
	CHECK(says(&t, 0, "step a need not give the same on each run"));
	CHECK(says(&t, 0, "rises 1 times"));
	CHECK(t.findings.items[0].line == 5);
	arena_finish(&t.arena);
}

TEST(no_clock_decides_without_an_interval_within_a_long_one_and_in_batch)
{
	CHECK(wrong_of("SET 'pipeline.auto-watermark-interval' = '0 ms';\n" COUNTS, MILLIS) == 0);
	CHECK(wrong_of("SET 'pipeline.auto-watermark-interval' = '1 h';\n" COUNTS, MILLIS) == 0);
	CHECK(wrong_of("SET 'pipeline.auto-watermark-interval' = '99 ms';\n" COUNTS, MILLIS) == 0);
	CHECK(wrong_of("SET 'execution.runtime-mode' = 'batch';\n" COUNTS, MILLIS) == 0);
	CHECK(wrong_of(COUNTS, SECONDS) == 0);
}

/* Of 9 5 5 1 1 the first two are 9 and a 5. */
TEST(ties_at_the_edge_of_a_rank_are_told)
{
	struct testbed t;

	lint(&t, LAB(COLUMNS, ""), TOP, SECONDS);
	CHECK(t.findings.count == 1 && t.findings.items[0].wrong);
	CHECK(says(&t, 0, "step a ranks equal rows: 1 of its rows"));
	arena_finish(&t.arena);
	CHECK(wrong_of(TOP, "a,9,2026-07-06 09:00:00\nb,5,2026-07-06 09:00:01\n"
			    "c,4,2026-07-06 09:00:02\nd,4,2026-07-06 09:00:03\n") == 0);
}

TEST(properties_are_facts_or_faults)
{
	struct testbed t;

	lint(&t,
		LAB(COLUMNS, "{\"is\": \"edge\", \"size\": \"1 min\"}, "
			     "{\"is\": \"touching\", \"gap\": \"5 s\", \"by\": \"k\"}"),
		COUNTS, SECONDS);
	CHECK(t.findings.count == 2);
	CHECK(says(&t, 0, "1 row on an edge of windows of 1 min: allowed, at least 1"));
	CHECK(says(&t, 1,
		"0 pairs of neighbours of one k exactly 5 s apart: not allowed, at least 1"));
	CHECK(!t.findings.items[0].wrong && t.findings.items[1].wrong);
	CHECK(t.findings.items[1].line == 4 && t.findings.items[1].col > 0);
	arena_finish(&t.arena);
	lint(&t, LAB(COLUMNS, "{\"is\": \"nope\"}"), COUNTS, SECONDS);
	CHECK(count_wrong(&t) == 1 && says(&t, 0, "no property is called \"nope\""));
	CHECK(t.findings.items[0].line == 4);
	arena_finish(&t.arena);
}

TEST(a_file_that_is_not_what_lab_json_says_is_told)
{
	struct testbed t;

	lint(&t, LAB(COLUMNS, ""), COUNTS, "a,x,2026-07-06 09:00:00\n");
	CHECK(count_wrong(&t) == 1 && says(&t, 0, "/d/x.csv: java.lang.NumberFormatException"));
	arena_finish(&t.arena);
	lint(&t, LAB("{\"name\": \"v\", \"type\": \"INTEGRE\"}, ", ""), COUNTS, SECONDS);
	CHECK(count_wrong(&t) == 1 && says(&t, 0, "\"INTEGRE\" is no type of a CSV"));
	CHECK(t.findings.items[0].line == 3);
	arena_finish(&t.arena);
	lint(&t, LAB(COLUMNS, ""), COUNTS, "");
	CHECK(count_wrong(&t) == 1 && says(&t, 0, "it holds no row"));
	arena_finish(&t.arena);
}

int main(void)
{
	RUN(rises_within_the_interval_are_told);
	RUN(no_clock_decides_without_an_interval_within_a_long_one_and_in_batch);
	RUN(ties_at_the_edge_of_a_rank_are_told);
	RUN(properties_are_facts_or_faults);
	RUN(a_file_that_is_not_what_lab_json_says_is_told);
	return test_finish();
}
