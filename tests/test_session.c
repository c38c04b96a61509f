/* sim/: every recorded script is run through a session, and each table and error is compared with
 * what Flink printed. A statement agrees, is refused by name, or differs; none may differ. With
 * arguments: prints how each named script's statements fare. */
#include "sim/session.h"

#include <glob.h>
#include <stdlib.h>

#include "parser/transcript.h"
#include "tests/scripts.h"
#include "tests/test.h"

#define ARENA_BYTES (256u << 20)

/* ---- one case ---- */

/* SKIPPED: more than one subtask, whose rows depend on which of them reads the file; a cluster that
 * was not able to run the query. */
enum judgement { AGREE, REFUSED, SKIPPED, DIFFER, JUDGEMENTS };

struct tally {
	int counts[JUDGEMENTS];
	bool verbose;
	const char *name;
};

struct replay {
	struct arena *arena;
	struct tally *tally;
	const struct transcript *transcript;
	size_t next; /* result */
};

static void judge(struct replay *replay, const struct sql_piece *piece, enum judgement judgement,
	const char *why)
{
	static const char *const names[] = {"agree", "refused", "skipped", "DIFFER"};

	replay->tally->counts[judgement]++;
	if (judgement == DIFFER || replay->tally->verbose)
		printf("# %s:%d: %s %s\n", replay->tally->name, piece->line, names[judgement], why);
}

/* The next table, empty set, error or job: what a statement that shows something left behind. */
static const struct result *next_result(struct replay *replay)
{
	while (replay->next < replay->transcript->count) {
		const struct result *result = &replay->transcript->results[replay->next++];

		if (result->kind != RESULT_MESSAGE)
			return result;
	}
	return NULL;
}

/* A cell as recorded: perhaps cut by the client. */
static bool same_cell(struct text recorded, struct text got)
{
	if (text_eq(recorded, got))
		return true;
	return text_ends(recorded, TEXT("...")) &&
	       text_starts(got, text_slice(recorded, 0, recorded.len - 3));
}

static bool same_row(
	struct arena *arena, const struct table *recorded, const struct table *got, size_t row)
{
	for (size_t i = 0; i < got->column_count; i++) {
		const struct value *was = &recorded->rows[row].cells[i];
		const struct value *is = &got->rows[row].cells[i];

		if (was->null != is->null)
			return false;
		if (!was->null && !same_cell(was->s, value_print(arena, &got->columns[i].type, is)))
			return false;
	}
	return recorded->rows[row].op == got->rows[row].op;
}

static const char *compare(
	struct arena *arena, const struct table *recorded, const struct table *got)
{
	static char why[256];

	if (recorded->form != got->form)
		return "form";
	if (recorded->column_count != got->column_count)
		return "columns";
	for (size_t i = 0; i < got->column_count; i++)
		if (!same_cell(recorded->columns[i].name, got->columns[i].name))
			return "column name";
	for (size_t i = 0; i < recorded->row_count && i < got->row_count; i++)
		if (!same_row(arena, recorded, got, i)) {
			snprintf(why, sizeof(why), "row %zu of %zu/%zu", i, recorded->row_count,
				got->row_count);
			return why;
		}
	return recorded->row_count == got->row_count ? NULL : "row count";
}

static bool ill_cluster(struct replay *replay, const struct result *result)
{
	const struct result *next = result;

	if (result && result->kind == RESULT_TABLE && !result->table.row_count &&
		replay->next < replay->transcript->count)
		next = &replay->transcript->results[replay->next];
	return next && next->kind == RESULT_ERROR &&
	       text_find(next->text, TEXT("NoResourceAvailableException")) < next->text.len;
}

static void compare_rows(struct replay *replay, const struct sql_piece *piece,
	const struct table *got, const struct query_facts *facts)
{
	const struct result *result = next_result(replay);
	const char *why = NULL;

	if (facts->parallelism > 1 || ill_cluster(replay, result)) {
		judge(replay, piece, SKIPPED, "");
		return;
	}
	if (!result)
		why = "nothing recorded";
	else if (result->kind == RESULT_EMPTY)
		why = got->row_count ? "should be empty" : NULL;
	else if (result->kind != RESULT_TABLE)
		why = "recorded an error";
	else
		why = compare(replay->arena, &result->table, got);
	judge(replay, piece, why ? DIFFER : AGREE, why ? why : "");
}

