/* sim/expr*.c: three-valued logic, comparison, numbers that wrap or round, casts. Numbers are
 * those that the recorded run semantics/types_stream printed, or follow from SQL's truth
 * tables. */
#include "sim/expr.h"

#include <errno.h>

#include "parser/arena.h"
#include "tests/test.h"

static const struct sql_type boolean = {.kind = SQL_BOOLEAN};
static const struct sql_type integer = {.kind = SQL_INT};
static const struct sql_type bigint = {.kind = SQL_BIGINT};
static const struct sql_type floating = {.kind = SQL_DOUBLE};
static const struct sql_type timestamp = {
	.kind = SQL_TIMESTAMP, .precision = 3, .attribute = TIME_ROWTIME};

static struct arena arena;

static struct expr *constant(const struct sql_type *type, struct value value)
{
	return expr_constant(&arena, type, &value);
}

static struct expr *truth(char letter)
{
	return constant(&boolean, (struct value){.null = letter == 'N', .i = letter == 'T'});
}

/* NULL where expr_op() refuses. */
static struct expr *op(enum sql_op what, struct expr *a, struct expr *b)
{
	struct expr **args = arena_array(&arena, 2, sizeof(*args)), *ret = NULL;

	args[0] = a;
	args[1] = b;
	return expr_op(&arena, what, args, b ? 2 : 1, &ret) == 0 ? ret : NULL;
}

static struct value value_of(const struct expr *expr)
{
	struct eval eval = {.wm_ms = WATERMARK_NONE};
	struct value value = {.null = true};

	CHECK(expr && expr_eval(expr, &eval, &value) == 0);
	return value;
}

static char letter_of(const struct expr *expr)
{
	struct value value = value_of(expr);

	return value.null ? 'N' : value.i ? 'T' : 'F';
}

TEST(logic_knows_three_values)
{
	/* Both operands, AND, OR. */
	static const char table[][5] = {
		"TTTT", "TFFT", "TNNT", "FTFT", "FFFF", "FNFN", "NTNT", "NFFN", "NNNN"};

	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct expr *a = truth(table[i][0]), *b = truth(table[i][1]);

		CHECK(letter_of(op(SQL_OP_AND, a, b)) == table[i][2]);
		CHECK(letter_of(op(SQL_OP_OR, a, b)) == table[i][3]);
	}
	CHECK(letter_of(op(SQL_OP_NOT, truth('N'), NULL)) == 'N');
	CHECK(letter_of(op(SQL_OP_NOT, truth('F'), NULL)) == 'T');
	CHECK(letter_of(op(SQL_OP_IS_NULL, truth('N'), NULL)) == 'T');
	CHECK(letter_of(op(SQL_OP_IS_NOT_TRUE, truth('N'), NULL)) == 'T');
	CHECK(letter_of(op(SQL_OP_IS_FALSE, truth('N'), NULL)) == 'F');
}

TEST(a_condition_holds_only_where_it_is_true)
{
	struct eval eval = {.wm_ms = WATERMARK_NONE};
	bool holds = true;

	CHECK(expr_holds(truth('N'), &eval, &holds) == 0 && !holds);
	CHECK(expr_holds(truth('T'), &eval, &holds) == 0 && holds);
}

TEST(integers_wrap)
{
	struct expr *most = constant(&integer, (struct value){.i = INT32_MAX});
	struct expr *most_big = constant(&bigint, (struct value){.i = INT64_MAX});
	struct expr *one = constant(&integer, (struct value){.i = 1});

	CHECK(value_of(op(SQL_OP_ADD, most, one)).i == INT32_MIN);
	CHECK(value_of(op(SQL_OP_ADD, most_big, one)).i == INT64_MIN);
	CHECK(op(SQL_OP_ADD, most, most_big)->type.kind == SQL_BIGINT);
}

TEST(integer_division_is_cut_toward_zero)
{
	struct expr *nine = constant(&integer, (struct value){.i = -9});
	struct expr *two = constant(&bigint, (struct value){.i = 2});
	struct expr *none = constant(&integer, (struct value){.i = 0});
	struct expr *least = constant(&bigint, (struct value){.i = INT64_MIN});
	struct expr *minus = constant(&bigint, (struct value){.i = -1});
	struct eval eval = {.wm_ms = WATERMARK_NONE};
	struct value value;

	CHECK(value_of(op(SQL_OP_DIV, nine, two)).i == -4);
	CHECK(value_of(op(SQL_OP_DIV, least, minus)).i == INT64_MIN);
	/* Recorded: format/err_div0. */
	CHECK(expr_eval(op(SQL_OP_DIV, nine, none), &eval, &value) == -EBADMSG);
	CHECK(eval.fault &&
		strcmp(eval.fault, "java.lang.ArithmeticException: Division by zero") == 0);
}

