/* The SQL front end against real Flink: what it accepted, what it refused and where, how it cut
 * files into statements and printed watermarks again. The cases are the recordings; the few where
 * this front end must differ are named with their reason. */
#include "tests/test.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/sql.h"
#include "parser/transcript.h"

#define RECORDED "tests/recorded"
#define MEMORY	 (256u << 20)

static struct arena arena;

/* ---- One statement ---- */

/* Parses a file that holds one statement. */
static int parse(const char *sql, struct sql_statement *ret, struct diag *reterr)
{
	struct sql_script script;

	arena_finish(&arena);
	*reterr = (struct diag){0};
	if (sql_split(&arena, text_of(sql), &script, reterr) || script.count != 1)
		return -EIO;
	return sql_parse(&arena, &script.pieces[0], ret, reterr);
}

static bool accepts(const char *sql)
{
	struct sql_statement statement;
	struct diag diag;
	int err = parse(sql, &statement, &diag);

	if (err)
		printf("# %s: %d:%d: %s\n", sql, diag.line, diag.col, diag.text);
	return err == 0;
}

static bool refuses(const char *sql, int wanted, int line, int col)
{
	struct sql_statement statement;
	struct diag diag;
	int err = parse(sql, &statement, &diag);
	bool holds = err == wanted && diag.line == line && diag.col == col && diag.text[0];

	if (!holds)
		printf("# %s: %d at %d:%d: %s\n", sql, err, diag.line, diag.col, diag.text);
	return holds;
}

/* The first item of a SELECT. */
static const struct sql_expr *expression(const char *sql)
{
	static char text[4096];
	struct sql_statement statement;
	struct diag diag;

	snprintf(text, sizeof(text), "SELECT %s", sql);
	if (parse(text, &statement, &diag)) {
		printf("# %s: %s\n", sql, diag.text);
		return NULL;
	}
	return statement.query->items[0].expr;
}

static bool prints(const char *sql, const char *printed)
{
	const struct sql_expr *expr = expression(sql);
	struct text got = expr ? sql_expr_print(&arena, expr) : TEXT("");

	if (!text_eq(got, text_of(printed)))
		printf("# %s is printed as %.*s\n", sql, TEXT_ARG(got));
	return text_eq(got, text_of(printed));
}

/* ---- The recordings ---- */

struct tally {
	int files, accepted, outside, refused, placed, counted;
};

/* Where this front end differs from the recorded release, or the recording from a run, and why. */
static const struct {
	const char *path, *reason;
} exceptions[] = {
	{"versions/1.18.1/", "an older release has no FROM TUMBLE without TABLE( )"},
	{"versions/1.20.5/", "an older release has no FROM TUMBLE without TABLE( )"},
	{"semantics/errors_interval_precision.sql", "Flink sees it later, in the same statement"},
	{"watermark/mistakes/w5_descriptor_string/", "Flink fails by a ClassCastException"},
	{"format/stmt_help_clear_history.sql", "HELP and CLEAR leave no result in the output"},
	{"watermark/more/w5_ok_wrapped_120/", "a terminal cut the message of one statement in two"},
};

/* Where both refuse the same statement, but at another place. */
static const struct {
	const char *path, *reason;
} displaced[] = {
	{"format/set_forms_5.sql", "Flink joins two texts, and misses the '=' behind them"},
	{"mistakes/filtered_subquery_in_TABLE/", "Flink blames TABLE, not the bracket behind it"},
	{"more_sim/err_double_quotes.sql", "Flink blames the operator, not what stands behind it"},
	{"more_sim/err_equal_less.sql", "Flink blames the operator, not what stands behind it"},
	{"more_sim/err_bang_equal.sql", "Flink blames the operator, not what stands behind it"},
	{"mistakes/w5_fullwidth_space/", "Flink leaves out the empty line in front"},
};

static bool is_displaced(const char *path)
{
	for (size_t i = 0; i < sizeof(displaced) / sizeof(displaced[0]); i++)
		if (strstr(path, displaced[i].path))
			return true;
	return false;
}

static bool is_exception(const char *path)
{
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(exceptions[0]); i++)
		if (strstr(path, exceptions[i].path))
			return true;
	return false;
}

static struct text read_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	struct stat status;
	char *bytes;

	if (!file || fstat(fileno(file), &status)) {
		if (file)
			fclose(file);
		return (struct text){NULL, 0};
	}
	bytes = arena_alloc(&arena, (size_t)status.st_size + 1);
	if (fread(bytes, 1, (size_t)status.st_size, file) != (size_t)status.st_size)
		bytes = NULL;
	fclose(file);
	return (struct text){bytes, bytes ? (size_t)status.st_size : 0};
}

static bool has(struct text text, const char *what)
{
	return text_find(text, text_of(what)) < text.len;
}

static bool is_syntax_error(struct text error)
{
	return has(error, "sql.parser.impl.ParseException") || has(error, "TokenMgrError") ||
	       has(error, "only single statement supported") ||
	       has(error, "Non-query expression encountered in illegal context") ||
	       has(error, "Bang equal") || has(error, "'LIMIT start, count' is not allowed") ||
	       has(error, "Expecting alias, found character literal");
}

/* The number behind `what` in Flink's message, 0 where there is none. */
static int number_behind(struct text text, const char *what)
{
	size_t at = text_find(text, text_of(what)) + strlen(what), end = at;
	int64_t number = 0;

	while (end < text.len && text.ptr[end] >= '0' && text.ptr[end] <= '9')
		end++;
	return text_to_int64(text_slice(text, at, end), &number) ? 0 : (int)number;
}

