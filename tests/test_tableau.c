/* sim/tableau.c against tables that the client printed: each must stand in a recorded output byte
 * for byte, but for its time cost. */
#include "sim/tableau.h"

#include <errno.h>
#include <stdlib.h>

#include "parser/arena.h"
#include "tests/test.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define NULL_CELL    TEXT("<NULL>")

static struct arena arena;

struct bytes {
	char *ptr;
	size_t len, room;
	int fail_after; /* writes until it fails; 0: never */
};

static int keep(void *ctx, const char *bytes, size_t size)
{
	struct bytes *kept = ctx;

	if (kept->fail_after && --kept->fail_after == 0)
		return -ENOSPC;
	while (kept->room - kept->len < size) {
		kept->room = kept->room ? kept->room * 2 : 4096;
		kept->ptr = realloc(kept->ptr, kept->room);
	}
	memcpy(kept->ptr + kept->len, bytes, size);
	kept->len += size;
	return 0;
}

static struct text recorded(const char *name)
{
	char path[256], *bytes = arena_alloc(&arena, 1 << 20);
	struct text whole = {bytes, 0};
	FILE *file;

	snprintf(path, sizeof(path), "tests/recorded/%s.out", name);
	file = fopen(path, "r");
	if (file) {
		whole.len = fread(bytes, 1, 1 << 20, file);
		fclose(file);
	}
	return whole;
}

struct shown {
	enum table_form form;
	const struct column *columns;
	size_t column_count;
	const struct text *cells; /* rows one after another */
	size_t cell_count;
	const enum row_op *ops; /* NULL: all +I */
	size_t max_width;
	bool no_rows;
};

static int put_rows(struct sim_sink sink, const struct shown *shown)
{
	struct value cells[16];
	int r = 0;

	for (size_t i = 0; r == 0 && i < shown->cell_count && !shown->no_rows;
		i += shown->column_count) {
		for (size_t c = 0; c < shown->column_count; c++)
			CHECK(value_parse(shown->cells[i + c], &shown->columns[c].type,
				      &cells[c]) == 0);
		r = sink.row(sink.ctx, shown->ops ? shown->ops[i / shown->column_count] : OP_INSERT,
			cells);
	}
	return r;
}

static int print(const struct shown *shown, struct bytes *bytes)
{
	struct table shape = {.form = shown->form,
		.columns = (struct column *)shown->columns,
		.column_count = shown->column_count};
	struct writer out = {.write = keep, .ctx = bytes};
	struct tableau tableau = {.arena = &arena,
		.out = &out,
		.max_width = shown->max_width ? shown->max_width : TABLEAU_MAX_WIDTH};
	struct sim_sink sink = tableau_sink(&tableau);
	int r = sink.begin(sink.ctx, &shape);

	if (r == 0)
		r = put_rows(sink, shown);
	return r ? r : tableau_finish(&tableau, -1);
}

/* Does the table stand in the recorded output, with or without a time cost behind its last line? */
static bool stands_in(const char *name, struct shown shown)
{
	struct text out = recorded(name), printed;
	struct bytes bytes = {0};
	bool found;

	CHECK(print(&shown, &bytes) == 0);
	printed = (struct text){bytes.ptr, bytes.len};
	found = text_find(out, printed) < out.len;
	bytes.len--;
	keep(&bytes, " (", 2);
	found = found || text_find(out, (struct text){bytes.ptr, bytes.len}) < out.len;
	if (!found)
		printf("# not in %s:\n%.*s\n", name, TEXT_ARG(printed));
	free(bytes.ptr);
	return found;
}

#define SHOWN(table_form, ...)                                                          \
	(struct shown)                                                                  \
	{                                                                               \
		.form = table_form, .columns = columns, .column_count = COUNT(columns), \
		.cells = cells, .cell_count = COUNT(cells), __VA_ARGS__                 \
	}

#define STRING                                                   \
	{                                                        \
		.kind = SQL_VARCHAR, .precision = SQL_MAX_LENGTH \
	}
#define INTEGER                 \
	{                       \
		.kind = SQL_INT \
	}