static void compare_error(struct replay *replay, const struct sql_piece *piece, struct text got)
{
	const struct result *result = next_result(replay);
	struct text recorded = {0};

	/* A streaming job prints its header before it fails. */
	if (result && result->kind == RESULT_TABLE && !result->table.row_count)
		result = next_result(replay);
	if (result && result->kind == RESULT_ERROR)
		recorded = text_trim(result->text);
	/* In verbose mode the text stands within a stack trace. */
	if (text_eq(recorded, got) || (got.len && text_find(recorded, got) < recorded.len)) {
		judge(replay, piece, AGREE, "error");
		return;
	}
	judge(replay, piece, DIFFER, "error");
	printf("#   recorded %.*s\n#   got      %.*s\n", TEXT_ARG(recorded), TEXT_ARG(got));
}

static void compare_job(struct replay *replay, const struct sql_piece *piece)
{
	const struct result *result = next_result(replay);
	bool job = result && result->kind == RESULT_JOB;

	judge(replay, piece, job ? AGREE : DIFFER, "job");
}

/* Does the statement leave a table in the transcript? */
static bool shows(const struct sql_statement *statement)
{
	switch (statement->kind) {
	case STMT_SELECT:
	case STMT_DESCRIBE:
	case STMT_SHOW:
	case STMT_EXPLAIN:
	case STMT_INSERT: return true;
	default: return false;
	}
}

/* False: the script ends here. */
static bool replay_piece(
	struct replay *replay, struct session *session, const struct sql_piece *piece)
{
	struct sql_statement *statement = ARENA_NEW(replay->arena, struct sql_statement);
	struct table *table = ARENA_NEW(replay->arena, struct table);
	struct table_sink sink;
	struct sim_sink out = table_sink_init(&sink, replay->arena, table);
	struct outcome outcome;
	struct diag diag = {0};
	char where[1024];
	int err = sql_parse(replay->arena, piece, statement, &diag);

	if (err == 0)
		err = session_run(session, statement, &out, &outcome, &diag);
	if (err < 0) {
		judge(replay, piece, REFUSED, diag_format(&diag, where, sizeof(where)));
		if (statement->kind == STMT_SELECT || shows(statement))
			next_result(replay);
		return statement->kind == STMT_SELECT || shows(statement);
	}
	if (outcome.kind == OUTCOME_ERROR)
		compare_error(replay, piece, outcome.error);
	else if (outcome.kind == OUTCOME_ROWS)
		compare_rows(replay, piece, table, &outcome.facts);
	else if (outcome.kind == OUTCOME_JOB)
		compare_job(replay, piece);
	return outcome.kind == OUTCOME_DONE || outcome.kind == OUTCOME_ROWS ||
	       outcome.kind == OUTCOME_JOB;
}

static void replay_case(struct tally *tally, const char *sql_path)
{
	struct arena arena;
	struct transcript transcript;
	struct sql_script script;
	struct replay replay = {&arena, tally, &transcript, 0};
	int descriptor = -1;
	struct sim_files files = {.open = open_in_root, .ctx = &descriptor};
	struct session *session;
	char out_path[4096];

	snprintf(out_path, sizeof(out_path), "%.*s.out", (int)strlen(sql_path) - 4, sql_path);
	if (access(out_path, R_OK) < 0)
		return;
	tally->name = sql_path;
	arena_init(&arena, ARENA_BYTES);
	session = session_new(&arena, &files);
	if (transcript_parse(&arena, NULL, slurp(&arena, out_path), &transcript, NULL) == 0 &&
		sql_split(&arena, slurp(&arena, sql_path), &script, NULL) == 0)
		for (size_t i = 0; i < script.count; i++)
			if (script.pieces[i].run &&
				!replay_piece(&replay, session, &script.pieces[i]))
				break;
	arena_finish(&arena);
}

static struct tally replay_folder(const char *folder)
{
	struct tally tally = {0};
	struct dirent **entries;
	int count = scandir(folder, &entries, is_sql, alphasort);

	for (int i = 0; i < count; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		replay_case(&tally, path);
		free(entries[i]);
	}
	free(count < 0 ? NULL : entries);
	return tally;
}

static void report(const char *folder, const struct tally *tally)
{
	printf("# %s: %d agree, %d refused, %d skipped, %d differ\n", folder, tally->counts[AGREE],
		tally->counts[REFUSED], tally->counts[SKIPPED], tally->counts[DIFFER]);
}

