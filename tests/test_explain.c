/* sim/: what is told of each row, by the rules of event time, restated here with lists and loops:
 * over random rows (test_explain SEED) and over the labs' data. */
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "tests/explain.h"
#include "tests/memory_file.h"
#include "tests/scripts.h"
#include "tests/test.h"

#define ROUNDS	 100
#define ROWS	 1000
#define WINDOWS	 40
#define START_MS INT64_C(1767225600000) /* 2026-01-01 00:00:00 */

static uint64_t seed, state;

/* 0 to below - 1 (xorshift64). */
static int64_t draw(int64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (int64_t)(state % (uint64_t)below);
}

/* ---- the rules, restated ---- */

struct event {
	int64_t ts_ms;
	char key[16];
};

enum shape { TUMBLE, HOP, CUMULATE, SESSION, SHAPES };

/* How a query takes the windows. */
enum form {
	AGGREGATE, /* of a window function */
	LEGACY,	   /* GROUP BY TUMBLE(ts, ...) */
	SIFTED,	   /* a WHERE over window_start, which is always true */
	TOP,	   /* ROW_NUMBER over the rows of a window */
	FORMS
};

struct query {
	enum shape shape;
	enum form form;
	int64_t size_ms, step_ms; /* SESSION: size is the gap */
	int64_t delay_ms, interval_ms;
	struct event events[ROWS];
	int count;
};

/* What must be told of a row. */
struct truth {
	int64_t wm_ms;	  /* as it came */
	int64_t after_ms; /* published after it, or NONE */
	int windows, counted;
	struct {
		int64_t start_ms, end_ms;
		bool counted;
	} window[WINDOWS];
};

/* The watermark: after each row, where the highest time less the delay has risen by more than the
 * interval. */
static void watermarks(const struct query *query, struct truth *truth)
{
	int64_t highest = 0, last = 0, wm_ms = NONE;

	for (int i = 0; i < query->count; i++) {
		int64_t ms = query->events[i].ts_ms - query->delay_ms;

		truth[i].wm_ms = wm_ms;
		truth[i].after_ms = NONE;
		highest = ms > highest ? ms : highest;
		if (highest - last > query->interval_ms)
			truth[i].after_ms = wm_ms = last = highest;
	}
}

/* All windows that hold the time, the earliest end first: tried one by one. */
static void assign(const struct query *query, int64_t ts_ms, struct truth *truth)
{
	int64_t step = query->shape == TUMBLE ? query->size_ms : query->step_ms;
	int64_t from = ts_ms - ts_ms % query->size_ms - query->size_ms;

	for (int64_t end = from; end <= ts_ms + query->size_ms; end += step) {
		int64_t start = end - query->size_ms;

		if (query->shape == CUMULATE)
			start = (end - 1) - (end - 1) % query->size_ms;
		if (start > ts_ms || end <= ts_ms)
			continue;
		truth->window[truth->windows].start_ms = start;
		truth->window[truth->windows].end_ms = end;
		truth->window[truth->windows].counted = truth->wm_ms < end - 1;
		truth->counted += truth->wm_ms < end - 1;
		truth->windows++;
	}
}

struct session_list {
	struct {
		int64_t start_ms, end_ms;
		char key[16];
		bool open;
	} one[ROWS];
	int count;
};

/* A row joins all open sessions of its key that it overlaps or touches; what results is late or
 * not. Which session has it at last is found with `whole`, from the end back. */
static void sessions(const struct query *query, struct truth *truth)
{
	static struct session_list list;
	static int whole[ROWS], joined[ROWS];

	list.count = 0;
	for (int i = 0; i < query->count; i++) {
		const struct event *event = &query->events[i];
		int64_t start = event->ts_ms, end = start + query->size_ms;
		int64_t from = start, to = end;

		joined[i] = -1;
		for (int s = 0; s < list.count; s++) {
			list.one[s].open &= truth[i].wm_ms < list.one[s].end_ms - 1;
			if (!list.one[s].open || strcmp(list.one[s].key, event->key) != 0 ||
				list.one[s].start_ms > end || list.one[s].end_ms < start)
				continue;
			from = list.one[s].start_ms < from ? list.one[s].start_ms : from;
			to = list.one[s].end_ms > to ? list.one[s].end_ms : to;
		}
		truth[i].windows = 1;
		truth[i].window[0].start_ms = start;
		truth[i].window[0].end_ms = end;
		if (truth[i].wm_ms >= to - 1)
			continue;
		truth[i].counted = 1;
		truth[i].window[0].counted = true;
		for (int s = 0; s < list.count; s++)
			if (list.one[s].open && strcmp(list.one[s].key, event->key) == 0 &&
				list.one[s].start_ms <= end && list.one[s].end_ms >= start) {
				list.one[s].open = false;
				whole[s] = list.count;
			}
		joined[i] = list.count;
		whole[list.count] = list.count;
		list.one[list.count].start_ms = from;
		list.one[list.count].end_ms = to;
		list.one[list.count].open = true;
		strcpy(list.one[list.count++].key, event->key);
	}
	for (int i = 0; i < query->count; i++) {
		int s = joined[i];

		while (s >= 0 && whole[s] != s)
			s = whole[s];
		if (s < 0)
			continue;
		truth[i].window[0].start_ms = list.one[s].start_ms;
		truth[i].window[0].end_ms = list.one[s].end_ms;
	}
}