#define BIGINT                     \
	{                          \
		.kind = SQL_BIGINT \
	}
#define DOUBLE                     \
	{                          \
		.kind = SQL_DOUBLE \
	}
#define TIMESTAMP(p)                                  \
	{                                             \
		.kind = SQL_TIMESTAMP, .precision = p \
	}
#define DECIMAL(p, s)                                           \
	{                                                       \
		.kind = SQL_DECIMAL, .precision = p, .scale = s \
	}
#define NAME(literal)                          \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}

TEST(streaming_widths_come_from_number_types)
{
	static const struct column columns[] = {{NAME("b"), {.kind = SQL_BOOLEAN}},
		{NAME("ti"), {.kind = SQL_TINYINT}}, {NAME("si"), {.kind = SQL_SMALLINT}},
		{NAME("i"), INTEGER}, {NAME("bi"), BIGINT}, {NAME("d102"), DECIMAL(10, 2)},
		{NAME("d3818"), DECIMAL(38, 18)}, {NAME("f"), {.kind = SQL_FLOAT}},
		{NAME("dbl"), DOUBLE}};
	const struct text cells[] = {TEXT("TRUE"), TEXT("1"), TEXT("-2"), TEXT("3"), TEXT("4"),
		TEXT("1.50"), TEXT("0"), TEXT("1.5"), TEXT("1e10"), TEXT("FALSE"), TEXT("127"),
		TEXT("32767"), TEXT("2147483647"), TEXT("9223372036854775807"),
		TEXT("-99999999.99"), TEXT("12345678901234567890.123456789012345678"),
		TEXT("-1e-20"), TEXT("0.1"), NULL_CELL, TEXT("-128"), TEXT("-32768"),
		TEXT("-2147483648"), TEXT("-9223372036854775807"), NULL_CELL, NULL_CELL, NULL_CELL,
		NULL_CELL};

	CHECK(stands_in("format/types_numeric_stream", SHOWN(TABLE_CHANGELOG)));
}

TEST(widths_of_times)
{
	static const struct column columns[] = {{NAME("d"), {.kind = SQL_DATE}},
		{NAME("t0"), {.kind = SQL_TIME}}, {NAME("t3"), {.kind = SQL_TIME, .precision = 3}},
		{NAME("ts0"), TIMESTAMP(0)}, {NAME("ts1"), TIMESTAMP(1)},
		{NAME("ts3"), TIMESTAMP(3)}, {NAME("ts6"), TIMESTAMP(6)},
		{NAME("ts9"), TIMESTAMP(9)}};
	const struct text cells[] = {TEXT("2026-07-06"), TEXT("09:00:01"), TEXT("09:00:01.123"),
		TEXT("2026-07-06 09:00:01"), TEXT("2026-07-06 09:00:01.1"),
		TEXT("2026-07-06 09:00:01.123"), TEXT("2026-07-06 09:00:01.123456"),
		TEXT("2026-07-06 09:00:01.123456789")};

	CHECK(stands_in("format/types_time_stream", SHOWN(TABLE_CHANGELOG)));
	CHECK(stands_in("format/types_time_batch", SHOWN(TABLE_BATCH)));
}

TEST(wide_characters_count_as_the_client_counts_them)
{
	static const struct column columns[] = {{NAME("s"), STRING}, {NAME("n"), INTEGER}};
	const struct text cells[] = {TEXT("日本語"), TEXT("1"), TEXT("한국어"), TEXT("2"),
		TEXT("中文字"), TEXT("3"), TEXT("😀"), TEXT("4"),
		TEXT("👨\xe2\x80\x8d👩\xe2\x80\x8d👧"), TEXT("5"), TEXT("é"), TEXT("6"),
		TEXT("e\xcc\x81"), TEXT("7"), TEXT("ｱｲｳ"), TEXT("8"), TEXT("ＡＢ"), TEXT("9"),
		TEXT("①②"), TEXT("10"), TEXT("→"), TEXT("11"), TEXT("ñandú"), TEXT("12"),
		TEXT("العربية"), TEXT("13"), TEXT("𠮷野家"), TEXT("14"), TEXT("\xe2\x80\x8bzw"),
		TEXT("15"), TEXT("🇯🇵"), TEXT("16")};

	CHECK(stands_in("format/wide_chars_stream", SHOWN(TABLE_CHANGELOG)));
	CHECK(stands_in("format/wide_chars_batch", SHOWN(TABLE_BATCH)));
}