/* Recorded: semantics/types_stream: SUM(d10) / 3 has 6 digits, COUNT(*) * 1.5 one and width 24. */
TEST(decimals_have_flinks_digits)
{
	static const struct sql_type sum = {.kind = SQL_DECIMAL, .precision = 38, .scale = 2};
	static const struct sql_type literal = {.kind = SQL_DECIMAL, .precision = 2, .scale = 1};
	struct expr *third = op(SQL_OP_DIV, constant(&sum, (struct value){.dec = 1000}),
		constant(&integer, (struct value){.i = 3}));
	struct expr *product = op(SQL_OP_MUL, constant(&bigint, (struct value){.i = 5}),
		constant(&literal, (struct value){.dec = 15}));

	CHECK(third->type.scale == 6);
	CHECK(value_of(third).dec == 3333333);
	CHECK(product->type.precision == 22 && product->type.scale == 1);
	CHECK(value_of(product).dec == 75);
}

TEST(decimals_round_half_up)
{
	static const struct sql_type sum = {.kind = SQL_DECIMAL, .precision = 38, .scale = 2};
	struct expr *three = constant(&integer, (struct value){.i = 3});

	CHECK(value_of(op(SQL_OP_DIV, constant(&sum, (struct value){.dec = 2000}), three)).dec ==
		6666667);
	CHECK(value_of(op(SQL_OP_DIV, constant(&sum, (struct value){.dec = -2000}), three)).dec ==
		-6666667);
}

TEST(numbers_of_two_kinds_are_compared_as_one)
{
	static const struct sql_type decimal = {.kind = SQL_DECIMAL, .precision = 3, .scale = 1};
	struct expr *two = constant(&integer, (struct value){.i = 2});

	CHECK(letter_of(op(SQL_OP_LT, two, constant(&decimal, (struct value){.dec = 25}))) == 'T');
	CHECK(letter_of(op(SQL_OP_EQ, two, constant(&floating, (struct value){.f = 2.0}))) == 'T');
	CHECK(op(SQL_OP_EQ, two, truth('T')) == NULL);
}

TEST(a_time_compares_with_its_text)
{
	static const struct sql_type text = {.kind = SQL_CHAR, .precision = 19};
	struct expr *column = expr_column(&arena, 0, &timestamp);
	struct expr *literal = constant(&text, (struct value){.s = TEXT("2026-07-06 09:00:00")});
	struct expr *later = op(SQL_OP_GT, column, literal);
	struct value cell = {.i = INT64_C(1783328400001)};
	struct eval eval = {.cells = &cell, .wm_ms = WATERMARK_NONE};
	bool holds = false;

	CHECK(later && expr_holds(later, &eval, &holds) == 0 && holds);
	cell.i--;
	CHECK(later && expr_holds(later, &eval, &holds) == 0 && !holds);
}

TEST(a_cast_takes_the_time_attribute_away)
{
	struct expr *column = expr_column(&arena, 0, &timestamp), *cast = NULL;

	CHECK(expr_cast(&arena, column, &timestamp, &cast) == 0);
	CHECK(cast->type.attribute == TIME_NONE);
}

TEST(the_current_watermark_is_null_before_the_first)
{
	struct eval eval = {.wm_ms = WATERMARK_NONE};
	struct expr *watermark = expr_current_watermark(&arena, &timestamp);
	struct value value;

	CHECK(expr_eval(watermark, &eval, &value) == 0 && value.null);
	eval.wm_ms = 5;
	CHECK(expr_eval(watermark, &eval, &value) == 0 && !value.null && value.i == 5);
	CHECK(op(SQL_OP_IS_NULL, watermark, NULL)->reads_watermark);
}

int main(void)
{
	arena_init(&arena, 1 << 20);
	RUN(logic_knows_three_values);
	RUN(a_condition_holds_only_where_it_is_true);
	RUN(integers_wrap);
	RUN(integer_division_is_cut_toward_zero);
	RUN(decimals_have_flinks_digits);
	RUN(decimals_round_half_up);
	RUN(numbers_of_two_kinds_are_compared_as_one);
	RUN(a_time_compares_with_its_text);
	RUN(a_cast_takes_the_time_attribute_away);
	RUN(the_current_watermark_is_null_before_the_first);
	arena_finish(&arena);
	return test_finish();
}