/* Did a run of its own .sql make the .out, with nothing done to it? The note says. */
static bool made_by_its_sql(const char *folder)
{
	struct arena arena;
	struct text note, rest, line = {0};
	char path[4096];
	bool made = true; /* without a word on it */

	arena_init(&arena, 1 << 20);
	snprintf(path, sizeof(path), "%.4000s/note.txt", folder);
	note = rest = slurp(&arena, path);
	while (text_next_line(&rest, &line))
		if (text_starts(line, TEXT("made: ")))
			made = text_find(line, TEXT(", stdout to ")) < line.len ||
			       (text_starts(line, TEXT("made: sql-client.sh -f ")) &&
				       text_find(line, TEXT(".err")) < line.len);
	/* Another CSV lay under the path, or the script was not there. */
	made &= text_find(note, TEXT("other-data")) == note.len;
	made &= text_find(note, TEXT(".sq >")) == note.len;
	arena_finish(&arena);
	return made;
}

/* All cases of a lab: a folder each. */
static struct tally replay_mistakes(const char *folder)
{
	struct tally sum = {0};
	struct dirent **entries;
	int count = scandir(folder, &entries, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		if (entries[i]->d_name[0] != '.' && made_by_its_sql(path)) {
			struct tally tally = replay_folder(path);

			for (int j = 0; j < JUDGEMENTS; j++)
				sum.counts[j] += tally.counts[j];
		}
		free(entries[i]);
	}
	free(count < 0 ? NULL : entries);
	report(folder, &sum);
	return sum;
}

TEST(watermark_references)
{
	struct tally tally = replay_folder("tests/recorded/watermark/ref");

	report("watermark/ref", &tally);

	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[REFUSED] == 0);
	CHECK(tally.counts[AGREE] == 8);
}

TEST(semantics)
{
	struct tally tally = replay_folder("tests/recorded/semantics");

	report("semantics", &tally);
	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[AGREE] >= 560);
}

TEST(window_references)
{
	struct tally tally = replay_folder("tests/recorded/window/ref");

	report("window/ref", &tally);
	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[REFUSED] == 0);
}

TEST(watermark_mistakes)
{
	struct tally tally = replay_mistakes("tests/recorded/watermark/mistakes");

	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[AGREE] >= 250);
}

TEST(window_mistakes)
{
	struct tally tally = replay_mistakes("tests/recorded/window/mistakes");

	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[AGREE] > 0);
}

TEST(more_watermark_cases)
{
	struct tally tally = replay_mistakes("tests/recorded/watermark/more");

	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[AGREE] > 60);
}

TEST(more_statements)
{
	struct tally tally = replay_folder("tests/recorded/more_sim");

	report("more_sim", &tally);
	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[AGREE] > 0);
}

/* What the client prints has cases of its own; these are about what statements give. */
TEST(format_statements)
{
	static const char *const patterns[] = {"border_*", "changelog_*", "double_*", "empty_*",
		"err_*", "no_*", "one_*", "rows_*", "stmt_*", "types_*", "wide_*"};
	struct tally tally = {0};

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		char pattern[256];
		glob_t found;

		snprintf(pattern, sizeof(pattern), "tests/recorded/format/%s.sql", patterns[i]);
		if (glob(pattern, 0, NULL, &found) == 0)
			for (size_t j = 0; j < found.gl_pathc; j++)
				replay_case(&tally, found.gl_pathv[j]);
		globfree(&found);
	}
	report("format", &tally);
	CHECK(tally.counts[DIFFER] == 0);
	CHECK(tally.counts[AGREE] >= 60);
}

/* The facts of a script's last statement that has some, run to its end or not. */
/* What session_run() returned for the last statement. */
static int run_text(struct arena *arena, struct text sql, struct query_facts *facts)
{
	struct sql_script script = {0};
	int descriptor = -1;
	struct sim_files files = {.open = open_in_root, .ctx = &descriptor};
	struct session *session = session_new(arena, &files);
	int err = 0;

	*facts = (struct query_facts){0};
	CHECK(sql_split(arena, sql, &script, NULL) == 0);
	for (size_t i = 0; i < script.count; i++) {
		struct sql_statement *statement = ARENA_NEW(arena, struct sql_statement);
		struct table table = {0};
		struct table_sink sink;
		struct sim_sink out = table_sink_init(&sink, arena, &table);
		struct outcome outcome = {0};

		if (!script.pieces[i].run)
			continue;
		CHECK(sql_parse(arena, &script.pieces[i], statement, NULL) == 0);
		err = session_run(session, statement, &out, &outcome, NULL);
		if (outcome.has_facts)
			*facts = outcome.facts;
	}
	return err;
}

