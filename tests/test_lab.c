/* daemon/grade/lab.c and report.c: lab.json is checked key by key; expressions over tables. */
#include "daemon/grade/lab.h"

#include <errno.h>

#include "daemon/grade/report.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/test.h"

/* One line each, so that a place can be told by its line. */
#define FIXTURE                                                                         \
	"{\"path\":\"/d/x.csv\",\"data\":\"data/x.csv\",\"columns\":[{\"name\":\"id\"," \
	"\"type\":\"BIGINT\"},{\"name\":\"ts\",\"type\":\"TIMESTAMP(3)\"}],"            \
	"\"rowtime\":\"ts\",\"properties\":[{\"is\":\"late\",\"delay\":\"5 s\"}]}"
#define BEFORE(fixture)                                                               \
	"{\"version\":1,\"name\":\"l\",\"title\":{\"en\":\"t\",\"ja\":\"j\"},"        \
	"\"languages\":[\"en\",\"ja\"],\"folder\":\"/f\",\"fixtures\":[" fixture "]," \
	"\"form\":{\"names\":\"asked\"},\n\"steps\":[\n"
#define HEAD BEFORE(FIXTURE)
#define STEP_A                                                                                  \
	"{\"id\":\"a\",\"kind\":\"tables\",\"file\":\"a.out\",\"sql\":\"a.sql\",\"reference\":" \
	"\"a.sql\"}"

static int parse(struct text json, struct diag *diag)
{
	struct arena arena;
	struct lab lab;
	int err;

	arena_init(&arena, 1 << 20);
	*diag = (struct diag){0};
	err = lab_parse(&arena, json, &lab, diag);
	arena_finish(&arena);
	return err;
}

static bool refused(struct text json, int line, const char *word)
{
	struct diag diag;
	bool ok = parse(json, &diag) == -EINVAL && diag.line == line && strstr(diag.text, word);

	if (!ok)
		printf("# line %d: %s\n", diag.line, diag.text);
	return ok;
}

TEST(a_lab_is_read)
{
	struct arena arena;
	struct lab lab;

	arena_init(&arena, 1 << 20);
	CHECK(lab_parse(&arena,
		      TEXT(HEAD STEP_A ",{\"id\":\"r\",\"kind\":\"report\",\"file\":\"r.json\","
				       "\"keys\":{\"n\":\"2*sum(a.cnt)-rows(a[2])\"}}]}"),
		      &lab, NULL) == 0);
	CHECK(lab.step_count == 2 && lab.fixture_count == 1);
	CHECK(lab.steps[0].form.names == FORM_PARTIAL && lab.steps[0].form.extra == FORM_FREE);
	CHECK(lab_step(&lab, TEXT("r.json")) == 1 && lab_step(&lab, TEXT("x")) == 2);
	arena_finish(&arena);
}

#define STEP(id, more)                                                                 \
	"{\"id\":\"" id "\",\"kind\":\"tables\",\"file\":\"" id ".out\",\"sql\":\"" id \
	".sql\",\"reference\":\"ref/" id ".sql\"" more "}"

TEST(all_of_a_step_is_read)
{
	struct arena arena;
	struct lab lab;
	const struct step *step;

	arena_init(&arena, 1 << 20);
	CHECK(lab_parse(&arena,
		      TEXT(HEAD STEP_A "," STEP("b",
			      ",\"after\":[\"a\"],\"form\":{\"rows\":\"must\",\"mode\":"
			      "\"asked\",\"names\":\"free\"},\"title\":{\"en\":\"B\"},"
			      "\"hints\":[{\"en\":\"h1\"},{\"ja\":\"j2\",\"en\":\"h2\"}],"
			      "\"learned\":{\"en\":\"w\"},\"links\":[{\"title\":{\"en\":"
			      "\"d\"},\"url\":\"https://x/\"}]") ",{\"id\":\"e\",\"kind\":"
								 "\"error\",\"file\":\"e.out\","
								 "\"sql\":\"e.sql\","
								 "\"reference\":\"e.sql\"}]}"),
		      &lab, NULL) == 0);
	step = &lab.steps[1];
	CHECK(lab.language_count == 2 && text_eq(lab.languages[1], TEXT("ja")));
	CHECK(step->form.rows == FORM_FAIL && step->form.mode == FORM_PARTIAL);
	CHECK(step->form.names == FORM_FREE && lab.steps[0].form.names == FORM_PARTIAL);
	CHECK(step->after_count == 1 && step->after[0] == 0);
	CHECK(step->hint_count == 2 && step->link_count == 1);
	CHECK(text_eq(lab_text_get(&step->hints[1], TEXT("ja")), TEXT("j2")));
	CHECK(text_eq(lab_text_get(&step->hints[1], TEXT("ko")), TEXT("h2")));
	CHECK(text_eq(lab_text_get(&step->learned, TEXT("ja")), TEXT("w")));
	CHECK(lab_text_get(&lab.steps[0].learned, TEXT("en")).len == 0);
	CHECK(lab.steps[2].kind == STEP_ERROR);
	arena_finish(&arena);
}

