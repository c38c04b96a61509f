/* Any bytes as a script of the SQL client: cut, parsed, planned and run, printed as ewin-sim
 * prints. Behind a NUL byte stands the tables' CSV; without one it is a few rows that fit `t`. */
#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "sim/echo.h"
#include "sim/statement.h"
#include "sim/tableau.h"
#include "tests/fuzz/fuzz.h"
#include "tests/memory_file.h"

#define MEMORY (512u << 20)

/* Work of one input: a sanitizer's build takes some tenths of a second for it. */
#define STEPS 3000000

/* The tables that a script finds. */
#define COLUMNS \
	"(id BIGINT, k STRING, v INT, d DOUBLE, c DECIMAL(10, 2), b BOOLEAN, ts TIMESTAMP(3)"
#define OPTIONS                                                                          \
	" WITH ('connector' = 'filesystem', 'path' = 'file:///t.csv', 'format' = 'csv'," \
	" 'csv.ignore-parse-errors' = 'true');\n"

static const char prelude[] =
	"SET 'sql-client.execution.result-mode' = 'tableau';\n"
	"CREATE TABLE t " COLUMNS ", WATERMARK FOR ts AS ts - INTERVAL '5' SECOND)" OPTIONS
	"CREATE TABLE events " COLUMNS ", WATERMARK FOR ts AS ts)" OPTIONS
	"CREATE VIEW late AS SELECT * FROM t WHERE ts <= CURRENT_WATERMARK(ts);\n";

static const char rows[] = "1,a,10,0.5,1.25,true,2026-01-01 09:00:01.000\n"
			   "2,b,,-1.5,99.99,false,2026-01-01 09:00:59.999\n"
			   "3,a,30,1e9,,,2026-01-01 09:02:00.000\n"
			   "4,,40,,0.01,true,2026-01-01 09:00:02.000\n"
			   "5,\xe4\xb8\xad,-50,2.5,-7.10,true,2026-01-01 09:01:58.000\n"
			   "6,b,60,0,5,false,2026-01-02 00:00:00.000\n";

static int count_bytes(void *ctx, const char *bytes, size_t size)
{
	(void)bytes;
	*(size_t *)ctx += size;
	return 0;
}

/* What a failure must tell: a place in the script, or that memory is at its end. */
static void must_tell(int err, const struct diag *diag)
{
	MUST(err == 0 || err == -EINVAL || err == -ENOTSUP || err == -ENOMEM || err == -E2BIG ||
		err == -EFBIG);
	if (err == 0)
		return;
	MUST(diag->text[0] && utf8_valid(text_of(diag->text)));
	if (err == -EINVAL || err == -ENOTSUP)
		MUST(diag->line > 0 && diag->col > 0);
}

static void must_count(const struct query_facts *facts)
{
	MUST(facts->rows_in >= 0 && facts->rows_filtered >= 0 && facts->rows_dropped >= 0);
	MUST(facts->rows_filtered + facts->rows_dropped <= facts->rows_in || !facts->windowed);
}

/* False: the script ends here. */
static bool run_piece(struct session *session, struct arena *arena, const struct sql_piece *piece)
{
	size_t printed = 0;
	struct writer out = {.write = count_bytes, .ctx = &printed};
	struct tableau tableau = {.arena = arena, .out = &out, .max_width = TABLEAU_MAX_WIDTH};
	struct sim_sink sink = tableau_sink(&tableau);
	struct sql_statement *statement = ARENA_NEW(arena, struct sql_statement);
	struct outcome outcome = {0};
	struct diag diag = {0};
	int err = statement ? sql_parse(arena, piece, statement, &diag) : diag_nomem(&diag);

	if (err == 0) {
		echo_statement(&out, piece->source);
		err = session_run(session, statement, &sink, &outcome, &diag);
	}
	must_tell(err, &diag);
	if (err < 0)
		return true;
	if (outcome.has_facts)
		must_count(&outcome.facts);
	if (outcome.kind == OUTCOME_ERROR) {
		MUST(outcome.error.len);
		echo_error(&out, outcome.error);
	}
	if (outcome.kind == OUTCOME_ROWS)
		tableau_finish(&tableau, 0.01);
	return outcome.kind != OUTCOME_QUIT;
}

/* The statements that every script finds done, parsed once. */
static struct sql_statement *parse_prelude(size_t *count)
{
	static struct arena arena;
	static struct sql_statement *statements;
	static struct sql_script script;

	if (!statements) {
		arena_init(&arena, MEMORY);
		MUST(sql_split(&arena, TEXT(prelude), &script, NULL) == 0);
		statements = arena_array(&arena, script.count, sizeof(*statements));
		MUST(statements);
		for (size_t i = 0; i < script.count; i++)
			MUST(!script.pieces[i].run ||
				sql_parse(&arena, &script.pieces[i], &statements[i], NULL) == 0);
	}
	*count = script.count - 1;
	return statements;
}

static void run_prelude(struct session *session)
{
	struct outcome outcome;
	size_t count;
	const struct sql_statement *statements = parse_prelude(&count);

	for (size_t i = 0; i < count; i++)
		MUST(session_run(session, &statements[i], NULL, &outcome, NULL) == 0 &&
			outcome.kind == OUTCOME_DONE);
}

static void run_script(struct session *session, struct arena *arena, struct text source)
{
	struct sql_script script;
	struct diag diag = {0};
	int err = sql_split(arena, source, &script, &diag);

	must_tell(err, &diag);
	for (size_t i = 0; err == 0 && i < script.count; i++)
		if (script.pieces[i].run && !run_piece(session, arena, &script.pieces[i]))
			break;
}

void fuzz(struct text input)
{
	struct text source = text_slice(input, 0, text_find(input, (struct text){"", 1}));
	struct memory_file file = {.bytes = TEXT(rows), .piece = 64};
	struct sim_files files = {.open = memory_file_open, .ctx = &file};
	char *script = fuzz_copy(source);
	struct session *session;
	struct arena arena;

	if (source.len < input.len)
		file.bytes = text_slice(input, source.len + 1, input.len);
	arena_init(&arena, MEMORY);
	session = session_new(&arena, &files);
	MUST(session);
	run_prelude(session);
	session->steps = STEPS;
	run_script(session, &arena, (struct text){script, source.len});
	arena_finish(&arena);
	free(script);
}