static struct query_facts facts_of_text(struct arena *arena, struct text sql)
{
	struct query_facts facts;

	run_text(arena, sql, &facts);
	return facts;
}

/* SELECT of one expression: its printed value, or "refused". */
static struct text first_cell(struct arena *arena, const char *expr)
{
	struct session *session = session_new(arena, NULL);
	struct sql_piece piece = {.line = 1, .col = 1, .run = true};
	struct sql_statement statement;
	struct table table = {0};
	struct table_sink sink;
	struct sim_sink out = table_sink_init(&sink, arena, &table);
	struct outcome outcome;

	piece.source = text_format(arena, "SELECT %s", expr);
	session_option(session, TEXT("sql-client.execution.result-mode"), TEXT("tableau"));
	if (sql_parse(arena, &piece, &statement, NULL) < 0 ||
		session_run(session, &statement, &out, &outcome, NULL) < 0)
		return TEXT("refused");
	if (outcome.kind == OUTCOME_ERROR || table.row_count != 1)
		return TEXT("failed");
	return value_print(arena, &table.columns[0].type, &table.rows[0].cells[0]);
}

/* Without its texts, which end with the arena. */
static struct query_facts facts_of_script(const char *path)
{
	struct query_facts facts;
	struct arena arena;

	arena_init(&arena, ARENA_BYTES);
	facts = facts_of_text(&arena, slurp(&arena, path));
	facts.path = facts.format = facts.connector = (struct text){0};
	arena_finish(&arena);
	return facts;
}

/* 600 rows; of them 98 are at or below the watermark, and 15 lost to windows of a minute: the
 * second number is the metric of recorded semantics/metric_one_phase. */
TEST(facts_count_what_the_rows_do_not_show)
{
	struct query_facts w5 = facts_of_script("tests/recorded/watermark/ref/w5.sql");
	struct query_facts filtered = facts_of_script("tests/recorded/watermark/ref/filtered.sql");
	struct query_facts slow = facts_of_script("tests/recorded/watermark/ref/slow.sql");
	struct query_facts batch = facts_of_script("tests/recorded/watermark/ref/batch.sql");

	CHECK(w5.rows_in == 600 && w5.rows_dropped == 15 && w5.rows_filtered == 0);
	CHECK(w5.delay_known && w5.delay_ms == 5000 && w5.windowed && !w5.batch);
	CHECK(w5.late_filter == LATE_FILTER_NONE && w5.interval_ms == 200 && w5.parallelism == 1);
	CHECK(filtered.rows_filtered == 98 && filtered.rows_dropped == 0);
	CHECK(filtered.late_filter == LATE_FILTER_ROWS);
	CHECK(slow.interval_ms == 3600000 && slow.rows_dropped == 0);
	CHECK(batch.batch && batch.delay_known && batch.delay_ms == 5000);
}