TEST(a_wide_cell_is_cut_in_front_of_what_does_not_fit)
{
	static const struct column columns[] = {{NAME("s"), STRING}, {NAME("n"), INTEGER}};
	const struct text cells[] = {TEXT("これは三十桁を超える長い日本語の文字列です"), TEXT("1"),
		TEXT("あいうえおかきくけこさしすせそ"), TEXT("2"),
		TEXT("aあいうえおかきくけこさしすせそ"), TEXT("3"),
		TEXT("한국어로 쓴 아주 긴 문자열입니다 정말로"), TEXT("4"), TEXT("😀😀😀😀😀😀😀😀😀😀😀😀"),
		TEXT("5"), TEXT("abcdefghijklmnopqrstuvwxyz0123"), TEXT("6"),
		TEXT("abcdefghijklmnopqrstuvwxyz01234"), TEXT("7"),
		TEXT("あいうえおかきくけこさしすせa"), TEXT("8")};

	CHECK(stands_in("format/wide_chars_cut_batch", SHOWN(TABLE_BATCH)));
}

TEST(a_wide_header_is_cut_as_well)
{
	static const struct column columns[] = {{NAME("件数"), INTEGER},
		{NAME("センサー名"), STRING},
		{NAME("とても長い日本語の列の名前ですよこれは長い"), INTEGER}};
	const struct text cells[] = {TEXT("1"), TEXT("x"), TEXT("2")};

	CHECK(stands_in("format/wide_header_stream", SHOWN(TABLE_CHANGELOG)));
	CHECK(stands_in("format/wide_header_batch", SHOWN(TABLE_BATCH)));
}

TEST(the_width_option_bounds_texts_only_and_never_below_six)
{
	static const struct column columns[] = {{NAME("s"), STRING}, {NAME("ts"), TIMESTAMP(3)},
		{NAME("bi"), BIGINT}, {NAME("d"), DOUBLE}, {NAME("a_long_column_name"), STRING}};
	const struct text cells[] = {TEXT("abcdefghijklmnop"), TEXT("2026-07-06 09:00:00"),
		TEXT("12345678901234"), TEXT("1.5"), TEXT("x")};

	CHECK(stands_in("format/width_10_stream", SHOWN(TABLE_CHANGELOG, .max_width = 10)));
}

TEST(a_width_of_three_leaves_six)
{
	static const struct column columns[] = {
		{NAME("s"), STRING}, {NAME("i"), INTEGER}, {NAME("n"), STRING}};
	const struct text cells[] = {TEXT("abcdef"), TEXT("12345678"), NULL_CELL};

	CHECK(stands_in("format/width_3_stream", SHOWN(TABLE_CHANGELOG, .max_width = 3)));
}

TEST(nothing_in_a_cell_is_escaped)
{
	static const struct column columns[] = {{NAME("s"), STRING}, {NAME("n"), INTEGER}};
	const struct text cells[] = {TEXT("a | b"), TEXT("1"), TEXT("| x |"), TEXT("2"),
		TEXT("line1\nline2"), TEXT("3"), TEXT("tab\tx"), TEXT("4"), TEXT("cr\rx"),
		TEXT("5"), TEXT("trailing   "), TEXT("6"), TEXT("   leading"), TEXT("7"), TEXT(""),
		TEXT("8"), TEXT(" "), TEXT("9"), TEXT("esc\x1b[31mred"), TEXT("10"), TEXT("nul\0x"),
		TEXT("11")};

	CHECK(stands_in("format/pipe_newline_batch", SHOWN(TABLE_BATCH)));
}

