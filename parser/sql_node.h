/* What the scanner, the grammar and the node constructors of the SQL front end share. Nobody else
 * includes this; sql.h is the interface. */
#ifndef EWIN_PARSER_SQL_NODE_H
#define EWIN_PARSER_SQL_NODE_H

#include "parser/sql.h"

/* Where a token or a rule stands: its first character in the file, its bytes in the statement. */
struct sql_loc {
	struct sql_pos pos;
	size_t begin, end;
};

/* A token: kind is one of the grammar's; text as written, of a quoted one what is inside. */
struct sql_token {
	int kind;
	struct text text;
	struct sql_loc loc;
};

/* Growing lists, as the grammar collects them. */
struct sql_exprs {
	struct sql_expr **items;
	size_t count, room;
};

struct sql_names {
	struct text *items;
	size_t count, room;
};

struct sql_items {
	struct sql_item *items;
	size_t count, room;
};

struct sql_options {
	struct sql_option *items;
	size_t count, room;
};

struct sql_tokens {
	struct sql_token *items;
	size_t count, room;
};

/* A chain while it grows at its end. */
struct sql_orders {
	struct sql_order *first, *last;
};

struct sql_withs {
	struct sql_with *first, *last;
};

/* One unit as written: SECOND, MINUTES, SECOND(3), SECOND(3, 3); -1: no such precision. */
struct sql_unit {
	struct text word;
	int32_t precision, fraction;
};

/* start [TO end]; end.word is empty where it is one unit. */
struct sql_range {
	struct sql_unit start, end;
};

/* GROUP BY, or an item of it: all its expressions, and for each set which of them it has. */
struct sql_group {
	struct sql_exprs list;
	uint64_t *sets;
	size_t set_count, set_room;
	bool given, given_sets; /* there is a GROUP BY; one with GROUPING SETS or the like */
};

struct sql_limit {
	struct sql_expr *count, *offset;
};

/* What a syntax error interrupted: the grammar's symbols before it, the latest first. */
struct sql_trail {
	const char **names;
	size_t count, room;
};

/* One statement on its way to a tree. The first failure is kept in err and reterr. */
struct sql_parser {
	struct arena *arena;   /* of the tree */
	struct arena *scratch; /* of the tokens and the scanner, gone when the tree is made */
	struct diag *reterr;
	struct text source;	  /* the statement without TAB and CR */
	struct sql_tokens tokens; /* the last one has kind 0 */
	size_t current, next;	  /* index of the token that the grammar got last, gets next */
	int err;
	bool several;	   /* statements, with a ';' between them */
	bool setting;	   /* SET or RESET: the wrong token is the current one */
	const char *fault; /* Flink's own text, where the failure is not a syntax error's */
	bool has_bad;	   /* a character that SQL has not, at this byte of the source */
	size_t bad_at;
	bool broken;		/* by a token that does not fit the grammar */
	struct sql_trail trail; /* where */
	struct sql_statement *statement;
	size_t column_room;	     /* of statement->create->columns */
	struct sql_pos bare_columns; /* CREATE TABLE t (a, b): names without types; line 0: none */
};

/* Cuts parser->source into tokens, with their places in the piece that it was made of. 0, -EINVAL
 * (a character that SQL has not) or -ENOMEM. The source has two NULs behind its end. */
int sql_scan(struct sql_parser *parser, const struct sql_piece *piece);

/* Parses a piece: the parser's arenas, reterr and statement are set, all else is zero. The
 * outcome is in parser->err. */
void sql_read_piece(struct sql_parser *parser, const struct sql_piece *piece);

/* Where a syntax error is. Flink's parser asks for the same tokens at the same place. All ptr are
 * NULL without memory. */
struct sql_place {
	struct text around; /* what is open around the expression that ends here, or all */
	struct text
		special; /* the function whose brackets are open, where it has rules of its own */
	struct text ending;   /* how the expression ends; empty: nothing of it is there yet */
	struct text operator; /* behind its last operand, or empty */
	struct text last;     /* the kind of the last token, in front of the operator */
	struct text before;   /* the kind of the one before it */
	bool like;	      /* a LIKE is in the expression */
};
struct sql_place sql_place(const struct sql_parser *parser);

/* The token kind of a bare word: its own where the grammar names it, one for the reserved words,
 * one for all others. */
int sql_word_kind(struct text word);

/* May words of this kind be names without back quotes? */
bool sql_word_is_free(int kind);