/* The same five seconds, and what is no constant distance. */
TEST(delay_in_all_spellings)
{
	static const struct {
		const char *watermark;
		bool known;
		int64_t delay_ms;
	} cases[] = {
		{"ts", true, 0},
		{"ts - INTERVAL '5' SECOND", true, 5000},
		{"ts - INTERVAL '5000' SECOND(4)", true, 5000000},
		{"ts + INTERVAL '-5' SECOND", true, 5000},
		{"ts + INTERVAL '5' SECOND", true, -5000},
		{"ts - INTERVAL '2' SECOND - INTERVAL '3' SECOND", true, 5000},
		{"ts - (INTERVAL '2' SECOND + INTERVAL '3' SECOND)", true, 5000},
		{"ts - 5 * INTERVAL '1' SECOND", true, 5000},
		{"ts - INTERVAL '1' SECOND * 5", true, 5000},
		{"TIMESTAMPADD(SECOND, -5, ts)", true, 5000},
		{"TIMESTAMPADD(MINUTE, 1, ts)", true, -60000},
		{"CAST(ts AS TIMESTAMP(3)) - INTERVAL '5' SECOND", true, 5000},
		{"CAST(ts - INTERVAL '5' SECOND AS TIMESTAMP(3))", true, 5000},
		{"CAST(ts AS TIMESTAMP(0))", false, 0},
		{"ts - INTERVAL '5' MONTH", false, 0},
		{"other - INTERVAL '5' SECOND", false, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct query_facts facts;
		struct arena arena;

		arena_init(&arena, ARENA_BYTES);
		facts = facts_of_text(&arena,
			text_format(&arena,
				"CREATE TABLE t (ts TIMESTAMP(3), other TIMESTAMP(3), WATERMARK "
				"FOR ts AS %s) WITH ('connector' = 'filesystem');\nDESCRIBE t;\n",
				cases[i].watermark));
		CHECK(facts.has_watermark);
		if (facts.delay_known != cases[i].known || facts.delay_ms != cases[i].delay_ms)
			printf("# %s\n", cases[i].watermark);
		CHECK(facts.delay_known == cases[i].known);
		CHECK(facts.delay_ms == cases[i].delay_ms);
		arena_finish(&arena);
	}
}

/* As Flink's list of built-in functions defines them. */
TEST(functions)
{
	static const struct {
		const char *expr, *printed; /* NULL: refused */
	} cases[] = {
		{"UPPER('aZ1')", "AZ1"},
		{"LOWER('aZ1')", "az1"},
		{"UPPER('\303\244')", "\303\204"},
		{"UPPER('\307\206')", NULL}, /* a digraph */
		{"CHAR_LENGTH('abc')", "3"},
		{"SUBSTRING('abcde', 2)", "bcde"},
		{"SUBSTRING('abcde' FROM 2 FOR 3)", "bcd"},
		{"SUBSTRING('abcde', 9)", ""},
		{"SUBSTRING('abcde', 0)", "abcde"},
		{"CONCAT('a', CAST(NULL AS STRING))", "<NULL>"},
		{"CONCAT('a', CAST(12 AS STRING), CAST(TRUE AS STRING))", "a12TRUE"},
		{"GREATEST(1, 3, 2)", "3"},
		{"LEAST(1, 3, 2)", "1"},
		{"LEAST(1, CAST(NULL AS INT))", "<NULL>"},
		{"IF(CAST(NULL AS BOOLEAN), 1, 2)", "2"},
		{"NULLIF(1, 1)", "<NULL>"},
		{"IFNULL(CAST(NULL AS INT), 7)", "7"},
		{"CAST(300 AS TINYINT)", "44"},
		{"CAST(100 AS TINYINT)", "100"},
		{"1 IS DISTINCT FROM CAST(NULL AS INT)", "TRUE"},
		{"CAST(NULL AS INT) IS NOT DISTINCT FROM CAST(NULL AS INT)", "TRUE"},
		{"CEIL(TIMESTAMP '2026-07-06 09:00:00.001' TO MINUTE)", "2026-07-06 09:01:00.000"},
		{"CEIL(TIMESTAMP '2026-07-06 09:00:00.000' TO MINUTE)", "2026-07-06 09:00:00.000"},
		{"DATE_FORMAT(TIMESTAMP '2026-07-06 09:05:07.010', 'dd.MM.yyyy HH:mm:ss.SSS')",
			"06.07.2026 09:05:07.010"},
		{"DATE_FORMAT(TIMESTAMP '2026-07-06 09:05:07', 'EEE')", "Mon"},
		{"UNIX_TIMESTAMP('1970-01-02 00:00:01')", "86401"},
		{"TO_TIMESTAMP('2026-07-06')", "2026-07-06 00:00:00.000"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct arena arena;
		struct text got;

		arena_init(&arena, ARENA_BYTES);
		got = first_cell(&arena, cases[i].expr);
		if (!text_eq(got, text_of(cases[i].printed ? cases[i].printed : "refused")))
			printf("# %s is %.*s\n", cases[i].expr, TEXT_ARG(got));
		CHECK(text_eq(got, text_of(cases[i].printed ? cases[i].printed : "refused")));
		arena_finish(&arena);
	}
}

#define EVENTS(path)                                                                          \
	"SET 'sql-client.execution.result-mode' = 'tableau';\n"                               \
	"SET 'pipeline.auto-watermark-interval' = '1 h';\nSET 'parallelism.default' = '2';\n" \
	"CREATE TABLE events (v INT, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '5' " \
	"SECOND) WITH ('connector' = 'filesystem', 'format' = 'csv', 'path' = '" path "');\n" \
	"CREATE VIEW seen AS SELECT * FROM events;\n"

/* A query that is not simulated, or that fails, leaves its source and its settings known. */
TEST(facts_without_rows)
{
	static const char *const queries[] = {
		"SELECT RAND(), v FROM events;\n",
		"SELECT RAND() FROM (SELECT * FROM seen);\n",
		"WITH a AS (SELECT * FROM events) SELECT RAND() FROM a;\n",
		"SELECT RAND() FROM TUMBLE(TABLE seen, DESCRIPTOR(ts), INTERVAL '1' MINUTE);\n",
		"SELECT nope FROM events;\n",
	};

	for (size_t i = 0; i < sizeof(queries) / sizeof(*queries); i++) {
		struct query_facts facts;
		struct arena arena;

		arena_init(&arena, ARENA_BYTES);
		facts = facts_of_text(&arena,
			text_format(&arena, EVENTS("file:///nowhere.csv") "%s", queries[i]));
		CHECK(facts.has_source && facts.delay_known && facts.delay_ms == 5000);
		CHECK(facts.interval_ms == 3600000 && facts.parallelism == 2);
		CHECK(text_eq(facts.path, TEXT("/nowhere.csv")));
		CHECK(text_eq(facts.format, TEXT("csv")));
		CHECK(text_eq(facts.connector, TEXT("filesystem")));
		arena_finish(&arena);
	}
}

/* Behind two slashes stands a host: such a path is no file's. */
TEST(path_with_a_host_stays_visible)
{
	struct query_facts facts;
	struct arena arena;

	arena_init(&arena, ARENA_BYTES);
	facts = facts_of_text(
		&arena, TEXT(EVENTS("file://opt/lab/events.csv") "SELECT * FROM events;\n"));
	CHECK(text_eq(facts.path, TEXT("file://opt/lab/events.csv")));
	facts = facts_of_text(
		&arena, TEXT(EVENTS("file:/opt/lab/events.csv") "SELECT * FROM events;\n"));
	CHECK(text_eq(facts.path, TEXT("/opt/lab/events.csv")));
	arena_finish(&arena);
}

#define FEW                                                                                     \
	"SET 'sql-client.execution.result-mode' = 'tableau';\n"                                 \
	"CREATE TABLE t (id INT, k STRING, ts TIMESTAMP(3), n BIGINT, d DOUBLE, WATERMARK FOR " \
	"ts AS ts - INTERVAL '5' SECOND) WITH ('connector' = 'filesystem', 'format' = 'csv', "  \
	"'path' = 'file:///opt/lab/fixtures/data/semtest/windows_few.csv');\n"

/* Flink adds 10.1 and its like in the order of a Java map; COUNT and whole numbers don't show
 * it. */
TEST(sums_of_different_doubles)
{
	static const struct {
		const char *call;
		int err;
	} cases[] = {
		{"SUM(DISTINCT d)", -ENOTSUP},
		{"AVG(DISTINCT d)", -ENOTSUP},
		{"SUM(DISTINCT CAST(d AS FLOAT))", -ENOTSUP},
		{"SUM(DISTINCT n)", 0},
		{"COUNT(DISTINCT d)", 0},
		{"MAX(DISTINCT d)", 0},
		{"SUM(d)", 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct query_facts facts;
		struct arena arena;

		arena_init(&arena, ARENA_BYTES);
		CHECK(run_text(&arena,
			      text_format(&arena,
				      FEW "SELECT %s FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL "
					  "'1' MINUTE) GROUP BY window_start, window_end;\n",
				      cases[i].call),
			      &facts) == cases[i].err);
		arena_finish(&arena);
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct tally tally = {.verbose = true};

		replay_case(&tally, argv[i]);
	}
	if (argc > 1)
		return 0;
	RUN(watermark_references);
	RUN(semantics);
	RUN(window_references);
	RUN(watermark_mistakes);
	RUN(window_mistakes);
	RUN(more_watermark_cases);
	RUN(more_statements);
	RUN(format_statements);
	RUN(functions);
	RUN(facts_count_what_the_rows_do_not_show);
	RUN(delay_in_all_spellings);
	RUN(facts_without_rows);
	RUN(path_with_a_host_stays_visible);
	RUN(sums_of_different_doubles);
	return test_finish();
}