TEST(a_changelog_shows_its_ops)
{
	static const struct column columns[] = {{NAME("id"), INTEGER}, {NAME("x"), STRING}};
	const enum row_op ops[] = {OP_INSERT, OP_DELETE, OP_INSERT, OP_INSERT, OP_INSERT};
	const struct text cells[] = {TEXT("1"), NULL_CELL, TEXT("1"), NULL_CELL, TEXT("1"),
		TEXT("x"), TEXT("2"), NULL_CELL, TEXT("1"), TEXT("y")};

	CHECK(stands_in("format/changelog_outer_join_stream", SHOWN(TABLE_CHANGELOG, .ops = ops)));
}

TEST(no_rows_leave_a_head_or_empty_set)
{
	static const struct column columns[] = {{NAME("id"), INTEGER}, {NAME("name"), STRING}};
	const struct text cells[] = {NULL_CELL};

	CHECK(stands_in("format/empty_result_stream", SHOWN(TABLE_CHANGELOG, .no_rows = true)));
	CHECK(stands_in("format/stmt_show", SHOWN(TABLE_CATALOG, .no_rows = true)));
	CHECK(stands_in("format/no_time_cost_batch", SHOWN(TABLE_BATCH, .no_rows = true)));
}

TEST(describe_leaves_null_blank)
{
	static const struct column columns[] = {{NAME("name"), STRING}, {NAME("type"), STRING},
		{NAME("null"), {.kind = SQL_BOOLEAN}}, {NAME("key"), STRING},
		{NAME("extras"), STRING}, {NAME("watermark"), STRING}};
	const struct text cells[] = {TEXT("event_id"), TEXT("BIGINT"), TEXT("TRUE"), NULL_CELL,
		NULL_CELL, NULL_CELL, TEXT("sensor"), TEXT("STRING"), TEXT("TRUE"), NULL_CELL,
		NULL_CELL, NULL_CELL, TEXT("reading"), TEXT("INT"), TEXT("TRUE"), NULL_CELL,
		NULL_CELL, NULL_CELL, TEXT("ts"), TEXT("TIMESTAMP(3) *ROWTIME*"), TEXT("TRUE"),
		NULL_CELL, NULL_CELL, TEXT("`ts` - INTERVAL '5' SECOND")};

	CHECK(stands_in("watermark/ref/ddl", SHOWN(TABLE_CATALOG)));
}

TEST(a_cell_of_many_lines_widens_the_border)
{
	static const struct column columns[] = {{NAME("result"), STRING}};
	const struct text cells[] = {
		TEXT("CREATE TABLE `default_catalog`.`default_database`.`events` (\n"
		     "  `event_id` BIGINT,\n  `sensor` VARCHAR(2147483647),\n  `reading` INT,\n"
		     "  `ts` TIMESTAMP(3),\n  WATERMARK FOR `ts` AS `ts` - INTERVAL '5' SECOND\n)\n"
		     "WITH (\n  'connector' = 'filesystem',\n  'format' = 'csv',\n  'path' = "
		     "'file:///opt/lab/fixtures/data/watermark_events.csv'\n)\n")};

	CHECK(stands_in("format/stmt_show", SHOWN(TABLE_CATALOG)));
}

TEST(very_many_rows_are_not_held_back)
{
	static const struct column columns[] = {{NAME("n"), BIGINT}};
	struct bytes bytes = {0};
	struct writer out = {.write = keep, .ctx = &bytes};
	struct tableau tableau = {.arena = &arena, .out = &out, .max_width = TABLEAU_MAX_WIDTH};
	struct sim_sink sink = tableau_sink(&tableau);
	struct table shape = {.columns = (struct column *)columns, .column_count = 1};
	struct value cell = {.i = 1};
	size_t used = 0;

	CHECK(sink.begin(sink.ctx, &shape) == 0);
	for (int i = 0; i < 1000000; i++) {
		CHECK(sink.row(sink.ctx, OP_INSERT, &cell) == 0);
		if (i == 500000)
			used = arena.used;
	}
	CHECK(bytes.len > 500000 * strlen("| +I |                    1 |\n"));
	CHECK(arena.used == used);
	CHECK(tableau_finish(&tableau, 1.25) == 0);
	CHECK(bytes.len > 1000000 * strlen("| +I |                    1 |\n"));
	free(bytes.ptr);
}

