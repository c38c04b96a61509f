/* daemon/grade/lab.c and report.c: lab.json is checked key by key; expressions over tables. */
#include "daemon/grade/lab.h"

#include <errno.h>

#include "daemon/grade/report.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/test.h"

#define HEAD                                                                    \
	"{\"version\":1,\"name\":\"l\",\"title\":{\"en\":\"t\"},\"folder\":\"/" \
	"f\",\"fixtures\":[\"/d/x.csv\"],"                                      \
	"\"form\":{\"names\":\"asked\"},\n\"steps\":[\n"
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
	CHECK(lab.steps[0].names == FORM_PARTIAL && lab.steps[0].extra == FORM_FREE);
	CHECK(lab_step(&lab, TEXT("r.json")) == 1 && lab_step(&lab, TEXT("x")) == 2);
	arena_finish(&arena);
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

int main(void)
{
	RUN(a_lab_is_read);
	RUN(what_is_wrong_in_a_lab_is_told_with_its_line);
	RUN(expressions_are_worked_out_over_tables);
	return test_finish();
}
