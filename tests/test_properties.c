/* sim/: what must hold for every query over any rows, whatever Flink's heap does: counts add up,
 * plans and modes agree, and TUMBLE is what counting by hand gives. Rows and queries are random;
 * the seed is printed and may be given: test_properties SEED. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/memory_file.h"
#include "tests/test.h"

#define ROUNDS	 100
#define ROWS	 60
#define KEYS	 3
#define MEMORY	 (64u << 20)
#define START_MS INT64_C(1767225600000) /* 2026-01-01 00:00:00 */
#define FOREVER	 (-1)			/* a delay that no row exceeds */

/* A CSV of id, key, v and ts, and the same rows as numbers. */
struct rows {
	char csv[ROWS * 64];
	size_t count;
	struct {
		int id, key, v;
		int64_t ts_ms;
	} row[ROWS];
};

static uint64_t seed, state;

/* 0 to below - 1 (xorshift64). */
static int64_t draw(int64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)below);
}

/* ---- Rows ---- */

static void write_rows(struct rows *rows)
{
	size_t len = 0;

	for (size_t i = 0; i < rows->count; i++) {
		int64_t ms = rows->row[i].ts_ms - START_MS;

		len += (size_t)snprintf(rows->csv + len, sizeof(rows->csv) - len,
			"%d,%c,%d,2026-01-01 %02d:%02d:%02d.%03d\n", rows->row[i].id,
			'a' + rows->row[i].key, rows->row[i].v, (int)(ms / 3600000),
			(int)(ms / 60000 % 60), (int)(ms / 1000 % 60), (int)(ms % 1000));
	}
}

/* Times that go forward by 20 s or less, with some up to two minutes behind. */
static struct rows draw_rows(void)
{
	struct rows rows = {.count = (size_t)draw(ROWS) + 1};
	int64_t now_ms = START_MS + 3600000;

	for (size_t i = 0; i < rows.count; i++) {
		now_ms += draw(20000);
		rows.row[i].id = (int)i;
		rows.row[i].key = (int)draw(KEYS);
		rows.row[i].v = (int)draw(10);
		rows.row[i].ts_ms = now_ms - (draw(3) ? 0 : draw(120000));
	}
	write_rows(&rows);
	return rows;
}

static struct rows permuted(struct rows rows)
{
	for (size_t i = rows.count; i > 1; i--) {
		size_t j = (size_t)draw((int64_t)i);
		struct rows was = rows;

		rows.row[i - 1] = was.row[j];
		rows.row[j] = was.row[i - 1];
	}
	write_rows(&rows);
	return rows;
}

/* ---- Runs ---- */

/* How a query is run. */
struct setup {
	int delay_s;
	size_t piece; /* bytes of one read */
	const char *set;
};

struct run {
	struct arena arena;
	struct table table;
	struct query_facts facts;
};

/* Runs one statement. True: it gave rows. */
static bool run_piece(
	struct run *run, struct session *session, const struct sql_piece *piece, struct diag *diag)
{
	struct sql_statement *statement = ARENA_NEW(&run->arena, struct sql_statement);
	struct table_sink keep;
	struct sim_sink sink = table_sink_init(&keep, &run->arena, &run->table);
	struct outcome outcome = {0};

	if (sql_parse(&run->arena, piece, statement, diag) < 0 ||
		session_run(session, statement, &sink, &outcome, diag) < 0)
		return false;
	if (outcome.kind == OUTCOME_ERROR)
		diag_set(diag, 0, 0, 0, "%.*s", TEXT_ARG(outcome.error));
	run->facts = outcome.facts;
	return outcome.kind == OUTCOME_ROWS || outcome.kind == OUTCOME_DONE;
}

/* Runs the query over the rows; the caller finishes the arena. */
static struct run run_query(const struct rows *rows, struct setup setup, const char *query)
{
	struct run run = {0};
	struct memory_file file = {.bytes = text_of(rows->csv), .piece = setup.piece};
	struct sim_files files = {.open = memory_file_open, .ctx = &file};
	struct session *session;
	struct sql_script script;
	struct diag diag = {0};
	struct text sql;
	bool ran = true;

