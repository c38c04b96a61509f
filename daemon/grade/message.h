/* Messages: what a verdict says, as an id and arguments, so that each reader renders it in its own
 * language. {0}, {1} ... in a sentence stand for the arguments. A sentence names what was found in
 * the learner's file, never a value, a column list or a clause of the solution. */
#ifndef EWIN_DAEMON_GRADE_MESSAGE_H
#define EWIN_DAEMON_GRADE_MESSAGE_H

#include "parser/text.h"
#include "parser/translate.h"

struct arena;

#define MESSAGE_ARGS 3

/* Every id with its name and English sentence. A name is part of status.json: never reuse one. Each
 * sentence has a translation in every file of daemon/po (HACKING.md, "Add a sentence"). */
#define MESSAGE_LIST(X)                                                                            \
	X(MSG_PASS, "pass", "Every value is right.")                                               \
	X(MSG_MISSING, "missing", "{0} is not there yet.")                                         \
	X(MSG_RUNNING, "running", "{0} is still being written, {1} rows so far.")                  \
	/* the file */                                                                             \
	X(MSG_UNREADABLE, "unreadable", "{0} cannot be read: check its permissions.")              \
	X(MSG_NOT_REGULAR, "not-regular",                                                          \
		"{0} is not a regular file, but a folder, a link, a pipe or a device.")            \
	X(MSG_TOO_LARGE, "too-large", "{0} is too large to be the output of this step.")           \
	X(MSG_EMPTY_FILE, "empty-file", "{0} is empty: nothing was written into it.")              \
	X(MSG_NOT_TEXT, "not-text", "{0} is not text, so it is not the client's output.")          \
	X(MSG_NOT_CLIENT, "not-client", "{0} has no table as the SQL client prints it.")           \
	X(MSG_BY_HAND, "by-hand",                                                                  \
		"{0} does not look as the client prints it: save the client's own output.")        \
	X(MSG_EDITED, "edited",                                                                    \
		"A table in {0} has more or fewer rows than the line below it says.")              \
	X(MSG_INTERRUPTED, "interrupted", "The run was stopped before it was done.")               \
	X(MSG_TRUNCATED, "truncated",                                                              \
		"{0} is incomplete: the frame of a table, or the line below it, is missing.")      \
	X(MSG_CUT_CELLS, "cut-cells",                                                              \
		"Some values are cut off with \"...\", so they cannot be checked.")                \
	X(MSG_WRAPPED, "wrapped",                                                                  \
		"A narrow terminal has wrapped the lines: save the output to a file instead.")     \
	/* what the client said */                                                                 \
	X(MSG_CLIENT_ERROR, "client-error", "The client reported an error: {0}")                   \
	X(MSG_CLUSTER_DOWN, "cluster-down", "The query never ran; look at the cluster: {0}")       \
	X(MSG_NO_RESULT, "no-result",                                                              \
		"No query of this run printed the result that the step asks for.")                 \
	/* tables */                                                                               \
	X(MSG_TABLE_MISSING, "table-missing", "Result table {0} of this step is missing.")         \
	X(MSG_TABLES_SWAPPED, "tables-swapped",                                                    \
		"The result tables are in another order than the step asks for.")                  \
	X(MSG_TOO_MANY_TABLES, "too-many-tables",                                                  \
		"{0} tables in this file could be the answer: keep one step in one file.")         \
	X(MSG_TABLE_REPEATED, "table-repeated", "The same result is in the file more than once.")  \
	X(MSG_TABLE_EXTRA, "table-extra",                                                          \
		"The file also has a table that the step does not ask for.")                       \
	X(MSG_BATCH_RUN, "batch-run", "This was a batch run: the output has no op column.")        \
	X(MSG_STREAMING_RUN, "streaming-run",                                                      \
		"This was a streaming run: the output has an op column.")                          \
	X(MSG_CHANGELOG, "changelog", "This table changes its rows afterwards (-U, +U).")          \
	X(MSG_COLUMN_MISSING, "column-missing",                                                    \
		"A column that the step asks for is missing: {0}.")                                \
	X(MSG_COLUMN_NOT_THERE, "column-not-there",                                                \
		"A column that the step asks for is missing: compare yours with the task.")        \
	X(MSG_COLUMN_EXTRA, "column-extra", "The step does not ask for this column: {0}.")         \
	X(MSG_COLUMN_NAMES, "column-names",                                                        \
		"The values are right, but a column has another name than asked: {0}.")            \
	X(MSG_COLUMN_UNNAMED, "column-unnamed",                                                    \
		"The values are right, but a column has no name of its own: {0}.")                 \
	X(MSG_ROW_ORDER, "row-order",                                                              \
		"The rows are right, but in another order than the step asks for.")                \
	X(MSG_COLUMN_ORDER, "column-order",                                                        \
		"The columns are in another order than the step asks for.")                        \
	X(MSG_VALUE, "value", "Table {0}, the row with {1}: column {2} is wrong.")                 \
	X(MSG_ROW_MISSING, "row-missing", "Table {0}: the row with {1} is missing.")               \
	X(MSG_ROWS_MISSING, "rows-missing", "Table {0}: rows are missing.")                        \
	X(MSG_ROW_EXTRA, "row-extra", "Table {0}: the row with {1} should not be there.")          \
	X(MSG_ROWS_EXTRA, "rows-extra", "Table {0}: rows should not be there.")                    \
	X(MSG_COLUMN_WRONG, "column-wrong", "Table {0}: values of column {1} are wrong.")          \
	/* the query behind right rows */                                                          \
	X(MSG_DELAY, "delay",                                                                      \
		"The rows are right, but the watermark delay is {0}, not what the step asks for.") \
	X(MSG_DESCRIBED_DELAY, "described-delay",                                                  \
		"The delay of this watermark is {0}, not what the step asks for.")                 \
	X(MSG_INTERVAL, "interval",                                                                \
		"The rows are right, but the watermark interval is {0}, not what the step asks "   \
		"for.")                                                                            \
	X(MSG_FILTER_EXTRA, "filter-extra",                                                        \
		"The rows are right, but late rows are filtered out: the step does not ask for "   \
		"that.")                                                                           \
	X(MSG_FILTER_MISSING, "filter-missing",                                                    \
		"The rows are right, but the query does not filter them as the step asks.")        \
	X(MSG_NO_WINDOW, "no-window", "The rows are right, but the query has no window.")          \
	X(MSG_NO_SOURCE, "no-source",                                                              \
		"The rows are right, but the query reads them from no table.")                     \
	X(MSG_CONNECTOR, "connector",                                                              \
		"The connector of the table is not the one that the step asks for: {0}.")          \
	X(MSG_PATH, "path", "The path of the table is not that of the lab's file: {0}.")           \
	X(MSG_FORMAT, "format",                                                                    \
		"The format of the table is not the one that the step asks for: {0}.")             \
	X(MSG_NO_CONNECTOR, "no-connector", "The table has no connector.")                         \
	X(MSG_NO_PATH, "no-path", "The table has no path.")                                        \
	X(MSG_NO_FORMAT, "no-format", "The table has no format.")                                  \
	X(MSG_TABLE_NAME, "table-name",                                                            \
		"The table is called {0}: the step asks for another name.")                        \
	X(MSG_PARALLELISM, "parallelism",                                                          \
		"Parallelism is {0}: which rows are late is then chance, so another run may "      \
		"print other rows.")                                                               \
	X(MSG_STALE, "stale", "{0} does not print what was saved; the saved output was graded.")   \
	X(MSG_SQL_UNREAD, "sql-unread",                                                            \
		"{0} cannot be read; the saved output was graded without it.")                     \
	X(MSG_ERROR_BEHIND, "error-behind", "There is an error after the result: {0}")             \
	/* a refusal */                                                                            \
	X(MSG_REFUSED, "refused", "Flink has refused it, as the step asks.")                       \
	X(MSG_NOT_REFUSED, "not-refused",                                                          \
		"Nothing was refused: this step asks for an error of Flink's.")                    \
	X(MSG_NO_REFUSAL, "no-refusal", "The output ends before an error of Flink's.")             \
	X(MSG_OTHER_ERROR, "other-error", "This is another error than the step asks for: {0}")     \
	X(MSG_REFUSAL_NUMBERS, "refusal-numbers",                                                  \
		"The error is of the kind asked for, but speaks of other numbers.")                \
	X(MSG_REFUSAL_ALONE, "refusal-alone",                                                      \
		"{0} holds the error's text only: save the client's whole output.")                \
	/* a step that builds on another */                                                        \
	X(MSG_BUILDS_ON, "builds-on",                                                              \
		"This builds on {0}, which is not right yet: mend that first.")                    \
	/* a table definition */                                                                   \
	X(MSG_NO_DESCRIBE, "no-describe",                                                          \
		"The description of the table that the step asks for is missing.")                 \
	X(MSG_SHOW_CREATE, "show-create",                                                          \
		"The step asks for DESCRIBE: this is the output of another statement.")            \
	X(MSG_COLUMN_TYPE, "column-type", "Column {0} has another type than the step asks for.")   \
	X(MSG_NO_WATERMARK, "no-watermark",                                                        \
		"This table has no watermark, so it has no event time.")                           \
	X(MSG_WATERMARK, "watermark",                                                              \
		"The watermark of this table is not the one that the step asks for.")              \
	X(MSG_WATERMARK_UNKNOWN, "watermark-unknown",                                              \
		"The delay of this watermark cannot be told: {0}.")                                \
	/* a report; {2} is a sentence of parser/json*.c, and is translated as well */             \
	X(MSG_NOT_JSON, "not-json", "{0} is not valid JSON, line {1}: {2}.")                       \
	X(MSG_REPORT_SHAPE, "report-shape",                                                        \
		"{0} is not one JSON object with a number for each key.")                          \
	X(MSG_REPORT_KEY, "report-key", "A key that the step asks for is missing: {0}.")           \
	X(MSG_REPORT_NOT_NUMBER, "report-not-number", "The value of {0} is not a whole number.")   \
	X(MSG_REPORT_FORM, "report-form",                                                          \
		"The value of {0} is right: write it as a whole number, without quotes or a "      \
		"point.")                                                                          \
	X(MSG_REPORT_MISCOUNTED, "report-miscounted",                                              \
		"The value of {0} does not follow from your saved outputs.")                       \
	X(MSG_REPORT_OUTPUT, "report-output",                                                      \
		"The value of {0} follows from your saved outputs, but {1} is not right itself.")  \
	X(MSG_REPORT_WRONG, "report-wrong", "The value of {0} is wrong.")                          \
	X(MSG_REPORT_UNKNOWN, "report-unknown",                                                    \
		"The lab itself gives no value for {0}: tell its author.")                         \
	/* the state of a step */                                                                  \
	X(MSG_NEWER_SQL, "newer-sql", "{0} is newer than {1}: run it again.")                      \
	X(MSG_POLLED, "polled",                                                                    \
		"Folders cannot be watched here: they are looked at every {0} seconds.")           \
	X(MSG_NO_FOLDER, "no-folder",                                                              \
		"Lab {0}: {1} is no folder, but a file: nothing can be saved there.")              \
	X(MSG_CLOSED, "closed",                                                                    \
		"Lab {0}: the service may not read what is saved. To open it: {1}")                \
	X(MSG_NO_DATA, "no-data",                                                                  \
		"Lab {0}: {1} is not there. To put the lab's own copy there: {2}")                 \
	X(MSG_LAB_CHANGED, "lab-changed",                                                          \
		"Lab {0}: {1} has changed; saved steps that were graded again: {2}.")              \
	/* the diagnosis */                                                                        \
	X(MSG_DIAGNOSIS_CUT, "diagnosis-cut",                                                      \
		"The search for the cause took too long, and was ended: there may be others.")     \
	/* remarks about the form of a file */                                                     \
	X(MSG_ENCODING, "encoding", "{0} is {1}; it was read all the same.")

enum message_id {
#define X(id, name, english) id,
	MESSAGE_LIST(X)
#undef X
		MESSAGE_COUNT
};

struct message {
	enum message_id id;
	struct text args[MESSAGE_ARGS]; /* printable UTF-8, no control characters */
};

/* A message whose arguments are cleaned copies in the arena, long ones cut; ones that are not
 * needed are (struct text){0}. 0 or -ENOMEM. */
int message_make(struct arena *arena, enum message_id id, struct text arg0, struct text arg1,
	struct text arg2, struct message *ret);

/* "pass", "missing" ...: the id as status.json has it. */
const char *message_name(enum message_id id);

/* The id of a name, or MESSAGE_COUNT. */
enum message_id message_find(struct text name);

/* The sentence in that language, in the arena. On lack of memory its ptr is NULL. */
struct text message_render(
	struct arena *arena, const struct words *words, const struct message *message);

#endif
