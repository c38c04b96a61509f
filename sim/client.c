/* Client: statement after statement of a file, each with its echo and its result, as the SQL client
 * prints them. The frame and the messages are echo.c's, tables are tableau.c's, what a statement
 * does is session.h's. Recorded: watermark/ref, format/stmt_*, format/width_0_batch; other
 * releases: versions. */
#include "sim/client.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "sim/echo.h"
#include "sim/fault.h"
#include "sim/release.h"
#include "sim/tableau.h"

/* A screen of a dumb terminal is cleared by pushing it out of sight. */
#define CLEARED_LINES 200

/* Of an error's first line, in front of the place in a file. */
#define TOLD_SIZE (LIMIT_DIAG_TEXT / 2)

static void print_done(const struct client *client)
{
	echo_info(client->out, client->release == FLINK_1_18
				       ? TEXT("Execute statement succeed.")
				       : TEXT("Execute statement succeeded."));
}

/* An error's first line, and the row of a file behind it. A long line leaves room for that. */
static int tell_error(const struct client *client, const struct outcome *outcome)
{
	struct text told = fault_summary(outcome->error);

	if (!client->tell)
		return 0;
	if (outcome->place.len)
		told = text_format(client->arena, "%.*s%s (%.*s)",
			TEXT_ARG(text_slice(told, 0, TOLD_SIZE)), told.len > TOLD_SIZE ? "..." : "",
			TEXT_ARG(outcome->place));
	if (!told.ptr)
		return -ENOMEM;
	client->tell(client->ctx, outcome->pos, told);
	return 0;
}

/* Prints a statement's result; *ended: the client reads no further. */
static int print_outcome(const struct client *client, const struct outcome *outcome,
	struct tableau *tableau, double cost, bool *ended)
{
	*ended = false;
	switch (outcome->kind) {
	case OUTCOME_DONE: print_done(client); break;
	case OUTCOME_ROWS: return tableau_finish(tableau, cost);
	case OUTCOME_ERROR:
		*ended = true;
		echo_error(client->out, outcome->error);
		return tell_error(client, outcome);
	case OUTCOME_JOB: echo_job(client->out); break;
	case OUTCOME_JOB_DONE:
		echo_info(client->out, TEXT("Complete execution of the SQL update statement."));
		break;
	case OUTCOME_HELP: echo_help(client->out); break;
	case OUTCOME_CLEAR: writer_repeat(client->out, '\n', CLEARED_LINES); break;
	case OUTCOME_QUIT:
		*ended = true;
		echo_info(client->out, TEXT("Exiting Flink SQL CLI Client..."));
		break;
	}
	return client->out->err;
}

static int fail(struct outcome *ret, const struct sql_statement *statement, struct text error)
{
	*ret = (struct outcome){.kind = OUTCOME_ERROR, .pos = statement->pos, .error = error};
	return 0;
}

/* The client's own bound on widths; only a SELECT looks at it. 1: it is read; 0: *ret is the error.
 * Recorded: format/width_0_batch, format/width_no_number, format/width_too_large. */
static int read_max_width(const struct client *client, const struct sql_statement *statement,
	size_t *width, struct outcome *ret, struct diag *reterr)
{
	struct text set = session_get(client->session, "table.display.max-column-width", "");
	int64_t n = TABLEAU_MAX_WIDTH;
	struct text error;
	int err = set.len && statement->kind == STMT_SELECT ? text_to_int64(text_trim(set), &n) : 0;

	if (err < 0 || n > INT32_MAX || n < INT32_MIN) {
		error = text_format(
			client->arena, FAULT_NUMBER "For input string: \"%.*s\"", TEXT_ARG(set));
		return error.ptr ? fail(ret, statement, error) : diag_nomem(reterr);
	}
	if (n > LIMIT_COLUMN_WIDTH)
		return diag_set(reterr, -ENOTSUP, statement->pos.line, statement->pos.col,
			"table.display.max-column-width = '%.*s' is not simulated", TEXT_ARG(set));
	*width = n > 0 ? (size_t)n : 0;
	if (n > 0)
		return 1;
	return fail(ret, statement, TEXT(FAULT_ARGUMENT "maxColumnWidth should be greater than 0"));
}

/* Runs a statement with the rows going to the tableau. */
static int run_printing(const struct client *client, const struct sql_statement *statement,
	struct tableau *tableau, struct outcome *ret, struct diag *reterr)
{
	struct sim_sink sink = tableau_sink(tableau);
	int r = read_max_width(client, statement, &tableau->max_width, ret, reterr);

	return r <= 0 ? r : session_run(client->session, statement, &sink, ret, reterr);
}

static bool is_boolean(struct text value)
{
	value = text_trim(value);
	return text_ieq(value, TEXT("true")) || text_ieq(value, TEXT("false"));
}

static bool is_verbose(const struct client *client)
{
	struct text verbose = session_get(client->session, "sql-client.verbose", "false");

	return !text_ieq(text_trim(verbose), TEXT("false"));
}

/* What a session answers, but which nobody can print as the client would: rows that depend on which
 * subtask reads the file, and stack traces. */
