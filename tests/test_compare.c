/* daemon/grade/compare.c: rows as a multiset, parsed values, columns by name or by what they
 * hold. */
#include "daemon/grade/compare.h"

#include "parser/arena.h"
#include "tests/test.h"

#define ROWS	4
#define COLUMNS 3

/* A small table of printed cells; NULL pointers are SQL NULL. */
struct small {
	struct table table;
	struct column columns[COLUMNS];
	struct row rows[ROWS];
	struct value cells[ROWS][COLUMNS];
};

static void fill(struct small *s, const char *const names[COLUMNS], size_t rows,
	const char *const cells[][COLUMNS])
{
	*s = (struct small){0};
	s->table = (struct table){.form = TABLE_CHANGELOG,
		.columns = s->columns,
		.column_count = COLUMNS,
		.rows = s->rows,
		.row_count = rows};
	for (size_t i = 0; i < COLUMNS; i++)
		s->columns[i].name = text_of(names[i]);
	for (size_t i = 0; i < rows; i++) {
		s->rows[i].cells = s->cells[i];
		for (size_t k = 0; k < COLUMNS; k++) {
			s->cells[i][k].null = !cells[i][k];
			if (cells[i][k])
				s->cells[i][k].s = text_of(cells[i][k]);
		}
	}
}

/* The asked side is typed: a window start, a key, a count. */
static void type(struct small *s)
{
	const struct sql_type types[COLUMNS] = {{.kind = SQL_TIMESTAMP, .precision = 3},
		{.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH}, {.kind = SQL_BIGINT}};

	for (size_t k = 0; k < COLUMNS; k++) {
		s->columns[k].type = types[k];
		for (size_t i = 0; i < s->table.row_count; i++)
			if (!s->cells[i][k].null)
				CHECK(value_parse(s->cells[i][k].s, &types[k], &s->cells[i][k]) ==
					0);
	}
}

static const char *const names[COLUMNS] = {"window_start", "k", "cnt"};
static const char *const right[][COLUMNS] = {{"2026-07-06 09:00:00.000", "a", "5"},
	{"2026-07-06 09:00:00.000", "b", "5"}, {"2026-07-06 09:01:00.000", NULL, "7"}};

static struct comparison compare(struct arena *arena, const char *const saved_names[COLUMNS],
	size_t rows, const char *const saved[][COLUMNS], const enum row_op *ops)
{
	static struct small asked, got;
	struct comparison c = {0};

	fill(&asked, names, 3, right);
	type(&asked);
	fill(&got, saved_names, rows, saved);
	for (size_t i = 0; ops && i < rows; i++)
		got.rows[i].op = ops[i];
	CHECK(compare_tables(arena, &asked.table, &got.table, 1, &c) == 0);
	return c;
}

TEST(rows_are_a_multiset_of_values)
{
	static const char *const other[][COLUMNS] = {{"2026-07-06 09:01:00", NULL, "7"},
		{"2026-07-06 09:00:00.000000", "b", "5"}, {"2026-07-06 09:00:00.000", "a", "5"}};
	struct arena arena;
	struct comparison c;

	arena_init(&arena, 1 << 20);
	c = compare(&arena, names, 3, other, NULL);
	CHECK(c.equal && c.map.named && c.map.in_order && !c.map.extra && !c.corrected);
	arena_finish(&arena);
}

TEST(a_wrong_value_is_told_from_a_missing_and_an_extra_row)
{
	static const char *const wrong[][COLUMNS] = {{"2026-07-06 09:00:00.000", "a", "5"},
		{"2026-07-06 09:01:00.000", NULL, "8"}, {"2026-07-06 09:02:00.000", "c", "1"}};
	struct arena arena;
	struct comparison c;

	arena_init(&arena, 1 << 20);
	c = compare(&arena, names, 3, wrong, NULL);
	CHECK(!c.equal && c.evidence_count == 3);
	CHECK(c.evidence[0].kind == EVIDENCE_MISSING);
	CHECK(text_eq(c.evidence[0].window_start, TEXT("2026-07-06 09:00:00.000")));
	arena_finish(&arena);
}

/* A time that stands nowhere in what was saved is still to be found: it is not told. */
TEST(a_missing_row_is_named_only_by_what_was_saved)
{
	static const char *const wrong[][COLUMNS] = {{"2026-07-06 08:00:00.000", "a", "5"}};
	struct arena arena;
	struct comparison c;

	arena_init(&arena, 1 << 20);
	c = compare(&arena, names, 1, wrong, NULL);
	CHECK(!c.equal && c.evidence_count == 2);
	CHECK(c.evidence[0].kind == EVIDENCE_EXTRA && c.evidence[0].window_start.len > 0);
	CHECK(c.evidence[1].kind == EVIDENCE_MISSING && c.evidence[1].rows);
	CHECK(c.evidence[1].window_start.len == 0);
	arena_finish(&arena);
}