/* Notes a failure, the first one only, and returns NULL. */
void *sql_fail(struct sql_parser *parser, int err, struct sql_pos pos, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void *sql_nomem(struct sql_parser *parser);

/* The same of a statement that Flink's parser refuses with this text. */
void *sql_fail_as(
	struct sql_parser *parser, struct sql_pos pos, const char *fault, const char *what);

/* What Flink says of "!=". */
#define SQL_FAULT_BANG                                                                           \
	"org.apache.calcite.runtime.CalciteException: Bang equal '!=' is not allowed under the " \
	"current SQL conformance level"

/* SET and RESET with a bare key or none, which are not SQL. True where the statement is of that
 * form; the keyword must be its first word. */
bool sql_bare_setting(struct text source, struct sql_statement *ret);

/* SET 'key' = 'value' and RESET 'key': the first token is one of them. */
void sql_parse_setting(struct sql_parser *parser);

/* Fails because the token of this index, or the last one, cannot stand where it does. */
void *sql_refuse_token(struct sql_parser *parser, size_t index);

/* Constructors and setters of the grammar, in sql_node.c. Each returns NULL, or false, where it
 * has noted a failure. The loc is the node's first token. */
struct sql_expr *sql_new_expr(
	struct sql_parser *parser, enum sql_expr_kind kind, const struct sql_loc *loc);
struct sql_expr *sql_new_op(struct sql_parser *parser, const struct sql_loc *loc, enum sql_op op,
	struct sql_expr *a, struct sql_expr *b);
struct sql_expr *sql_new_between(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *value, struct sql_expr *low, struct sql_expr *high);
/* text LIKE pattern [ESCAPE escape]; escape NULL: none. */
struct sql_expr *sql_new_like(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *text, struct sql_expr *pattern, struct sql_expr *escape);
/* TRIM(side set FROM text): a call whose first argument is the side, an EXPR_UNIT; set NULL: '
 * '. */
struct sql_expr *sql_new_trim(struct sql_parser *parser, const struct sql_loc *loc,
	struct text side, struct sql_expr *set, struct sql_expr *text);
struct sql_expr *sql_new_in(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *value, const struct sql_exprs *list, struct sql_query *query);
struct sql_expr *sql_negate(
	struct sql_parser *parser, const struct sql_loc *loc, struct sql_expr *expr);
struct sql_expr *sql_new_column(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_names *path);
struct sql_expr *sql_new_star(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_names *path);
struct sql_expr *sql_new_table(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *path, const struct sql_exprs *partition);
struct sql_expr *sql_new_query_expr(
	struct sql_parser *parser, const struct sql_loc *loc, struct sql_query *query);
struct sql_expr *sql_new_unit(
	struct sql_parser *parser, const struct sql_loc *loc, struct text word);
struct sql_expr *sql_new_call(struct sql_parser *parser, const struct sql_loc *loc,
	struct text name, const struct sql_exprs *args);
struct sql_expr *sql_new_call_of(struct sql_parser *parser, const struct sql_loc *loc,
	struct text name, struct sql_expr *a, struct sql_expr *b);
struct sql_expr *sql_new_item(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *of, const struct sql_exprs *index);
struct sql_expr *sql_new_row(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_exprs *args);
struct sql_expr *sql_new_cast(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *expr, const struct sql_type *type);
struct sql_expr *sql_new_case(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_expr *operand, const struct sql_exprs *whens, struct sql_expr *otherwise);
struct sql_expr *sql_add_filter(
	struct sql_parser *parser, struct sql_expr *call, struct sql_expr *filter);
struct sql_expr *sql_add_over(
	struct sql_parser *parser, struct sql_expr *call, struct sql_over *over);
struct sql_over *sql_new_over(struct sql_parser *parser, const struct sql_exprs *partition,
	const struct sql_orders *orders, bool frame);

/* Items of GROUP BY, in sql_group.c: an expression (NULL: none), ROLLUP, CUBE; another item added
 * to GROUPING SETS, or multiplied with those before. */
bool sql_group_expr(struct sql_parser *parser, struct sql_group *ret, struct sql_expr *expr);
bool sql_group_rollup(
	struct sql_parser *parser, struct sql_group *ret, const struct sql_exprs *exprs);
bool sql_group_cube(
	struct sql_parser *parser, struct sql_group *ret, const struct sql_exprs *exprs);
bool sql_group_add(
	struct sql_parser *parser, struct sql_group *group, const struct sql_group *more);
bool sql_group_multiply(
	struct sql_parser *parser, struct sql_group *group, const struct sql_group *more);

/* Growing lists, in sql_node.c. */
bool sql_add_expr(struct sql_parser *parser, struct sql_exprs *list, struct sql_expr *expr);
bool sql_add_exprs(struct sql_parser *parser, struct sql_exprs *list, const struct sql_exprs *more);
bool sql_add_name(struct sql_parser *parser, struct sql_names *list, struct text name);
struct text sql_last_name(const struct sql_names *path);

/* The name of a table's path and its database, empty where the path has none; notes the path. */
bool sql_set_name(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *path, struct text *name, struct text *database);

/* Recognises what the client and its gateway do by themselves: HELP, CLEAR, statement sets. In
 * sql_command.c. */
bool sql_parse_command(struct sql_parser *parser);

/* Literals, in sql_literal.c. */
struct sql_expr *sql_new_number(
	struct sql_parser *parser, const struct sql_loc *loc, struct text digits);
struct sql_expr *sql_new_string(
	struct sql_parser *parser, const struct sql_loc *loc, struct text text);
/* U&'...' with an escape character. */
struct sql_expr *sql_new_unicode(
	struct sql_parser *parser, const struct sql_loc *loc, struct text text, char escape);
struct sql_expr *sql_new_time(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_kind kind, struct text text);
struct sql_expr *sql_new_constant(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_kind kind, int64_t value);
struct sql_expr *sql_new_interval(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_interval interval, const struct sql_range *range);

/* Queries, in sql_query.c. */
struct sql_query *sql_new_query(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_query_kind kind);
struct sql_query *sql_new_set(struct sql_parser *parser, const struct sql_loc *loc,
	enum sql_query_kind kind, struct sql_query *left, struct sql_query *right);
struct sql_query *sql_end_query(struct sql_parser *parser, struct sql_query *query,
	const struct sql_withs *withs, const struct sql_orders *orders,
	const struct sql_limit *limit);
bool sql_set_rows(struct sql_parser *parser, struct sql_query *query, const struct sql_exprs *rows);
bool sql_measure_query(struct sql_parser *parser, struct sql_query *query);
struct sql_rel *sql_new_rel(
	struct sql_parser *parser, const struct sql_loc *loc, enum sql_rel_kind kind);
struct sql_rel *sql_new_query_rel(
	struct sql_parser *parser, const struct sql_loc *loc, struct sql_query *query);
struct sql_rel *sql_new_join(struct sql_parser *parser, const struct sql_loc *loc,
	struct sql_rel *left, struct sql_rel *right);
bool sql_add_item(struct sql_parser *parser, struct sql_items *list, struct sql_expr *expr,
	struct text alias);
bool sql_add_order(struct sql_parser *parser, struct sql_orders *list, struct sql_expr *expr,
	struct sql_order flags);
bool sql_add_with(struct sql_parser *parser, struct sql_withs *list, struct text name,
	struct sql_query *query);

/* Types and the parts of DDL, in sql_ddl.c. */
bool sql_type_of(struct sql_parser *parser, const struct sql_unit *written,
	const struct sql_loc *loc, struct sql_type *ret);
/* TIME of so many digits of a second; less than 0: none are written. */
struct sql_type sql_time_type(int32_t digits);

/* The texts of types with types in them. */
bool sql_nest_type(struct sql_parser *parser, const char *word, const struct sql_type *inner,
	struct text *ret);
bool sql_map_type(struct sql_parser *parser, const struct sql_type *key,
	const struct sql_type *value, struct text *ret);
bool sql_field_type(
	struct sql_parser *parser, struct text name, const struct sql_type *type, struct text *ret);
bool sql_join_fields(
	struct sql_parser *parser, struct text fields, struct text field, struct text *ret);
bool sql_row_type(struct sql_parser *parser, struct text fields, struct text *ret);

struct sql_create_table *sql_new_create(struct sql_parser *parser);
bool sql_add_column(struct sql_parser *parser, const struct sql_column *column);
bool sql_check_create(struct sql_parser *parser);
bool sql_set_key(
	struct sql_parser *parser, const struct sql_loc *loc, const struct sql_names *names);
bool sql_set_watermark(struct sql_parser *parser, const struct sql_loc *loc, struct text column,
	struct sql_expr *expr);
bool sql_set_like(struct sql_parser *parser, const struct sql_loc *loc, struct text what,
	struct text feature);
bool sql_add_option(struct sql_parser *parser, struct sql_options *list, const struct sql_loc *loc,
	struct text key, struct text value);
bool sql_check_explain(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *words, bool with_for);
bool sql_set_insert(struct sql_parser *parser, const struct sql_loc *loc,
	const struct sql_names *path, const struct sql_names *columns, struct sql_query *query);

/* Intervals, in sql_interval.c. */

/* Writes ms, or months where the range is of years, quarters and months. 0; -EINVAL: not of the
 * form that the range asks for; -ERANGE: more digits than its precision, or out of bounds. */
int sql_interval_value(
	const struct sql_interval *interval, const struct sql_range *range, int64_t *ret);
bool sql_range_is_months(const struct sql_range *range);
struct sql_type sql_interval_type(const struct sql_range *range);

/* The unit without its plural, upper case: "SECOND"; one that is none stays as it is. */
struct text sql_unit_name(struct text word);

#endif
