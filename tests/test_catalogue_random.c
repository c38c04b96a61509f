/* Random mistakes over random data: whoever saves a mutant's table finds that mistake among those
 * named, and the right table finds none; and what is named is the same where mutants are ended
 * early. The seed is a new one each time and is printed; SEED=N gives a run again, COUNT=N makes
 * it longer. */
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>

#include "daemon/grade/catalogue.h"
#include "daemon/intake.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/memory_file.h"
#include "tests/test.h"

#define RECORDED "tests/recorded"

static const char *const references[] = {"watermark/ref/w5", "watermark/ref/batch",
	"watermark/ref/late", "watermark/ref/filtered", "watermark/ref/slow", "watermark/ref/sweep",
	"window/ref/tvf", "window/ref/tumble", "window/ref/shop", "window/ref/hop",
	"window/ref/cumulate", "window/ref/session", "window/ref/topshop", "window/ref/toporder"};

#define MOST_MUTANTS 2000

#define REFERENCES (sizeof(references) / sizeof(references[0]))

struct world {
	struct arena arena;
	uint64_t seed;
	struct memory_file file;
	struct sim_files files;
	struct catalogue catalogue, near; /* made whole: all mistakes, and near ones alone */
	struct catalogue sought;	  /* made for each table anew, as far as it takes */
	int searched, alone, equal, skipped;
};

static uint64_t next_random(struct world *world)
{
	world->seed = world->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return world->seed >> 33;
}

static int64_t below(struct world *world, int64_t bound)
{
	return (int64_t)(next_random(world) % (uint64_t)bound);
}

/* Rows of either lab: an id, one or two names, a number, a time that is sometimes late. */
static struct text make_rows(struct world *world, bool orders)
{
	static const char *const names[] = {"north", "south", "east", "west"};
	struct text csv = TEXT("");
	int64_t count = 60 + below(world, 140), now = 0;
	int64_t most = below(world, 2) ? 100 : 3; /* many of them equal */
	int64_t latest = below(world, 2) ? 40 : 2000;

	for (int64_t i = 0; i < count; i++) {
		int64_t late = below(world, 4) ? 0 : below(world, latest), at;

		now += below(world, orders ? 90 : 6);
		at = now > late ? now - late : 0;
		csv = text_format(&world->arena,
			"%.*s%lld,%s,%s%s%lld,2026-07-06 %02lld:%02lld:%02lld\n", TEXT_ARG(csv),
			(long long)i + 1, names[below(world, 4)],
			orders ? names[below(world, 3)] : "", orders ? "," : "",
			(long long)(1 + below(world, most)), (long long)(9 + at / 3600),
			(long long)(at / 60 % 60), (long long)(at % 60));
	}
	return csv;
}

static void open_world(struct world *world, size_t reference)
{
	struct text path = text_format(&world->arena, RECORDED "/%s.sql", references[reference]);
	struct intake sql = {0};
	struct diag diag = {0};

	world->file = (struct memory_file){
		.bytes = make_rows(world, references[reference][1] == 'i'), .piece = 1 << 16};
	world->files = (struct sim_files){.open = memory_file_open, .ctx = &world->file};
	CHECK(intake_read(&world->arena, AT_FDCWD, path.ptr, LIMIT_SQL_BYTES, &sql, NULL) == 0);
	CHECK(catalogue_open(
		      &world->arena, sql.file.bytes, &world->files, &world->catalogue, &diag) == 0);
	CHECK(catalogue_open(&world->arena, sql.file.bytes, &world->files, &world->near, &diag) ==
		0);
	CHECK(catalogue_open(&world->arena, sql.file.bytes, &world->files, &world->sought, &diag) ==
		0);
	CHECK(catalogue_make(&world->near, MUTANTS_NEAR, &(int64_t){INT64_MAX}) == 0);
	CHECK(catalogue_make(&world->catalogue, MUTANTS_FAR, &(int64_t){INT64_MAX}) == 0);
}

/* As a transcript holds it: every cell is text. */
static struct table as_saved(struct arena *arena, const struct table *table)
{
	struct table saved = *table;

