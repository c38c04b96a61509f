/* Sayings: one cause shows in several ways, and not each sentence is true of all of them. Flink
 * refuses a sort by one column and takes that by another (late_order_by_id, late_order_ts); of
 * two syntax errors one names a line (ddl_trailing_comma) and the other none (late_string_arg); a
 * batch run prints a table without op column, or nothing but an error (late_batch_mode). */
#include "daemon/grade/saying.h"

#include "parser/translate.h"

static bool has(const struct verdict *verdict, enum message_id id)
{
	bool found = verdict->summary.id == id;

	for (size_t i = 0; i < verdict->remark_count; i++)
		found = found || verdict->remarks[i].id == id;
	return found;
}

static bool is_error(enum message_id id)
{
	return id == MSG_CLIENT_ERROR || id == MSG_OTHER_ERROR || id == MSG_ERROR_BEHIND;
}

static bool has_error(const struct verdict *verdict)
{
	return has(verdict, MSG_CLIENT_ERROR) || has(verdict, MSG_OTHER_ERROR) ||
	       has(verdict, MSG_ERROR_BEHIND);
}

static bool is_digit(struct text t, size_t at)
{
	return at < t.len && t.ptr[at] >= '0' && t.ptr[at] <= '9';
}

/* "at line 3, column 14", "From line 2, column 8 to ..." */
static bool names_place(const struct message *message)
{
	const struct text column = TEXT(", column ");
	struct text t = message->args[0];
	size_t at = text_find(t, column);
	size_t line = at;

	while (line && is_digit(t, line - 1))
		line--;
	return is_error(message->id) && line < at && is_digit(t, at + column.len) &&
	       text_ends(text_slice(t, 0, line), TEXT("line "));
}

static bool is_unplaced(const struct verdict *verdict, const struct diagnosis *cause)
{
	bool placed = names_place(&verdict->summary);

	(void)cause;
	for (size_t i = 0; i < verdict->remark_count; i++)
		placed = placed || names_place(&verdict->remarks[i]);
	return !placed;
}

/* Flink's message names something else: TABLE within a function that there is not. */
static bool is_unnamed(const struct verdict *verdict, const struct diagnosis *cause)
{
	struct text told = verdict->summary.args[0];

	return is_error(verdict->summary.id) && text_find(told, cause->param) == told.len;
}

static bool is_one_line(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)verdict;
	return text_eq(cause->param, TEXT("one-line"));
}

/* Of a value, not of a key: Flink looks at each value of a key that it knows. */
static bool is_value(const struct verdict *verdict, const struct diagnosis *cause)
{
	return has_error(verdict) && !text_starts(cause->param, TEXT("key:"));
}

static bool was_sorted(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)cause;
	return !has_error(verdict);
}

/* A run that printed no table whose op column could tell. */
static bool shows_no_batch(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)cause;
	return !has(verdict, MSG_BATCH_RUN);
}

static bool shows_no_stream(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)cause;
	return !has(verdict, MSG_STREAMING_RUN);
}

static bool is_unknown(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)verdict;
	return !cause->param.len;
}

/* The window function has a key, but not the asked one. */
static bool is_other_key(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)verdict;
	return cause->param.len && !text_eq(cause->param, TEXT("none"));
}

static bool is_all(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)verdict;
	return text_eq(cause->param, TEXT("all"));
}

static bool is_end(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)cause;
	return has(verdict, MSG_NOT_JSON) || has(verdict, MSG_NO_REFUSAL);
}

/* Rows that the SQL beside them does not give, and nothing that is wrong with the table itself. */
static bool is_of_rows(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)cause;
	for (int id = MSG_VALUE; id <= MSG_COLUMN_WRONG; id++)
		if (has(verdict, (enum message_id)id))
			return !has(verdict, MSG_EDITED);
	return false;
}

static bool is_newer(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)verdict;
	return text_eq(cause->param, TEXT("newer"));
}

/* Lines that Flink could not read: no number came of them. */
static bool was_unread(const struct verdict *verdict, const struct diagnosis *cause)
{
	return cause->param.len && is_error(verdict->summary.id);
}

/* The key is there in other letters, or with other signs between its words. */
static bool is_respelt(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)verdict;
	return text_eq(cause->param, TEXT("case"));
}

static bool is_sign(const struct verdict *verdict, const struct diagnosis *cause)
{
	(void)verdict;
	return text_eq(cause->param, TEXT("sign"));
}

/* The first that fits stands for the sentence of the cause. */
static const struct {
	enum diagnosis_id id;
	bool (*fits)(const struct verdict *verdict, const struct diagnosis *cause);
	const char *sentence;
} sayings[] = {
	{DIAG_ERROR_SYNTAX, is_one_line,
		N_("Two statements stand on one line: begin each on a line of its own.")},
	{DIAG_ERROR_SYNTAX, is_unplaced,
		N_("The client does not read this as it is meant: compare it with the task word by "
		   "word, brackets, commas and quotes too.")},
	{DIAG_ERROR_UNKNOWN_NAME, is_unnamed,
		N_("One name is not known where it is used: compare its spelling, and where it is "
		   "defined.")},
	{DIAG_SET_MISSPELT, is_value,
		N_("Flink refuses the value of a SET: compare it letter by letter, its unit too.")},
	{DIAG_ORDER_BY, was_sorted,
		N_("The sort decides here which rows come out: is sorting asked?")},
	{DIAG_BATCH_MODE, shows_no_batch,
		N_("This was a batch run: the step asks for a streaming run.")},
	{DIAG_STREAMING_MODE, shows_no_stream,
		N_("This was a streaming run: the step asks for a batch run.")},
	{DIAG_DELAY, is_unknown,
		N_("The watermark of this table is not the one that is asked: read the WATERMARK "
		   "line again.")},
	{DIAG_SESSION_PARTITION, is_other_key,
		N_("Decide whose pauses count: the window function has another key than asked.")},
	{DIAG_GROUP_KEY_MISSING, is_all,
		N_("The query has no GROUP BY: compare it with the task.")},
	{DIAG_TRUNCATED, is_end, N_("The file ends too early.")},
	{DIAG_EDITED_BY_HAND, is_of_rows,
		N_("The SQL beside it gives other rows on this data: the output is of another run "
		   "or of other data, or it was changed.")},
	{DIAG_OTHER_DATA, was_unread,
		N_("The table reads another file than the lab's: compare its path with the task.")},
	{DIAG_OTHER_DATA, is_newer, N_("The data has changed since this was saved: run it again.")},
	{DIAG_REPORT_MISSING_KEY, is_respelt,
		N_("A key of the task is not there, but one that is nearly the same: compare them "
		   "letter by letter.")},
	{DIAG_REPORT_NOT_DIFFERENCE, is_sign,
		N_("The sign is turned: the key asks how many were lost.")},
};

const char *saying_of(const struct verdict *verdict, const struct diagnosis *cause)
{
	for (size_t i = 0; i < sizeof(sayings) / sizeof(sayings[0]); i++)
		if (sayings[i].id == cause->id && sayings[i].fits(verdict, cause))
			return sayings[i].sentence;
	return diagnosis_sentence(cause->id);
}
