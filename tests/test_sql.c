/* The SQL front end against what real Flink accepted, refused and printed again. */
#include "tests/test.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/sql.h"

static struct arena arena;

/* Parses one statement that stands alone in a file; what it must be is for the caller to say. */
static int parse(const char *sql, struct sql_statement *ret, struct diag *reterr)
{
	struct sql_script script;

	arena_finish(&arena);
	*reterr = (struct diag){0};
	if (sql_split(&arena, text_of(sql), &script, reterr) || script.count != 1)
		return -EIO;
	return sql_parse(&arena, &script.pieces[0], ret, reterr);
}

/* The watermark's expression as DESCRIBE shows it (recorded: format/stmt_describe_watermarks). */
static void check_watermark(const char *expr, const char *printed, int64_t delay_ms)
{
	char sql[512];
	struct sql_statement statement;
	struct diag diag;
	struct text got;
	const struct sql_expr *watermark;

	snprintf(sql, sizeof(sql),
		"CREATE TABLE t (ts TIMESTAMP(3), WATERMARK FOR ts AS %s) WITH ('connector' = 'x')",
		expr);
	CHECK(parse(sql, &statement, &diag) == 0);
	watermark = statement.create->watermark;
	got = sql_expr_print(&arena, watermark);
	CHECK(text_eq(got, text_of(printed)));
	if (watermark->kind == EXPR_OP && delay_ms)
		CHECK(watermark->args[1]->value.i == delay_ms);
}

TEST(watermark_is_printed_as_describe_shows_it)
{
	check_watermark("ts", "`ts`", 0);
	check_watermark("ts - INTERVAL '5' SECONDS", "`ts` - INTERVAL '5' SECOND", 5000);
}

int main(void)
{
	arena_init(&arena, 64u << 20);
	RUN(watermark_is_printed_as_describe_shows_it);
	arena_finish(&arena);
	return test_finish();
}