	saved.columns = arena_array(arena, table->column_count + 1, sizeof(*saved.columns));
	saved.rows = arena_array(arena, table->row_count + 1, sizeof(*saved.rows));
	for (size_t i = 0; i < table->column_count; i++)
		saved.columns[i].name = table->columns[i].name;
	for (size_t i = 0; i < table->row_count; i++) {
		struct value *cells = arena_array(arena, table->column_count + 1, sizeof(*cells));

		saved.rows[i] = (struct row){.op = table->rows[i].op, .cells = cells};
		for (size_t k = 0; k < table->column_count; k++) {
			const struct value *cell = &table->rows[i].cells[k];

			if (cell->null)
				cells[k].null = true;
			else
				cells[k].s = value_print(arena, &table->columns[k].type, cell);
		}
	}
	return saved;
}

static bool is_same(const struct catalogued *a, const struct catalogued *b)
{
	return a->which == b->which && a->entry == b->entry && a->index == b->index;
}

static bool is_among(const struct matches *matches, const struct catalogued *item)
{
	for (size_t i = 0; i < matches->count; i++)
		if (is_same(matches->items[i].item, item))
			return true;
	return false;
}

/* What is named where each mutant's table was made to its end. */
static struct matches search_whole(
	struct world *world, struct arena *arena, size_t query, const struct table *saved)
{
	struct matches matches = {0};

	CHECK(catalogue_search(arena, &world->near, query, saved, &matches) == 0);
	if (!matches.right && matches.count == 0)
		CHECK(catalogue_search(arena, &world->catalogue, query, saved, &matches) == 0);
	return matches;
}

static struct matches find(
	struct world *world, struct arena *arena, size_t query, const struct table *saved)
{
	struct matches matches = {0}, whole = search_whole(world, arena, query, saved);
	bool same;

	CHECK(catalogue_find(arena, &world->sought, query, saved, INT64_MAX, &matches) == 0);
	same = matches.count == whole.count && matches.exact == whole.exact;
	for (size_t i = 0; same && i < whole.count; i++)
		same = is_same(matches.items[i].item, whole.items[i].item);
	CHECK(same);
	return matches;
}

static bool is_alone(const struct matches *matches)
{
	for (size_t i = 1; i < matches->count; i++)
		if (strcmp(matches->items[i].item->mistake.causes[0].id,
			    matches->items[0].item->mistake.causes[0].id) != 0)
			return false;
	return true;
}

static void search(struct world *world, struct arena *arena, const struct catalogued *item)
{
	struct matches matches;
	struct mutant mutant = {0};
	struct table saved;

	mutator_begin(world->catalogue.mutator, item->query, item->which, INT64_C(20000000), NULL);
	CHECK(mutator_again(world->catalogue.mutator, arena, item->entry, item->index, &mutant) ==
		0);
	saved = as_saved(arena, &mutant.table);
	matches = find(world, arena, item->query, &saved);
	if (matches.right || saved.row_count == 0) {
		world->equal++;
		return;
	}
	world->searched++;
	world->alone += is_alone(&matches);
	/* What is far gives way to what is near. */
	if (is_among(&matches, item) || (item->mistake.far && matches.count))
		return;
	CHECK(!"the mistake is among those named");
	printf("# %.*s: %zu others\n", TEXT_ARG(mistake_print(arena, &item->mistake)),
		matches.count);
}

static void search_right(struct world *world, struct arena *arena)
{
	for (size_t i = 0; i < mutator_count(world->catalogue.mutator); i++) {
		struct table saved = as_saved(arena, mutator_table(world->catalogue.mutator, i));
		struct matches matches = find(world, arena, i, &saved);

		CHECK(matches.right && matches.count == 0);
	}
}

/* What was not run because watermarks decide the same as in another mutant has that one's table. */
static void check_skipped(struct world *world, struct arena *arena, size_t query)
{
	struct fingerprint *prints = arena_array(arena, MOST_MUTANTS, sizeof(*prints));
	struct mutant mutant;

	mutator_begin(world->near.mutator, query, MUTANTS_NEAR, INT64_C(20000000), NULL);
	while (mutator_next(world->near.mutator, arena, &mutant) == 0) {
		struct mutant again = mutant;

		CHECK(mutant.number < MOST_MUTANTS);
		if (mutant.same_as != mutant.number)
			CHECK(mutator_again(world->near.mutator, arena, mutant.entry, mutant.index,
				      &again) == 0);
		CHECK(fingerprint_of(arena, &again.table, &prints[mutant.number]) == 0);
		if (mutant.same_as == mutant.number)
			continue;
		world->skipped++;
		if (fingerprint_equal(&prints[mutant.number], &prints[mutant.same_as]))
			continue;
		CHECK(!"it has the same table");
		printf("# %.*s\n", TEXT_ARG(mistake_print(arena, &mutant.mistake)));
	}
}