	if (!file.piece)
		file.piece = sizeof(rows->csv);
	arena_init(&run.arena, MEMORY);
	session = session_new(&run.arena, &files);
	sql = text_format(&run.arena,
		"SET 'sql-client.execution.result-mode' = 'tableau';\n"
		"SET 'pipeline.auto-watermark-interval' = '0';\n%s"
		"CREATE TABLE t (id INT, k STRING, v INT, ts TIMESTAMP(3),"
		" WATERMARK FOR ts AS ts - INTERVAL '%d' %s) WITH ('connector' = "
		"'filesystem', 'path' = '/t.csv', 'format' = 'csv');\n%s;\n",
		setup.set ? setup.set : "", setup.delay_s < 0 ? 99 : setup.delay_s,
		setup.delay_s < 0 ? "HOUR" : "SECOND", query);
	ran = sql_split(&run.arena, sql, &script, &diag) == 0;
	for (size_t i = 0; ran && i < script.count && script.pieces[i].run; i++)
		ran = run_piece(&run, session, &script.pieces[i], &diag);
	if (!ran)
		printf("# %.*s# %s\n", TEXT_ARG(sql), diag.text);
	CHECK(ran);
	return run;
}

/* A cell as a number. */
static int64_t cell(const struct table *table, size_t row, size_t column)
{
	return table->rows[row].cells[column].i;
}

static int64_t sum_of(const struct table *table, size_t column)
{
	int64_t sum = 0;

	for (size_t i = 0; i < table->row_count; i++)
		sum += cell(table, i, column);
	return sum;
}

/* ---- Comparison ---- */

static int compare_texts(const void *a, const void *b)
{
	return text_cmp(*(const struct text *)a, *(const struct text *)b);
}

/* The rows as texts, in order. */
static struct text *sorted_rows(struct run *run)
{
	const struct table *table = &run->table;
	struct text *texts = arena_array(&run->arena, table->row_count + 1, sizeof(*texts));

	for (size_t i = 0; i < table->row_count; i++) {
		texts[i] = TEXT("");
		for (size_t c = 0; c < table->column_count; c++) {
			struct text value = value_print(
				&run->arena, &table->columns[c].type, &table->rows[i].cells[c]);

			texts[i] = text_format(
				&run->arena, "%.*s|%.*s", TEXT_ARG(texts[i]), TEXT_ARG(value));
		}
	}
	qsort(texts, table->row_count, sizeof(*texts), compare_texts);
	return texts;
}

/* Do both runs give the same rows, in whatever order? */
static bool same_rows(struct run *a, struct run *b)
{
	struct text *rows_a = sorted_rows(a), *rows_b = sorted_rows(b);
	bool same = a->table.row_count == b->table.row_count;

	for (size_t i = 0; same && i < a->table.row_count; i++)
		same = text_eq(rows_a[i], rows_b[i]);
	return same;
}

/* A query runs in two ways and gives the same rows, in the same order where that is asked for. */
static bool agree(const struct rows *rows_a, struct setup a, const struct rows *rows_b,
	struct setup b, const char *query)
{
	struct run run_a = run_query(rows_a, a, query), run_b = run_query(rows_b, b, query);
	bool same = same_rows(&run_a, &run_b);

	if (!same)
		printf("# %s\n# over\n%s# and\n%s", query, rows_a->csv, rows_b->csv);
	arena_finish(&run_a.arena);
	arena_finish(&run_b.arena);
	return same;
}

/* ---- Queries ---- */

#define OVER(window, more)                                                                        \
	"SELECT window_start, window_end, k, COUNT(*), SUM(v), MIN(id), MAX(ts), COUNT(DISTINCT " \
	"v), AVG(v) FROM " window more " GROUP BY window_start, window_end, k"
#define TUMBLE	 "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)"
#define HOP	 "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '1' MINUTE)"
#define CUMULATE "CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '20' SECOND, INTERVAL '2' MINUTE)"
#define SESSION	 "SESSION(TABLE t PARTITION BY k, DESCRIPTOR(ts), INTERVAL '15' SECOND)"

static const char *const aligned[] = {OVER(TUMBLE, ""), OVER(HOP, ""), OVER(CUMULATE, ""),
	OVER(TUMBLE, " WHERE v > 3"), OVER(HOP, " WHERE k <> 'a'")};

