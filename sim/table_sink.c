/* A sink that keeps all rows in a table of an arena. */
#include "sim/session.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/key.h"

static int begin(void *ctx, const struct table *shape)
{
	struct table_sink *sink = ctx;
	struct column *columns =
		arena_array(sink->arena, shape->column_count + 1, sizeof(*columns));

	if (!columns)
		return -ENOMEM;
	for (size_t i = 0; i < shape->column_count; i++) {
		columns[i] = shape->columns[i];
		columns[i].name = text_copy(sink->arena, shape->columns[i].name);
		if (!columns[i].name.ptr)
			return -ENOMEM;
	}
	*sink->table = (struct table){
		.form = shape->form, .columns = columns, .column_count = shape->column_count};
	sink->room = 0;
	return 0;
}

static int keep_cell(struct arena *arena, const struct sql_type *type, const struct value *cell,
	struct value *ret)
{
	*ret = *cell;
	if (cell->null || !type_is_text(type))
		return 0;
	ret->s = text_copy(arena, cell->s);
	return ret->s.ptr ? 0 : -ENOMEM;
}

static int row(void *ctx, enum row_op op, const struct value *cells)
{
	struct table_sink *sink = ctx;
	struct table *table = sink->table;
	struct value *kept = arena_array(sink->arena, table->column_count + 1, sizeof(*kept));
	int err = kept ? 0 : -ENOMEM;

	for (size_t i = 0; i < table->column_count && err == 0; i++)
		err = keep_cell(sink->arena, &table->columns[i].type, &cells[i], &kept[i]);
	if (err == 0)
		err = arena_grow(sink->arena, &table->rows, table->row_count, &sink->room,
			sizeof(*table->rows));
	if (err == 0)
		table->rows[table->row_count++] = (struct row){.op = op, .cells = kept};
	return err;
}

struct sim_sink table_sink_init(struct table_sink *sink, struct arena *arena, struct table *table)
{
	*sink = (struct table_sink){.arena = arena, .table = table};
	return (struct sim_sink){.begin = begin, .row = row, .ctx = sink};
}