/* Flink counts lines from the statement's first and leaves TABs out. */
static bool is_same_place(const struct sql_piece *piece, const struct diag *diag, struct text error)
{
	int line = number_behind(error, " at line "), col = number_behind(error, ", column ");

	if (!line)
		line = number_behind(error, "error at line ");
	if (!line || has(piece->source, "\t"))
		return true;
	return diag->line - piece->line + 1 == line && diag->col == col;
}

/* Statement number `refused` met the recorded error: a syntax error must be one here, at the same
 * place; all in front of it were accepted. */
static bool check_statements(const char *path, const struct sql_script *script, size_t refused,
	struct text error, struct tally *tally)
{
	for (size_t i = 0; i < script->count && i <= refused; i++) {
		bool wrong = i == refused && is_syntax_error(error);
		struct sql_statement statement;
		struct diag diag = {0};
		int err;

		if (!script->pieces[i].run)
			continue;
		err = sql_parse(&arena, &script->pieces[i], &statement, &diag);
		if ((err == -EINVAL) != wrong) {
			printf("# statement %zu: %d:%d: %s\n", i + 1, diag.line, diag.col,
				diag.text);
			return false;
		}
		tally->accepted += err == 0;
		tally->outside += err == -ENOTSUP;
		tally->refused += wrong;
		if (!wrong)
			continue;
		if (!is_displaced(path) && !is_same_place(&script->pieces[i], &diag, error)) {
			printf("# %d:%d, but: %.*s\n", diag.line, diag.col, TEXT_ARG(error));
			return false;
		}
		tally->placed += has(error, " at line ");
	}
	return true;
}

static size_t count_run(const struct sql_script *script)
{
	size_t count = 0;

	for (size_t i = 0; i < script->count; i++)
		count += script->pieces[i].run;
	return count;
}

/* A run of the client over the whole of this file: one result a statement. */
static bool is_plain_run(const char *path, const struct transcript *transcript)
{
	return transcript->client && transcript->complete && transcript->count &&
	       !transcript->interrupted && !(transcript->remarks & REMARK_SESSIONS) &&
	       !strstr(path, "mistakes") && !strstr(path, "init") && !strstr(path, "stmt_help") &&
	       !strstr(path, "stmt_quit") && !strstr(path, "stmt_exit") &&
	       !strstr(path, "interactive") && !strstr(path, "w5_cut_60");
}

static bool check_pair(const char *path, struct text sql, struct text out, struct tally *tally)
{
	struct sql_script script;
	struct transcript transcript;
	struct diag diag = {0};
	size_t error = 0;

	if (sql_split(&arena, sql, &script, &diag) ||
		transcript_parse(&arena, NULL, out, &transcript, &diag))
		return false;
	while (error < transcript.count && transcript.results[error].kind != RESULT_ERROR)
		error++;
	if (error == transcript.count && is_plain_run(path, &transcript)) {
		tally->counted++;
		if (count_run(&script) != transcript.count) {
			printf("# %s: %zu statements, %zu results\n", path, count_run(&script),
				transcript.count);
			return false;
		}
	}
	if (error < transcript.count)
		return check_statements(
			path, &script, error, transcript.results[error].text, tally);
	return check_statements(path, &script, script.count, TEXT(""), tally);
}

static bool check_file(const char *path, struct tally *tally)
{
	char out_path[1024];
	size_t len = strlen(path);
	struct text sql, out;
	bool holds;

	if (len < 4 || strcmp(path + len - 4, ".sql") || is_exception(path))
		return true;
	snprintf(out_path, sizeof(out_path), "%.*s.out", (int)(len - 4), path);
	arena_finish(&arena);
	sql = read_file(path);
	out = read_file(out_path);
	if (!sql.ptr || !out.ptr)
		return true;
	tally->files++;
	holds = check_pair(path, sql, out, tally);
	if (!holds)
		printf("# in %s\n", path);
	return holds;
}

static bool check_folder(const char *path, struct tally *tally)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	char inner[1024];
	bool holds = true;

	if (!folder)
		return false;
	while ((entry = readdir(folder))) {
		snprintf(inner, sizeof(inner), "%s/%s", path, entry->d_name);
		if (entry->d_name[0] == '.')
			continue;
		if (entry->d_type == DT_DIR)
			holds &= check_folder(inner, tally);
		else
			holds &= check_file(inner, tally);
	}
	closedir(folder);
	return holds;
}

TEST(recorded_statements_are_accepted_and_refused_as_by_flink)
{
	struct tally tally = {0};

	CHECK(check_folder(RECORDED, &tally));
	printf("# %d files: %d statements accepted, %d outside, %d refused, %d of them at the same "
	       "place; %d files with a result for each statement\n",
		tally.files, tally.accepted, tally.outside, tally.refused, tally.placed,
		tally.counted);
	CHECK(tally.files > 700);
	CHECK(tally.accepted > 2500);
	CHECK(tally.refused >= 25);
	CHECK(tally.placed >= 20);
	CHECK(tally.outside < 12);
	CHECK(tally.counted > 150);
}

/* ---- Cutting ---- */

/* The pieces' sources, each followed by a '|', or by a '~' where it is not run. */
static bool cuts(const char *sql, const char *wanted)
{
	static char got[4096];
	struct sql_script script;
	struct diag diag;
	size_t len = 0;

	arena_finish(&arena);
	if (sql_split(&arena, text_of(sql), &script, &diag))
		return false;
	got[0] = '\0';
	for (size_t i = 0; i < script.count; i++)
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%.*s%c",
			TEXT_ARG(script.pieces[i].source), script.pieces[i].run ? '|' : '~');
	if (strcmp(got, wanted))
		printf("# %s\n", got);
	return strcmp(got, wanted) == 0;
}

