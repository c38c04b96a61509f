/* What an error, a missing result, a saved file or a report's number tells: kinds of mistakes in
 * spellings that no recording has. The client is simulated, byte for byte (tests/test_replay.c);
 * what is expected is what was put in. */
#include "tests/diagnosed.h"

#include <fcntl.h>
#include <unistd.h>

#include "daemon/intake.h"

#define STREAM "SET 'execution.runtime-mode' = 'streaming';"
#define MODE   "SET 'sql-client.execution.result-mode' = 'tableau';\n"
#define GROUP  "GROUP BY window_start, window_end;"
#define LATE   "CURRENT_WATERMARK(ts) IS NOT NULL"
#define WINDOW "TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' MINUTE)"
#define CREATE "CREATE TABLE events ("

static const struct variant refused[] = {
	/* text that the client cannot read */
	{"watermark", "w5", {{"GROUP BY window", "GROUP\tBY window"}}, "tab-glued"},
	{"watermark", "w5", {{"AS cnt", "AS\tcnt"}}, "tab-glued"},
	{"watermark", "ddl", {{"WATERMARK FOR ts", "WATERMARK\tFOR\tts"}}, "tab-glued"},
	{"watermark", "w5", {{"GROUP BY", "GROPU BY"}}, "error-syntax=GROPU"},
	{"watermark", "w5", {{"cnt, SUM", "cnt SUM"}}, "error-syntax=cnt"},
	{"watermark", "w5", {{"AS total\n", "AS total,\n"}}, "error-syntax=comma-extra"},
	{"watermark", "w5", {{");\n\nSELECT", ")\n\nSELECT"}}, "error-syntax=semicolon"},
	{"watermark", "w5", {{"SELECT", "SELCT"}}, "error-syntax=SELCT"},
	{"watermark", "w5", {{"DESCRIPTOR(ts)", "ts"}}, "error-syntax=DESCRIPTOR"},
	{"watermark", "w5", {{"TABLE events,", "events,"}}, "error-syntax=TABLE"},
	{"watermark", "w5", {{"INTERVAL '1' MINUTE", "INTERVAL 1 MINUTE"}},
		"error-syntax=interval"},
	{"window", "hop", {{"INTERVAL '5' MINUTE, ", ""}}, "error-syntax=HOP"},
	{"watermark", "w5", {{"GROUP BY", "GROUP\u00a0BY"}}, "non-ascii-sql=no-break-blank"},
	{"watermark", "w5", {{"cnt, SUM", "cnt\uff0c SUM"}}, "non-ascii-sql=full-width"},
	{"watermark", "w5", {{"'1' MINUTE", "\u20181\u2019 MINUTE"}}, "non-ascii-sql=quotes"},
	{"watermark", "w5", {{"SET", "\ufeffSET"}}, "non-ascii-sql=BOM"},
	/* statements that are cut in the wrong place */
	{"watermark", "w5", {{STREAM, STREAM " -- as asked"}}, "comment-after-semicolon"},
	{"watermark", "w5", {{STREAM, STREAM " /* as asked */"}}, "comment-after-semicolon"},
	{"watermark", "w5", {{GROUP, GROUP " -- the end"}}, "comment-after-semicolon"},
	{"watermark", "w5", {{"'tableau';\nSET", "'tableau'; SET"}}, "error-syntax=one-line"},
	{"watermark", "w5", {{"'1' MINUTE", "'1 MINUTE"}}, "error-syntax=quote"},
	/* names */
	{"watermark", "w5", {{"SUM(reading)", "SUM(readings)"}}, "error-unknown-name=readings"},
	{"watermark", "w5", {{"TABLE events,", "TABLE event,"}}, "error-unknown-name=event"},
	{"watermark", "sweep", {{"TABLE events_30,", "TABLE event_30,"}},
		"error-unknown-name=event_30"},
	{"watermark", "late", {{"ts <= CURRENT_WATERMARK(ts)", "ts <= wm"}},
		"error-unknown-name=wm"},
	{"watermark", "ddl", {{CREATE, "DESCRIBE events;\n\n" CREATE}}, "create-missing=later"},
	{"watermark", "filtered", {{"TABLE on_time", "TABLE in_time"}}, "error-unknown-name"},
	{"watermark", "sweep", {{"CREATE TABLE events_30", "CREATE TABLE events_0"}},
		"create-conflict=table"},
	/* settings */
	{"watermark", "w5", {{MODE, ""}}, "no-tableau"},
	{"watermark", "w5", {{"'tableau'", "'table'"}}, "no-tableau"},
	{"watermark", "w5", {{MODE, ""}, {GROUP, GROUP "\n" MODE}}, "set-after-query"},
	{"watermark", "w5", {{"result-mode", "resultmode"}},
		"set-misspelt=key:sql-client.execution.resultmode"},
	{"watermark", "w5", {{"'tableau'", "'tablaeu'"}}, "set-misspelt"},
	{"watermark", "w5", {{MODE, "-- " MODE}}, "set-lost=commented"},
	{"watermark", "w5", {{CREATE, "RESET;\n" CREATE}}, "set-lost=reset"},
	/* the table */
	{"watermark", "w5", {{"watermark_events", "watermark_event"}}, "path"},
	{"watermark", "batch", {{"_events.csv", "_events.txt"}}, "path"},
	{"watermark", "w5", {{"filesystem", "filesytem"}}, "table-option=connector"},
	{"watermark", "w5", {{"'csv'\n", "'cvs'\n"}}, "table-option=format"},
	{"watermark", "w5", {{"'csv'\n", "'csv',\n  'delay' = '5 s'\n"}}, "table-option=delay"},
	{"watermark", "w5", {{"ts TIMESTAMP(3)", "ts STRING"}}, "ddl-columns=ts:STRING"},
	{"watermark", "w5", {{"reading INT", "reading STRING"}}, "ddl-columns=reading:STRING"},
	{"watermark", "w5", {{"FOR ts AS ts -", "FOR event_id AS event_id -"}},
		"no-time-attribute=event_id"},
	/* the query */
	{"watermark", "w5", {{"SUM(reading)", "SUM(sensor)"}}, "agg-column=sensor"},
	{"watermark", "w5", {{GROUP, "GROUP BY window_end;"}}, "group-key-missing=window_start"},
	{"watermark", "w5", {{GROUP, "GROUP BY window_start, window_end ORDER BY total;"}},
		"order-by=total"},
	{"watermark", "w5", {{"INTERVAL '1' MINUTE)", "INTERVAL '1' MINUTE, INTERVAL '1' MINUTE)"}},
		"offset=1min"},
	{"window", "hop",
		{{"INTERVAL '5' MINUTE, INTERVAL '10' MINUTE",
			"INTERVAL '10' MINUTE, INTERVAL '5' MINUTE"}},
		"window-args-swapped"},
	{"window", "hop", {{"'5' MINUTE", "'3' MINUTE"}}, "window-slide=3min"},
	{"window", "session", {{"'streaming'", "'batch'"}}, "batch-mode"},
	{"watermark", "late", {{"'streaming'", "'batch'"}}, "batch-mode"},
	{"watermark", "late", {{LATE, "CURRENT_WATERMARK('ts') IS NOT NULL"}},
		"error-syntax=CURRENT_WATERMARK"},
	{"watermark", "late", {{LATE, "CURRENT_WATERMARK(event_id) IS NOT NULL"}},
		"no-time-attribute=event_id"},
	/* statements of another kind */
	{"watermark", "w5",
		{{"SELECT window",
			"CREATE TABLE p (a TIMESTAMP(3), b TIMESTAMP(3), c BIGINT, d INT) "
			"WITH ('connector' = 'print');\nINSERT INTO p SELECT window"}},
		"sink-only"},
	{"watermark", "ddl", {{"DESCRIBE events;", "SHOW TABLES;"}}, "query-missing=DESCRIBE"},
	{"watermark", "ddl", {{"DESCRIBE events;", ""}}, "query-missing=DESCRIBE"},
	{"watermark", "w5",
		{{"SELECT window_start, window_end, COUNT(*) AS cnt, SUM(reading) AS total", ""},
			{"FROM " WINDOW "\n", ""}, {GROUP, ""}},
		"query-missing=SELECT"},
	/* several tables */
	{"watermark", "sweep", {{"TABLE events_30,", "TABLE events_0,"}}, "table-repeated=1"},
	{"watermark", "sweep",
		{{"TABLE events_0,", "TABLE events_x,"}, {"TABLE events_30,", "TABLE events_0,"},
			{"TABLE events_x,", "TABLE events_30,"}},
		"order-of-tables"},
};