static const char *kind_of(const struct truth *truth)
{
	if (truth->counted == truth->windows)
		return "counted";
	return truth->counted ? "partly" : "dropped";
}

/* The first row after which the watermark has reached the window's last millisecond; 0: none. */
static int64_t closer_of(const struct query *query, const struct truth *truth, int64_t end_ms)
{
	for (int i = 0; i < query->count; i++)
		if (truth[i].after_ms >= end_ms - 1)
			return i + 1;
	return 0;
}

/* ---- comparing ---- */

static bool same_window(const struct query *query, const struct truth *truth,
	const struct json *told, int row, int number)
{
	int64_t end_ms = truth[row].window[number].end_ms;
	int64_t closer = closer_of(query, truth, end_ms);

	return time_of(json_get(told, TEXT("start"))) == truth[row].window[number].start_ms &&
	       time_of(json_get(told, TEXT("end"))) == end_ms &&
	       is_true(told, "counted") == truth[row].window[number].counted &&
	       json_get(told, TEXT("closed_by")) &&
	       number_of(told, "closed_by") == (closer ? closer : -1) &&
	       (!closer ||
		       time_of(json_get(told, TEXT("closed_at"))) == truth[closer - 1].after_ms);
}

static bool same_row(
	const struct query *query, const struct truth *truth, const struct json *told, int row)
{
	const struct json *windows = json_get(told, TEXT("windows"));
	const struct json *kind = json_get(told, TEXT("kind"));
	int64_t ts_ms = query->events[row].ts_ms;

	if (number_of(told, "row") != row + 1 ||
		time_of(json_get(told, TEXT("rowtime"))) != ts_ms ||
		time_of(json_get(told, TEXT("watermark"))) != truth[row].wm_ms || !kind ||
		!text_eq(kind->string, text_of(kind_of(&truth[row]))) ||
		is_true(told, "late") != (truth[row].wm_ms >= ts_ms) || !windows ||
		windows->count != (size_t)truth[row].windows)
		return false;
	for (int i = 0; i < truth[row].windows; i++)
		if (!same_window(query, truth, windows->items[i], row, i))
			return false;
	return true;
}

static bool same_totals(
	const struct query *query, const struct truth *truth, const struct json *told)
{
	int64_t counted = 0, partly = 0, dropped = 0, late = 0;

	for (int i = 0; i < query->count; i++) {
		counted += truth[i].counted == truth[i].windows;
		dropped += truth[i].counted == 0;
		partly += truth[i].counted && truth[i].counted < truth[i].windows;
		late += truth[i].wm_ms >= query->events[i].ts_ms;
	}
	return number_of(told, "in") == query->count && number_of(told, "counted") == counted &&
	       number_of(told, "partly") == partly && number_of(told, "dropped") == dropped &&
	       number_of(told, "filtered") == 0 && number_of(told, "late") == late;
}

/* Rows told as they must be, and the totals at the end. */
static bool same_story(struct arena *arena, const struct query *query, const struct truth *truth,
	struct text story)
{
	struct text line;
	int row = 0;

	while (text_next_line(&story, &line)) {
		struct json told;
		bool same = json_parse(arena, line, &told, NULL) == 0 &&
			    (row < query->count ? same_row(query, truth, &told, row)
						: same_totals(query, truth, &told));

		if (!same) {
			printf("# row %d of %d: %.*s\n", row + 1, query->count, TEXT_ARG(line));
			return false;
		}
		row++;
	}
	return row == query->count + 1;
}

/* An interval of seconds in SQL. */
struct interval {
	char sql[48];
};

static struct interval interval_of(int64_t ms)
{
	struct interval interval;