#define ALIGNED (sizeof(aligned) / sizeof(aligned[0]))
#define BATCH	"SET 'execution.runtime-mode' = 'batch';\n"

/* ---- Properties ---- */

TEST(what_comes_in_is_counted_or_filtered_or_dropped)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		struct setup setup = {.delay_s = (int)draw(60)};
		const char *query = draw(2) ? "SELECT window_start, COUNT(*) FROM " TUMBLE
					      " WHERE v > 3 GROUP BY window_start, window_end"
					    : "SELECT window_start, COUNT(*) FROM " SESSION
					      " WHERE v > 3 GROUP BY window_start, window_end, k";
		struct run run = run_query(&rows, setup, query);

		CHECK(run.facts.rows_in == (int64_t)rows.count);
		CHECK(sum_of(&run.table, 1) + run.facts.rows_filtered + run.facts.rows_dropped ==
			run.facts.rows_in);
		arena_finish(&run.arena);
	}
}

TEST(with_time_enough_streaming_is_batch)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();

		CHECK(agree(&rows, (struct setup){.delay_s = FOREVER}, &rows,
			(struct setup){.delay_s = FOREVER, .set = BATCH}, aligned[draw(ALIGNED)]));
	}
}

TEST(with_time_enough_the_order_of_rows_is_nothing)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows(), others = permuted(rows);
		struct setup setup = {.delay_s = FOREVER};
		bool session = draw(4) == 0;

		CHECK(agree(&rows, setup, &others, setup,
			session ? OVER(SESSION, "") : aligned[draw(ALIGNED)]));
	}
}

TEST(one_phase_is_two_phases)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		struct setup two = {.delay_s = (int)draw(60)}, one = two;

		one.set = "SET 'table.optimizer.agg-phase-strategy' = 'ONE_PHASE';\n";
		CHECK(agree(&rows, one, &rows, two, aligned[draw(ALIGNED)]));
	}
}

TEST(how_the_file_is_read_is_nothing)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		struct setup whole = {.delay_s = (int)draw(60)}, pieces = whole;

		pieces.piece = (size_t)draw(100) + 1;
		CHECK(agree(&rows, whole, &rows, pieces, aligned[draw(ALIGNED)]));
	}
}

/* Each row lies in size / slide windows. */
TEST(hop_counts_each_row_size_by_slide_times)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		int64_t slide = 5 * (draw(3) + 1), times = draw(6) + 1;
		char query[512];
		struct run run;

		snprintf(query, sizeof(query),
			"SELECT window_start, COUNT(*), SUM(v) FROM HOP(TABLE t, DESCRIPTOR(ts), "
			"INTERVAL '%" PRId64 "' SECOND, INTERVAL '%" PRId64
			"' SECOND) GROUP BY window_start, window_end",
			slide, slide * times);
		run = run_query(&rows, (struct setup){.delay_s = FOREVER}, query);
		CHECK(sum_of(&run.table, 1) == (int64_t)rows.count * times);
		arena_finish(&run.arena);
	}
}

/* Where a window of CUMULATE is whole it is TUMBLE's. */
TEST(cumulate_ends_as_tumble)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		struct setup setup = {.delay_s = FOREVER};
		struct run whole = run_query(&rows, setup,
			"SELECT * FROM (" OVER(
				"CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '20' SECOND, "
				"INTERVAL '1' MINUTE)",
				"") ") WHERE EXTRACT(SECOND FROM window_end) = 0");
		struct run tumble = run_query(&rows, setup, OVER(TUMBLE, ""));

		CHECK(same_rows(&whole, &tumble));
		arena_finish(&whole.arena);
		arena_finish(&tumble.arena);
	}
}

TEST(sessions_of_a_key_are_farther_apart_than_the_gap)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		struct run run = run_query(&rows, (struct setup){.delay_s = FOREVER},
			"SELECT window_start, window_end, k, MIN(ts), MAX(ts) FROM " SESSION
			" GROUP BY window_start, window_end, k");
		const struct table *table = &run.table;

		for (size_t i = 0; i < table->row_count; i++) {
			CHECK(cell(table, i, 0) == cell(table, i, 3));
			CHECK(cell(table, i, 1) == cell(table, i, 4) + 15000);
			for (size_t j = 0; j < i; j++)
				CHECK(!text_eq(table->rows[i].cells[2].s,
					      table->rows[j].cells[2].s) ||
					cell(table, i, 0) > cell(table, j, 1) ||
					cell(table, j, 0) > cell(table, i, 1));
		}
		arena_finish(&run.arena);
	}
}