/* Without the .sql: what the output alone leaves open is said to be open. */
static const struct variant echoed[] = {
	{"watermark", "w5", {{"GROUP BY window", "GROUP\tBY window"}}, "tab-glued, error-syntax"},
	{"watermark", "w5", {{"FROM TUMBLE", "FROM\tTUMBLE"}}, "tab-glued"},
	{"watermark", "w5", {{GROUP, GROUP " -- the end"}}, "comment-after-semicolon"},
	{"watermark", "w5", {{"'tableau';\nSET", "'tableau'; SET"}},
		"comment-after-semicolon, error-syntax"},
	{"watermark", "w5", {{MODE, ""}}, "no-tableau"},
	{"watermark", "late", {{"'streaming'", "'batch'"}}, "batch-mode"},
	{"watermark", "w5", {{"SUM(reading)", "SUM(readings)"}}, "error-unknown-name=readings"},
	{"watermark", "w5", {{"ts TIMESTAMP(3)", "ts STRING"}}, "ddl-columns=ts:STRING"},
	{"window", "hop", {{"'5' MINUTE", "'3' MINUTE"}}, "window-slide=3min"},
	/* behind the last bracket, and in front of it all, beside what the echo shows */
	{"watermark", "w5",
		{{"ts - INTERVAL '5' SECOND", "ts"},
			{GROUP, "GROUP BY window_start, window_end LIMIT 4;"}},
		"limit=4, delay=0s, where-extra"},
	{"watermark", "w5",
		{{GROUP, "GROUP BY window_start, window_end ORDER BY total DESC LIMIT 4;"}},
		"limit=4, order-by=total"},
	{"watermark", "slow", {{"'1 h'", "'10 s'"}, {"'5' SECOND", "'10' SECOND"}},
		"interval=10s, delay=10s"},
	/* each group is right: a condition on groups may be any */
	{"watermark", "w5",
		{{GROUP, "GROUP BY window_start, window_end HAVING MAX(reading) > 98;"}},
		"where-extra, unrecognised"},
};

