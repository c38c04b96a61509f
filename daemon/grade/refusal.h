/* The inside of reading an error: what the client said, of which statement, and what was asked
 * instead. */
#ifndef EWIN_DAEMON_GRADE_REFUSAL_H
#define EWIN_DAEMON_GRADE_REFUSAL_H

#include "daemon/grade/diagnosing.h"
#include "daemon/grade/written.h"

struct refusal {
	struct arena *arena;
	const struct grading *grading;
	struct causes *causes;
	struct text error; /* "class: message", of the innermost cause */
	struct written written;
	size_t at;				   /* index of the refused statement */
	const struct written_statement *statement; /* NULL: it is not known */
	struct written asked;			   /* the reference */
	int table; /* the result table that is lost by it, from 1; 0: the step asks for one only */
};

/* Adds a cause of the result that was lost. */
void refusal_add(struct refusal *refusal, enum diagnosis_id id, struct text param);

/* What stands between the quotes behind the mark; empty: the mark or the quotes are not there. */
struct text refusal_quoted(const struct refusal *refusal, const char *mark);

/* Syntax: the client's parser could not read the statement. */
void refusal_several(struct refusal *refusal);
void refusal_character(struct refusal *refusal);
void refusal_syntax(struct refusal *refusal);
void refusal_hint(struct refusal *refusal);

/* Names and definitions. */
void refusal_no_table(struct refusal *refusal);
void refusal_no_column(struct refusal *refusal);
void refusal_no_name(struct refusal *refusal);
void refusal_no_function(struct refusal *refusal);
void refusal_table_twice(struct refusal *refusal);
void refusal_watermark_twice(struct refusal *refusal);
void refusal_column_twice(struct refusal *refusal);
void refusal_option(struct refusal *refusal);
void refusal_required_option(struct refusal *refusal);
void refusal_connector(struct refusal *refusal);
void refusal_format(struct refusal *refusal);

/* Settings. */
void refusal_no_tableau(struct refusal *refusal);
void refusal_value(struct refusal *refusal);
void refusal_emit(struct refusal *refusal);
void refusal_session_in_batch(struct refusal *refusal);

/* Time attributes and windows. */
void refusal_not_rowtime(struct refusal *refusal);
void refusal_watermark_argument(struct refusal *refusal);
void refusal_descriptor_type(struct refusal *refusal);
void refusal_not_time_attribute(struct refusal *refusal);
void refusal_watermark_type(struct refusal *refusal);
void refusal_of_source(struct refusal *refusal);
void refusal_lengths(struct refusal *refusal);
void refusal_lengths_form(struct refusal *refusal);
void refusal_legacy(struct refusal *refusal);

/* The query. */
void refusal_ungrouped(struct refusal *refusal);
void refusal_argument_type(struct refusal *refusal);
void refusal_sort(struct refusal *refusal);
void refusal_scalar(struct refusal *refusal);
void refusal_arguments(struct refusal *refusal);
void refusal_form(struct refusal *refusal);
void refusal_sink(struct refusal *refusal);
void refusal_rank(struct refusal *refusal);
void refusal_unordered(struct refusal *refusal);

/* The data. */
void refusal_no_file(struct refusal *refusal);
void refusal_bad_line(struct refusal *refusal);
void refusal_null_rowtime(struct refusal *refusal);

/* Calls see() for each expression of the query, those of its sub-queries too; stops at false. */
bool query_walk(
	const struct sql_query *query, bool (*see)(const struct sql_expr *, void *), void *ctx);

/* The table that the query reads, through views and WITH; NULL: it is not known. */
const struct sql_create_table *query_table(
	const struct written *written, size_t at, const struct sql_query *query);

/* The definition of the table that the refused query reads, or of the last one before it. */
const struct sql_create_table *refusal_table(const struct refusal *refusal);

/* The value of an option in force at the statement; ptr NULL: it was not set. */
struct text written_setting(const struct written *written, size_t at, const char *key);

/* How a table's columns differ from those of the lab's file: false where they do not. */
bool refusal_columns(struct refusal *refusal, const struct sql_create_table *table);

/* Does the reference run as a batch query? */
bool refusal_asks_batch(const struct refusal *refusal);

/* A window function of FROM? */
bool refusal_is_window(struct text name);

#endif
