/* Mistakes that take rows away: a condition that nobody asked for, a file that was cut, a LIMIT.
 * Only simple ones are tried: a text column with one of its values, a number with a round one. */
#include <errno.h>

#include "parser/arena.h"
#include "sim/mistakes.h"

/* Which query takes a WHERE in front of the window: the one that reads it, else the target. */
static struct sql_query *reading_query(const struct scene *scene)
{
	return scene->window_query ? scene->window_query : scene->query;
}

#define SMALL_NUMBERS 101

static const int64_t round_numbers[] = {120, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1500,
	2000, 2500, 3000, 5000, 10000, 100000};

/* The last four are other conditions than the first two only of a number that the data have. */
static const enum sql_op comparisons[] = {
	SQL_OP_GT, SQL_OP_LE, SQL_OP_GE, SQL_OP_LT, SQL_OP_EQ, SQL_OP_NE};

#define NUMBERS	    (SMALL_NUMBERS + sizeof(round_numbers) / sizeof(round_numbers[0]))
#define COMPARISONS (sizeof(comparisons) / sizeof(comparisons[0]))

static int64_t number_at(size_t place)
{
	return place < SMALL_NUMBERS ? (int64_t)place : round_numbers[place - SMALL_NUMBERS];
}

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
	return scene->file && column < scene->file->width ? scene->file : NULL;
}

/* Places of one column in the numbering: all values twice, or all numbers with all comparisons. */
#define PLACES (NUMBERS * COMPARISONS)

static int add_text_condition(
	struct scene *scene, size_t column, size_t place, struct sql_query *query)
{
	struct text values[MOST_VALUES];
	const struct kept_file *file = file_of(scene, column);
	size_t count;

	if (!file || place >= 2 * MOST_VALUES)
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
	case SQL_OP_LE: return cell->i <= number;
	case SQL_OP_GE: return cell->i >= number;
	case SQL_OP_LT: return cell->i < number;
	case SQL_OP_EQ: return cell->i == number;
	default: return cell->i != number;
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

static bool is_integer(const struct sql_type *type)
{
	return type->kind >= SQL_TINYINT && type->kind <= SQL_BIGINT;
}

/* Numbers below 101 that people write: small ones, and those of five and ten. */
static bool is_round(int64_t number)
{
	return number < 10 || number % 5 == 0;
}

/* Does such a condition let other rows through than none does, than one that nothing meets, and
 * than the same with the number before? */
static bool is_new(const struct kept_file *file, size_t column, enum sql_op op, size_t place)
{
	size_t count;

	if (place < SMALL_NUMBERS && !is_round(number_at(place)))
		return false;
	if (op != SQL_OP_GT && op != SQL_OP_LE)
		return count_passing(file, column, SQL_OP_EQ, number_at(place)) > 0;
	count = count_passing(file, column, op, number_at(place));
	if (count == 0 || count == file->rows)
		return false;
	while (place-- > 0)
		if (place >= SMALL_NUMBERS || is_round(number_at(place)))
			return count != count_passing(file, column, op, number_at(place));
	return true;
}

static int add_number_condition(
	struct scene *scene, size_t column, size_t place, struct sql_query *query)
{
	const struct sql_column *found = &scene->table->columns[column];
	const struct kept_file *file = file_of(scene, column);
	enum sql_op op = comparisons[place % COMPARISONS];

	if (!file || !is_integer(&found->type) || !is_new(file, column, op, place / COMPARISONS))
		return -EAGAIN;
	scene_where(scene, query,
		scene_op(scene, op, scene_column(scene, found->name),
			scene_number(scene, number_at(place / COMPARISONS))));
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
	scene->part = scene->rowwise;
	cause_add(ret, "where-extra");
	if (found->type.kind == SQL_VARCHAR || found->type.kind == SQL_CHAR)
		return add_text_condition(scene, column, place, query);
	if (!scene_is_numeric(&found->type))
		return -EAGAIN;
	return add_number_condition(scene, column, place, query);
}

/* Is each of its rows made of one group, whatever others there are? */
static bool shows_groups(const struct scene *scene)
{
	const struct sql_query *query = scene->query;

	return query == scene->agg && !scene->ranked && !query->qualify && !query->limit &&
	       !query->offset;
}

MISTAKE(make_having_extra)
{
	static const enum sql_op both[] = {SQL_OP_GT, SQL_OP_LE};
	int64_t number = (int64_t)(index / 2);

	if (!scene->agg || scene->agg->having || number >= SCENE_COUNTS)
		return -ENOENT;
	if (!scene->counts[number])
		return -EAGAIN; /* it is the bound below */
	scene->agg->having = scene_op(scene, both[index % 2],
		scene_call(scene, TEXT("COUNT"), NULL, NULL), scene_number(scene, number));
	scene->part = shows_groups(scene);
	cause_add_name(ret, "where-extra", TEXT("HAVING"));
	return 0;
}

/* What `head -n` leaves of the file: the same rows as a condition on a running number. */
MISTAKE(make_cut_data)
{
	if (index >= NUMBERS)
		return -ENOENT;
	if (!scene->file || number_at(index) < 10 || number_at(index) % 5 ||
		(size_t)number_at(index) >= scene->file->rows)
		return -EAGAIN;
	scene->change = INPUT_FIRST;
	scene->first_rows = (size_t)number_at(index);
	cause_add_name(ret, "other-data", TEXT("cut"));
	return 0;
}

/* Every small one, then round ones. */
#define EVERY_LIMIT 20

static const int64_t limits[] = {
	24, 25, 30, 36, 40, 45, 50, 60, 80, 90, 100, 120, 150, 200, 250, 300, 400, 500};

MISTAKE(make_limit)
{
	int64_t limit;

	if (scene->query->limit || index >= EVERY_LIMIT + sizeof(limits) / sizeof(limits[0]))
		return -ENOENT;
	limit = index < EVERY_LIMIT ? (int64_t)index + 1 : limits[index - EVERY_LIMIT];
	if (limit >= (int64_t)scene->asked->row_count)
		return -EAGAIN; /* it takes nothing away */
	scene->query->limit = scene_number(scene, limit);
	scene->part = true;
	cause_add_number(ret, "limit", limit);
	return 0;
}
