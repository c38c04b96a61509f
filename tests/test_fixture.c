/* daemon/grade/fixture*.c: what properties count, held against what real Flink counted and what the
 * recordings' notes say of their data; and that a new fixture is made of the old one's values. */
#include <errno.h>
#include <fcntl.h>

#include "daemon/grade/fixture_deal.h"
#include "daemon/intake.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"
#include "parser/limits.h"
#include "tests/test.h"

#define DATA "tests/recorded/root/opt/lab/fixtures/data/"

static const char *const event_columns[][2] = {
	{"event_id", "BIGINT"}, {"sensor", "STRING"}, {"reading", "INT"}, {"ts", "TIMESTAMP(3)"}};

static const char *const order_columns[][2] = {{"order_id", "BIGINT"}, {"shop", "STRING"},
	{"item", "STRING"}, {"amount", "INT"}, {"ts", "TIMESTAMP(3)"}};

struct testbed {
	struct arena arena;
	struct fixture fixture;
	struct fixture_rows rows;
	struct text csv;
};

/* Columns with the event time as the last one. */
static void declare(struct testbed *t, const char *const columns[][2], size_t count)
{
	*t = (struct testbed){
		.fixture = {.path = TEXT("/x.csv"), .column_count = count, .rowtime = count - 1}};
	arena_init(&t->arena, LIMIT_GRADE_ARENA);
	t->fixture.columns = arena_array(&t->arena, count, sizeof(*t->fixture.columns));
	for (size_t i = 0; i < count; i++)
		t->fixture.columns[i] = (struct lab_column){
			.name = text_of(columns[i][0]), .type = text_of(columns[i][1])};
}

static void setup(struct testbed *t, const char *file, const char *const columns[][2], size_t count)
{
	struct intake intake = {0};
	struct diag diag = {0};

	declare(t, columns, count);
	CHECK(intake_read(&t->arena, AT_FDCWD, file, LIMIT_OUT_BYTES, &intake, NULL) == 0);
	t->csv = intake.file.bytes;
	CHECK(fixture_read(&t->arena, &t->fixture, t->csv, &t->rows, &diag) == 0);
}

static void setup_events(struct testbed *t)
{
	setup(t, DATA "watermark_events.csv", event_columns, 4);
}

static void setup_orders(struct testbed *t)
{
	setup(t, DATA "orders.csv", order_columns, 5);
}

/* A fixture of these lines with events' columns. */
static int read_lines(struct testbed *t, struct text csv, struct diag *reterr)
{
	declare(t, event_columns, 4);
	return fixture_read(&t->arena, &t->fixture, csv, &t->rows, reterr);
}

static int parse(struct testbed *t, const char *json, struct properties *ret, struct diag *diag)
{
	struct json *root = ARENA_NEW(&t->arena, struct json);
	struct lab_property *property = ARENA_NEW(&t->arena, struct lab_property);

	CHECK(json_parse(&t->arena, text_of(json), root, diag) == 0);
	*property = (struct lab_property){json_get(root, TEXT("is"))->string, root};
	t->fixture.properties = property;
	t->fixture.property_count = 1;
	return properties_parse(&t->arena, &t->fixture, &t->rows, ret, diag);
}

/* What a property counts; -1: it is refused. */
static int64_t count(struct testbed *t, const char *json)
{
	struct properties properties;
	struct property_count found = {0};
	struct diag diag = {0};

	if (parse(t, json, &properties, &diag))
		return -1;
	CHECK(property_count(&t->arena, &t->rows, &properties.items[0], &found) == 0);
	return found.count;
}

/* Recorded: watermark/ref/late, w5, sweep, slow: 600 rows, of which 585, 574, 597 and 600 are
 * counted. */
TEST(late_and_dropped_are_what_flink_counted)
{
	struct testbed t;

	setup_events(&t);
	CHECK(t.rows.table.row_count == 600);
	CHECK(count(&t, "{\"is\": \"late\", \"delay\": \"5 s\"}") == 98);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"5 s\", \"window\": \"1 min\"}") == 15);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"0 s\", \"window\": \"1 min\"}") == 26);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"30 s\", \"window\": \"1 min\"}") == 3);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"5 s\", \"window\": \"1 min\", "
			"\"interval\": \"1 h\"}") == 0);
	arena_finish(&t.arena);
}

/* Notes of the recorded window lab: no row is late by 5 s, with delay 0 one is lost by windows of
 * 10 min; two orders on an edge; one window is empty; no ties in half an hour, some in an
 * hour. */