TEST(a_refusal_or_a_missing_result_is_traced_to_its_cause)
{
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		check_variant(&labs, &refused[i], true);
	for (size_t i = 0; i < sizeof(echoed) / sizeof(echoed[0]); i++)
		check_variant(&labs, &echoed[i], false);
	labs_finish(&labs);
}

/* ---- files ---- */

/* What is saved beside the reference's SQL: the output of a step, lines of it only, changed. */
static const struct saving {
	const char *step, *of; /* whose output it is; NULL: nobody's */
	int from, to;	       /* lines, from 0; to 0: up to the end; negative: from the end */
	const char *with;      /* only lines with this; NULL: all */
	struct edit edits[2];
	const char *causes;
} savings[] = {
	{"w5", "w5", 0, 30, NULL, {{0}}, "truncated"},
	{"w5", "w5", -12, 0, NULL, {{0}}, "truncated"},
	{"w5", "w5", 0, 0, "|", {{0}}, "truncated=grep"},
	{"w5", "w5", 0, 0, "+I", {{0}}, "truncated=grep"},
	{"w5", NULL, 0, 0, NULL, {{"", ""}}, "empty-file"},
	{"w5", NULL, 0, 0, NULL, {{"", " \n\n"}}, "empty-file"},
	{"w5", NULL, 0, 0, NULL, {{"", "bash: sql-client.sh: command not found\n"}},
		"not-client-output"},
	{"w5", NULL, 0, 0, NULL,
		{{"", "Jul 06, 2026 9:00:00 AM org.jline.utils.Log logr\nWARNING: Unable to create "
		      "a "
		      "system terminal, creating a dumb terminal\n"}},
		"not-client-output=stderr"},
	{"w5", NULL, 0, 0, NULL, {{"", "SET 'a' = 'b';\nSELECT COUNT(*) FROM events;\n"}},
		"not-client-output=sql"},
	{"w5", NULL, 0, 0, NULL, {{"", "\n\n\nShutting down the session...\ndone.\n"}},
		"query-missing=file"},
	{"w5", "w5", 0, 0, NULL, {{"35 |        1807", "37 |        1807"}}, "edited-by-hand"},
	{"w5", "w5", 0, 0, NULL, {{"Received a total of 15", "Received a total of 14"}},
		"edited-by-hand"},
	{"w5", "late", 0, 0, NULL, {{0}}, "another-step=late"},
	{"w5", "slow", 0, 0, NULL, {{0}}, "another-step=slow, stale-output"}, /* SET is not shown */
	{"late", "w5", 0, 0, NULL, {{0}}, "another-step=w5"},
	{"w5", "ddl", 0, 0, NULL, {{0}}, "another-step=ddl"},
	{"ddl", "w5", 0, 0, NULL, {{0}}, "another-step=w5"},
	{"sweep", "w5", 0, 0, NULL, {{0}}, "another-step=w5"},
	{"w5", "sweep", 0, 0, NULL, {{0}}, "another-step=sweep"},
	/* a definition: the SQL above it makes another one; where it need not be that one's,
	 * nobody knows */
	{"ddl", "ddl", 0, 0, NULL, {{"` - INTERVAL '5' SECOND", "` - INTERVAL '9' SECOND"}},
		"edited-by-hand"},
	{"ddl", "ddl", 0, 0, NULL,
		{{"|  reading |                    INT", "|  reading |                 BIGINT"}},
		"edited-by-hand"},
	{"ddl", "ddl", 0, 0, NULL,
		{{"` - INTERVAL '5' SECOND", "` - INTERVAL '9' SECOND"},
			{"CREATE TABLE events", "CREATE TABLE IF NOT EXISTS events"}},
		"delay=9s"},
	{"ddl", "ddl", 0, 0, NULL,
		{{"` - INTERVAL '5' SECOND", "` - INTERVAL '9' SECOND"},
			{"Flink SQL> +--", "Flink SQL> [INFO] Execute statement "
					   "succeeded.\n\nFlink SQL> +--"}},
		"delay=9s"},
	{"ddl", "ddl", 0, 0, NULL,
		{{"ts - INTERVAL '5' SECOND", "ts - INTERVAL '9' SECOND"},
			{"` - INTERVAL '5' SECOND", "` - INTERVAL '9' SECOND"}},
		"delay=9s"},
};