TEST(a_fixture_is_read)
{
	struct arena arena;
	struct lab lab;

	arena_init(&arena, 1 << 20);
	CHECK(lab_parse(&arena, TEXT(HEAD STEP_A "]}"), &lab, NULL) == 0);
	CHECK(lab.fixture_count == 1 && text_eq(lab.fixtures[0].path, TEXT("/d/x.csv")));
	CHECK(lab.fixtures[0].column_count == 2 && lab.fixtures[0].rowtime == 1);
	CHECK(text_eq(lab.fixtures[0].columns[1].type, TEXT("TIMESTAMP(3)")));
	CHECK(lab.fixtures[0].property_count == 1);
	CHECK(text_eq(lab.fixtures[0].properties[0].is, TEXT("late")));
	arena_finish(&arena);
}

static void count_texts(void *ctx, const struct lab_texts *texts)
{
	*(size_t *)ctx += texts->count;
}

TEST(every_text_is_seen)
{
	struct arena arena;
	struct lab lab;
	size_t count = 0;

	arena_init(&arena, 1 << 20);
	CHECK(lab_parse(&arena,
		      TEXT(HEAD STEP("b", ",\"title\":{\"en\":\"B\"},\"hints\":[{\"en\":\"h\"}],"
					  "\"learned\":{\"en\":\"w\"},\"links\":[{\"title\":"
					  "{\"en\":\"d\"},\"url\":\"https://x/\"}]") "]}"),
		      &lab, NULL) == 0);
	lab_texts_each(&lab, count_texts, &count);
	CHECK(count == 6);
	arena_finish(&arena);
}

TEST(what_is_wrong_in_the_new_parts_is_told)
{
	CHECK(refused(TEXT(BEFORE("\"/d/x.csv\"") STEP_A "]}"), 1, "object"));
	CHECK(refused(TEXT(BEFORE("{\"path\":\"x\",\"columns\":[]}") STEP_A "]}"), 1, "absolute"));
	CHECK(refused(
		TEXT(BEFORE("{\"path\":\"/x\",\"columns\":[]}") STEP_A "]}"), 1, "no column"));
	CHECK(refused(
		TEXT(BEFORE("{\"path\":\"/x\",\"data\":\"../x\",\"columns\":[]}") STEP_A "]}"), 1,
		"within the lab"));
	CHECK(refused(TEXT(BEFORE(FIXTURE "," FIXTURE) STEP_A "]}"), 1, "another fixture"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\"after\":[\"b\"]") "]}"), 3, "earlier"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\"after\":[7]") "]}"), 3, "earlier"));
	CHECK(refused(
		TEXT(HEAD STEP_A "," STEP("b", ",\"after\":[\"a\",\n\"a\"]") "]}"), 4, "twice"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\"form\":{\"rows\":\"yes\"}") "]}"), 3, "must"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\"title\":{\"ja\":\"x\"}") "]}"), 3, "English"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\"hints\":[\n\"x\"]") "]}"), 4, "object"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\"hints\":[{\"en\":1}]") "]}"), 3, "text"));
	CHECK(refused(TEXT(HEAD STEP(
			      "b", ",\"links\":[{\"title\":{\"en\":\"x\"},\n\"url\":\"x\"}]") "]}"),
		4, "https"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\"kind\":\"error\"") "]}"), 3, "twice"));
	CHECK(refused(TEXT(HEAD STEP("b", ",\n\"keys\":{\"n\":\"1\"}") "]}"), 4, "has no"));
	CHECK(refused(
		TEXT(HEAD "{\"id\":\"r\",\"kind\":\"report\",\"file\":\"r\",\"keys\":{\"n\":\"1\"}"
			  ",\n\"sql\":\"r.sql\"}]}"),
		4, "has no"));
	CHECK(refused(
		TEXT(HEAD "{\"id\":\"a\",\"kind\":\"error\",\"file\":\"a\",\"sql\":\"a.sql\"}]}"),
		3, "has \"reference\""));
}

