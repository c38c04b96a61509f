/* Flink SQL: a script cut into statements as the client cuts it, and a statement as a syntax tree.
 * Nothing is resolved here: names, types and time attributes are sim/'s work.
 * All nodes live in the arena; texts point into the source or the arena. */
#ifndef EWIN_PARSER_SQL_H
#define EWIN_PARSER_SQL_H

#include "parser/table.h"

struct arena;
struct diag;

/* Position of a node's first character, counted from 1 within the file (not the statement). */
struct sql_pos {
	int line;
	int col;
};

struct sql_query;

enum sql_expr_kind {
	EXPR_COLUMN,	 /* qualifier.name */
	EXPR_STAR,	 /* * or qualifier.* */
	EXPR_LITERAL,	 /* value, type, name: its spelling; a bare NULL has type SQL_NULL */
	EXPR_INTERVAL,	 /* interval: value and type are set, the spelling is kept for DESCRIBE */
	EXPR_OP,	 /* op, args */
	EXPR_CALL,	 /* name, args, distinct, star, filter, over */
	EXPR_CAST,	 /* args[0], type */
	EXPR_CASE,	 /* args: [operand,] when, then, when, then ..., [else]; see case_* */
	EXPR_IN,	 /* args[0] IN (args[1..]) or IN (query); NOT is an EXPR_OP around it */
	EXPR_QUERY,	 /* a scalar sub-query, or TABLE-valued argument (SELECT ...) */
	EXPR_TABLE,	 /* TABLE name, as an argument of a window function */
	EXPR_DESCRIPTOR, /* DESCRIPTOR(args): columns */
	EXPR_UNIT, /* name: SECOND ... as an argument of TIMESTAMPDIFF, EXTRACT, FLOOR (x TO unit) */
	EXPR_ROW   /* (a, b), ROW(a, b) or a row of VALUES */
};

enum sql_op {
	SQL_OP_OR,
	SQL_OP_AND,
	SQL_OP_NOT,
	SQL_OP_EQ,
	SQL_OP_NE,
	SQL_OP_LT,
	SQL_OP_LE,
	SQL_OP_GT,
	SQL_OP_GE,
	SQL_OP_ADD,
	SQL_OP_SUB,
	SQL_OP_MUL,
	SQL_OP_DIV,
	SQL_OP_MOD,
	SQL_OP_NEG,
	SQL_OP_CONCAT,
	SQL_OP_LIKE,
	SQL_OP_IS_NULL,
	SQL_OP_IS_NOT_NULL,
	SQL_OP_IS_TRUE,
	SQL_OP_IS_NOT_TRUE,
	SQL_OP_IS_FALSE,
	SQL_OP_IS_NOT_FALSE,
	SQL_OP_IS_DISTINCT, /* IS DISTINCT FROM */
	SQL_OP_IS_NOT_DISTINCT,
	SQL_OP_BETWEEN /* args: value, low, high; SYMMETRIC and NOT are outside or refused */
};

/* INTERVAL '5' SECOND, INTERVAL '00:05' MINUTE TO SECOND, INTERVAL 5 SECOND */
struct sql_interval {
	struct text number; /* between the quotes, or the bare number */
	struct text unit;   /* everything behind the number, upper case, singular: "SECOND(3)" */
	bool negative;	    /* INTERVAL -'5' SECOND */
	bool unquoted;	    /* INTERVAL 5 SECOND: allowed in WATERMARK, refused in a window */
};

struct sql_order {
	struct sql_expr *expr;
	bool descending;
	bool nulls_given, nulls_first;
	struct sql_order *next;
};

struct sql_over {
	struct sql_expr **partition;
	size_t partition_count;
	struct sql_order *order;
	bool frame; /* ROWS or RANGE given: parsed, refused by sim/ */
};