TEST(ops_are_folded)
{
	static const char *const steps[][COLUMNS] = {{"2026-07-06 09:00:00.000", "a", "5"},
		{"2026-07-06 09:00:00.000", "b", "5"}, {"2026-07-06 09:01:00.000", NULL, "6"},
		{"2026-07-06 09:01:00.000", NULL, "6"}};
	static const enum row_op taken_back[] = {OP_INSERT, OP_INSERT, OP_INSERT, OP_UPDATE_BEFORE};
	struct arena arena;
	struct comparison c;

	arena_init(&arena, 1 << 20);
	c = compare(&arena, names, 4, steps, taken_back);
	CHECK(!c.equal && c.corrected && c.evidence_count == 1);
	CHECK(c.evidence[0].kind == EVIDENCE_MISSING);
	arena_finish(&arena);
}

TEST(columns_are_found_by_name_then_by_place_then_by_values)
{
	static const char *const renamed[COLUMNS] = {"window_start", "k", "n"};
	static const char *const exchanged[COLUMNS] = {"window_start", "cnt", "k"};
	static const char *const moved[COLUMNS] = {"cnt", "window_start", "k"};
	static const char *const moved_rows[][COLUMNS] = {{"5", "2026-07-06 09:00:00.000", "a"},
		{"5", "2026-07-06 09:00:00.000", "b"}, {"7", "2026-07-06 09:01:00.000", NULL}};
	struct arena arena;
	struct comparison c;

	arena_init(&arena, 1 << 20);
	c = compare(&arena, renamed, 3, right, NULL);
	CHECK(c.equal && !c.map.named);
	c = compare(&arena, exchanged, 3, right, NULL);
	CHECK(c.equal && !c.map.named);
	c = compare(&arena, moved, 3, moved_rows, NULL);
	CHECK(c.equal && c.map.named && !c.map.in_order);
	arena_finish(&arena);
}

/* A column that is not there, whatever the others are called and where they stand: told from one
 * that is there and wrong. */
TEST(one_column_may_be_missing)
{
	static const char *const extra[COLUMNS] = {"n", "from", "rank"};
	static const char *const no_key[][COLUMNS] = {{"5", "2026-07-06 09:00:00.000", "1"},
		{"5", "2026-07-06 09:00:00.000", "2"}, {"7", "2026-07-06 09:01:00.000", "1"}};
	static const char *const other_key[][COLUMNS] = {{"5", "2026-07-06 09:00:00.000", "a"},
		{"5", "2026-07-06 09:00:00.000", "z"}, {"7", "2026-07-06 09:01:00.000", NULL}};
	static const char *const count_wrong[COLUMNS] = {"from", "key", "cnt"};
	static const char *const wrong[][COLUMNS] = {{"2026-07-06 09:00:00.000", "a", "5"},
		{"2026-07-06 09:00:00.000", "b", "6"}, {"2026-07-06 09:01:00.000", NULL, "7"}};
	struct arena arena;
	struct comparison c;

	arena_init(&arena, 1 << 20);
	c = compare(&arena, extra, 3, no_key, NULL);
	CHECK(c.equal && c.map.found == 2 && c.map.of[1] == NO_COLUMN && c.map.extra == 1);
	c = compare(&arena, extra, 3, other_key, NULL);
	CHECK(!c.equal);
	c = compare(&arena, count_wrong, 3, wrong, NULL);
	CHECK(!c.equal);
	arena_finish(&arena);
}

TEST(the_order_of_rows_is_told)
{
	static const char *const turned[][COLUMNS] = {{"2026-07-06 09:01:00.000", NULL, "7"},
		{"2026-07-06 09:00:00.000", "a", "5"}, {"2026-07-06 09:00:00.000", "b", "5"}};
	struct small asked, saved;
	struct arena arena;
	size_t of[] = {0, 1, 2};
	bool same = true;

	arena_init(&arena, 1 << 20);
	fill(&asked, names, 3, right);
	type(&asked);
	fill(&saved, names, 3, turned);
	CHECK(rows_in_order(&arena, &asked.table, &saved.table, of, &same) == 0 && !same);
	fill(&saved, names, 3, right);
	CHECK(rows_in_order(&arena, &asked.table, &saved.table, of, &same) == 0 && same);
	arena_finish(&arena);
}

TEST(cut_cells_may_hold_what_is_asked_or_not)
{
	static const char *const cut[][COLUMNS] = {
		{"2026-07...", "a", "5"}, {"2026-07...", "b", "5"}, {"2026-07...", NULL, "7"}};
	static const char *const off[][COLUMNS] = {
		{"2026-07...", "a", "5"}, {"2026-07...", "b", "6"}, {"2026-07...", NULL, "7"}};
	struct arena arena;
	struct comparison c;

	arena_init(&arena, 1 << 20);
	c = compare(&arena, names, 3, cut, NULL);
	CHECK(!c.equal && c.cut);
	c = compare(&arena, names, 3, off, NULL);
	CHECK(!c.equal && !c.cut);
	arena_finish(&arena);
}

int main(void)
{
	RUN(rows_are_a_multiset_of_values);
	RUN(a_wrong_value_is_told_from_a_missing_and_an_extra_row);
	RUN(a_missing_row_is_named_only_by_what_was_saved);
	RUN(ops_are_folded);
	RUN(columns_are_found_by_name_then_by_place_then_by_values);
	RUN(one_column_may_be_missing);
	RUN(the_order_of_rows_is_told);
	RUN(cut_cells_may_hold_what_is_asked_or_not);
	return test_finish();
}