static size_t count_lines(struct text t)
{
	struct text line;
	size_t count = 0;

	while (text_next_line(&t, &line))
		count++;
	return count;
}

static struct text choose_lines(struct arena *arena, struct text t, const struct saving *saving)
{
	size_t count = count_lines(t), number = 0;
	size_t from = saving->from < 0 ? count - (size_t)-saving->from : (size_t)saving->from;
	size_t to = saving->to ? (size_t)saving->to : count;
	struct text line, all = TEXT("");

	while (text_next_line(&t, &line)) {
		bool has = !saving->with || text_find(line, text_of(saving->with)) < line.len;

		if (has && number >= from && number < to)
			all = text_format(arena, "%.*s%.*s\n", TEXT_ARG(all), TEXT_ARG(line));
		number++;
	}
	return all;
}

static void check_saving(const struct loaded_lab *lab, const struct saving *saving)
{
	struct arena arena;
	struct submission *submissions;
	struct verdict verdict = {0};
	struct text out = TEXT(""), given;
	size_t step = lab_step(&lab->lab, text_of(saving->step));

	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	if (saving->of) {
		size_t of = lab_step(&lab->lab, text_of(saving->of));

		CHECK(run_client(&arena, lab->grader->data, lab->grader->expected[of].sql, &out));
		out = choose_lines(&arena, out, saving);
	}
	for (size_t i = 0; i < 2 && saving->edits[i].from; i++)
		out = saving->of ? edited(&arena, out, &saving->edits[i])
				 : text_of(saving->edits[i].to);
	submissions[step] = (struct submission){.out = {FILE_THERE, out, 0},
		.sql = {FILE_THERE, lab->grader->expected[step].sql, 0}};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(diagnose_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	given = printed_causes(&arena, &verdict);
	if (!is_one_of(given, text_of(saving->causes)))
		printf("# %s (%s): %s, but %.*s is named (%s)\n", saving->step,
			saving->edits[0].to ? saving->edits[0].to : "", saving->causes,
			TEXT_ARG(given), message_name(verdict.summary.id));
	CHECK(is_one_of(given, text_of(saving->causes)));
	arena_finish(&arena);
}

TEST(how_a_file_was_saved_is_told_from_the_file)
{
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	for (size_t i = 0; i < sizeof(savings) / sizeof(savings[0]); i++)
		check_saving(find_lab(&labs, "watermark"), &savings[i]);
	labs_finish(&labs);
}

/* The SQL was changed and not run again: beside the reference lies what this change of it
 * printed, and a part of that. */
static const struct older_run {
	const char *step;
	struct edit sql;
	const char *from; /* the output from here on; NULL: all of it */
	bool gone;	  /* there is no .sql any more */
	const char *causes;
} runs[] = {
	{"w5", {"'5' SECOND", "'10' SECOND"}, NULL, false, "delay=10s, stale-output"},
	{"w5", {"SUM(reading)", "SUM(event_id)"}, NULL, false, "agg-column=event_id, stale-output"},
	/* what the query was is not to be seen any more */
	{"w5", {"sensor STRING,\n  reading INT,", "reading INT,\n  sensor STRING,"}, "[ERROR]",
		true, "error-csv"},
	{"w5",
		{"FROM TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' MINUTE)",
			"FROM (SELECT FLOOR(ts TO HOUR) AS window_start, FLOOR(ts TO HOUR) AS "
			"window_end, reading FROM events)"},
		"+----+", true, "changelog"},
};

static void check_older(const struct loaded_lab *lab, const struct older_run *run)
{
	struct arena arena;
	struct submission *submissions;
	struct verdict verdict = {0};
	size_t step = lab_step(&lab->lab, text_of(run->step));
	struct text sql = lab->grader->expected[step].sql, out, given;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	CHECK(run_client(&arena, lab->grader->data, edited(&arena, sql, &run->sql), &out));
	if (run->from)
		out = text_slice(out, text_find(out, text_of(run->from)), out.len);
	submissions[step].out = (struct saved_file){FILE_THERE, out, 0};
	if (!run->gone)
		submissions[step].sql = (struct saved_file){FILE_THERE, sql, 0};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(diagnose_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	given = printed_causes(&arena, &verdict);
	if (!is_one_of(given, text_of(run->causes)))
		printf("# %s (%s): %s, but %.*s is named (%s)\n", run->step, run->sql.to,
			run->causes, TEXT_ARG(given), message_name(verdict.summary.id));
	CHECK(is_one_of(given, text_of(run->causes)));
	arena_finish(&arena);
}

TEST(an_output_of_older_sql_is_told)
{
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++)
		check_older(find_lab(&labs, "watermark"), &runs[i]);
	labs_finish(&labs);
}

/* The simulator refuses a part of the SQL: `run` is what printed the output, `instead` what stands
 * in the SQL, and in the echo, in its place; whatever REGEXP or the clock may say. */
#define SUMS	"SUM(reading) AS total"
#define ANY	"REGEXP(sensor, '.*')"
#define EXTRACT "SUM(CAST(REGEXP_EXTRACT(CAST(reading AS STRING), '.*', 0) AS INT)) AS total"
#define MINUTE	"INTERVAL '1' MINUTE)"
#define NO_DELAY                                                       \
	{                                                              \
		"ts - INTERVAL '5' SECOND", "ts - INTERVAL '0' SECOND" \
	}

static const struct outside {
	struct edit run[2], instead, cell;
	const char *causes;
} outside[] = {
	{{NO_DELAY}, {MINUTE, MINUTE "\nWHERE " ANY}, {0}, "delay=0s"},
	{{NO_DELAY}, {MINUTE, MINUTE "\nWHERE (RAND() >= 0)"}, {0}, "delay=0s"},
	{{NO_DELAY}, {MINUTE, MINUTE "\nWHERE (ts < CURRENT_TIMESTAMP)"}, {0}, "delay=0s"},
	{{NO_DELAY}, {"COUNT(*) AS", "COUNT(*) FILTER (WHERE " ANY ") AS"}, {0}, "delay=0s"},
	{{NO_DELAY}, {SUMS, EXTRACT}, {0}, "delay=0s"},
	{{{0}}, {MINUTE, MINUTE "\nWHERE " ANY}, {"35 |        1807", "37 |        1807"},
		"unrecognised"},
	{{{0}}, {MINUTE, MINUTE "\nWHERE " ANY}, {"35 |        1807", "35 |        1808"},
		"unrecognised"},
	{{{0}}, {"COUNT(*) AS", "COUNT(*) FILTER (WHERE " ANY ") AS"},
		{"35 |        1807", "37 |        1807"}, "unrecognised"},
	{{{0}}, {SUMS, EXTRACT}, {"35 |        1807", "37 |        1807"}, "unrecognised"},
	/* it is the cause, alone or beside another */
	{{{MINUTE, MINUTE "\nWHERE (sensor = 's1')"}}, {"(sensor = 's1')", "REGEXP(sensor, 's1')"},
		{0}, "where-extra"},
	{{{MINUTE, MINUTE "\nWHERE (sensor = 's1')"}, NO_DELAY},
		{"(sensor = 's1')", "REGEXP(sensor, 's1')"}, {0}, "delay=0s, where-extra"},
	{{{"COUNT(*) AS", "COUNT(*) FILTER (WHERE sensor = 's1') AS"}},
		{"sensor = 's1'", "REGEXP(sensor, 's1')"}, {0}, "where-extra=FILTER"},
	{{{SUMS, "SUM(reading * 2) AS total"}}, {"SUM(reading * 2) AS total", EXTRACT}, {0},
		"column-value"},
	{{{MINUTE, MINUTE "\nGROUP BY window_start, window_end\nHAVING (COUNT(*) > 45)"},
		 {"\nGROUP BY window_start, window_end;", ";"}},
		{"(COUNT(*) > 45)", "(REGEXP(CAST(COUNT(*) AS STRING), '[5-9].'))"}, {0},
		"where-extra=HAVING"},
};

static void check_outside(const struct loaded_lab *lab, const struct outside *c)
{
	struct arena arena;
	struct submission *submissions;
	struct verdict verdict = {0};
	size_t step = lab_step(&lab->lab, TEXT("w5"));
	struct text sql = lab->grader->expected[step].sql, out, given;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	for (size_t i = 0; i < 2 && c->run[i].from; i++)
		sql = edited(&arena, sql, &c->run[i]);
	CHECK(run_client(&arena, lab->grader->data, sql, &out));
	sql = edited(&arena, sql, &c->instead);
	out = edited(&arena, out, &c->instead);
	if (c->cell.from)
		out = edited(&arena, out, &c->cell);
	submissions[step] =
		(struct submission){.out = {FILE_THERE, out, 0}, .sql = {FILE_THERE, sql, 0}};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(verdict.kind == VERDICT_FAIL);
	CHECK(diagnose_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	given = printed_causes(&arena, &verdict);
	if (!is_one_of(given, text_of(c->causes)))
		printf("# %s: %s, but %.*s is named\n", c->instead.to, c->causes, TEXT_ARG(given));
	CHECK(is_one_of(given, text_of(c->causes)));
	arena_finish(&arena);
}

TEST(what_is_not_simulated_is_named_where_the_output_shows_it)
{
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	for (size_t i = 0; i < sizeof(outside) / sizeof(outside[0]); i++)
		check_outside(find_lab(&labs, "watermark"), &outside[i]);
	labs_finish(&labs);
}

/* Flink takes what is nested deeper than is simulated: nothing is said of it. */
TEST(what_is_nested_too_deep_is_not_called_refused)
{
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};
	struct arena arena;
	struct verdict verdict = {0};
	const struct loaded_lab *lab;
	struct submission *submissions;
	struct text sql, out, all = TEXT(MINUTE "\nWHERE reading IS NOT NULL");
	size_t step;

	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	lab = find_lab(&labs, "watermark");
	step = lab_step(&lab->lab, TEXT("w5"));
	sql = lab->grader->expected[step].sql;
	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	CHECK(run_client(&arena, lab->grader->data, sql, &out));
	for (int i = 0; i < 2 * LIMIT_NESTING; i++)
		all = text_format(&arena, "%.*s AND reading IS NOT NULL", TEXT_ARG(all));
	sql = edited(&arena, sql, &(struct edit){MINUTE, all.ptr});
	submissions[step] =
		(struct submission){.out = {FILE_THERE, out, 0}, .sql = {FILE_THERE, sql, 0}};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(verdict.kind == VERDICT_PASS && verdict.remark_count == 0);
	arena_finish(&arena);
	labs_finish(&labs);
}

/* ---- reports ---- */

/* Changes of a right report. Its numbers are those of the recorded report. */
static const struct variant reports[] = {
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": -15"}},
		"report-not-difference=sign"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": 585"}},
		"report-not-difference=dropped_5"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": 98"}},
		"report-late-for-dropped, report-from-other"},
	{"watermark", "report",
		{{"\"dropped_0\": 26", "\"dropped_0\": 98"},
			{"\"dropped_5\": 15", "\"dropped_5\": 98"}},
		"report-late-for-dropped, report-from-other"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": 77"}},
		"report-wrong=dropped_5"},
	{"watermark", "report", {{"\"late_rows_5\": 98", "\"late_rows_5\": 99"}},
		"report-counted-lines=late_rows_5"},
	{"watermark", "report", {{"\"total_rows\": 600", "\"total_rows\": 33012"}},
		"report-counted-lines=total_rows"},
	{"watermark", "report",
		{{"\"dropped_0\": 26", "\"dropped_0\": 15"},
			{"\"dropped_5\": 15", "\"dropped_5\": 26"}},
		"report-swapped=dropped_0/dropped_5"},
	{"watermark", "report",
		{{"\"dropped_0\": 26", "\"dropped_0\": 15"},
			{"\"dropped_5\": 15", "\"dropped_5\": 3"},
			{"\"dropped_30\": 3", "\"dropped_30\": 26"}},
		"report-swapped"},
	/* what follows from a wrong number is no mistake of its own */
	{"watermark", "report",
		{{"600", "601"}, {"\"dropped_0\": 26", "\"dropped_0\": 27"},
			{"\"dropped_5\": 15", "\"dropped_5\": 16"},
			{"3,\n  \"late_rows_5\": 98,\n  \"dropped_slow\": 0",
				"4,\n  \"late_rows_5\": 98,\n  \"dropped_slow\": 1"}},
		"report-wrong=total_rows"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": 2.5"}},
		"report-type=dropped_5:fraction"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": \"15\""}},
		"report-type=string"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": {\"n\": 15}"}},
		"report-shape=nested"},
	{"watermark", "report", {{"\"dropped_5\": 15,", ""}}, "report-missing-key=dropped_5"},
	{"watermark", "report", {{"\"dropped_5\"", "\"Dropped-5\""}}, "report-missing-key=case"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\": 15,\n\"dropped_5\": 16"}},
		"report-shape=key-twice"},
	{"watermark", "report", {{"{", "[{"}, {"}", "}]"}}, "report-shape=array"},
	{"watermark", "report", {{"600,", "600"}}, "report-not-json"},
	{"watermark", "report", {{"600", "0600"}}, "report-not-json=leading-zero"},
	{"watermark", "report", {{"\"total_rows\"", "// all\n\"total_rows\""}},
		"report-not-json=comment"},
	{"watermark", "report", {{"}", ""}}, "truncated"},
	{"watermark", "report", {{"\"dropped_5\": 15", "\"dropped_5\" : 15 "}}, "-"},
	{"window", "report", {{"1614", "1614000"}}, "report-unit=longest_session_sec"},
	{"window", "report", {{"1614", "27"}}, "report-unit=longest_session_sec"},
	{"window", "report", {{"\"hop_cnt_sum\": 238", "\"hop_cnt_sum\": 119"}},
		"report-from-other=hop_cnt_sum"},
	{"window", "report", {{"\"hop_cnt_sum\": 238", "\"hop_cnt_sum\": 20"}},
		"report-counted-lines=hop_cnt_sum"},
	{"window", "report", {{"\"cumulate_same_start\": 6", "\"cumulate_same_start\": 12"}},
		"report-counted-lines=cumulate_same_start"},
	{"window", "report", {{"84450", "x"}, {"29210", "84450"}, {"x", "29210"}},
		"report-swapped=top2_total/top3_amount"},
};

