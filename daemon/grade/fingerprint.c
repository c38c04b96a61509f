/* A row's number is made of its cells and their columns' names; the table's is the sum of its rows'
 * numbers, those taken back subtracted. Sums do not depend on order, and equal tables have equal
 * ones; that unequal ones have is as likely as one in 2^128. */
#include "daemon/grade/fingerprint.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "parser/arena.h"

/* Spreads the bits of a number: the finalizer of splitmix64. */
static uint64_t mix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static uint64_t mix_text(struct text text)
{
	uint64_t hash = text.len;

	for (size_t i = 0; i < text.len; i += sizeof(uint64_t)) {
		uint64_t piece = 0;
		size_t left = text.len - i;

		memcpy(&piece, text.ptr + i, left < sizeof(piece) ? left : sizeof(piece));
		hash = mix(hash ^ piece);
	}
	return hash;
}

uint64_t fingerprint_cell(const struct sql_type *type, const struct value *value)
{
	double number = value->f;
	uint64_t bits;

	if (value->null)
		return 1;
	switch (type->kind) {
	case SQL_ANY:
	case SQL_CHAR:
	case SQL_VARCHAR:
	case SQL_BINARY:
	case SQL_VARBINARY:
	case SQL_OTHER: return mix_text(value->s);
	case SQL_FLOAT:
	case SQL_DOUBLE:
		if (number == 0)
			number = 0; /* -0 is 0 */
		if (isnan(number))
			number = NAN; /* whatever its sign */
		memcpy(&bits, &number, sizeof(bits));
		return mix(bits);
	case SQL_DECIMAL: return mix((uint64_t)value->dec ^ mix((uint64_t)(value->dec >> 64)));
	default: return mix((uint64_t)value->i ^ mix((uint64_t)value->nanos));
	}
}

void fingerprint_names(const struct column *columns, size_t count, uint64_t *names)
{
	for (size_t i = 0; i < count; i++)
		names[i] = mix_text(columns[i].name);
}

uint64_t fingerprint_row(const struct column *columns, const uint64_t *names, size_t count,
	const struct value *cells)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += mix(names[i] ^ fingerprint_cell(&columns[i].type, &cells[i]));
	return sum;
}

int fingerprint_of(struct arena *arena, const struct table *table, struct fingerprint *ret)
{
	struct fingerprint print = {
		.columns = arena_array(arena, table->column_count + 1, sizeof(*print.columns))};
	uint64_t *names = arena_array(arena, table->column_count + 1, sizeof(*names));

	if (!print.columns || !names)
		return -ENOMEM;
	fingerprint_names(table->columns, table->column_count, names);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i];
		bool adds = row->op == OP_INSERT || row->op == OP_UPDATE_AFTER;
		uint64_t sum = 0, sign = adds ? 1 : UINT64_MAX;

		for (size_t k = 0; k < table->column_count; k++) {
			uint64_t cell = fingerprint_cell(&table->columns[k].type, &row->cells[k]);

			print.columns[k] += sign * cell;
			sum += mix(names[k] ^ cell);
		}
		print.rows += adds ? 1 : -1;
		print.sums[0] += sign * mix(sum);
		print.sums[1] += sign * mix(~sum);
	}
	*ret = print;
	return 0;
}

bool fingerprint_equal(const struct fingerprint *a, const struct fingerprint *b)
{
	return a->rows == b->rows && a->sums[0] == b->sums[0] && a->sums[1] == b->sums[1];
}

static bool read_cell(const struct value *cell, const struct column *from, const struct column *to,
	struct value *ret)
{
	if (cell->null || from->type.kind != SQL_ANY) {
		*ret = *cell;
		return cell->null || from->type.kind == to->type.kind;
	}
	return value_parse(cell->s, &to->type, ret) == 0;
}

static bool find_columns(
	const struct table *saved, const struct column *shape, size_t count, size_t *of)
{
	for (size_t i = 0; i < count; i++) {
		of[i] = table_column(saved, shape[i].name);
		if (of[i] == saved->column_count)
			return false;
	}
	return true;
}

bool table_read_as(struct arena *arena, const struct table *saved, const struct column *shape,
	size_t count, struct table *ret, bool *nomem)
{
	size_t *of = arena_array(arena, count + 1, sizeof(*of));
	struct row *rows = arena_array(arena, saved->row_count + 1, sizeof(*rows));
	struct value *cells = arena_array(arena, saved->row_count * count + 1, sizeof(*cells));

	if (!of || !rows || !cells) {
		*nomem = true;
		return false;
	}
	if (!find_columns(saved, shape, count, of))
		return false;
	for (size_t i = 0; i < saved->row_count; i++) {
		rows[i] = (struct row){.op = saved->rows[i].op, .cells = cells + i * count};
		for (size_t k = 0; k < count; k++)
			if (!read_cell(&saved->rows[i].cells[of[k]], &saved->columns[of[k]],
				    &shape[k], &rows[i].cells[k]))
				return false;
	}
	*ret = (struct table){.form = saved->form,
		.columns = (struct column *)shape,
		.column_count = count,
		.rows = rows,
		.row_count = saved->row_count};
	return true;
}