TEST(a_file_is_cut_where_a_line_ends_in_a_semicolon)
{
	CHECK(cuts("", ""));
	CHECK(cuts(" \n\t\n", ""));
	CHECK(cuts("a;\nb;\n", "a|b|"));
	CHECK(cuts("a;\n\nb;\n", "a|\nb|"));
	CHECK(cuts("a;  \n  b ;", "a|  b |"));
	CHECK(cuts("a; b;", "a; b|"));
	CHECK(cuts("a\nb", "a\nb|"));
	CHECK(cuts("a;\r\nb;\r\n", "a|b|"));
	CHECK(cuts(";", "|"));
	CHECK(cuts("a;;", "a;|"));
}

TEST(semicolons_in_quotes_and_comments_end_nothing)
{
	CHECK(cuts("'a;\nb';\n", "'a;\nb'|"));
	CHECK(cuts("'it''s;';\nb;", "'it''s;'|b|"));
	CHECK(cuts("-- a;\nb;", "-- a;\nb|"));
	CHECK(cuts("/* a;\n*/ b;", "/* a;\n*/ b|"));
	CHECK(cuts("`a;`;\nb;", "`a;`|b|"));
	CHECK(cuts("a -- '\n;\nb;", "a -- '\n|b|"));
	CHECK(cuts("a /* ' */;\nb;", "a /* ' */|b|"));
}

TEST(a_comment_behind_the_semicolon_joins_statements)
{
	CHECK(cuts("a; -- x\nb;", "a; -- x\nb|"));
	CHECK(cuts("a; /* x */\nb;", "a; /* x */\nb|"));
	CHECK(cuts("a;\nb; -- x", "a|b; -- x;~"));
	CHECK(cuts("a;\n-- x", "a|-- x;~"));
	CHECK(cuts("a;\n/* x */", "a|/* x */|"));
	CHECK(cuts("a;\n'b;\nc;", "a|'b;\nc;~"));
}

TEST(a_statement_set_goes_on_until_end)
{
	CHECK(cuts("EXECUTE STATEMENT SET\nBEGIN\nINSERT a;\nINSERT b;\nEND;\nc;",
		"EXECUTE STATEMENT SET\nBEGIN\nINSERT a;\nINSERT b;\nEND|c|"));
	CHECK(cuts("BEGIN STATEMENT SET;\nINSERT a;\nEND;", "BEGIN STATEMENT SET|INSERT a|END|"));
	CHECK(cuts("-- x\nexecute statement set begin\na;\nend;",
		"-- x\nexecute statement set begin\na;\nend|"));
}

TEST(pieces_know_their_place)
{
	struct sql_script script;
	struct diag diag;

	arena_finish(&arena);
	CHECK(sql_split(&arena, TEXT("\n  a;\n\nb\nc;\nd;"), &script, &diag) == 0);
	CHECK(script.count == 3);
	CHECK(script.pieces[0].line == 2 && script.pieces[0].col == 3);
	CHECK(script.pieces[1].line == 3 && script.pieces[1].col == 1);
	CHECK(script.pieces[2].line == 6 && script.pieces[2].col == 1);
}

/* ---- Positions and errors ---- */

TEST(errors_have_the_place_in_the_file)
{
	CHECK(refuses("\n\nSELECT\n  1 AS\n", -EINVAL, 4, 7));
	CHECK(refuses("SELECT 'あ', AS FROM t", -EINVAL, 1, 13));
	CHECK(refuses("SELECT\t1 AS\tx y", -EINVAL, 1, 1));
	CHECK(refuses("SELECT 1\t+ + FROM t", -EINVAL, 1, 14));
	CHECK(refuses("SELECT a\r\nFROM", -EINVAL, 2, 5));
}

TEST(characters_that_only_look_like_sql_are_named)
{
	struct sql_statement statement;
	struct diag diag;

	CHECK(parse("SELECT\u30001 AS a", &statement, &diag) == -EINVAL);
	CHECK(strstr(diag.text, "U+3000") && diag.line == 1 && diag.col == 7);
	CHECK(parse("SELECT 1\uff1b", &statement, &diag) == -EINVAL);
	CHECK(strstr(diag.text, "U+FF1B") && diag.col == 9);
	CHECK(parse("\ufeffSELECT 1", &statement, &diag) == -EINVAL);
	CHECK(strstr(diag.text, "U+FEFF") && diag.col == 1);
	CHECK(parse("SELECT a\u00a0FROM t", &statement, &diag) == -EINVAL);
	CHECK(strstr(diag.text, "U+00A0") && diag.col == 9);
	CHECK(accepts("SELECT '\u3000\u2018' AS `件数` -- \uff1b"));
	CHECK(accepts("SELECT 1 AS 件数, 2 AS größe"));
}

TEST(reserved_words_are_no_names)
{
	static const char *const reserved[] = {"count", "value", "groups", "user", "order", "start",
		"end", "result", "second", "year", "rank", "sum", "date", "timestamp", "table",
		"row", "rows", "interval", "comment", "hash", "tables", "string", "method",
		"language"};
	static const char *const free[] = {"cnt", "total", "name", "type", "source", "key", "data",
		"week", "seconds", "quarter", "status", "level", "session", "tumble", "hop", "size",
		"first", "last", "view", "metadata", "zone", "temporary", "desc", "plan"};
	char sql[64];

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT 1 AS %s", reserved[i]);
		CHECK(refuses(sql, -EINVAL, 1, 13));
		snprintf(sql, sizeof(sql), "SELECT 1 AS `%s`", reserved[i]);
		CHECK(accepts(sql));
	}
	for (size_t i = 0; i < sizeof(free) / sizeof(free[0]); i++) {
		snprintf(sql, sizeof(sql), "SELECT %s FROM t AS %s", free[i], free[i]);
		CHECK(accepts(sql));
	}
}