TEST(what_is_wrong_in_a_lab_is_told_with_its_line)
{
	CHECK(refused(TEXT("[]"), 1, "object"));
	CHECK(refused(TEXT("{\"version\":1}"), 1, "missing"));
	CHECK(refused(TEXT(HEAD STEP_A ",\n{\"id\":\"a\"}]}"), 4, "missing"));
	CHECK(refused(TEXT(HEAD "]}"), 2, "no step"));
	CHECK(refused(TEXT(HEAD "\n\xff]}"), 4, "UTF-8"));
	CHECK(refused(TEXT(HEAD "{\"idd\":\"a\"}]}"), 3, "not known"));
	CHECK(refused(TEXT(HEAD "{\"id\":1}]}"), 3, "must be a text"));
	CHECK(refused(TEXT(HEAD STEP_A ",\n" STEP_A "]}"), 4, "another step"));
	CHECK(refused(
		TEXT(HEAD "{\"id\":\"a\",\"kind\":\"tables\",\"file\":\"../a\",\"sql\":\"a.sql\","
			  "\"reference\":\"a.sql\"}]}"),
		3, "plain names"));
	CHECK(refused(
		TEXT(HEAD STEP_A ",\n{\"id\":\"r\",\"kind\":\"report\",\"file\":\"r\",\"keys\":"
				 "{\"n\":\"rows(b)\"}}]}"),
		4, "not there"));
	CHECK(refused(
		TEXT(HEAD STEP_A ",\n{\"id\":\"r\",\"kind\":\"report\",\"file\":\"r\",\"keys\":"
				 "{\"n\":\"rows(a\"}}]}"),
		4, "')'"));
}

static const struct table *one_table(void *ctx, struct text step, size_t number)
{
	return text_eq(step, TEXT("a")) && number == 1 ? ctx : NULL;
}

static int eval(const char *source, struct table *table, int64_t *ret)
{
	const struct report_tables tables = {one_table, table};
	struct report_expr *expr;
	struct arena arena;
	int err;

	arena_init(&arena, 1 << 20);
	err = report_parse(&arena, text_of(source), &expr, NULL);
	if (!err)
		err = report_eval(expr, &tables, ret);
	arena_finish(&arena);
	return err;
}

TEST(expressions_are_worked_out_over_tables)
{
	struct column column = {.name = TEXT("cnt"), .type = {.kind = SQL_BIGINT}};
	struct value cells[] = {{.i = 3}, {.i = 4}};
	struct row rows[] = {{.cells = &cells[0]}, {.cells = &cells[1]}};
	struct table table = {.columns = &column, .column_count = 1, .rows = rows, .row_count = 2};
	int64_t n = 0;

	CHECK(eval("10 - sum(a.cnt) - rows(a)", &table, &n) == 0 && n == 1);
	CHECK(eval("2 * (sum(a.cnt) + 1)", &table, &n) == 0 && n == 16);
	CHECK(eval("sum(a.x)", &table, &n) == -ENOENT);
	CHECK(eval("rows(a[2])", &table, &n) == -ENOENT);
	CHECK(eval("rows(b)", &table, &n) == -ENOENT);
	CHECK(eval("9223372036854775807 + 1", &table, &n) == -ERANGE);
	CHECK(eval("rows(a) rows(a)", &table, &n) == -EINVAL);
	cells[1].null = true;
	CHECK(eval("sum(a.cnt)", &table, &n) == -EINVAL);
}