TEST(orders_have_what_their_notes_say)
{
	struct testbed t;

	setup_orders(&t);
	CHECK(t.rows.table.row_count == 119);
	CHECK(count(&t, "{\"is\": \"late\", \"delay\": \"5 s\"}") == 0);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"0 s\", \"window\": \"10 min\"}") == 1);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"1 s\", \"window\": \"10 min\"}") == 0);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"0 s\", \"window\": \"10 min\", "
			"\"kept\": \"1 s\"}") == 1);
	CHECK(count(&t, "{\"is\": \"dropped\", \"delay\": \"0 s\", \"window\": \"10 min\", "
			"\"kept\": \"0 s\"}") == 0);
	CHECK(count(&t, "{\"is\": \"edge\", \"size\": \"10 min\"}") == 2);
	CHECK(count(&t, "{\"is\": \"empty-window\", \"size\": \"10 min\"}") == 1);
	CHECK(count(&t, "{\"is\": \"no-ties\", \"column\": \"amount\", \"size\": \"30 min\"}") ==
		0);
	CHECK(count(&t, "{\"is\": \"no-ties\", \"sum\": \"amount\", \"by\": \"shop\", \"size\": "
			"\"10 min\"}") == 0);
	CHECK(count(&t, "{\"is\": \"repeats\", \"column\": \"amount\", \"size\": \"1 h\"}") > 0);
	CHECK(count(&t, "{\"is\": \"touching\", \"gap\": \"5 min\", \"by\": \"shop\"}") > 0);
	CHECK(count(&t, "{\"is\": \"apart\", \"gap\": \"5 min\", \"by\": \"shop\"}") > 0);
	CHECK(count(&t, "{\"is\": \"unique\", \"column\": \"order_id\"}") == 0);
	CHECK(count(&t, "{\"is\": \"steps\", \"above\": \"200 ms\"}") == 0);
	arena_finish(&t.arena);
}

/* Counted by hand. */
TEST(equal_values_and_sums_are_counted)
{
	struct testbed t;
	struct diag diag = {0};

	CHECK(read_lines(&t,
		      TEXT("1,a,5,2026-07-06 09:00:00\n"
			   "2,b,2,2026-07-06 09:00:10\n"
			   "3,b,3,2026-07-06 09:00:20\n"
			   "4,a,5,2026-07-06 09:01:00\n"
			   "5,b,5,2026-07-06 09:01:00.150\n"
			   "5,b,1,2026-07-06 09:01:59\n"),
		      &diag) == 0);
	CHECK(count(&t, "{\"is\": \"no-ties\", \"column\": \"reading\", \"size\": \"1 min\"}") ==
		1);
	CHECK(count(&t, "{\"is\": \"no-ties\", \"sum\": \"reading\", \"by\": \"sensor\", \"size\": "
			"\"1 min\"}") == 1);
	CHECK(count(&t, "{\"is\": \"unique\", \"column\": \"event_id\"}") == 1);
	CHECK(count(&t, "{\"is\": \"steps\", \"above\": \"150 ms\"}") == 1);
	CHECK(count(&t, "{\"is\": \"steps\", \"above\": \"149 ms\"}") == 0);
	CHECK(count(&t, "{\"is\": \"touching\", \"gap\": \"1 min\", \"by\": \"sensor\"}") == 1);
	CHECK(count(&t, "{\"is\": \"touching\", \"gap\": \"40 s\"}") == 1);
	CHECK(count(&t, "{\"is\": \"apart\", \"gap\": \"39 s\"}") == 1);
	arena_finish(&t.arena);
}

TEST(a_property_that_says_nothing_is_refused)
{
	static const char *const wrong[] = {"{\"is\": \"nope\"}", "{\"is\": \"late\"}",
		"{\"is\": \"late\", \"delay\": \"five\"}", "{\"is\": \"late\", \"delay\": 5}",
		"{\"is\": \"late\", \"delay\": \"5 s\", \"window\": \"1 min\"}",
		"{\"is\": \"late\", \"delay\": \"5 s\", \"min\": 3, \"max\": 2}",
		"{\"is\": \"late\", \"delay\": \"5 s\", \"min\": \"3\"}",
		"{\"is\": \"edge\", \"size\": \"0 s\"}",
		"{\"is\": \"unique\", \"column\": \"nope\"}",
		"{\"is\": \"no-ties\", \"size\": \"1 min\"}",
		"{\"is\": \"no-ties\", \"sum\": \"reading\", \"size\": \"1 min\"}",
		"{\"is\": \"no-ties\", \"sum\": \"sensor\", \"by\": \"sensor\", \"size\": \"1 "
		"h\"}"};
	struct testbed t;

	setup_events(&t);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct properties properties;
		struct diag diag = {0};

		CHECK(parse(&t, wrong[i], &properties, &diag) == -EINVAL);
		CHECK(diag.line == 1 && diag.col > 0);
	}
	t.rows.rowtime = t.rows.table.column_count;
	CHECK(count(&t, "{\"is\": \"edge\", \"size\": \"1 min\"}") == -1);
	arena_finish(&t.arena);
}

TEST(bounds_say_how_far_off_a_count_is)
{
	struct testbed t;
	struct properties properties;
	struct diag diag = {0};

	setup_events(&t);
	CHECK(parse(&t, "{\"is\": \"late\", \"delay\": \"5 s\"}", &properties, &diag) == 0);
	CHECK(property_off(&properties.items[0], 0) == 1);
	CHECK(property_off(&properties.items[0], 1000) == 0);
	CHECK(parse(&t, "{\"is\": \"late\", \"delay\": \"5 s\", \"max\": 0}", &properties, &diag) ==
		0);
	CHECK(property_off(&properties.items[0], 0) == 0);
	CHECK(property_off(&properties.items[0], 4) == 4);
	arena_finish(&t.arena);
}