/* They are searched by halves. */
TEST(word_tables_are_in_order)
{
	struct text rest, line, word, last = TEXT("");
	int compared = 0;

	arena_finish(&arena);
	rest = read_file("parser/sql_word.c");
	while (text_next_line(&rest, &line)) {
		if (text_ends(line, TEXT("[] = {")))
			last = TEXT("");
		while (text_starts(text_trim_left(line), TEXT("\"")) ||
			text_starts(text_trim_left(line), TEXT("{\""))) {
			line = text_slice(line, text_find(line, TEXT("\"")) + 1, line.len);
			word = text_slice(line, 0, text_find(line, TEXT("\"")));
			line = text_slice(line, word.len + 2, line.len);
			CHECK(text_cmp(last, word) < 0);
			last = word;
			compared++;
		}
	}
	CHECK(compared > 400);
}

TEST(what_is_outside_is_named)
{
	CHECK(refuses("SELECT * FROM t, LATERAL TABLE(f(a))", -ENOTSUP, 1, 18));
	CHECK(refuses("SELECT * FROM t MATCH_RECOGNIZE (x)", -ENOTSUP, 1, 17));
	CHECK(refuses("SELECT x'00'", -ENOTSUP, 1, 8));
	CHECK(refuses("SELECT * FROM t AS u (a, b)", -ENOTSUP, 1, 22));
	CHECK(refuses("WITH w (a) AS (SELECT 1) SELECT * FROM w", -ENOTSUP, 1, 8));
	CHECK(refuses("SELECT INTERVAL (1 + 1) SECOND", -ENOTSUP, 1, 8));
	CHECK(refuses("SELECT a FROM t WHERE a SIMILAR TO 'x'", -ENOTSUP, 1, 25));
}

/* Flink takes more: what is deeper is no error of its. */
TEST(depth_is_bounded)
{
	char sql[2048] = "SELECT ";
	size_t len = strlen(sql);

	for (int i = 0; i < 101; i++)
		sql[len++] = '(';
	sql[len] = '\0';
	CHECK(refuses(sql, -ENOTSUP, 1, 108));
	len = (size_t)snprintf(sql, sizeof(sql), "SELECT 1");
	for (int i = 0; i < 200; i++)
		len += (size_t)snprintf(sql + len, sizeof(sql) - len, " + 1");
	CHECK(refuses(sql, -ENOTSUP, 1, 8));
	len = (size_t)snprintf(sql, sizeof(sql), "SELECT ");
	for (int i = 0; i < 200; i++)
		len += (size_t)snprintf(sql + len, sizeof(sql) - len, "NOT ");
	snprintf(sql + len, sizeof(sql) - len, "a");
	CHECK(refuses(sql, -ENOTSUP, 1, 408));
}

TEST(a_larger_file_is_refused)
{
	struct sql_script script = {0};
	struct diag diag;
	char *large = calloc(1, LIMIT_SQL_BYTES + 2);

	memset(large, 'a', LIMIT_SQL_BYTES + 1);
	arena_finish(&arena);
	CHECK(sql_split(&arena, text_of(large), &script, &diag) == -EFBIG);
	large[LIMIT_SQL_BYTES] = '\0';
	CHECK(sql_split(&arena, text_of(large), &script, &diag) == 0);
	CHECK(script.count == 1);
	free(large);
}

TEST(lack_of_memory_is_reported)
{
	static const char sql[] =
		"SELECT a, COUNT(*) FROM TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' "
		"MINUTE) WHERE b = 'it''s' GROUP BY a ORDER BY a LIMIT 3";
	struct sql_script script;
	struct sql_statement statement;
	struct diag diag;
	int failures = 0, err = -ENOMEM;

	for (size_t limit = 0; err == -ENOMEM; limit += 64) {
		struct arena small;

		arena_init(&small, limit);
		err = sql_split(&small, text_of(sql), &script, &diag);
		if (!err)
			err = sql_parse(&small, &script.pieces[0], &statement, &diag);
		failures += err == -ENOMEM;
		arena_finish(&small);
	}
	CHECK(err == 0);
	CHECK(failures > 10);
}

/* Every beginning of a statement is parsed or refused, and nothing else happens. */
TEST(truncated_statements_are_refused_cleanly)
{
	static const char sql[] =
		"CREATE TEMPORARY TABLE IF NOT EXISTS c.d.t (a INT NOT NULL COMMENT 'x', b AS a + "
		"CASE WHEN a > 1 THEN 2 ELSE 3 END, c ROW<x INT, y ARRAY<STRING>> METADATA FROM "
		"'k' "
		"VIRTUAL, ts TIMESTAMP(3), WATERMARK FOR ts AS ts - INTERVAL '00:05' MINUTE TO "
		"SECOND(3), PRIMARY KEY (a) NOT ENFORCED) COMMENT 'あ' WITH ('k' = 'v') LIKE x "
		"(OVERWRITING WATERMARKS)";
	char part[sizeof(sql)];
	struct sql_statement statement;
	struct diag diag;
	int accepted = 0;

	for (size_t len = 1; len < sizeof(sql); len++) {
		snprintf(part, sizeof(part), "%.*s", (int)len, sql);
		accepted += parse(part, &statement, &diag) == 0;
	}
	CHECK(accepted >= 3);
	CHECK(accepts(sql));
}