	snprintf(interval.sql, sizeof(interval.sql), "INTERVAL '0 %02d:%02d:%02d' DAY TO SECOND",
		(int)(ms / 3600000), (int)(ms / 60000 % 60), (int)(ms / 1000 % 60));
	return interval;
}

static const char *const functions[] = {"TUMBLE", "HOP", "CUMULATE", "SESSION"};

/* The call of the window function, or the legacy one. */
static struct text call_of(struct arena *arena, const struct query *query)
{
	bool two = query->shape == HOP || query->shape == CUMULATE;
	struct text sizes = text_format(arena, "%s%s%s", two ? interval_of(query->step_ms).sql : "",
		two ? ", " : "", interval_of(query->size_ms).sql);

	if (query->form == LEGACY)
		return text_format(arena, "%s(ts, %.*s)", functions[query->shape], TEXT_ARG(sizes));
	return text_format(arena, "%s(TABLE t%s, DESCRIPTOR(ts), %.*s)", functions[query->shape],
		query->shape == SESSION ? " PARTITION BY k" : "", TEXT_ARG(sizes));
}

static struct text select_of(struct arena *arena, const struct query *query)
{
	struct text call = call_of(arena, query);

	switch (query->form) {
	case LEGACY:
		return text_format(
			arena, "SELECT k, COUNT(*) FROM t GROUP BY k, %.*s", TEXT_ARG(call));
	case SIFTED:
		return text_format(arena,
			"SELECT window_start, window_end, k, COUNT(*) FROM %.*s WHERE window_start "
			"< "
			"TIMESTAMP '2099-01-01 00:00:00' GROUP BY window_start, window_end, k",
			TEXT_ARG(call));
	case TOP:
		return text_format(arena,
			"SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, "
			"window_end, k ORDER BY ts) AS rn FROM %.*s) WHERE rn <= 2",
			TEXT_ARG(call));
	default:
		return text_format(arena,
			"SELECT window_start, window_end, k, COUNT(*) FROM %.*s GROUP BY "
			"window_start, "
			"window_end, k",
			TEXT_ARG(call));
	}
}

static struct text sql_of(struct arena *arena, const struct query *query, const char *columns)
{
	return text_format(arena,
		"SET 'pipeline.auto-watermark-interval' = '%d ms';\n"
		"CREATE TABLE t (%s, WATERMARK FOR ts AS ts - %s)\n"
		"WITH ('connector' = 'filesystem', 'path' = '/t.csv', 'format' = 'csv');\n"
		"%.*s;\n",
		(int)query->interval_ms, columns, interval_of(query->delay_ms).sql,
		TEXT_ARG(select_of(arena, query)));
}

static bool judged(const struct query *query, struct text csv, const char *columns)
{
	static struct truth truth[ROWS];
	struct explain explain = {.story.json = true};
	struct memory_file file = {.bytes = csv, .piece = 64};
	struct sim_files files = {.open = memory_file_open, .ctx = &file};
	struct arena arena;
	struct text story, sql;
	bool same;

	memset(truth, 0, sizeof(truth));
	watermarks(query, truth);
	for (int i = 0; i < query->count && query->shape != SESSION; i++)
		assign(query, query->events[i].ts_ms, &truth[i]);
	if (query->shape == SESSION)
		sessions(query, truth);
	arena_init(&arena, MEMORY);
	sql = sql_of(&arena, query, columns);
	same = explain_text(&arena, &explain, sql, &files, &story) == 0 &&
	       same_story(&arena, query, truth, story);
	if (!same)
		printf("# %.*s\n", TEXT_ARG(sql));
	arena_finish(&arena);
	return same;
}

/* ---- random rows ---- */

/* Times that go forward, with some far behind and a few far ahead; whole seconds, or not. */
static size_t draw_events(struct query *query, char *csv, size_t size)
{
	int64_t now_ms = START_MS + 36000000, unit = draw(2) ? 1000 : 1;
	size_t len = 0;

	query->count = (int)draw(80) + 1;
	for (int i = 0; i < query->count; i++) {
		struct event *event = &query->events[i];
		int64_t ms;

		now_ms += draw(20000);
		event->ts_ms = now_ms - (draw(3) ? 0 : draw(120000)) + (draw(40) ? 0 : 300000);
		event->ts_ms -= event->ts_ms % unit;
		snprintf(event->key, sizeof(event->key), "%c", (char)('a' + draw(3)));
		ms = event->ts_ms - START_MS;
		len += (size_t)snprintf(csv + len, size - len,
			"%s,2026-01-01 %02d:%02d:%02d.%03d\n", event->key, (int)(ms / 3600000),
			(int)(ms / 60000 % 60), (int)(ms / 1000 % 60), (int)(ms % 1000));
	}
	return len;
}

