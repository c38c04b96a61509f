/* Mistakes that take rows away: a condition that nobody asked for, a LIMIT. Only simple ones are tried: a
 * text column with one of its values, a number with a round one. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/mistakes.h"

/* Which query takes a WHERE in front of the window: the one that reads it, else the target. */
static struct sql_query *reading_query(const struct scene *scene)
{
	return scene->window_query ? scene->window_query : scene->query;
}

static const int64_t round_numbers[] = {0, 1, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 100,
	200, 500, 1000, 2000, 5000, 10000};
static const enum sql_op comparisons[] = {SQL_OP_GT, SQL_OP_GE, SQL_OP_LT, SQL_OP_LE};

#define NUMBERS	    (sizeof(round_numbers) / sizeof(round_numbers[0]))
#define COMPARISONS (sizeof(comparisons) / sizeof(comparisons[0]))

/* A column of names has few; one of free text is not compared. */
#define MOST_VALUES 16

/* The distinct texts of a physical column among the first rows. */
static size_t distinct_texts(
	const struct kept_file *file, size_t column, struct text values[MOST_VALUES])
{
	size_t count = 0, rows = file->rows < 1000 ? file->rows : 1000;

	for (size_t i = 0; i < rows && count < MOST_VALUES; i++) {
		const struct value *cell = &file->cells[i * file->width + column];
		size_t k = 0;

		while (k < count && !cell->null && !text_eq(values[k], cell->s))
			k++;
		if (k == count && !cell->null)
			values[count++] = cell->s;
	}
	return count;
}

static const struct kept_file *file_of(const struct scene *scene, size_t column)
{
	const struct kept_file *file = scene->kept ? scene->kept->first : NULL;

	return file && file->usable && column < file->width ? file : NULL;
}

/* Places of one column in the numbering: all values twice, or all numbers with all comparisons. */
#define PLACES (NUMBERS * COMPARISONS)

static int add_text_condition(
	struct scene *scene, size_t column, size_t place, struct sql_query *query)
{
	struct text values[MOST_VALUES];
	const struct kept_file *file = file_of(scene, column);
	size_t count;

	if (!file)
		return -EAGAIN;
	count = distinct_texts(file, column, values);
	if (count == MOST_VALUES || place >= 2 * count)
		return -EAGAIN;
	scene_where(scene, query,
		scene_op(scene, place < count ? SQL_OP_EQ : SQL_OP_NE,
			scene_column(scene, scene->table->columns[column].name),
			scene_string(scene, values[place % count])));
	return 0;
}

static bool passes(const struct value *cell, enum sql_op op, int64_t number)
{
	switch (op) {
	case SQL_OP_GT: return cell->i > number;
	case SQL_OP_GE: return cell->i >= number;
	case SQL_OP_LT: return cell->i < number;
	default: return cell->i <= number;
	}
}

/* Rows that a condition lets through. */
static size_t count_passing(
	const struct kept_file *file, size_t column, enum sql_op op, int64_t number)
{
	size_t count = 0;

	for (size_t i = 0; i < file->rows; i++) {
		const struct value *cell = &file->cells[i * file->width + column];

		count += !cell->null && passes(cell, op, number);
	}
	return count;
}

/* Does a condition let other rows through than no condition, than one that nothing meets, and than the
 * same with the next smaller number? What lets as many through is the same. */
static bool is_new(const struct kept_file *file, size_t column, enum sql_op op, size_t number)
{
	size_t count = count_passing(file, column, op, round_numbers[number]);

	if (count == 0 || count == file->rows)
		return false;
	return number == 0 || count != count_passing(file, column, op, round_numbers[number - 1]);
}

static bool is_integer(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_BIGINT;
}

static int add_number_condition(
	struct scene *scene, size_t column, size_t place, struct sql_query *query)
{
	const struct sql_column *found = &scene->table->columns[column];
	const struct kept_file *file = file_of(scene, column);
	enum sql_op op = comparisons[place % COMPARISONS];
	size_t number = place / COMPARISONS;

	if (file && is_integer(&found->type) && !is_new(file, column, op, number))
		return -EAGAIN;
	scene_where(scene, query,
		scene_op(scene, op, scene_column(scene, found->name),
			scene_number(scene, round_numbers[number])));
	return 0;
}

MISTAKE(make_where_extra)
{
	struct sql_query *query = reading_query(scene);
	size_t column = index / PLACES, place = index % PLACES;
	const struct sql_column *found;

	if (!scene->table || column >= scene->table->column_count)
		return -ENOENT;
	for (size_t i = 0; i <= column; i++)
		if (scene->table->columns[i].kind != COLUMN_PHYSICAL)
			return -EAGAIN;
	found = &scene->table->columns[column];
	cause_add(ret, "where-extra");
	if (found->type.kind == SQL_VARCHAR || found->type.kind == SQL_CHAR)
		return add_text_condition(scene, column, place, query);
	if (!scene_is_numeric(&found->type))
		return -EAGAIN;
	return add_number_condition(scene, column, place, query);
}

MISTAKE(make_having_extra)
{
	const struct kept_file *file = file_of(scene, 0);

	if (!scene->agg || scene->agg->having || index >= PLACES)
		return -ENOENT;
	if (file && round_numbers[index / COMPARISONS] > (int64_t)file->rows)
		return -EAGAIN;
	scene->agg->having = scene_op(scene, comparisons[index % COMPARISONS],
		scene_call(scene, TEXT("COUNT"), NULL, NULL),
		scene_number(scene, round_numbers[index / COMPARISONS]));
	cause_add_name(ret, "where-extra", TEXT("HAVING"));
	return 0;
}

static const int64_t limits[] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 100, 200, 500};

MISTAKE(make_limit)
{
	if (scene->query->limit || index >= sizeof(limits) / sizeof(limits[0]))
		return -ENOENT;
	if (limits[index] >= (int64_t)scene->rows)
		return -EAGAIN; /* it takes nothing away */
	scene->query->limit = scene_number(scene, limits[index]);
	cause_add_number(ret, "limit", limits[index]);
	return 0;
}