/* ---- Statements ---- */

static bool sets(const char *sql, const char *key, const char *value)
{
	struct sql_statement statement;
	struct diag diag;

	return parse(sql, &statement, &diag) == 0 && statement.kind == STMT_SET &&
	       text_eq(statement.key, text_of(key)) && text_eq(statement.value, text_of(value));
}

TEST(set_has_four_forms)
{
	CHECK(sets("SET 'a.b' = 'c d';", "a.b", "c d"));
	CHECK(sets("SET a.b = c;", "a.b", "c"));
	CHECK(sets("set a.b=c", "a.b", "c"));
	CHECK(sets("SET a.b = 'c d'", "a.b", "c d"));
	CHECK(sets("SET \"a\" = \"b\"", "\"a\"", "\"b\""));
	CHECK(sets("-- x\nSET 'a' = ''", "a", ""));
	CHECK(sets("SET", "", ""));
	CHECK(refuses("SET 'a' = b", -EINVAL, 1, 11));
	CHECK(refuses("SET 'a' 'b'", -EINVAL, 1, 12));
	CHECK(refuses("SET 'a' = \"b\"", -EINVAL, 1, 11));
}

static bool is_kind(
	const char *sql, enum sql_statement_kind kind, const char *name, const char *what)
{
	struct sql_statement statement;
	struct diag diag;
	int err = parse(sql, &statement, &diag);

	if (err)
		printf("# %s: %s\n", sql, diag.text);
	return err == 0 && statement.kind == kind && text_eq(statement.name, text_of(name)) &&
	       text_eq(statement.what, text_of(what));
}

TEST(statements_are_told_apart)
{
	CHECK(is_kind("RESET", STMT_RESET, "", ""));
	CHECK(is_kind("RESET 'a'", STMT_RESET, "", ""));
	CHECK(is_kind("DROP TEMPORARY VIEW IF EXISTS a.b.v", STMT_DROP, "v", ""));
	CHECK(is_kind("DESC EXTENDED `t x`", STMT_DESCRIBE, "t x", ""));
	CHECK(is_kind("DESCRIBE CATALOG c", STMT_OTHER, "c", "DESCRIBE CATALOG"));
	CHECK(is_kind("DESCRIBE catalog", STMT_DESCRIBE, "catalog", ""));
	CHECK(is_kind("EXPLAIN PLAN FOR SELECT 1", STMT_EXPLAIN, "", ""));
	CHECK(is_kind("EXPLAIN ESTIMATED_COST, CHANGELOG_MODE SELECT 1", STMT_EXPLAIN, "", ""));
	CHECK(is_kind("INSERT INTO s (a, b) SELECT 1, 2", STMT_INSERT, "s", ""));
	CHECK(is_kind("INSERT OVERWRITE s (SELECT 1)", STMT_INSERT, "s", ""));
	CHECK(is_kind("SHOW TABLES LIKE 'a%'", STMT_SHOW, "", "TABLES"));
	CHECK(is_kind("show create table c.d.t", STMT_SHOW, "t", "CREATE TABLE"));
	CHECK(is_kind("SHOW COLUMNS FROM t LIKE 'b%'", STMT_SHOW, "t", "COLUMNS"));
	CHECK(is_kind("SHOW CURRENT CATALOG", STMT_SHOW, "", "CURRENT CATALOG"));
	CHECK(is_kind("quit", STMT_QUIT, "", ""));
	CHECK(is_kind("USE CATALOG c", STMT_OTHER, "c", "USE CATALOG"));
	CHECK(is_kind("USE d", STMT_OTHER, "d", "USE D"));
	CHECK(is_kind("CREATE DATABASE IF NOT EXISTS d", STMT_OTHER, "d", "CREATE DATABASE"));
	CHECK(is_kind("CREATE DATABASE d WITH ('a' = 'b')", STMT_OTHER, "", "CREATE DATABASE"));
	CHECK(is_kind("ALTER TABLE t RENAME TO u", STMT_ALTER_RENAME, "t", ""));
	CHECK(is_kind("ALTER TABLE t RENAME a TO b", STMT_OTHER, "", "ALTER TABLE"));
	CHECK(is_kind("ALTER TABLE a.t SET ('k' = 'v')", STMT_ALTER_OPTIONS, "t", ""));
	CHECK(is_kind("ALTER TABLE t DROP WATERMARK", STMT_ALTER_NO_WATERMARK, "t", ""));
	CHECK(is_kind("CREATE VIEW v (a, b) AS SELECT 1, 2", STMT_CREATE_VIEW, "v", ""));
	CHECK(is_kind(
		"ALTER TABLE t MODIFY (WATERMARK FOR ts AS ts)", STMT_ALTER_WATERMARK, "t", ""));
	CHECK(refuses("SET 'a';", -EINVAL, 1, 8));
	CHECK(refuses("SET 'a' 'b';", -EINVAL, 1, 12));
	CHECK(refuses("SHOW", -EINVAL, 1, 5));
	CHECK(refuses("SHOW ME", -EINVAL, 1, 6));
	CHECK(refuses("SELEC 1", -EINVAL, 1, 1));
	CHECK(refuses("EXPLAIN NOTHING SELECT 1", -EINVAL, 1, 9));
}

