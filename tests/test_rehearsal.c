/* The SQL of a step is run once, within bounds, and gives way to what is more urgent. */
#include "daemon/rehearsal.h"

#include "daemon/lab_load.h"
#include "tests/test.h"

#define ROOT "tests/recorded/root"

static const char table[] =
	"CREATE TABLE e (event_id BIGINT, sensor STRING, reading INT, ts TIMESTAMP(3),\n"
	"WATERMARK FOR ts AS ts - INTERVAL '1' DAY)\n"
	"WITH ('connector' = 'filesystem', 'format' = 'csv',\n"
	"'path' = 'file:///opt/lab/fixtures/data/watermark_events.csv');\n";
#define HOP(slide, size)                                                                     \
	"SELECT window_start, window_end, COUNT(*) AS cnt FROM HOP(TABLE e, DESCRIPTOR(ts)," \
	" INTERVAL " slide ", INTERVAL " size ") GROUP BY window_start, window_end;\n"

static const struct lab_names all;
static struct loaded_lab *lab;
static struct arena arena;
static struct rehearsal rehearsal;

static void set_up(void)
{
	lab = lab_new("contrib/labs/watermark", ROOT, &all, NULL);
	lab_read(lab);
	lab_open(lab, NULL);
	CHECK(lab->grader);
	arena_init(&arena, 64u << 20);
	rehearsal_init(&rehearsal);
}

static void tear_down(void)
{
	rehearsal_finish(&rehearsal);
	arena_finish(&arena);
	lab_free(lab);
}

static const struct script *rehearse(const char *query)
{
	struct intake intake = {.file = {.state = FILE_THERE}};

	intake.file.bytes = text_format(&arena, "%s%s", table, query);
	CHECK(intake.file.bytes.ptr);
	sha256_hex(intake.file.bytes, intake.identity.sha256);
	return rehearsal_of(&rehearsal, &intake, &lab->data_reader);
}

/* Every row is in 3600 windows, whether or not anything else happened in their other seconds. */
TEST(a_row_is_in_each_of_its_windows)
{
	const struct script *script;
	int64_t sum = 0;

	set_up();
	script = rehearse(HOP("'1' SECOND", "'1' HOUR"));
	CHECK(script && script->whole && script->count == 1);
	for (size_t i = 0; script && i < script->results[0].table.row_count; i++)
		sum += script->results[0].table.rows[i].cells[2].i;
	CHECK(sum == INT64_C(600) * 3600);
	tear_down();
}

static int opened;
static int (*open_data)(void *, struct text, struct reader *, struct diag *);

static int count_open(void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	opened++;
	return open_data(ctx, path, ret, reterr);
}

TEST(thousands_of_rows_are_run_once)
{
	const struct script *first;

	set_up();
	open_data = lab->data_reader.open;
	lab->data_reader.open = count_open;
	opened = 0;
	first = rehearse(HOP("'1' SECOND", "'1' HOUR"));
	CHECK(first && first->results[0].table.row_count > 4000 && opened > 0);
	opened = 0;
	CHECK(rehearse(HOP("'1' SECOND", "'1' HOUR")) == first && opened == 0);
	rehearsal_rest(&rehearsal);
	CHECK(!rehearsal.script && rehearse(HOP("'1' SECOND", "'1' HOUR")) && opened > 0);
	tear_down();
}

TEST(a_few_windows_stay)
{
	set_up();
	CHECK(rehearse(HOP("'1' MINUTE", "'1' HOUR")));
	rehearsal_rest(&rehearsal);
	CHECK(rehearsal.script);
	tear_down();
}

/* By its 1.2 million windows, each with some hundred steps. */
TEST(what_is_far_from_the_lab_is_not_run_to_its_end)
{
	const struct script *script;

	set_up();
	script = rehearse(HOP("'0.001' SECOND", "'1' MINUTE"));
	CHECK(script && !script->whole && script->query_refused);
	CHECK(script && script->steps <= 20000000);
	tear_down();
}

struct asking {
	int asked, yes_from;
};

static bool ask(void *ctx)
{
	struct asking *asking = ctx;

	return ++asking->asked >= asking->yes_from;
}

static bool is_whole(int yes_from, int *asked)
{
	struct asking asking = {.yes_from = yes_from};
	const struct sim_pause pause = {ask, &asking};
	const struct script *script;
	bool whole;

	set_up();
	lab->data_reader.pause = &pause;
	script = rehearse(HOP("'1' SECOND", "'1' HOUR"));
	whole = script && script->whole;
	lab->data_reader.pause = NULL;
	*asked = asking.asked;
	tear_down();
	return whole;
}

TEST(a_run_gives_way_soon)
{
	int asked;

	CHECK(is_whole(1 << 30, &asked) && asked > 5 && asked < 1000);
	CHECK(!is_whole(3, &asked) && asked == 3);
	CHECK(!is_whole(1, &asked) && asked == 1);
}

int main(void)
{
	RUN(a_row_is_in_each_of_its_windows);
	RUN(thousands_of_rows_are_run_once);
	RUN(a_few_windows_stay);
	RUN(what_is_far_from_the_lab_is_not_run_to_its_end);
	RUN(a_run_gives_way_soon);
	return test_finish();
}