struct sql_expr {
	enum sql_expr_kind kind;
	struct sql_pos pos;
	int height; /* of the tree below it, at most LIMIT_NESTING: walkers may recurse */
	struct sql_expr **args;
	size_t arg_count;
	struct text arg_name;  /* SIZE => ...: the name that this argument was given, else empty */
	struct text qualifier; /* EXPR_COLUMN, EXPR_STAR; EXPR_TABLE: its database */
	struct text
		name; /* EXPR_COLUMN, EXPR_TABLE as written (quotes gone); EXPR_CALL upper case */
	enum sql_op op;
	struct sql_type type; /* EXPR_LITERAL, EXPR_INTERVAL, EXPR_CAST */
	struct value value;   /* EXPR_LITERAL, EXPR_INTERVAL (ms or months) */
	struct sql_interval interval;
	struct sql_query *query;
	/* EXPR_CALL */
	bool distinct;		 /* COUNT(DISTINCT x) */
	bool star;		 /* COUNT(*) */
	bool bare;		 /* CURRENT_TIMESTAMP and the like: no brackets */
	struct sql_expr *filter; /* FILTER (WHERE ...) */
	struct sql_over *over;
	struct sql_expr *
		*partition; /* PARTITION BY behind TABLE t in SESSION(...): on EXPR_TABLE/QUERY */
	size_t partition_count;
	/* EXPR_CASE */
	bool case_operand, case_else;
};

enum sql_rel_kind {
	REL_NAME,     /* a table or view */
	REL_QUERY,    /* ( query ) */
	REL_FUNCTION, /* call: TUMBLE(...), with or without TABLE( ) around it */
	REL_JOIN,     /* left, right: parsed, refused by sim/ */
	REL_VALUES    /* (VALUES ...): query is a QUERY_VALUES */
};

struct sql_rel {
	enum sql_rel_kind kind;
	struct sql_pos pos;
	int height; /* as in an expression */
	struct text name, database;
	bool hinted;	  /* an OPTIONS hint stands behind the name */
	struct text hint; /* its text */
	struct text alias;
	struct text *columns; /* REL_VALUES: alias (a, b) */
	size_t column_count;
	struct sql_expr *call;
	struct sql_query *query;
	struct sql_rel *left, *right;
};

struct sql_item {
	struct sql_expr *expr;
	struct text alias; /* empty where none */
};

struct sql_with {
	struct text name;
	struct sql_query *query;
	struct sql_with *next;
};

enum sql_query_kind {
	QUERY_SELECT,
	QUERY_UNION,
	QUERY_UNION_ALL,
	QUERY_OTHER_SET, /* INTERSECT, EXCEPT, MINUS */
	QUERY_VALUES	 /* rows */
};

struct sql_query {
	enum sql_query_kind kind;
	struct sql_pos pos;
	int height; /* as in an expression */
	struct sql_with *with;
	bool distinct;
	struct text hint; /* behind SELECT, with its marks; empty where none */
	struct sql_item *items;
	size_t item_count;
	struct sql_rel *from; /* NULL: SELECT 'x' */
	struct sql_expr *where;
	bool grouped;
	struct sql_expr **group;
	size_t group_count;
	bool grouping_sets; /* GROUPING SETS, ROLLUP or CUBE: `sets` says what each has */
	uint64_t *sets;	    /* masks of `group` */
	size_t set_count;
	struct sql_expr *having;
	struct sql_expr *qualify;
	struct sql_order *order;
	struct sql_expr *limit, *offset;
	struct sql_query *left,
		*right;		/* set operations; order and limit stand on the outer node */
	struct sql_expr **rows; /* QUERY_VALUES: each an EXPR_ROW */
	size_t row_count;
};

enum sql_column_kind { COLUMN_PHYSICAL, COLUMN_COMPUTED, COLUMN_METADATA };

struct sql_column {
	enum sql_column_kind kind;
	struct sql_pos pos;
	struct text name;
	struct sql_type type;  /* not COLUMN_COMPUTED */
	struct sql_expr *expr; /* COLUMN_COMPUTED */
	struct text metadata;  /* FROM 'key', else empty */
	bool is_virtual;
	bool has_comment;
	struct text comment;
	bool primary_key; /* by a column constraint */
};

struct sql_option {
	struct text key, value;
	struct sql_pos pos;
};

struct sql_create_table {
	struct text name;
	bool temporary, if_not_exists;
	struct sql_column *columns;
	size_t column_count;
	bool has_watermark;
	struct text watermark_column;
	struct sql_expr *watermark;
	struct sql_pos watermark_pos;
	struct text *primary_key;
	size_t primary_key_count;
	struct sql_option *options;
	size_t option_count;
	struct text comment;		 /* its ptr is NULL where there is none */
	bool enforced;			 /* a PRIMARY KEY without NOT ENFORCED */
	bool unprintable;		 /* partitions or a name for the key: read and dropped */
	struct text like, like_database; /* LIKE table, else empty */
	bool like_overwriting_watermarks, like_excluding_watermarks;
	bool like_overwriting_options, like_excluding_options;
	struct sql_query *as; /* CREATE TABLE ... AS */
};