TEST(create_table_keeps_everything)
{
	struct sql_statement statement;
	struct sql_create_table *create;
	struct diag diag;

	CHECK(parse("CREATE TABLE IF NOT EXISTS t (\n WATERMARK FOR ts AS ts - INTERVAL '5' "
		    "SECOND,\n"
		    " a BIGINT NOT NULL PRIMARY KEY NOT ENFORCED,\n b AS a * 2,\n"
		    " ts TIMESTAMP(3) METADATA FROM 'k' VIRTUAL) WITH ('x' = 'it''s')",
		      &statement, &diag) == 0);
	create = statement.create;
	CHECK(create->if_not_exists && !create->temporary && create->column_count == 3);
	CHECK(create->has_watermark && text_eq(create->watermark_column, TEXT("ts")));
	CHECK(create->watermark_pos.line == 2 && create->watermark_pos.col == 2);
	CHECK(create->columns[0].primary_key && create->columns[0].type.not_null);
	CHECK(create->columns[0].type.kind == SQL_BIGINT && create->columns[0].pos.line == 3);
	CHECK(create->columns[1].kind == COLUMN_COMPUTED &&
		create->columns[1].expr->op == SQL_OP_MUL);
	CHECK(create->columns[2].kind == COLUMN_METADATA && create->columns[2].is_virtual);
	CHECK(text_eq(create->columns[2].metadata, TEXT("k")));
	CHECK(create->columns[2].type.precision == 3);
	CHECK(create->option_count == 1 && text_eq(create->options[0].value, TEXT("it's")));
	CHECK(refuses("CREATE TABLE t (a, b) WITH ('a' = 'b')", -EINVAL, 1, 16));
	CHECK(parse("CREATE TABLE t LIKE u (EXCLUDING OPTIONS OVERWRITING WATERMARKS)", &statement,
		      &diag) == 0);
	CHECK(statement.create->like_excluding_options);
	CHECK(statement.create->like_overwriting_watermarks);
	CHECK(text_eq(statement.create->like, TEXT("u")));
}

TEST(queries_keep_their_parts)
{
	struct sql_statement statement;
	struct sql_query *query;
	struct diag diag;

	CHECK(parse("WITH w AS (SELECT 1) SELECT DISTINCT a x, t.*, b AS `y z` FROM w AS t WHERE a "
		    "> 1 "
		    "GROUP BY a, ROLLUP (b) HAVING COUNT(*) > 1 QUALIFY r = 1 "
		    "ORDER BY a DESC NULLS LAST, b LIMIT 3 OFFSET 2",
		      &statement, &diag) == 0);
	query = statement.query;
	CHECK(query->with && text_eq(query->with->name, TEXT("w")) && query->distinct);
	CHECK(query->item_count == 3 && text_eq(query->items[0].alias, TEXT("x")));
	CHECK(query->items[1].expr->kind == EXPR_STAR);
	CHECK(text_eq(query->items[1].expr->qualifier, TEXT("t")));
	CHECK(text_eq(query->items[2].alias, TEXT("y z")));
	CHECK(query->from->kind == REL_NAME && text_eq(query->from->alias, TEXT("t")));
	CHECK(query->grouped && query->grouping_sets && query->group_count == 2);
	CHECK(query->where && query->having && query->qualify);
	CHECK(query->order->descending && query->order->nulls_given && !query->order->nulls_first);
	CHECK(query->order->next && !query->order->next->descending);
	CHECK(query->limit->value.i == 3 && query->offset->value.i == 2);

	CHECK(parse("(SELECT 1) UNION ALL SELECT 2 UNION SELECT 3 ORDER BY 1", &statement, &diag) ==
		0);
	CHECK(statement.query->kind == QUERY_UNION && statement.query->order);
	CHECK(statement.query->left->kind == QUERY_UNION_ALL);
	CHECK(parse("SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS t(x, y)", &statement, &diag) ==
		0);
	CHECK(statement.query->from->kind == REL_VALUES &&
		statement.query->from->column_count == 2);
	CHECK(statement.query->from->query->row_count == 2);
	CHECK(statement.query->from->query->rows[0]->arg_count == 2);
	CHECK(parse("SELECT * FROM a LEFT JOIN b ON a.x = b.x, c", &statement, &diag) == 0);
	CHECK(statement.query->from->kind == REL_JOIN);
	CHECK(parse("SELECT * FROM t /*+ OPTIONS('a' = 'b') */ AS u", &statement, &diag) == 0);
	CHECK(statement.query->from->hinted && text_eq(statement.query->from->alias, TEXT("u")));
}

/* FROM function(...): the call; the statement must be accepted. */
static const struct sql_expr *window(const char *function)
{
	static char text[1024];
	struct sql_statement statement;
	struct diag diag;

	snprintf(text, sizeof(text), "SELECT * FROM %s", function);
	if (parse(text, &statement, &diag) || statement.query->from->kind != REL_FUNCTION)
		return NULL;
	return statement.query->from->call;
}

TEST(window_functions_have_two_forms)
{
	const struct sql_expr *call =
		window("TUMBLE(TABLE a.b.t, DESCRIPTOR(ts), INTERVAL '1' MINUTE)");

	CHECK(call && text_eq(call->name, TEXT("TUMBLE")) && call->arg_count == 3);
	CHECK(call->args[0]->kind == EXPR_TABLE && text_eq(call->args[0]->name, TEXT("t")));
	CHECK(call->args[1]->kind == EXPR_DESCRIPTOR);
	CHECK(call->args[2]->value.i == 60000);
	call = window(
		"TABLE(hop(DATA => TABLE t, SLIDE => INTERVAL '1' HOUR, `OFFSET` => INTERVAL '1' "
		"DAY)) AS w");
	CHECK(call && text_eq(call->name, TEXT("HOP")));
	CHECK(text_eq(call->args[0]->arg_name, TEXT("DATA")));
	CHECK(text_eq(call->args[2]->arg_name, TEXT("OFFSET")));
	call = window("SESSION(TABLE t PARTITION BY (k, g), DESCRIPTOR(ts), INTERVAL '1' MINUTE)");
	CHECK(call && call->args[0]->partition_count == 2);
	call = window("TUMBLE((SELECT * FROM t), DESCRIPTOR(ts), INTERVAL '1' MINUTE)");
	CHECK(call && call->args[0]->kind == EXPR_QUERY);
}

