/* Making the catalogue: each mutant is run once and leaves a fingerprint; those whose table is
 * surely the same as another's take over its. */
#include "daemon/grade/catalogue.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* Steps of one mutant: so many times those of the reference, and some. What is beyond has more
 * rows than anybody saves. */
#define STEPS_TIMES 30
#define STEPS_SOME  INT64_C(1000000)

/* What a mutant costs beside its run. */
#define STEPS_MAKING 1000

int catalogue_open(struct arena *arena, struct text sql, const struct sim_files *files,
	struct catalogue *ret, struct diag *reterr)
{
	struct catalogue catalogue = {.arena = arena};
	int err = mutator_new(arena, sql, files, &catalogue.mutator, reterr);

	if (err < 0)
		return err;
	catalogue.query_end = mutator_count(catalogue.mutator);
	*ret = catalogue;
	return 0;
}

/* ---- making ---- */

static bool same_shape(const struct shape *shape, const struct table *table)
{
	bool same = shape->form == table->form && shape->column_count == table->column_count;

	for (size_t i = 0; same && i < table->column_count; i++)
		same = text_eq(shape->columns[i].name, table->columns[i].name) &&
		       shape->columns[i].type.kind == table->columns[i].type.kind &&
		       shape->columns[i].type.precision == table->columns[i].type.precision &&
		       shape->columns[i].type.scale == table->columns[i].type.scale;
	return same;
}

static int add_shape(struct catalogue *catalogue, const struct table *table)
{
	struct shape shape = {.form = table->form,
		.columns = arena_array(
			catalogue->arena, table->column_count + 1, sizeof(*shape.columns)),
		.column_count = table->column_count};

	if (!shape.columns ||
		arena_grow(catalogue->arena, &catalogue->shapes, catalogue->shape_count,
			&catalogue->shape_room, sizeof(*catalogue->shapes)))
		return -ENOMEM;
	for (size_t i = 0; i < table->column_count; i++) {
		shape.columns[i] = table->columns[i];
		shape.columns[i].name = text_copy(catalogue->arena, table->columns[i].name);
		if (!shape.columns[i].name.ptr)
			return -ENOMEM;
	}
	catalogue->shapes[catalogue->shape_count++] = shape;
	return 0;
}

int catalogue_shape(struct catalogue *catalogue, const struct table *table, size_t *ret)
{
	size_t index = 0;

	while (index < catalogue->shape_count && !same_shape(&catalogue->shapes[index], table))
		index++;
	if (index == catalogue->shape_count && add_shape(catalogue, table))
		return -ENOMEM;
	*ret = index;
	return 0;
}

/* The table of an item that has the same. */
static void take_table(struct catalogued *item, const struct catalogued *from)
{
	item->refused = from->refused;
	item->unknown = from->unknown;
	item->ended = from->ended;
	item->shape = from->shape;
	item->updates = from->updates;
	item->print = from->print;
}

static int keep(struct catalogue *catalogue, const struct mutant *mutant)
{
	struct catalogued item = {.query = catalogue->query,
		.which = catalogue->which,
		.entry = mutant->entry,
		.index = mutant->index,
		.refused = mutant->refused,
		.unknown = mutant->unknown,
		.ended = mutant->ended};
	bool table = !mutant->refused && !mutant->unknown && !mutant->ended;
	bool made = mutant->same_as == mutant->number;

	if (mistake_copy(catalogue->arena, &mutant->mistake, &item.mistake) ||
		arena_grow(catalogue->arena, &catalogue->items, catalogue->count, &catalogue->room,
			sizeof(*catalogue->items)))
		return -ENOMEM;
	if (!made)
		take_table(&item, &catalogue->items[catalogue->first + mutant->same_as]);
	table = table && made;
	if (table && catalogue_shape(catalogue, &mutant->table, &item.shape))
		return -ENOMEM;
	item.updates = table && table_is_corrected(&mutant->table);
	if (table && fingerprint_of(catalogue->arena, &mutant->table, &item.print))
		return -ENOMEM;
	catalogue->items[catalogue->count++] = item;
	return 0;
}

/* The next of the reference's queries; behind the last, the next kind of mutants. */
static void go_on(struct catalogue *catalogue)
{
	catalogue->begun = false;
	if (++catalogue->query < catalogue->query_end)
		return;
	catalogue->query = catalogue->first_query;
	catalogue->made[catalogue->which] = true;
	if (catalogue->which < MUTANTS_SWITCHED)
		catalogue->which++;
}

void catalogue_restart(struct catalogue *catalogue, size_t query, const struct mutant_judge *judge)
{
	catalogue->count = 0;
	catalogue->first_query = catalogue->query = query;
	catalogue->query_end = query + 1;
	catalogue->judge = judge;
	catalogue->which = MUTANTS_NEAR;
	catalogue->begun = false;
	for (size_t i = 0; i < MUTANTS_COUNT; i++)
		catalogue->made[i] = false;
}

void catalogue_begin(const struct catalogue *catalogue, size_t query, enum mutants which,
	const struct mutant_judge *judge)
{
	int64_t steps = mutator_steps(catalogue->mutator, query);

	mutator_begin(catalogue->mutator, query, which, STEPS_TIMES * steps + STEPS_SOME, judge);
}

static int make_one(struct catalogue *catalogue, struct arena *scratch, int64_t *steps)
{
	struct mutant mutant;
	int err;

	if (!catalogue->begun)
		catalogue->first = catalogue->count;
	if (!catalogue->begun)
		catalogue_begin(catalogue, catalogue->query, catalogue->which, catalogue->judge);
	catalogue->begun = true;
	err = mutator_next(catalogue->mutator, scratch, &mutant);
	if (err == 0) {
		*steps -= mutant.steps + STEPS_MAKING;
		return keep(catalogue, &mutant);
	}
	if (err != -ENOENT)
		return err;
	go_on(catalogue);
	return 0;
}

int catalogue_make(struct catalogue *catalogue, enum mutants which, int64_t *steps)
{
	struct arena scratch;
	int err = 0;

	for (size_t i = 0; mutator_count(catalogue->mutator) == 0 && i < MUTANTS_COUNT; i++)
		catalogue->made[i] = true;
	while (*steps > 0 && err == 0 && !catalogue->made[which]) {
		arena_init(&scratch, LIMIT_SESSION_BYTES);
		err = make_one(catalogue, &scratch, steps);
		arena_finish(&scratch);
	}
	return err;
}