enum sql_statement_kind {
	STMT_SET,   /* key, value; without key: list all */
	STMT_RESET, /* key, or all */
	STMT_CREATE_TABLE,
	STMT_CREATE_VIEW,	 /* name, columns where listed, query, temporary, if_not_exists */
	STMT_ALTER_WATERMARK,	 /* ALTER TABLE name MODIFY|ADD WATERMARK ...: create->watermark* */
	STMT_ALTER_NO_WATERMARK, /* ALTER TABLE name DROP WATERMARK */
	STMT_ALTER_RENAME,	 /* name, new_name */
	STMT_ALTER_OPTIONS,	 /* ALTER TABLE name SET (...): create->options */
	STMT_DROP,		 /* name, if_exists; is_view */
	STMT_DESCRIBE,		 /* name */
	STMT_SELECT,		 /* query */
	STMT_EXPLAIN,		 /* query where it is one */
	STMT_INSERT,		 /* name, columns where listed, query */
	STMT_SHOW,		 /* what: "TABLES", "CREATE TABLE" ...; name: where one follows;
				 like where liked, not_like: NOT LIKE; more: something else
				 stands behind */
	STMT_ALTER_VIEW,	 /* ALTER VIEW name RENAME TO new_name, or AS query */
	STMT_HELP,
	STMT_CLEAR,
	STMT_BEGIN_SET,	  /* BEGIN STATEMENT SET */
	STMT_END_SET,	  /* END */
	STMT_EXECUTE_SET, /* EXECUTE STATEMENT SET BEGIN members END */
	STMT_QUIT,
	STMT_OTHER /* what: the first words, upper case; recognised by them alone. name: of
		      USE name, USE CATALOG name, CREATE DATABASE name with nothing behind it */
};

/* A name that was given with its catalog or its database: what is in front of it. */
struct sql_path {
	struct text catalog; /* empty where it is not given */
	struct text database;
	struct sql_pos pos;
	struct sql_path *next;
};

struct sql_statement {
	enum sql_statement_kind kind;
	struct sql_pos pos;
	struct text key, value;
	struct text name, database; /* database: empty where it is not given, as in all below */
	struct text new_name, new_database;
	struct text what;
	bool temporary, if_not_exists, if_exists, is_view, more;
	bool cascade; /* STMT_OTHER: DROP DATABASE name CASCADE */
	bool liked, not_like;
	struct text like;
	bool overwrite; /* STMT_INSERT */
	bool added;	/* STMT_ALTER_WATERMARK: ADD, not MODIFY */
	struct text *columns;
	size_t column_count;
	struct sql_create_table *create;
	struct sql_query *query;
	struct sql_path *paths; /* of all names in it */
	struct sql_statement *members;
	size_t member_count;
	const struct sql_expr
		*bare_call; /* the first function in FROM without TABLE( ) around it */
};

/* One statement of a script as the client cuts it: the client hands a buffer on when a line ends
 * in a ';' that is a token of its own. */
struct sql_piece {
	struct text source; /* without the final ';', CR and TAB still in it */
	int line;	    /* line of source's first byte in the file, from 1 */
	int col;
	bool run; /* false: the last buffer, which never became a statement */
};

struct sql_script {
	struct sql_piece *pieces;
	size_t count;
};

/* Cuts a .sql file into statements (sql-client's rules: the file is trimmed and gets a ';').
 * A leading BOM is kept, since Flink refuses it. 0, -EFBIG (LIMIT_SQL_BYTES) or -ENOMEM. */
int sql_split(struct arena *arena, struct text file, struct sql_script *ret, struct diag *reterr);

/* Parses one statement. TABs are dropped first, as the client does. 0; -EINVAL: a syntax error;
 * -ENOTSUP: SQL that is outside; -ENOMEM. The diag has line and column within the file. */
int sql_parse(struct arena *arena, const struct sql_piece *piece, struct sql_statement *ret,
	struct diag *reterr);

/* What Flink says of a piece that sql_parse() refused with -EINVAL: "class: message" as the
 * client prints it, its places within the statement. 0; -ENOTSUP: it is not known; -ENOMEM. */
int sql_syntax_fault(struct arena *arena, const struct sql_piece *piece, struct text *ret);

/* The expression printed again as DESCRIBE shows a watermark: columns in back quotes, plural units
 * singular, needless brackets gone; a sub-query in it is not printed. On lack of memory its ptr is
 * NULL. */
struct text sql_expr_print(struct arena *arena, const struct sql_expr *expr);

#endif