/* Counting by hand: a row counts in its minute unless the rows before it have moved the watermark
 * to the minute's last millisecond. */
TEST(tumble_is_what_counting_by_hand_gives)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		int delay_s = (int)draw(60);
		int64_t counts[24 * 60] = {0}, watermark_ms = INT64_MIN, windows = 0;
		struct run run = run_query(&rows, (struct setup){.delay_s = delay_s},
			"SELECT window_start, COUNT(*) FROM " TUMBLE
			" GROUP BY window_start, window_end");

		for (size_t i = 0; i < rows.count; i++) {
			int64_t ts_ms = rows.row[i].ts_ms, minute = (ts_ms - START_MS) / 60000;

			if (watermark_ms < START_MS + (minute + 1) * 60000 - 1)
				windows += counts[minute]++ == 0;
			if (ts_ms - delay_s * 1000 > watermark_ms)
				watermark_ms = ts_ms - delay_s * 1000;
		}
		CHECK((int64_t)run.table.row_count == windows);
		for (size_t i = 0; i < run.table.row_count; i++)
			CHECK(cell(&run.table, i, 1) ==
				counts[(cell(&run.table, i, 0) - START_MS) / 60000]);
		arena_finish(&run.arena);
	}
}

#define TOTALS                                                           \
	"SELECT window_start, window_end, k, COUNT(*) AS n FROM " TUMBLE \
	" GROUP BY window_start, window_end, k"
#define RANKED                                                                           \
	"SELECT window_start, k, n, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY " \
	"window_start, window_end ORDER BY n DESC, k) AS rn FROM (" TOTALS ")) WHERE rn <= "

/* The first two are what the first hundred begin with. */
TEST(top_n_is_a_prefix)
{
	for (int round = 0; round < ROUNDS; round++) {
		struct rows rows = draw_rows();
		struct setup setup = {.delay_s = (int)draw(60)};
		struct run all = run_query(&rows, setup, RANKED "100");
		struct run top = run_query(&rows, setup, RANKED "2");
		size_t next = 0;

		for (size_t i = 0; i < all.table.row_count; i++) {
			bool follows = i > 0 && cell(&all.table, i, 3) > 1;

			if (follows) /* the rank goes on, and its count is no higher */
				CHECK(cell(&all.table, i, 3) == cell(&all.table, i - 1, 3) + 1 &&
					cell(&all.table, i, 2) <= cell(&all.table, i - 1, 2));
			if (cell(&all.table, i, 3) > 2)
				continue;
			CHECK(next < top.table.row_count &&
				cell(&top.table, next, 0) == cell(&all.table, i, 0) &&
				text_eq(top.table.rows[next].cells[1].s,
					all.table.rows[i].cells[1].s));
			next++;
		}
		CHECK(next == top.table.row_count);
		arena_finish(&all.arena);
		arena_finish(&top.arena);
	}
}

int main(int argc, char **argv)
{
	int64_t given = (int64_t)time(NULL);

	if (argc > 1 && text_to_int64(text_of(argv[1]), &given) < 0)
		return 2;
	seed = (uint64_t)given;
	state = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
	printf("# seed %" PRIu64 "\n", seed);
	RUN(what_comes_in_is_counted_or_filtered_or_dropped);
	RUN(with_time_enough_streaming_is_batch);
	RUN(with_time_enough_the_order_of_rows_is_nothing);
	RUN(one_phase_is_two_phases);
	RUN(how_the_file_is_read_is_nothing);
	RUN(hop_counts_each_row_size_by_slide_times);
	RUN(cumulate_ends_as_tumble);
	RUN(sessions_of_a_key_are_farther_apart_than_the_gap);
	RUN(tumble_is_what_counting_by_hand_gives);
	RUN(top_n_is_a_prefix);
	return test_finish();
}