static void draw_query(struct query *query, enum shape shape)
{
	static const int delays_s[] = {0, 1, 5, 30, 60};
	static const int intervals_ms[] = {0, 200, 1000, 60000};

	*query = (struct query){.shape = shape,
		.delay_ms = delays_s[draw(5)] * INT64_C(1000),
		.interval_ms = intervals_ms[draw(4)]};
	query->form = (enum form)draw(FORMS);
	if ((shape == CUMULATE && query->form == LEGACY) ||
		(shape == SESSION && query->form != LEGACY))
		query->form = AGGREGATE;
	query->step_ms = (draw(12) + 1) * 5000;
	query->size_ms = query->step_ms;
	if (shape == HOP || shape == CUMULATE)
		query->size_ms *= draw(5) + 1;
}

TEST(each_row_of_random_data_is_told_by_the_rules)
{
	static struct query query;
	static char csv[80 * 64];

	for (int round = 0; round < ROUNDS; round++) {
		bool same;

		draw_query(&query, (enum shape)(round % SHAPES));
		same = judged(&query, (struct text){csv, draw_events(&query, csv, sizeof(csv))},
			"k STRING, ts TIMESTAMP(3)");
		CHECK(same);
		if (!same) {
			printf("# round %d, seed %" PRIu64 "\n", round, seed);
			return;
		}
	}
}

/* ---- the labs' data ---- */

/* Rows whose second field is the key and whose last one is the time. */
static void read_events(struct query *query, struct text csv)
{
	struct text line;

	while (text_next_line(&csv, &line) && query->count < ROWS) {
		struct event *event = &query->events[query->count++];
		struct json time = {.kind = JSON_STRING};
		char text[128], ts[64] = "";

		snprintf(text, sizeof(text), "%.*s", TEXT_ARG(line));
		sscanf(text, "%*[^,],%15[^,]", event->key);
		snprintf(ts, sizeof(ts), "%s%s", strrchr(text, ',') + 1,
			strchr(strrchr(text, ','), '.') ? "" : ".000");
		time.string = text_of(ts);
		event->ts_ms = time_of(&time);
	}
}

static void judge_data(const char *path, const char *columns, const struct query *about)
{
	static struct query query;
	struct arena arena;
	struct text csv;

	arena_init(&arena, MEMORY);
	csv = slurp(&arena, path);
	query = *about;
	read_events(&query, csv);
	CHECK(query.count > 100 && judged(&query, csv, columns));
	arena_finish(&arena);
}

TEST(each_row_of_the_watermark_lab_is_told_by_the_rules)
{
	static const int delays_s[] = {0, 5, 30};

	for (int i = 0; i < 3; i++) {
		struct query query = {.shape = TUMBLE,
			.size_ms = 60000,
			.step_ms = 60000,
			.delay_ms = delays_s[i] * INT64_C(1000),
			.interval_ms = 200};

		judge_data(ROOT "/opt/lab/fixtures/data/watermark_events.csv",
			"id BIGINT, k STRING, reading INT, ts TIMESTAMP(3)", &query);
	}
}

TEST(each_row_of_the_window_lab_is_told_by_the_rules)
{
	static const int64_t sizes_ms[] = {600000, 600000, 3600000, 300000};
	static const int64_t steps_ms[] = {600000, 300000, 600000, 300000};

	for (int shape = 0; shape < SHAPES; shape++)
		for (int delay_s = 0; delay_s <= 5; delay_s += 5) {
			struct query query = {.shape = (enum shape)shape,
				.size_ms = sizes_ms[shape],
				.step_ms = steps_ms[shape],
				.delay_ms = delay_s * INT64_C(1000),
				.interval_ms = 200};

			judge_data(ROOT "/opt/lab/fixtures/data/orders.csv",
				"id BIGINT, k STRING, item STRING, amount INT, ts TIMESTAMP(3)",
				&query);
		}
}

int main(int argc, char **argv)
{
	seed = argc > 1 ? strtoull(argv[1], NULL, 10)
			: (uint64_t)time(NULL) * 65536 + (uint64_t)getpid();
	state = seed ? seed : 1;
	printf("# seed %" PRIu64 "\n", seed);
	RUN(each_row_of_random_data_is_told_by_the_rules);
	RUN(each_row_of_the_watermark_lab_is_told_by_the_rules);
	RUN(each_row_of_the_window_lab_is_told_by_the_rules);
	return test_finish();
}