static void search_some(struct world *world, int count)
{
	struct arena arena;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	search_right(world, &arena);
	for (size_t i = 0; i < mutator_count(world->near.mutator); i++)
		check_skipped(world, &arena, i);
	for (int i = 0; i < count && world->catalogue.count; i++) {
		const struct catalogued *item =
			&world->catalogue.items[below(world, (int64_t)world->catalogue.count)];

		if (!item->refused && !item->unknown)
			search(world, &arena, item);
	}
	arena_finish(&arena);
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	int64_t number;

	return text && text_to_int64(text_of(text), &number) == 0 ? (uint64_t)number : otherwise;
}

TEST(a_random_mistake_is_among_those_named)
{
	uint64_t seed = number_of("SEED", (uint64_t)time(NULL));
	int count = (int)number_of("COUNT", 140), each = count / (int)REFERENCES + 1;
	struct world world = {.seed = seed};

	for (size_t i = 0; i < REFERENCES; i++) {
		arena_init(&world.arena, LIMIT_GRADE_ARENA);
		open_world(&world, i);
		search_some(&world, each);
		arena_finish(&world.arena);
	}
	printf("## random mistakes: seed %llu, %d named, %d of them alone, %d that change "
	       "nothing\n",
		(unsigned long long)seed, world.searched, world.alone, world.equal);
	CHECK(world.searched > count / 4);
	CHECK(world.skipped > 1000);
}

/* ---- every entry ---- */

static const char *const changing[] = {"batch-mode", "streaming-mode", "delay", "interval",
	"interval-missing", "window-size", "window-slide", "window-kind", "session-gap",
	"session-partition", "offset", "group-key-missing", "group-key-extra", "filter-missing",
	"filter-extra", "filter-inverted", "null-first-row", "null-check", "late-cmp", "late-by",
	"topn-n", "topn-order", "topn-partition", "limit", "order-by", "agg-function", "agg-column",
	"aggregated", "no-window", "column-value", "time-zone", "sorted-input", "unbounded-source",
	"parallelism", "other-data", "where-extra"};

/* Flink refuses these where streaming needs an event time, and where one length is no multiple. */
static const char *const refused[] = {"no-watermark", "window-args-swapped"};

#define CHANGING (sizeof(changing) / sizeof(changing[0]))
#define REFUSED	 (sizeof(refused) / sizeof(refused[0]))

static void mark(const struct mistake *mistake, const char *const *ids, size_t count, bool *marked)
{
	for (size_t i = 0; i < mistake->cause_count; i++)
		for (size_t k = 0; k < count; k++)
			if (strcmp(mistake->causes[i].id, ids[k]) == 0)
				marked[k] = true;
}

static void mark_items(struct world *world, bool *changed, bool *was_refused)
{
	const struct catalogue *catalogue = &world->catalogue;

	for (size_t i = 0; i < catalogue->count; i++) {
		const struct catalogued *item = &catalogue->items[i];
		const struct table *asked = mutator_table(catalogue->mutator, item->query);
		struct fingerprint right = {0};

		CHECK(fingerprint_of(&world->arena, asked, &right) == 0);
		if (item->refused)
			mark(&item->mistake, refused, REFUSED, was_refused);
		else if (!item->unknown &&
			 (!fingerprint_equal(&right, &item->print) ||
				 catalogue->shapes[item->shape].form != asked->form))
			mark(&item->mistake, changing, CHANGING, changed);
	}
}

TEST(each_entry_changes_some_reference_or_is_refused)
{
	struct world world = {.seed = 1};
	bool changed[CHANGING] = {0}, was_refused[REFUSED] = {0};

	for (size_t i = 0; i < REFERENCES; i++) {
		arena_init(&world.arena, LIMIT_GRADE_ARENA);
		open_world(&world, i);
		mark_items(&world, changed, was_refused);
		arena_finish(&world.arena);
	}
	for (size_t i = 0; i < CHANGING; i++) {
		CHECK(changed[i]);
		if (!changed[i])
			printf("# %s changes nothing\n", changing[i]);
	}
	for (size_t i = 0; i < REFUSED; i++)
		CHECK(was_refused[i]);
}

int main(void)
{
	RUN(each_entry_changes_some_reference_or_is_refused);
	RUN(a_random_mistake_is_among_those_named);
	return test_finish();
}
