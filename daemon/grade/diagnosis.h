/* Diagnoses: the causes that a grader may name, each with one sentence. A sentence says what was
 * done and what to think about, never a number, a column list or a clause of the solution; what
 * the learner wrote is quoted as the parameter. */
#ifndef EWIN_DAEMON_GRADE_DIAGNOSIS_H
#define EWIN_DAEMON_GRADE_DIAGNOSIS_H

#include "parser/text.h"

struct arena;

/* Every id with its name and English sentence. A name is part of what `--json` and the journal say:
 * never reuse one. */
#define DIAGNOSIS_LIST(X)                                                                          \
	/* the table and its time */                                                               \
	X(DIAG_DELAY, "delay",                                                                     \
		"The watermark stays another distance behind the rows than asked: read the "       \
		"WATERMARK line again, its sign and unit too.")                                    \
	X(DIAG_NO_WATERMARK, "no-watermark",                                                       \
		"Without a WATERMARK clause the time is an ordinary column, and this table has "   \
		"no event time.")                                                                  \
	X(DIAG_NO_TIME_ATTRIBUTE, "no-time-attribute",                                             \
		"The column given here is not, or no longer, the event-time attribute: a cast or " \
		"a function takes that property away.")                                            \
	X(DIAG_PROCESSING_TIME, "processing-time",                                                 \
		"The time here is the clock on the wall, not the times in the file.")              \
	X(DIAG_TIME_ZONE, "time-zone",                                                             \
		"The times are moved as a whole: look at the time zone, and at seconds against "   \
		"milliseconds.")                                                                   \
	X(DIAG_DDL_COLUMNS, "ddl-columns",                                                         \
		"Compare the column list of the table with the task: names, types, and the order " \
		"in the file.")                                                                    \
	X(DIAG_TABLE_OPTION, "table-option",                                                       \
		"Compare the name of the table and its WITH options with the task.")               \
	X(DIAG_PATH, "path", "The path does not lead to the lab's file: look for a typing error.") \
	X(DIAG_CREATE_MISSING, "create-missing",                                                   \
		"Every run starts with an empty catalogue: the file must create what it uses, "    \
		"before it uses it.")                                                              \
	X(DIAG_CREATE_CONFLICT, "create-conflict",                                                 \
		"A second definition meets a first one: which of them is in force here?")          \
	/* settings */                                                                             \
	X(DIAG_BATCH_MODE, "batch-mode", "This was a batch run: the output has no op column.")     \
	X(DIAG_STREAMING_MODE, "streaming-mode",                                                   \
		"This was a streaming run: the output has an op column.")                          \
	X(DIAG_NO_TABLEAU, "no-tableau", "A SELECT in a file prints only in tableau mode.")        \
	X(DIAG_PARALLELISM, "parallelism",                                                         \
		"With more than one input the lowest watermark rules, and the result may change "  \
		"from run to run.")                                                                \
	X(DIAG_INTERVAL, "interval",                                                               \
		"The watermark comes out at another rhythm than this step asks: look at the "      \
		"interval setting, its unit too.")                                                 \
	X(DIAG_INTERVAL_MISSING, "interval-missing",                                               \
		"One setting of this step, the rhythm of the watermark, is missing.")              \
	X(DIAG_SET_AFTER_QUERY, "set-after-query",                                                 \
		"A SET counts only for the statements after it.")                                  \
	X(DIAG_SET_MISSPELT, "set-misspelt",                                                       \
		"Flink takes an unknown key of SET without a word: compare key and value letter "  \
		"by letter.")                                                                      \
	X(DIAG_SET_LOST, "set-lost",                                                               \
		"The setting is written, but not in force when the query starts.")                 \
	X(DIAG_EMIT_OPTIONS, "emit-options",                                                       \
		"A window gives one final row: no early or repeated output is asked here.")        \
	/* windows */                                                                              \
	X(DIAG_WINDOW_KIND, "window-kind",                                                         \
		"The windows are of another kind than asked: do they overlap, grow, or follow "    \
		"the "                                                                             \
		"gaps?")                                                                           \
	X(DIAG_WINDOW_SIZE, "window-size",                                                         \
		"The windows have another length than asked: compare window_end minus "            \
		"window_start with the task.")                                                     \
	X(DIAG_WINDOW_SLIDE, "window-slide",                                                       \
		"The windows follow one another at another distance than asked.")                  \
	X(DIAG_WINDOW_ARGS_SWAPPED, "window-args-swapped",                                         \
		"Two lengths, two roles: read again which of them comes first.")                   \
	X(DIAG_SESSION_GAP, "session-gap",                                                         \
		"Sessions are joined or cut at another pause than asked.")                         \
	X(DIAG_SESSION_PARTITION, "session-partition",                                             \
		"Decide whose pauses count: the key belongs inside the window function, not only " \
		"in GROUP BY.")                                                                    \
	X(DIAG_OFFSET, "offset", "An offset shifts the edges of the windows.")                     \
	X(DIAG_NO_WINDOW, "no-window",                                                             \
		"The rows of this result belong to no window, so none closes and none drops late " \
		"rows: look at FROM and GROUP BY.")                                                \
	X(DIAG_LEGACY_WINDOW, "legacy-window",                                                     \
		"This is the old spelling, a window in GROUP BY; the lab speaks of the window "    \
		"function in FROM.")                                                               \
	X(DIAG_NOT_REFUSED, "not-refused",                                                         \
		"Flink does not refuse this order of the arguments: which one would break the "    \
		"rule of this window?")                                                            \
	/* grouping and columns */                                                                 \
	X(DIAG_GROUP_KEY_MISSING, "group-key-missing",                                             \
		"Compare GROUP BY with the task: a key is missing.")                               \
	X(DIAG_GROUP_KEY_EXTRA, "group-key-extra",                                                 \
		"The rows are finer than asked: GROUP BY has a key too many.")                     \
	X(DIAG_AGG_FUNCTION, "agg-function",                                                       \
		"One value column is worked out with another function than asked.")                \
	X(DIAG_AGG_COLUMN, "agg-column",                                                           \
		"One value column is worked out from another column than asked.")                  \
	X(DIAG_AGGREGATED, "aggregated", "Read the task again: single rows, or one row a group?")  \
	X(DIAG_COLUMN_MISSING, "column-missing",                                                   \
		"A column that the task names is not in the table.")                               \
	X(DIAG_COLUMN_EXTRA, "column-extra", "The table has a column that nobody asked for.")      \
	X(DIAG_COLUMN_NAMES, "column-names",                                                       \
		"The names above the columns are not the asked ones.")                             \
	X(DIAG_COLUMN_ORDER, "column-order", "The columns stand in another order than asked.")     \
	X(DIAG_COLUMN_VALUE, "column-value", "One column does not show what its name says.")       \
	/* filters, limits, order */                                                               \
	X(DIAG_WHERE_EXTRA, "where-extra",                                                         \
		"Rows are missing because a condition that nobody asked for holds them back.")     \
	X(DIAG_LIMIT, "limit", "The result was cut by the query itself.")                          \
	X(DIAG_ORDER_BY, "order-by",                                                               \
		"A stream cannot be sorted by any column you like: is sorting asked?")             \
	X(DIAG_FILTER_MISSING, "filter-missing",                                                   \
		"These rows are not filtered as asked: which rows does the step ask for, and "     \
		"does the query read what you filtered?")                                          \
	X(DIAG_FILTER_EXTRA, "filter-extra",                                                       \
		"The query takes late rows out by a condition: this step does not ask for that.")  \
	X(DIAG_FILTER_INVERTED, "filter-inverted",                                                 \
		"The condition lets through just the other rows.")                                 \
	X(DIAG_FILTER_PLACE, "filter-place",                                                       \
		"Whether a row is late can only be judged where the row still is.")                \
	X(DIAG_LATE_CMP, "late-cmp", "What about a row whose time is exactly the watermark?")      \
	X(DIAG_LATE_BY, "late-by",                                                                 \
		"Compare each row's time with the watermark at that moment, and with nothing "     \
		"else.")                                                                           \
	X(DIAG_NULL_FIRST_ROW, "null-first-row",                                                   \
		"What does a comparison give for a row that comes before any watermark?")          \
	X(DIAG_NULL_CHECK, "null-check",                                                           \
		"Go through the condition for the first row and for an ordinary row: one of them " \
		"ends on the wrong side.")                                                         \
	/* Top-N */                                                                                \
	X(DIAG_TOPN_N, "topn-n", "Count the rows of one window and compare with the task.")        \
	X(DIAG_TOPN_ORDER, "topn-order", "The ranking follows something else than the task says.") \
	X(DIAG_TOPN_PARTITION, "topn-partition", "Within what is the ranking to start anew?")      \
	/* input */                                                                                \
	X(DIAG_OTHER_DATA, "other-data",                                                           \
		"These numbers belong to other rows than those of the lab's file, in its order.")  \
	X(DIAG_SORTED_INPUT, "sorted-input",                                                       \
		"In this input nothing arrives late: the order of arrival is part of the data.")   \
	X(DIAG_UNBOUNDED_SOURCE, "unbounded-source",                                               \
		"The source waits for more files: the query never ends, and a last window never "  \
		"closes.")                                                                         \
	/* statements that the client refused or did not run */                                    \
	X(DIAG_ERROR_SYNTAX, "error-syntax",                                                       \
		"The client's message names a line and a column: look just before that place.")    \
	X(DIAG_ERROR_UNKNOWN_NAME, "error-unknown-name",                                           \
		"One name in the client's message is not known where it is used: compare its "     \
		"spelling, and where it is defined.")                                              \
	X(DIAG_COMMENT_AFTER_SEMICOLON, "comment-after-semicolon",                                 \
		"Nothing may follow the semicolon on its line, not even a comment.")               \
	X(DIAG_TAB_GLUED, "tab-glued", "The client drops TABs: put a blank between the words.")    \
	X(DIAG_NON_ASCII_SQL, "non-ascii-sql",                                                     \
		"A character in the SQL only looks like the plain one: type it again.")            \
	X(DIAG_QUERY_MISSING, "query-missing",                                                     \
		"The statement whose result is asked was never run.")                              \
	X(DIAG_PLAN_ONLY, "plan-only", "This is the plan of a query, not its result.")             \
	X(DIAG_SINK_ONLY, "sink-only", "The result went to a sink: the file shows none.")          \
	X(DIAG_CLUSTER_DOWN, "cluster-down",                                                       \
		"The query never ran: look at the cluster, not at the SQL.")                       \
	X(DIAG_ERROR_CSV, "error-csv", "The table and the file do not fit together.")              \
	/* the output file */                                                                      \
	X(DIAG_TABLE_MISSING, "table-missing", "Count the result tables in the file.")             \
	X(DIAG_TABLE_REPEATED, "table-repeated", "Two of the tables hold the same result.")        \
	X(DIAG_TABLE_EXTRA, "table-extra",                                                         \
		"There is a table too many: keep one step in one file.")                           \
	X(DIAG_ORDER_OF_TABLES, "order-of-tables",                                                 \
		"The tables stand in another order than asked.")                                   \
	X(DIAG_ANOTHER_STEP, "another-step", "This is the answer of another step.")                \
	X(DIAG_STALE_OUTPUT, "stale-output",                                                       \
		"The output was not made by the SQL beside it: run it again.")                     \
	X(DIAG_EDITED_BY_HAND, "edited-by-hand",                                                   \
		"The table does not hold together with its footer or the SQL above it: save what " \
		"the client prints.")                                                              \
	X(DIAG_NOT_CLIENT_OUTPUT, "not-client-output",                                             \
		"This is not what the client prints: save its standard output.")                   \
	X(DIAG_TRUNCATED, "truncated",                                                             \
		"The file is not whole: its beginning, a border or a footer is missing, or cells " \
		"are cut.")                                                                        \
	X(DIAG_INTERRUPTED, "interrupted", "The run was stopped before it was done.")              \
	X(DIAG_EMPTY_FILE, "empty-file", "The file is empty.")                                     \
	X(DIAG_CHANGELOG, "changelog",                                                             \
		"A window gives only final rows; these correct themselves.")                       \
	X(DIAG_UNRECOGNISED, "unrecognised",                                                       \
		"No known mistake gives these rows: start at the first difference.")               \
	/* report.json */                                                                          \
	X(DIAG_REPORT_NOT_JSON, "report-not-json",                                                 \
		"The file is no valid JSON: check its braces, quotes and commas, and that "        \
		"nothing else stands in it.")                                                      \
	X(DIAG_REPORT_SHAPE, "report-shape", "One flat object is asked, with each key once.")      \
	X(DIAG_REPORT_TYPE, "report-type", "Whole numbers are asked, without quotes or a point.")  \
	X(DIAG_REPORT_MISSING_KEY, "report-missing-key", "A key of the task is not there.")        \
	X(DIAG_REPORT_SWAPPED, "report-swapped", "Two values stand under each other's key.")       \
	X(DIAG_REPORT_FROM_OTHER, "report-from-other",                                             \
		"This number can be found, but somewhere else: from which output does the task "   \
		"take it?")                                                                        \
	X(DIAG_REPORT_LATE_FOR_DROPPED, "report-late-for-dropped",                                 \
		"Late and dropped are two things: which of them does the window decide?")          \
	X(DIAG_REPORT_NOT_DIFFERENCE, "report-not-difference",                                     \
		"The key asks how many were lost, not how many are left.")                         \
	X(DIAG_REPORT_COUNTED_LINES, "report-counted-lines",                                       \
		"Which lines of the output belong to this number, and are they to be counted or "  \
		"added up?")                                                                       \
	X(DIAG_REPORT_UNIT, "report-unit", "Look at the unit in the key's name.")                  \
	X(DIAG_REPORT_WRONG, "report-wrong", "Work out this value again from the saved output.")

enum diagnosis_id {
#define X(id, name, english) id,
	DIAGNOSIS_LIST(X)
#undef X
		DIAGNOSIS_COUNT
};

/* A cause that was found. */
struct diagnosis {
	enum diagnosis_id id;
	struct text param; /* what it was, as in "10s" or "sensor"; empty: not further known */
	int table;	   /* the result table that it holds for, from 1; 0: all */
	bool ambiguous;	   /* one of several of which the evidence cannot tell which it was */
	int64_t changes;   /* rows of the result that it alone changes; -1: not known */
};

/* "delay", "no-watermark" ... */
const char *diagnosis_name(enum diagnosis_id id);

/* The id of a name, or DIAGNOSIS_COUNT. */
enum diagnosis_id diagnosis_find(struct text name);

/* Its sentence in English, as far as the id alone tells: see saying_of(). */
const char *diagnosis_sentence(enum diagnosis_id id);

#endif