/* ---- Expressions ---- */

TEST(operators_bind_as_in_flink)
{
	CHECK(prints("a OR b AND NOT c = 1", "`a` OR `b` AND NOT `c` = 1"));
	CHECK(prints("(a OR b) AND c", "(`a` OR `b`) AND `c`"));
	CHECK(prints("a - (b - c)", "`a` - (`b` - `c`)"));
	CHECK(prints("(a - b) - c", "`a` - `b` - `c`"));
	CHECK(prints("a + b * -c", "`a` + `b` * -`c`"));
	CHECK(prints("a BETWEEN 1 AND 2 AND b", "`a` BETWEEN 1 AND 2 AND `b`"));
	CHECK(prints("a NOT IN (1, 2)", "NOT `a` IN (1, 2)"));
	CHECK(prints("a = b IS NULL", "`a` = `b` IS NULL"));
	CHECK(expression("a = b IS NULL")->op == SQL_OP_IS_NULL);
	CHECK(expression("a = b BETWEEN 1 AND 2")->op == SQL_OP_EQ);
	CHECK(expression("a NOT LIKE 'x' OR b")->op == SQL_OP_OR);
	CHECK(expression("ts > CURRENT_WATERMARK(ts) OR c IS NULL")->op == SQL_OP_OR);
	CHECK(prints("- -1", "-(-1)"));
}

TEST(literals_have_flinks_types)
{
	CHECK(expression("2147483647")->type.kind == SQL_INT);
	CHECK(expression("2147483648")->type.kind == SQL_BIGINT);
	CHECK(expression("9223372036854775808")->type.kind == SQL_DECIMAL);
	CHECK(expression("1.50")->type.precision == 3 && expression("1.50")->type.scale == 2);
	CHECK(expression("1.50")->value.dec == 150);
	CHECK(expression("0.001")->type.precision == 4 && expression("0.001")->type.scale == 3);
	CHECK(expression("1e3")->type.kind == SQL_DOUBLE);
	CHECK(text_eq(expression("'it''s'")->value.s, TEXT("it's")));
	CHECK(expression("'あい'")->type.precision == 2);
	CHECK(expression("NULL")->value.null && expression("NULL")->type.kind == SQL_NULL);
	CHECK(expression("TRUE")->value.i == 1);
	CHECK(expression("TIMESTAMP '1970-01-01 00:00:01.5'")->value.i == 1500);
	CHECK(expression("DATE '1970-01-02'")->value.i == 1);
	CHECK(refuses("SELECT TIMESTAMP '2026-13-01 00:00:00'", -EINVAL, 1, 8));
}

static bool lasts(const char *interval, int64_t value)
{
	const struct sql_expr *expr = expression(interval);

	return expr && expr->kind == EXPR_INTERVAL && expr->value.i == value;
}

TEST(intervals_are_added_up)
{
	CHECK(lasts("INTERVAL '5' SECOND", 5000));
	CHECK(lasts("INTERVAL '0.5' SECONDS", 500));
	CHECK(lasts("INTERVAL '1.2345' SECOND", 1234));
	CHECK(lasts("INTERVAL '1' MINUTE", 60000));
	CHECK(lasts("INTERVAL '2' HOUR", 7200000));
	CHECK(lasts("INTERVAL '1' DAY", 86400000));
	CHECK(lasts("INTERVAL '1' WEEK", 604800000));
	CHECK(lasts("INTERVAL '00:05' MINUTE TO SECOND", 5000));
	CHECK(lasts("INTERVAL '1 02:03:04.5' DAY TO SECOND", 93784500));
	CHECK(lasts("INTERVAL '1 2' DAY TO HOUR", 93600000));
	CHECK(lasts("INTERVAL '2:30' HOUR TO MINUTE", 9000000));
	CHECK(lasts("INTERVAL '150' SECOND(3)", 150000));
	CHECK(lasts("INTERVAL -'5' SECOND", -5000));
	CHECK(lasts("INTERVAL -'-5' SECOND", 5000));
	CHECK(lasts("INTERVAL 150 SECOND", 150000));
	CHECK(lasts("INTERVAL '1-2' YEAR TO MONTH", 14));
	CHECK(lasts("INTERVAL '1' QUARTER", 3));
	CHECK(expression("INTERVAL '1' YEAR")->type.kind == SQL_INTERVAL_MONTH);
	CHECK(refuses("SELECT INTERVAL '150' SECOND", -EINVAL, 1, 8));
	CHECK(refuses("SELECT INTERVAL '5s' SECOND", -EINVAL, 1, 8));
	CHECK(refuses("SELECT INTERVAL '' SECOND", -EINVAL, 1, 8));
	CHECK(refuses("SELECT INTERVAL '00:60' MINUTE TO SECOND", -EINVAL, 1, 8));
	CHECK(refuses("SELECT INTERVAL '1' SECOND TO MINUTE", -EINVAL, 1, 8));
	CHECK(refuses("SELECT INTERVAL '1' MONTH TO DAY", -EINVAL, 1, 8));
}

