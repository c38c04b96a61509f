/* Separability over the two labs' data. What cannot be told apart there was found with the real
 * Flink when the data were made (tests/recorded/README.md and the labs' notes). */
#include "daemon/grade/separate.h"

#include "daemon/labs.h"
#include "parser/limits.h"
#include "tests/test.h"

struct world {
	struct arena arena;
	struct labs labs;
	const struct loaded_lab *lab;
	struct catalogue catalogue;
	struct separation separation;
};

static void open_step(struct world *world, const char *lab, const char *id)
{
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};
	struct text sql;
	size_t step;

	*world = (struct world){0};
	arena_init(&world->arena, LIMIT_GRADE_ARENA);
	CHECK(labs_load(&world->labs, &places, "tests/recorded/root", NULL, true, &diag) == 0);
	world->lab = labs_get(&world->labs, text_of(lab));
	CHECK(world->lab && world->lab->parsed);
	step = lab_step(&world->lab->lab, text_of(id));
	CHECK(world->lab->own_reader.read(world->lab->own_reader.ctx, &world->arena,
		      world->lab->lab.steps[step].reference, &sql, &diag) == 0);
	CHECK(catalogue_open(
		      &world->arena, sql, &world->lab->data_reader, &world->catalogue, &diag) == 0);
	CHECK(catalogue_make(&world->catalogue, MUTANTS_NEAR, &(int64_t){INT64_MAX}) == 0);
	CHECK(separate_query(&world->arena, &world->catalogue, 0, false, &world->separation) == 0);
}

static void close_world(struct world *world)
{
	labs_finish(&world->labs);
	arena_finish(&world->arena);
}

/* The group that a mistake is in; count: in none. */
static size_t group_of(struct world *world, const char *mistake)
{
	const struct separation *s = &world->separation;

	for (size_t i = 0; i < s->count; i++)
		for (size_t k = 0; k < s->groups[i].count; k++)
			if (text_eq(mistake_print(&world->arena, &s->groups[i].items[k]->mistake),
				    text_of(mistake)))
				return i;
	printf("# %s is in no group\n", mistake);
	return s->count;
}

TEST(tumble_hides_any_delay_from_a_second_up)
{
	struct world world;

	open_step(&world, "window", "tumble");
	CHECK(group_of(&world, "delay=1s") == 0);
	CHECK(group_of(&world, "delay=2min") == 0);
	CHECK(group_of(&world, "delay=0s") > 0);
	CHECK(group_of(&world, "agg-function=COUNT-DISTINCT:amount") == 0);
	CHECK(group_of(&world, "agg-function=SUM-DISTINCT:amount") == 0);
	CHECK(group_of(&world, "agg-function=COUNT-DISTINCT:item") > 0);
	CHECK(group_of(&world, "batch-mode") > 0);
	CHECK(group_of(&world, "window-size=5min") > 0);
	close_world(&world);
}

TEST(hop_tells_a_second_and_a_hop_of_equal_lengths_is_a_tumble)
{
	struct world world;

	open_step(&world, "window", "hop");
	CHECK(group_of(&world, "delay=1s") > 0);
	CHECK(group_of(&world, "delay=1s") != group_of(&world, "delay=0s"));
	CHECK(group_of(&world, "delay=2s") == 0);
	CHECK(group_of(&world, "window-slide=10min") == group_of(&world, "window-kind=TUMBLE"));
	CHECK(group_of(&world, "window-size=5min") ==
		group_of(&world, "window-kind=TUMBLE, window-size=5min"));
	close_world(&world);
}

TEST(distinct_shows_where_amounts_repeat)
{
	struct world world;

	open_step(&world, "window", "cumulate");
	CHECK(group_of(&world, "agg-function=COUNT-DISTINCT:amount") > 0);
	close_world(&world);
}

TEST(top_orders_do_not_notice_a_delay)
{
	struct world world;

	open_step(&world, "window", "toporder");
	CHECK(group_of(&world, "delay=0s") == 0);
	CHECK(group_of(&world, "topn-order=ascending") > 0);
	CHECK(group_of(&world, "topn-order=order_id") == group_of(&world, "topn-order=ts"));
	close_world(&world);
}

/* 26, 15 and 3 rows are dropped at 0, 5 and 30 seconds; nothing is, where the watermark stands
 * still. */
TEST(late_rows_tell_the_delays_apart)
{
	struct world world;

	open_step(&world, "watermark", "w5");
	CHECK(group_of(&world, "delay=0s") != group_of(&world, "delay=30s"));
	CHECK(group_of(&world, "delay=0s") > 0 && group_of(&world, "delay=30s") > 0);
	CHECK(group_of(&world, "delay=1h") == group_of(&world, "sorted-input"));
	CHECK(group_of(&world, "interval=1h") == group_of(&world, "sorted-input"));
	close_world(&world);
}

TEST(the_report_is_deterministic_and_fits_the_width)
{
	struct world world;
	struct text first, second, rest, line;
	struct diag diag = {0};

	open_step(&world, "watermark", "w5");
	CHECK(separate_lab(&world.arena, &world.lab->lab, &world.lab->own_reader,
		      &world.lab->data_reader, &first, &diag) == 0);
	CHECK(separate_lab(&world.arena, &world.lab->lab, &world.lab->own_reader,
		      &world.lab->data_reader, &second, &diag) == 0);
	CHECK(text_eq(first, second));
	CHECK(text_find(first, TEXT("sweep[2]: ")) < first.len);
	CHECK(text_find(first, TEXT("report")) == first.len);
	for (rest = first; text_next_line(&rest, &line);)
		CHECK(line.len <= 100);
	close_world(&world);
}

int main(void)
{
	RUN(tumble_hides_any_delay_from_a_second_up);
	RUN(hop_tells_a_second_and_a_hop_of_equal_lengths_is_a_tumble);
	RUN(distinct_shows_where_amounts_repeat);
	RUN(top_orders_do_not_notice_a_delay);
	RUN(late_rows_tell_the_delays_apart);
	RUN(the_report_is_deterministic_and_fits_the_width);
	return test_finish();
}
