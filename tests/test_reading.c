/* Fingerprints and readings of tables small enough to be compared by eye. */
#include "daemon/grade/reading.h"

#include <math.h>

#include "parser/arena.h"
#include "tests/test.h"

static struct column columns[2];

/* Rows in the order of the columns: a name and a number. */
static struct value ab[2][2], mixed[2][2], other[2], printed[2][2];

static void set(struct value row[2], const char *shop, int64_t count)
{
	row[0] = (struct value){.s = text_of(shop)};
	row[1] = (struct value){.i = count};
}

static void set_up(void)
{
	columns[0] = (struct column){.name = TEXT("shop"), .type = {.kind = SQL_VARCHAR}};
	columns[1] = (struct column){.name = TEXT("cnt"), .type = {.kind = SQL_BIGINT}};
	set(ab[0], "a", 3);
	set(ab[1], "b", 5);
	set(mixed[0], "a", 5);
	set(mixed[1], "b", 3);
	set(other, "a", 7);
	printed[0][0].s = TEXT("b");
	printed[0][1].s = TEXT("5");
	printed[1][0].s = TEXT("a");
	printed[1][1].s = TEXT("3");
}

#define SHAPE ((struct shape){TABLE_CHANGELOG, columns, 2})

static struct table table_of(struct row *rows, struct value (*cells)[2], size_t count)
{
	for (size_t i = 0; i < count; i++)
		rows[i] = (struct row){.op = OP_INSERT, .cells = cells[i]};
	return (struct table){.form = TABLE_CHANGELOG,
		.columns = columns,
		.column_count = 2,
		.rows = rows,
		.row_count = count};
}

/* The rows of `ab` as a client prints them, under names of their own. */
static struct table saved_as(
	struct row *rows, struct column *names, const char *shop, const char *cnt)
{
	struct table table = table_of(rows, printed, 2);

	names[0] = (struct column){.name = text_of(shop)};
	names[1] = (struct column){.name = text_of(cnt)};
	table.columns = names;
	return table;
}

TEST(a_reading_has_the_saved_rows_and_no_others)
{
	struct arena arena;
	struct row rows[2], mine[2];
	struct column names[2];
	struct table saved = saved_as(rows, names, "shop", "cnt"), same = table_of(mine, ab, 2);
	struct table exchanged;
	struct fingerprint print;
	struct reading reading;

	arena_init(&arena, 1 << 20);
	CHECK(reading_of(&arena, &SHAPE, &saved, &reading) == 0);
	CHECK(reading.readable && reading.whole);
	CHECK(reading_may_have(&reading, &SHAPE, ab[0]) &&
		reading_may_have(&reading, &SHAPE, ab[1]));
	CHECK(!reading_may_have(&reading, &SHAPE, mixed[0]));
	CHECK(!reading_may_have(&reading, &SHAPE, other));
	CHECK(fingerprint_of(&arena, &same, &print) == 0 && reading_may_be(&reading, &print));
	exchanged = table_of(mine, mixed, 2);
	CHECK(fingerprint_of(&arena, &exchanged, &print) == 0 && !reading_may_be(&reading, &print));
	same = table_of(mine, ab, 1);
	CHECK(fingerprint_of(&arena, &same, &print) == 0 && !reading_may_be(&reading, &print));
	arena_finish(&arena);
}

/* Where a column is called otherwise, each of the others is held against its own. */
TEST(a_reading_of_some_columns_knows_their_values_alone)
{
	struct arena arena;
	struct row rows[2], mine[2];
	struct column names[2];
	struct table saved = saved_as(rows, names, "shop", "EXPR$1"),
		     same = table_of(mine, mixed, 2);
	struct fingerprint print;
	struct reading reading;

	arena_init(&arena, 1 << 20);
	CHECK(reading_of(&arena, &SHAPE, &saved, &reading) == 0);
	CHECK(reading.readable && !reading.whole && reading.count == 1 && reading.of[0] == 0);
	CHECK(reading_may_have(&reading, &SHAPE, other));
	CHECK(fingerprint_of(&arena, &same, &print) == 0 && reading_may_be(&reading, &print));
	CHECK(!reading_may_have(&reading, &SHAPE, (struct value[]){{.s = TEXT("c")}, {.i = 3}}));
	saved = saved_as(rows, names, "cnt", "shop");
	CHECK(reading_of(&arena, &SHAPE, &saved, &reading) == 0);
	CHECK(!reading.readable); /* "b" is no number */
	arena_finish(&arena);
}

TEST(equal_numbers_have_one_fingerprint)
{
	const struct sql_type type = {.kind = SQL_DOUBLE};
	const struct value zero = {.f = 0}, negative = {.f = -0.0}, nan = {.f = NAN},
			   minus_nan = {.f = copysign(NAN, -1)}, one = {.f = 1},
			   null = {.null = true};

	CHECK(fingerprint_cell(&type, &zero) == fingerprint_cell(&type, &negative));
	CHECK(fingerprint_cell(&type, &nan) == fingerprint_cell(&type, &minus_nan));
	CHECK(fingerprint_cell(&type, &nan) != fingerprint_cell(&type, &one));
	CHECK(fingerprint_cell(&type, &zero) != fingerprint_cell(&type, &null));
}

int main(void)
{
	set_up();
	RUN(a_reading_has_the_saved_rows_and_no_others);
	RUN(a_reading_of_some_columns_knows_their_values_alone);
	RUN(equal_numbers_have_one_fingerprint);
	return test_finish();
}