TEST(functions_have_their_own_syntax)
{
	const struct sql_expr *expr = expression("SUM(DISTINCT v) FILTER (WHERE a > 1) OVER "
						 "(PARTITION BY k ORDER BY ts ROWS BETWEEN "
						 "UNBOUNDED PRECEDING AND CURRENT ROW)");

	CHECK(expr && expr->distinct && expr->filter && expr->over && expr->over->frame);
	CHECK(expr && expr->over->partition_count == 1 && expr->over->order);
	CHECK(expression("count(*)")->star);
	CHECK(text_eq(expression("count(*)")->name, TEXT("COUNT")));
	CHECK(prints("floor(ts TO minute)", "FLOOR(`ts` TO MINUTE)"));
	CHECK(prints("EXTRACT(HOUR FROM ts)", "EXTRACT(HOUR FROM `ts`)"));
	CHECK(prints("TIMESTAMPDIFF(WEEK, a, b)", "TIMESTAMPDIFF(WEEK, `a`, `b`)"));
	CHECK(prints("CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP"));
	CHECK(prints("ARRAY[1, 2][1] + map['a', `b``c`]", "ARRAY[1, 2][1] + MAP['a', `b``c`]"));
	CHECK(prints("'it''s'", "'it''s'"));
	CHECK(prints("SUBSTRING(a FROM 1 FOR 2)", "SUBSTRING(`a`, 1, 2)"));
	CHECK(prints("TRY_CAST(a AS BIGINT)", "TRY_CAST(`a` AS BIGINT)"));
	CHECK(expression("CASE a WHEN 1 THEN 2 ELSE 3 END")->case_operand);
	CHECK(accepts(
		"SELECT LEFT(a, 1), YEAR(ts), IF(NOT a, 1, 2), ARRAY[1][1], MAP['a', 1] FROM t"));
	CHECK(accepts("SELECT EXISTS (SELECT 1), a IN (SELECT b FROM u), (((SELECT 1))) FROM t"));
	CHECK(refuses("SELECT SUM(SECOND) FROM t", -EINVAL, 1, 12));
}

TEST(computed_columns_are_printed_as_describe_shows_them)
{
	CHECK(prints("PROCTIME()", "PROCTIME()"));
	CHECK(prints("b * 2", "`b` * 2"));
}

/* ---- Watermarks as DESCRIBE shows them ---- */

/* The cell in the column `watermark` of a DESCRIBE that shows one column. */
static struct text described(const struct result *result)
{
	size_t column = table_column(&result->table, TEXT("watermark"));

	if (result->kind != RESULT_TABLE || column == result->table.column_count)
		return TEXT("");
	return result->table.rows[0].cells[column].s;
}

/* 38 digits is Flink's longest DECIMAL, and one more does not fit 128 bits. */
TEST(a_number_has_38_digits_at_most)
{
	CHECK(accepts("SELECT 99999999999999999999999999999999999999;"));
	CHECK(accepts("SELECT 0.00000000000000000000000000000000000001;"));
	CHECK(refuses("SELECT 333333333333333333333333333333333333333;", -EINVAL, 1, 8));
	CHECK(refuses("SELECT 0.000000000000000000000000000000000000001;", -EINVAL, 1, 8));
}

TEST(watermarks_are_printed_as_describe_shows_them)
{
	struct sql_script script;
	struct transcript transcript;
	struct sql_statement statement;
	struct diag diag;
	int compared = 0;

	arena_finish(&arena);
	CHECK(!sql_split(&arena, read_file(RECORDED "/format/stmt_describe_watermarks.sql"),
		&script, &diag));
	CHECK(!transcript_parse(&arena, NULL,
		read_file(RECORDED "/format/stmt_describe_watermarks.out"), &transcript, &diag));
	CHECK(script.count == transcript.count);
	for (size_t i = 0; i + 1 < script.count && i + 1 < transcript.count; i += 2) {
		struct text wanted = described(&transcript.results[i + 1]);

		if (sql_parse(&arena, &script.pieces[i], &statement, &diag))
			continue;
		CHECK(text_eq(sql_expr_print(&arena, statement.create->watermark), wanted));
		compared += wanted.len > 0;
	}
	CHECK(compared == 14);
}

int main(void)
{
	arena_init(&arena, MEMORY);
	RUN(recorded_statements_are_accepted_and_refused_as_by_flink);
	RUN(a_file_is_cut_where_a_line_ends_in_a_semicolon);
	RUN(semicolons_in_quotes_and_comments_end_nothing);
	RUN(a_comment_behind_the_semicolon_joins_statements);
	RUN(a_statement_set_goes_on_until_end);
	RUN(pieces_know_their_place);
	RUN(errors_have_the_place_in_the_file);
	RUN(characters_that_only_look_like_sql_are_named);
	RUN(reserved_words_are_no_names);
	RUN(word_tables_are_in_order);
	RUN(what_is_outside_is_named);
	RUN(depth_is_bounded);
	RUN(a_larger_file_is_refused);
	RUN(lack_of_memory_is_reported);
	RUN(truncated_statements_are_refused_cleanly);
	RUN(set_has_four_forms);
	RUN(statements_are_told_apart);
	RUN(create_table_keeps_everything);
	RUN(queries_keep_their_parts);
	RUN(window_functions_have_two_forms);
	RUN(operators_bind_as_in_flink);
	RUN(literals_have_flinks_types);
	RUN(intervals_are_added_up);
	RUN(functions_have_their_own_syntax);
	RUN(computed_columns_are_printed_as_describe_shows_them);
	RUN(a_number_has_38_digits_at_most);
	RUN(watermarks_are_printed_as_describe_shows_them);
	arena_finish(&arena);
	return test_finish();
}
