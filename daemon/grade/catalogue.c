/* Making the catalogue: each mutant is run once and leaves a fingerprint; those whose table is surely the
 * same as another's take over its. */
#include "daemon/grade/catalogue.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* Steps of one mutant: so many times those of the reference, and some. What is beyond has more rows than
 * anybody saves. */
#define STEPS_TIMES 30
#define STEPS_SOME  INT64_C(1000000)

/* What a mutant costs beside its run. */
#define STEPS_MAKING 1000

int catalogue_open(struct arena *arena, struct text sql, const struct sim_files *files,
	struct catalogue *ret, struct diag *reterr)
{
	struct catalogue catalogue = {.arena = arena};
	int err = mutator_new(arena, sql, files, &catalogue.mutator, reterr);

	if (err == 0)
		*ret = catalogue;
	return err;
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

/* The table of an item that has the same. */
static void take_table(struct catalogued *item, const struct catalogued *from)
{
	item->refused = from->refused;
	item->unknown = from->unknown;
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
		.unknown = mutant->unknown};
	bool table = !mutant->refused && !mutant->unknown;
	bool made = mutant->same_as == mutant->number;

	if (mistake_copy(catalogue->arena, &mutant->mistake, &item.mistake) ||
		arena_grow(catalogue->arena, &catalogue->items, catalogue->count, &catalogue->room,
			sizeof(*catalogue->items)))
		return -ENOMEM;
	if (!made)
		take_table(&item, &catalogue->items[catalogue->first + mutant->same_as]);
	table = table && made;
	while (table && item.shape < catalogue->shape_count &&
		!same_shape(&catalogue->shapes[item.shape], &mutant->table))
		item.shape++;
	if (table && item.shape == catalogue->shape_count && add_shape(catalogue, &mutant->table))
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
	if (++catalogue->query < mutator_count(catalogue->mutator))
		return;
	catalogue->query = 0;
	catalogue->made[catalogue->which] = true;
	if (catalogue->which < MUTANTS_SWITCHED)
		catalogue->which++;
}

void catalogue_begin(const struct catalogue *catalogue, size_t query, enum mutants which)
{
	int64_t steps = mutator_steps(catalogue->mutator, query);

	mutator_begin(catalogue->mutator, query, which, STEPS_TIMES * steps + STEPS_SOME);
}

static int make_one(struct catalogue *catalogue, struct arena *scratch, int64_t *steps)
{
	struct mutant mutant;
	int err;

	if (!catalogue->begun)
		catalogue->first = catalogue->count;
	if (!catalogue->begun)
		catalogue_begin(catalogue, catalogue->query, catalogue->which);
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

static int make_some(struct catalogue *catalogue, enum mutants which, int64_t *steps)
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

int catalogue_make(struct catalogue *catalogue, enum mutants which, int64_t steps)
{
	return make_some(catalogue, which, &steps);
}

int catalogue_find(struct arena *arena, struct catalogue *catalogue, size_t query,
	const struct table *saved, int64_t steps, struct matches *ret)
{
	const struct table *asked = mutator_table(catalogue->mutator, query);
	enum mutants most = saved->form == asked->form ? MUTANTS_FAR : MUTANTS_SWITCHED;
	struct matches matches = {0};
	int err = 0;

	for (int which = MUTANTS_NEAR; err == 0 && which <= (int)most; which++) {
		err = make_some(catalogue, (enum mutants)which, &steps);
		if (err == 0)
			err = catalogue_search(arena, catalogue, query, saved, &matches);
		matches.cut = matches.count == 0 && !catalogue->made[which];
		if (matches.right || matches.count || matches.cut || saved->row_count == 0)
			break;
	}
	if (err == 0)
		*ret = matches;
	return err;
}