TEST(rows_are_held_back_to_the_end)
{
	static const struct column columns[] = {{NAME("n"), BIGINT}};
	struct bytes bytes = {0};
	struct writer out = {.write = keep, .ctx = &bytes};
	struct tableau tableau = {.arena = &arena, .out = &out, .max_width = TABLEAU_MAX_WIDTH};
	struct sim_sink sink = tableau_sink(&tableau);
	struct table shape = {.columns = (struct column *)columns, .column_count = 1};
	struct value cell = {.i = 1};
	size_t head;

	CHECK(sink.begin(sink.ctx, &shape) == 0);
	head = bytes.len;
	CHECK(head == 3 * strlen("+----+----------------------+\n"));
	CHECK(sink.row(sink.ctx, OP_INSERT, &cell) == 0 && bytes.len == head);
	for (int i = 1; i < 40000; i++)
		CHECK(sink.row(sink.ctx, OP_INSERT, &cell) == 0);
	CHECK(bytes.len == head);
	CHECK(tableau_finish(&tableau, 1.25) == 0);
	CHECK(text_ends((struct text){bytes.ptr, bytes.len},
		TEXT("+\nReceived a total of 40000 rows (1.25 seconds)\n")));
	free(bytes.ptr);
}

TEST(a_cell_longer_than_any_buffer_comes_out_whole)
{
	static const struct column columns[] = {{NAME("s"), {.kind = SQL_VARCHAR}}};
	const size_t len = 100000;
	char *text = malloc(len);
	struct bytes bytes = {0};
	struct writer out = {.write = keep, .ctx = &bytes};
	struct tableau tableau = {.arena = &arena, .out = &out, .max_width = len};
	struct sim_sink sink = tableau_sink(&tableau);
	struct table shape = {.columns = (struct column *)columns, .column_count = 1};
	struct value cell = {.s = {text, len}}, narrow = {.s = TEXT("x")};

	memset(text, 'a', len);
	CHECK(sink.begin(sink.ctx, &shape) == 0);
	CHECK(sink.row(sink.ctx, OP_INSERT, &cell) == 0);
	CHECK(sink.row(sink.ctx, OP_INSERT, &narrow) == 0);
	CHECK(tableau_finish(&tableau, 1.25) == 0);
	CHECK(text_find((struct text){bytes.ptr, bytes.len}, (struct text){text, len}) < bytes.len);
	CHECK(text_find((struct text){bytes.ptr, bytes.len}, TEXT("  x |\n+----+-")) < bytes.len);
	free(bytes.ptr);
	free(text);
}

TEST(a_failed_write_ends_the_printing)
{
	static const struct column columns[] = {{NAME("n"), BIGINT}};
	const struct text cells[] = {TEXT("1")};

	for (int after = 1; after < 20; after++) {
		struct bytes bytes = {.fail_after = after};

		CHECK(print(&SHOWN(TABLE_CHANGELOG), &bytes) == -ENOSPC);
		free(bytes.ptr);
	}
}

int main(void)
{
	arena_init(&arena, 64 << 20);
	RUN(streaming_widths_come_from_number_types);
	RUN(widths_of_times);
	RUN(wide_characters_count_as_the_client_counts_them);
	RUN(a_wide_cell_is_cut_in_front_of_what_does_not_fit);
	RUN(a_wide_header_is_cut_as_well);
	RUN(the_width_option_bounds_texts_only_and_never_below_six);
	RUN(a_width_of_three_leaves_six);
	RUN(nothing_in_a_cell_is_escaped);
	RUN(a_changelog_shows_its_ops);
	RUN(no_rows_leave_a_head_or_empty_set);
	RUN(describe_leaves_null_blank);
	RUN(a_cell_of_many_lines_widens_the_border);
	RUN(rows_are_held_back_to_the_end);
	RUN(very_many_rows_are_not_held_back);
	RUN(a_cell_longer_than_any_buffer_comes_out_whole);
	RUN(a_failed_write_ends_the_printing);
	arena_finish(&arena);
	return test_finish();
}
