/* Steps of kind "error": Flink refuses the reference's last statement, and the learner's run was
 * refused in the same words.
 *
 * The words are a message without its exception class, which releases change. It is looked for in
 * every error of the run, line by line, since a verbose client prints it behind "Caused by:" in a
 * stack trace. The same words with other numbers are the same rule of Flink's broken in another
 * way. */
#include <errno.h>

#include "daemon/grade/grader.h"
#include "parser/arena.h"

enum likeness { UNLIKE, LIKE_BUT_NUMBERS, ALIKE };

static void add(struct grading *g, enum verdict_kind kind, enum message_id id, struct text arg)
{
	findings_add(&g->findings, kind, id, arg, (struct text){0}, (struct text){0});
}

/* A line without "Caused by:" and "package.Class:" in front, and without the colour's end
 * behind. */
static struct text without_class(struct text line)
{
	size_t end = 0, dots = 0;

	line = text_trim(text_slice(line, 0, text_find(line, TEXT("\x1b["))));
	if (text_starts(line, TEXT("Caused by: ")))
		line = text_slice(line, 11, line.len);
	while (end < line.len &&
		(text_is_word(line.ptr[end]) || line.ptr[end] == '.' || line.ptr[end] == '$'))
		dots += line.ptr[end++] == '.';
	if (dots && text_starts(text_slice(line, end, line.len), TEXT(": ")))
		return text_slice(line, end + 2, line.len);
	return line;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Cuts a number off the front; false where there is none. */
static bool cut_number(struct text *rest)
{
	size_t len = 0;

	while (len < rest->len && is_digit(rest->ptr[len]))
		len++;
	*rest = text_slice(*rest, len, rest->len);
	return len > 0;
}

static bool equal_but_numbers(struct text a, struct text b)
{
	while (a.len && b.len) {
		bool number = cut_number(&a);

		if (number != cut_number(&b))
			return false;
		if (number)
			continue;
		if (a.ptr[0] != b.ptr[0])
			return false;
		a = text_slice(a, 1, a.len);
		b = text_slice(b, 1, b.len);
	}
	return a.len == 0 && b.len == 0;
}

/* Do these lines begin with the message's? */
static enum likeness begins_with(struct text lines, struct text message)
{
	enum likeness likeness = ALIKE;
	struct text asked, found;

	while (text_next_line(&message, &asked)) {
		if (!text_next_line(&lines, &found))
			return UNLIKE;
		asked = without_class(asked);
		found = without_class(found);
		if (text_eq(asked, found))
			continue;
		if (!equal_but_numbers(asked, found))
			return UNLIKE;
		likeness = LIKE_BUT_NUMBERS;
	}
	return likeness;
}

/* The best likeness of the message to any place of a text. */
static enum likeness holds(struct text t, struct text message)
{
	enum likeness best = UNLIKE;
	struct text line;

	do {
		enum likeness here = begins_with(t, message);

		best = here > best ? here : best;
	} while (best < ALIKE && text_next_line(&t, &line));
	return best;
}

static enum likeness in_errors(const struct grading *g)
{
	enum likeness best = UNLIKE;

	for (size_t i = 0; best < ALIKE && i < g->transcript.count; i++) {
		const struct result *result = &g->transcript.results[i];
		enum likeness here = result->kind == RESULT_ERROR
					     ? holds(result->text, g->expected->error)
					     : UNLIKE;

		best = here > best ? here : best;
	}
	return best;
}

static const struct result *last_of(const struct grading *g, enum result_kind kind)
{
	for (size_t i = g->transcript.count; i > 0; i--)
		if (g->transcript.results[i - 1].kind == kind)
			return &g->transcript.results[i - 1];
	return NULL;
}

/* Rows, where a refusal is asked for. In the other mode Flink may take what it refuses in this. */
static void grade_rows(struct grading *g, const struct result *rows)
{
	enum table_form asked = g->expected->batch ? TABLE_BATCH : TABLE_CHANGELOG;

	if (rows->table.form != asked)
		add(g, VERDICT_FAIL,
			rows->table.form == TABLE_BATCH ? MSG_BATCH_RUN : MSG_STREAMING_RUN,
			(struct text){0});
	add(g, VERDICT_FAIL, MSG_NOT_REFUSED, (struct text){0});
}

static bool is_rows(const struct result *result)
{
	return result && result->table.form != TABLE_CATALOG;
}

static void grade_other(struct grading *g)
{
	const struct result *error = last_of(g, RESULT_ERROR), *rows = last_of(g, RESULT_TABLE);

	if (holds(g->submission->out.bytes, g->expected->error) == ALIKE)
		add(g, VERDICT_PARTIAL, MSG_REFUSAL_ALONE, g->step->file);
	else if (error && grade_is_cluster_down(error->text))
		add(g, VERDICT_CANNOT_TELL, MSG_CLUSTER_DOWN, error->text);
	else if (error)
		add(g, VERDICT_FAIL, MSG_OTHER_ERROR, error->text);
	else if (is_rows(rows))
		grade_rows(g, rows);
	else
		grade_no_result(g, g->transcript.complete ? MSG_NOT_REFUSED : MSG_NO_REFUSAL);
}

/* Would the SQL beside the output be refused in other words, or not at all? */
static bool is_stale(const struct grading *g)
{
	if (!g->has_script || !g->script.whole)
		return false;
	return g->script.error.len == 0 || holds(g->script.error, g->expected->error) == UNLIKE;
}

int grade_error(struct grading *g)
{
	enum likeness likeness = in_errors(g);

	if (likeness == UNLIKE)
		grade_other(g);
	else if (likeness == LIKE_BUT_NUMBERS)
		add(g, VERDICT_PARTIAL, MSG_REFUSAL_NUMBERS, (struct text){0});
	if (likeness != UNLIKE && is_stale(g))
		add(g, VERDICT_PASS, MSG_STALE, g->step->sql);
	return 0;
}