TEST(a_bad_file_is_told)
{
	struct testbed t;
	struct diag diag = {0};

	CHECK(read_lines(&t, TEXT(""), &diag) == -EINVAL);
	arena_finish(&t.arena);
	diag = (struct diag){0};
	CHECK(read_lines(&t, TEXT("1,a,5,2026-07-06 09:00:00\nx,a,5,2026-07-06 09:00:00\n"),
		      &diag) == -EINVAL);
	CHECK(text_find(text_of(diag.text), TEXT("NumberFormatException")) <
		text_of(diag.text).len);
	arena_finish(&t.arena);
}

TEST(a_file_is_written_as_it_was)
{
	struct testbed t;
	struct text csv;
	struct diag diag = {0};

	setup_events(&t);
	CHECK(fixture_write(&t.arena, &t.rows, &csv) == 0);
	CHECK(text_eq(csv, t.csv));
	arena_finish(&t.arena);
	CHECK(read_lines(&t,
		      TEXT("1,\"a, \"\"b\"\"\",5,2026-07-06 09:00:00\n2,,-1,2026-07-06 "
			   "09:00:00.250\n"),
		      &diag) == 0);
	CHECK(fixture_write(&t.arena, &t.rows, &csv) == 0);
	CHECK(text_eq(csv, TEXT("1,\"a, \"\"b\"\"\",5,2026-07-06 09:00:00.000\n2,,-1,2026-07-06 "
				"09:00:00.250\n")));
	arena_finish(&t.arena);
}

static bool is_old(const struct fixture_rows *old, size_t column, const struct value *value)
{
	for (size_t i = 0; i < old->table.row_count; i++)
		if (value_cmp(&old->table.columns[column].type, &old->table.rows[i].cells[column],
			    value) == 0)
			return true;
	return false;
}

static int64_t whole(const struct fixture_rows *rows, size_t row, size_t column)
{
	return rows->table.rows[row].cells[column].i;
}

TEST(dealt_rows_are_of_the_same_kind)
{
	struct testbed t;
	struct deal deal;
	struct diag diag = {0};
	int64_t highest_ms = 0;

	setup_orders(&t);
	CHECK(deal_init(&t.arena, &t.rows, &deal, &diag) == 0);
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct random random = {seed};
		struct fixture_rows rows;

		CHECK(deal_rows(&t.arena, &deal, &random, &rows) == 0);
		CHECK(rows.table.row_count == 119);
		highest_ms = 0;
		for (size_t i = 0; i < 119; i++) {
			CHECK(whole(&rows, i, 0) == whole(&rows, 0, 0) + (int64_t)i);
			CHECK(is_old(&t.rows, 1, &rows.table.rows[i].cells[1]));
			CHECK(is_old(&t.rows, 2, &rows.table.rows[i].cells[2]));
			CHECK(whole(&rows, i, 3) >= 180 && whole(&rows, i, 3) <= 2950);
			CHECK(whole(&rows, i, 3) % 10 == 0);
			CHECK(whole(&rows, i, 4) % 1000 == 0);
			if (whole(&rows, i, 4) > highest_ms)
				highest_ms = whole(&rows, i, 4);
			CHECK(highest_ms - whole(&rows, i, 4) <= 3000);
		}
		CHECK(whole(&rows, 0, 4) == whole(&t.rows, 0, 4));
		CHECK(highest_ms == whole(&t.rows, 118, 4));
		for (size_t i = 0; i < 119; i++) {
			CHECK(is_old(&rows, 1, &t.rows.table.rows[i].cells[1]));
			CHECK(is_old(&rows, 2, &t.rows.table.rows[i].cells[2]));
		}
	}
	arena_finish(&t.arena);
}

/* The first numbers of splitmix64 from state 1234567, as its authors' code gives them: the upper
 * bits. */
TEST(random_numbers_are_those_of_splitmix64)
{
	static const uint64_t known[] = {UINT64_C(6457827717110365317),
		UINT64_C(3203168211198807973), UINT64_C(9817491932198370423)};
	struct random random = {1234567};

	for (size_t i = 0; i < 3; i++)
		CHECK(random_below(&random, UINT64_C(1) << 32) == known[i] >> 32);
	CHECK(random_below(&random, 1) == 0);
}

int main(void)
{
	RUN(late_and_dropped_are_what_flink_counted);
	RUN(orders_have_what_their_notes_say);
	RUN(equal_values_and_sums_are_counted);
	RUN(a_property_that_says_nothing_is_refused);
	RUN(bounds_say_how_far_off_a_count_is);
	RUN(a_bad_file_is_told);
	RUN(a_file_is_written_as_it_was);
	RUN(dealt_rows_are_of_the_same_kind);
	RUN(random_numbers_are_those_of_splitmix64);
	return test_finish();
}