static void check_report(const struct labs *labs, const struct variant *variant)
{
	const struct loaded_lab *lab = find_lab(labs, variant->lab);
	struct arena arena;
	struct submission *submissions;
	struct verdict verdict = {0};
	struct intake intake = {0};
	struct text report, given;
	size_t step = lab_step(&lab->lab, TEXT("report"));
	int dirfd = open(RECORDED, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	CHECK(intake_read(&arena, dirfd,
		      text_format(&arena, "%s/ref/report.json", variant->lab).ptr, LIMIT_JSON_BYTES,
		      &intake, NULL) == 0);
	close(dirfd);
	report = intake.file.bytes;
	for (size_t i = 0; i < 4 && variant->edits[i].from; i++)
		report = edited(&arena, report, &variant->edits[i]);
	submissions[step] = (struct submission){.out = {FILE_THERE, report, 0}};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(diagnose_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	given = printed_causes(&arena, &verdict);
	if (!is_one_of(given, text_of(variant->causes)))
		printf("# %s (%s): %s, but %.*s is named (%s)\n", variant->lab,
			variant->edits[0].to, variant->causes, TEXT_ARG(given),
			message_name(verdict.summary.id));
	CHECK(is_one_of(given, text_of(variant->causes)));
	arena_finish(&arena);
}

TEST(a_wrong_number_is_explained_by_what_it_equals)
{
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++)
		check_report(&labs, &reports[i]);
	labs_finish(&labs);
}

/* ---- bounds ---- */

TEST(what_takes_too_long_is_left_and_said)
{
	struct labs labs = {0};
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	const struct loaded_lab *lab;
	struct arena arena;
	struct submission *submissions;
	struct verdict verdict = {0};
	struct diag diag = {0};
	struct text out = TEXT("");
	size_t step;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	CHECK(labs_load(&labs, &places, RECORDED "/root", NULL, true, &diag) == 0);
	lab = find_lab(&labs, "watermark");
	step = lab_step(&lab->lab, TEXT("w5"));
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	for (int i = 0; i <= LIMIT_DIAGNOSE_RESULTS; i++)
		out = text_format(&arena, "%.*sFlink SQL> [INFO] Execute statement succeeded.\n\n",
			TEXT_ARG(out));
	submissions[step] = (struct submission){.out = {FILE_THERE, out, 0}};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(diagnose_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(verdict.kind == VERDICT_FAIL && verdict.diagnosis_count == 0);
	CHECK(verdict.remark_count > 0 &&
		verdict.remarks[verdict.remark_count - 1].id == MSG_DIAGNOSIS_CUT);
	labs_finish(&labs);
	arena_finish(&arena);
}

int main(void)
{
	RUN(a_refusal_or_a_missing_result_is_traced_to_its_cause);
	RUN(how_a_file_was_saved_is_told_from_the_file);
	RUN(an_output_of_older_sql_is_told);
	RUN(what_is_not_simulated_is_named_where_the_output_shows_it);
	RUN(what_is_nested_too_deep_is_not_called_refused);
	RUN(a_wrong_number_is_explained_by_what_it_equals);
	RUN(what_takes_too_long_is_left_and_said);
	return test_finish();
}