static int check_printable(const struct client *client, const struct sql_statement *statement,
	const struct outcome *outcome, struct diag *reterr)
{
	struct text cost =
		session_get(client->session, "sql-client.display.print-time-cost", "true");
	const char *what = NULL;

	if (outcome->kind == OUTCOME_ROWS && statement->kind == STMT_SELECT &&
		outcome->facts.parallelism > 1 && outcome->facts.has_source)
		what = "A parallelism above 1";
	if (outcome->kind == OUTCOME_ERROR && is_verbose(client))
		what = "An error with sql-client.verbose";
	if (outcome->kind == OUTCOME_ROWS && !is_boolean(cost))
		what = "This value of sql-client.display.print-time-cost";
	if (!what)
		return 0;
	return diag_set(reterr, -ENOTSUP, statement->pos.line, statement->pos.col,
		"%s is not simulated.", what);
}

/* Flink 1.18 measures no time. */
static bool prints_cost(const struct client *client)
{
	return client->release != FLINK_1_18 &&
	       text_ieq(session_get(client->session, "sql-client.display.print-time-cost", "true"),
		       TEXT("true"));
}

/* A piece that does not parse, with the place and the reason in *diag. What the parser expects
 * was measured on one release only. -ENOTSUP where the client's words are not known. */
static int run_broken(const struct client *client, const struct sql_piece *piece, bool *ended,
	const struct diag *diag)
{
	struct text fault, expected;
	int r = client->release == FLINK_2_3 && !is_verbose(client)
			? sql_syntax_fault(client->arena, piece, &fault)
			: -ENOTSUP;

	if (r < 0)
		return r;
	*ended = true;
	echo_statement(client->out, piece->source);
	echo_error(client->out, fault);
	expected = fault_expected(client->arena, fault);
	if (!expected.ptr)
		return -ENOMEM;
	expected = text_format(client->arena, "%s%.*s", diag->text, TEXT_ARG(expected));
	if (!expected.ptr)
		return -ENOMEM;
	if (client->tell)
		client->tell(client->ctx, (struct sql_pos){diag->line, diag->col}, expected);
	echo_gap(client->out);
	return client->out->err;
}

/* The terminal library takes control characters for keys of its editor, but for those of lines and
 * blanks. Recorded: more_sim/echo_control. */
static int check_keys(const struct sql_piece *piece, struct diag *reterr)
{
	struct text rest = piece->source;
	int line = piece->line, col = piece->col;

	while (rest.len) {
		size_t len;
		uint32_t c = utf8_decode(rest, &len);

		if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c < 0xa0))
			return diag_set(reterr, -ENOTSUP, line, col,
				"The control character U+%04X is not simulated.", (unsigned)c);
		line += c == '\n';
		col = c == '\n' ? 1 : col + 1;
		rest = text_slice(rest, len, rest.len);
	}
	return 0;
}

static int run_statement(const struct client *client, const struct sql_piece *piece, bool *ended,
	struct diag *reterr)
{
	struct tableau tableau = {.arena = client->arena, .out = client->out};
	struct outcome outcome = {0};
	struct sql_statement statement;
	double start, cost;
	int r = sql_parse(client->arena, piece, &statement, reterr), broken;

	if (r == -EINVAL) {
		broken = run_broken(client, piece, ended, reterr);
		return broken == -ENOTSUP ? r : broken;
	}
	if (r < 0)
		return r;
	echo_statement(client->out, piece->source);
	start = client->seconds(client->ctx);
	r = release_check(client->arena, client->release, piece, &statement, &outcome, reterr);
	if (r == 0 && outcome.kind != OUTCOME_ERROR)
		r = run_printing(client, &statement, &tableau, &outcome, reterr);
	if (r == 0)
		r = check_printable(client, &statement, &outcome, reterr);
	if (r < 0)
		return r;
	cost = prints_cost(client) ? client->seconds(client->ctx) - start : -1;
	r = print_outcome(client, &outcome, &tableau, cost, ended);
	echo_gap(client->out);
	return r;
}

static bool only_line_comments(struct text rest)
{
	struct text line;

	while (text_next_line(&rest, &line)) {
		line = text_trim(line);
		if (line.len && !text_starts(line, TEXT("--")))
			return false;
	}
	return true;
}

/* The client drops such a statement without a word. */
static void tell_unfinished(const struct client *client, const struct sql_piece *piece)
{
	if (client->tell && !only_line_comments(piece->source))
		client->tell(client->ctx, (struct sql_pos){piece->line, piece->col},
			TEXT("not run: its end, a ';' outside of quotes and comments, was "
			     "expected"));
}

static int run_pieces(
	const struct client *client, const struct sql_script *script, struct diag *reterr)
{
	struct text unfinished = TEXT("");
	bool ended = false;

	for (size_t i = 0; i < script->count && !ended; i++) {
		const struct sql_piece *piece = &script->pieces[i];
		int r = check_keys(piece, reterr);

		if (r < 0)
			return r;
		if (!piece->run) {
			unfinished = piece->source;
			tell_unfinished(client, piece);
			break;
		}
		r = run_statement(client, piece, &ended, reterr);
		if (r < 0)
			return r;
	}
	if (ended)
		echo_abort(client->out);
	else
		echo_end(client->out, unfinished);
	return client->out->err;
}

int client_run(const struct client *client, struct text script, struct diag *reterr)
{
	struct sql_script pieces;
	int r = sql_split(client->arena, script, &pieces, reterr);

	if (r < 0)
		return r;
	echo_begin(client->out, client->history);
	return run_pieces(client, &pieces, reterr);
}