/* Two windows of one start, and one of the next: start, end, n, key. Times in ms. */
TEST(rows_are_chosen_and_ordered_by_their_columns)
{
	struct column columns[] = {{TEXT("window_start"), {.kind = SQL_TIMESTAMP, .precision = 3}},
		{TEXT("window_end"), {.kind = SQL_TIMESTAMP, .precision = 3}},
		{TEXT("n"), {.kind = SQL_BIGINT}}, {TEXT("shop"), {.kind = SQL_VARCHAR}}};
	struct value cells[3][4] = {{{.i = 0}, {.i = 20000}, {.i = 7}, {.s = TEXT("a")}},
		{{.i = 0}, {.i = 10000}, {.i = 5}, {.s = TEXT("b")}},
		{{.i = 20000}, {.i = 35000}, {.i = 2}, {.s = TEXT("a")}}};
	struct row rows[] = {{.cells = cells[0]}, {.cells = cells[1]}, {.cells = cells[2]}};
	struct table table = {.columns = columns, .column_count = 4, .rows = rows, .row_count = 3};
	int64_t n = 0;

	CHECK(eval("rows(a where window_start = min(window_start))", &table, &n) == 0 && n == 2);
	CHECK(eval("rows(a where window_end = max(window_end) and shop = 'a')", &table, &n) == 0);
	CHECK(n == 1);
	CHECK(eval("sum(a.n where shop = 'a')", &table, &n) == 0 && n == 9);
	CHECK(eval("sum(a.n where n = 5)", &table, &n) == 0 && n == 5);
	CHECK(eval("sum(a.n where shop = 'z')", &table, &n) == 0 && n == 0);
	CHECK(eval("rows(a where window_start = window_end)", &table, &n) == 0 && n == 0);
	CHECK(eval("rows(a where window_end = '1970-01-01 00:00:20.000')", &table, &n) == 0);
	CHECK(n == 1);
	CHECK(eval("max(a.window_end - a.window_start) / 1000", &table, &n) == 0 && n == 20);
	CHECK(eval("min(a.n)", &table, &n) == 0 && n == 2);
	CHECK(eval("last(a.n)", &table, &n) == 0 && n == 2);
	CHECK(eval("first(a.n)", &table, &n) == 0 && n == 5);
	CHECK(eval("last(a.n where window_start = min(window_start))", &table, &n) == 0 && n == 7);
	/* Without window_end the order of the rows decides. */
	columns[1].name = TEXT("e");
	CHECK(eval("last(a.n where window_start = min(window_start))", &table, &n) == 0 && n == 5);
	CHECK(eval("first(a.n)", &table, &n) == 0 && n == 7);
}

TEST(what_has_no_value_is_an_error)
{
	struct column columns[] = {{TEXT("n"), {.kind = SQL_BIGINT}},
		{TEXT("d"), {.kind = SQL_DECIMAL, .precision = 4, .scale = 1}},
		{TEXT("s"), {.kind = SQL_VARCHAR}}};
	struct value cells[] = {{.i = 7}, {.dec = 20}, {.s = TEXT("x")}};
	struct row row = {.cells = cells};
	struct table table = {.columns = columns, .column_count = 3, .rows = &row, .row_count = 1};
	int64_t n = 0;

	CHECK(eval("7 / 2 - 3 * 2 / 4", &table, &n) == 0 && n == 2);
	CHECK(eval("sum(a.d)", &table, &n) == 0 && n == 2);
	cells[1].dec = 25;
	CHECK(eval("sum(a.d)", &table, &n) == -EINVAL);
	CHECK(eval("max(a.s)", &table, &n) == -EINVAL);
	CHECK(eval("1 / (rows(a) - 1)", &table, &n) == -EDOM);
	CHECK(eval("max(a.n where n = 8)", &table, &n) == -ENODATA);
	CHECK(eval("rows(a where n = 'x')", &table, &n) == -EINVAL);
	CHECK(eval("rows(a where n = s)", &table, &n) == -EINVAL);
	CHECK(eval("rows(a where n = y)", &table, &n) == -ENOENT);
	CHECK(eval("max(a.n - a.y)", &table, &n) == -ENOENT);
	CHECK(eval("max(a.n - b.n)", &table, &n) == -EINVAL);
	CHECK(eval("rows(a where )", &table, &n) == -EINVAL);
	CHECK(eval("rows(a where n = avg(n))", &table, &n) == -EINVAL);
	CHECK(eval("rows(a where n = 'x)", &table, &n) == -EINVAL);
	CHECK(eval("max(a)", &table, &n) == -EINVAL);
	CHECK(eval("rows(a where n=1 and n=1 and n=1 and n=1 and n=1 and n=1 and n=1 and n=1 and "
		   "n=1)",
		      &table, &n) == -EINVAL);
}

int main(void)
{
	RUN(a_lab_is_read);
	RUN(all_of_a_step_is_read);
	RUN(a_fixture_is_read);
	RUN(every_text_is_seen);
	RUN(what_is_wrong_in_the_new_parts_is_told);
	RUN(what_is_wrong_in_a_lab_is_told_with_its_line);
	RUN(expressions_are_worked_out_over_tables);
	RUN(rows_are_chosen_and_ordered_by_their_columns);
	RUN(what_has_no_value_is_an_error);
	return test_finish();
}
