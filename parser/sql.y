/* Grammar of Flink SQL, as far as it is read here: DDL, queries, DESCRIBE, EXPLAIN, INSERT. SET, SHOW
 * and statements that are only recognised never get here (sql.c).
 *
 * Leaves names, types of expressions and all meaning to sim/. The rules follow Flink 2.3's parser;
 * that each recorded statement is accepted or refused as there is tested (tests/test_sql.c).
 * Something real that the trees do not hold is refused by name, with -ENOTSUP. */
%code requires {
#include "parser/sql_node.h"
}

%code {
#include <errno.h>
#include <stdlib.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "parser/memory.h"

/* Stacks that the parser's first ones are too small for. */
#define YYMALLOC memory_get
#define YYFREE	 free

static int sql_gram_lex(YYSTYPE *value, struct sql_loc *loc, struct sql_parser *parser);
static void sql_gram_error(const struct sql_loc *loc, struct sql_parser *parser,
	const char *message);

/* Ends the parse where a constructor failed; it has told the parser why. */
#define NEED(made) do { if (!(made)) YYABORT; } while (0)
#define REFUSE(loc, what)                                                                          \
	do {                                                                                       \
		sql_fail(parser, -ENOTSUP, (loc).pos, what " is outside of what is read here");    \
		YYABORT;                                                                           \
	} while (0)

#define YYLLOC_DEFAULT(current, rhs, n)                                                            \
	((current) = (n) ? (struct sql_loc){YYRHSLOC(rhs, 1).pos, YYRHSLOC(rhs, 1).begin,          \
				   YYRHSLOC(rhs, n).end} :                                         \
			   (struct sql_loc){YYRHSLOC(rhs, 0).pos, YYRHSLOC(rhs, 0).end,            \
				   YYRHSLOC(rhs, 0).end})
}

%define api.pure full
%define api.prefix {sql_gram_}
%define api.token.prefix {T_}
%define api.location.type {struct sql_loc}
%define parse.error custom
%define parse.lac full
%locations
%param {struct sql_parser *parser}
%initial-action { @$ = parser->tokens.items[0].loc; }

%union {
	struct text text;
	struct sql_expr *expr;
	struct sql_query *query;
	struct sql_rel *rel;
	struct sql_over *over;
	struct sql_exprs exprs;
	struct sql_names names;
	struct sql_items items;
	struct sql_options options;
	struct sql_order order;
	struct sql_orders orders;
	struct sql_withs withs;
	struct sql_limit limit;
	struct sql_type type;
	struct sql_column column;
	struct sql_range range;
	struct sql_group group;
	struct sql_unit unit;
	enum sql_op op;
	enum sql_query_kind set;
	enum sql_kind kind;
	int32_t number;
	bool flag;
}

%token ESCAPE UESCAPE
%token <text> WORD QUOTED STRING UNICODE INTEGER DECIMAL DOUBLE HINT
%token <text> TYPE       "type name"
%token <text> SIZED_TYPE "type name with a length or a precision"
%token <text> FUNCTION  "function name"
%token <text> CONSTANT  "CURRENT_TIMESTAMP or the like"
%token <text> UNIT      "reserved unit"
%token <text> UNITS     "other unit"
%token RESERVED OUTSIDE NE LE GE CONCAT ARROW NOT_INFIX

%token ALL ALTER AND ARRAY AS BETWEEN BOTH BY CASE CAST COMMENT CONSTRAINT CREATE CROSS CUBE
%token CURRENT DATE DESCRIBE DISTINCT DROP ELSE END EXCEPT EXISTS EXPLAIN EXTENDED EXTRACT
%token FALSE FETCH FILTER FOR FROM FULL GROUP HAVING IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN
%token LEADING LIKE LIMIT LOCAL MODIFY NATURAL NEXT NOT NULL OF OFFSET ON ONLY OR ORDER OUTER OVER
%token OVERLAY PARTITION PLACING POSITION PRECISION PRIMARY QUALIFY RANGE RENAME ROLLUP ROW ROWS SELECT SET SUBSTRING
%token SYSTEM_TIME
%token TABLE THEN TIME TIMESTAMP TO TRAILING TRIM TRUE TRY_CAST UNION UNIQUE UNKNOWN USING VALUES
%token WATERMARK WATERMARKS WHEN WHERE WITH WITHOUT
%token <text> FLOOR GROUPING LEFT RIGHT
%token IF
%token <text> ADD ASC DESC ENFORCED FIRST KEY LAST MAP METADATA NULLS OVERWRITE PARTITIONED
%token <text> SETS TEMPORARY VIEW VIRTUAL ZONE

%left UNION EXCEPT
%left INTERSECT
%left OR
%left AND
%precedence NOT
%left IS
%left '=' NE '<' '>' LE GE
%precedence BETWEEN IN LIKE NOT_INFIX
%left '+' '-'
%left '*' '/' '%' CONCAT
%precedence SIGN
%precedence UNIT_END
%precedence TO ')'

%type <text> opt_hint name nonreserved alias alias_or_none opt_comment opt_from call_name like_feature
%type <text> unit_word any_unit other_type fields field trim_side
%type <names> path names words view_columns
%type <exprs> exprs args arg_list partition_of opt_partition columns whens
%type <expr> item expr operand primary literal interval arg arg_value call plain_call special_call
%type <expr> column else where having qualify count fetch trim_what overlay_length opt_escape
%type <query> query query_no_parens query_with_parens body simple select_head values
%type <rel> from rel rel_primary rel_unnamed table_function
%type <over> over
%type <items> items
%type <options> options opt_with
%type <order> direction nulls
%type <orders> order_list order opt_order
%type <withs> withs with
%type <limit> limit opt_limit
%type <type> type type_core
%type <kind> zone
%type <column> column_options
%type <range> range
%type <group> group group_items group_item group_sets
%type <unit> unit
%type <op> is
%type <set> union
%type <number> precision opt_precision
%type <flag> opt_temporary opt_if_not_exists opt_if_exists opt_distinct opt_virtual table_or_view
%type <flag> frame sign opt_partitioned enforced

%%

input: statement ;

statement:
	query { parser->statement->kind = STMT_SELECT; parser->statement->query = $1; }
	| create_table
	| create_view
	| alter
	| alter_view
	| drop
	| describe
	| explain { parser->statement->kind = STMT_EXPLAIN; }
	| insert
	;

/* ---- Names ---- */

nonreserved:
	ADD | ASC | DESC | ENFORCED | FIRST | KEY | LAST | MAP | METADATA | NULLS | OVERWRITE
	| PARTITIONED | SETS | TEMPORARY | UNITS | VIEW | VIRTUAL | ZONE
	;

name: WORD | QUOTED | nonreserved ;

path:
	name { $$ = (struct sql_names){0}; NEED(sql_add_name(parser, &$$, $1)); }
	| path '.' name { $$ = $1; NEED(sql_add_name(parser, &$$, $3)); }
	;

names:
	name { $$ = (struct sql_names){0}; NEED(sql_add_name(parser, &$$, $1)); }
	| names ',' name { $$ = $1; NEED(sql_add_name(parser, &$$, $3)); }
	;

words:
	WORD { $$ = (struct sql_names){0}; NEED(sql_add_name(parser, &$$, $1)); }
	| words ',' WORD { $$ = $1; NEED(sql_add_name(parser, &$$, $3)); }
	;

/* ---- Queries ----
 * As brackets around a query may stand where brackets around an expression may, a query in brackets
 * is a symbol of its own, and all brackets around it belong to it. */

query: query_no_parens | query_with_parens ;

query_with_parens:
	'(' query_no_parens ')' { $$ = $2; }
	| '(' query_with_parens ')' { $$ = $2; }
	;

query_no_parens:
	simple
	| body order opt_limit { NEED($$ = sql_end_query(parser, $1, NULL, &$2, &$3)); }
	| body limit { NEED($$ = sql_end_query(parser, $1, NULL, NULL, &$2)); }
	| with body opt_order opt_limit { NEED($$ = sql_end_query(parser, $2, &$1, &$3, &$4)); }
	;

with: WITH withs { $$ = $2; } ;

withs:
	name AS query_with_parens {
		$$ = (struct sql_withs){0};
		NEED(sql_add_with(parser, &$$, $1, $3));
	}
	| withs ',' name AS query_with_parens { $$ = $1; NEED(sql_add_with(parser, &$$, $3, $5)); }
	| name '(' { REFUSE(@2, "WITH and a list of columns"); }
	| withs ',' name '(' { REFUSE(@4, "WITH and a list of columns"); }
	;

body: simple | query_with_parens ;

simple:
	select_head { $$ = $1; NEED(sql_measure_query(parser, $1)); }
	| select_head FROM from where group having qualify {
		$$ = $1;
		$$->from = $3;
		$$->where = $4;
		$$->grouped = $5.given;
		$$->grouping_sets = $5.given_sets;
		$$->sets = $5.sets;
		$$->set_count = $5.set_count;
		if ($5.given_sets && $5.list.count > LIMIT_GROUPING_KEYS)
			REFUSE(@5, "so long a list of grouping sets");
		$$->group = $5.list.items;
		$$->group_count = $5.list.count;
		$$->having = $6;
		$$->qualify = $7;
		NEED(sql_measure_query(parser, $$));
	}
	| values
	| body UNION union body %prec UNION { NEED($$ = sql_new_set(parser, &@1, $3, $1, $4)); }
	| body EXCEPT union body %prec EXCEPT {
		NEED($$ = sql_new_set(parser, &@1, QUERY_OTHER_SET, $1, $4));
	}
	| body INTERSECT union body %prec INTERSECT {
		NEED($$ = sql_new_set(parser, &@1, QUERY_OTHER_SET, $1, $4));
	}
	;

union:
	%empty { $$ = QUERY_UNION; }
	| DISTINCT { $$ = QUERY_UNION; }
	| ALL { $$ = QUERY_UNION_ALL; }
	;

values:
	VALUES exprs {
		NEED($$ = sql_new_query(parser, &@1, QUERY_VALUES));
		NEED(sql_set_rows(parser, $$, &$2));
	}
	;

select_head:
	SELECT opt_hint opt_distinct items {
		NEED($$ = sql_new_query(parser, &@1, QUERY_SELECT));
		$$->hint = $2;
		$$->distinct = $3;
		$$->items = $4.items;
		$$->item_count = $4.count;
	}
	;

opt_hint: %empty { $$ = TEXT(""); } | HINT ;
opt_distinct: %empty { $$ = false; } | ALL { $$ = false; } | DISTINCT { $$ = true; } ;

items:
	item alias_or_none {
		$$ = (struct sql_items){0};
		NEED(sql_add_item(parser, &$$, $1, $2));
	}
	| items ',' item alias_or_none { $$ = $1; NEED(sql_add_item(parser, &$$, $3, $4)); }
	;

item:
	expr
	| '*' { NEED($$ = sql_new_star(parser, &@1, NULL)); }
	| path '.' '*' { NEED($$ = sql_new_star(parser, &@1, &$1)); }
	;

alias: name | AS name { $$ = $2; } ;
alias_or_none:
	%empty { $$ = TEXT(""); }
	| alias
	| AS STRING {
		NEED(sql_fail_as(parser, @2.pos,
			"org.apache.calcite.sql.validate.SqlValidatorException: Expecting alias, found "
			"character literal",
			"an alias is a name, not a text: no quotes, or back quotes"));
		$$ = $2;
	}
	;

where: %empty { $$ = NULL; } | WHERE expr { $$ = $2; } ;
having: %empty { $$ = NULL; } | HAVING expr { $$ = $2; } ;
qualify: %empty { $$ = NULL; } | QUALIFY expr { $$ = $2; } ;

group:
	%empty { $$ = (struct sql_group){0}; }
	| GROUP BY group_items { $$ = $3; $$.given = true; }
	;

group_items:
	group_item
	| group_items ',' group_item { $$ = $1; NEED(sql_group_multiply(parser, &$$, &$3)); }
	;

group_item:
	expr { NEED(sql_group_expr(parser, &$$, $1)); }
	| '(' ')' { NEED(sql_group_expr(parser, &$$, NULL)); }
	| GROUPING SETS '(' group_sets ')' { $$ = $4; $$.given_sets = true; }
	| ROLLUP '(' exprs ')' { NEED(sql_group_rollup(parser, &$$, &$3)); }
	| CUBE '(' exprs ')' { NEED(sql_group_cube(parser, &$$, &$3)); }
	;

group_sets:
	group_item
	| group_sets ',' group_item { $$ = $1; NEED(sql_group_add(parser, &$$, &$3)); }
	;

opt_order: %empty { $$ = (struct sql_orders){0}; } | order ;
order: ORDER BY order_list { $$ = $3; } ;

order_list:
	expr direction { $$ = (struct sql_orders){0}; NEED(sql_add_order(parser, &$$, $1, $2)); }
	| order_list ',' expr direction { $$ = $1; NEED(sql_add_order(parser, &$$, $3, $4)); }
	;

direction:
	nulls
	| ASC nulls { $$ = $2; }
	| DESC nulls { $$ = $2; $$.descending = true; }
	;

nulls:
	%empty { $$ = (struct sql_order){0}; }
	| NULLS FIRST { $$ = (struct sql_order){.nulls_given = true, .nulls_first = true}; }
	| NULLS LAST { $$ = (struct sql_order){.nulls_given = true}; }
	;

opt_limit: %empty { $$ = (struct sql_limit){0}; } | limit ;

limit:
	LIMIT count { $$ = (struct sql_limit){.count = $2}; }
	| LIMIT ALL { $$ = (struct sql_limit){0}; }
	| LIMIT count ',' count {
		NEED(sql_fail_as(parser, @3.pos,
			"org.apache.calcite.runtime.CalciteException: 'LIMIT start, count' is not "
			"allowed under the current SQL conformance level",
			"LIMIT takes one number; OFFSET takes the other"));
		$$ = (struct sql_limit){.count = $4, .offset = $2};
	}
	| LIMIT count OFFSET count opt_rows { $$ = (struct sql_limit){.count = $2, .offset = $4}; }
	| OFFSET count opt_rows { $$ = (struct sql_limit){.offset = $2}; }
	| OFFSET count opt_rows fetch { $$ = (struct sql_limit){.count = $4, .offset = $2}; }
	| fetch { $$ = (struct sql_limit){.count = $1}; }
	;

fetch: FETCH first_or_next count rows ONLY { $$ = $3; } ;
first_or_next: FIRST | NEXT ;
rows: ROW | ROWS ;
opt_rows: %empty | rows ;
count: INTEGER { NEED($$ = sql_new_number(parser, &@1, $1)); } ;

/* ---- Relations ---- */

from:
	rel
	| from ',' rel { NEED($$ = sql_new_join(parser, &@1, $1, $3)); }
	;

rel:
	rel_primary
	| rel join JOIN rel_primary join_condition { NEED($$ = sql_new_join(parser, &@1, $1, $4)); }
	;

join:
	%empty
	| INNER
	| CROSS
	| NATURAL
	| side opt_outer
	| NATURAL side opt_outer
	;

side: LEFT | RIGHT | FULL ;
opt_outer: %empty | OUTER ;
join_condition: %empty | ON expr | USING '(' names ')' ;

rel_primary:
	rel_unnamed
	| rel_unnamed alias { $$ = $1; $$->alias = $2; }
	| rel_unnamed alias '(' names ')' {
		if ($1->kind != REL_VALUES)
			REFUSE(@3, "a list of columns behind an alias");
		$$ = $1;
		$$->alias = $2;
		$$->columns = $4.items;
		$$->column_count = $4.count;
	}
	;

rel_unnamed:
	path {
		NEED($$ = sql_new_rel(parser, &@1, REL_NAME));
		NEED(sql_set_name(parser, &@1, &$1, &$$->name, &$$->database));
	}
	| path HINT {
		NEED($$ = sql_new_rel(parser, &@1, REL_NAME));
		NEED(sql_set_name(parser, &@1, &$1, &$$->name, &$$->database));
		$$->hinted = true;
		$$->hint = $2;
	}
	| path FOR SYSTEM_TIME { REFUSE(@2, "FOR SYSTEM_TIME AS OF"); }
	| table_function {
		if (!parser->statement->bare_call)
			parser->statement->bare_call = $1->call;
	}
	| TABLE '(' table_function ')' { $$ = $3; }
	| query_with_parens { NEED($$ = sql_new_query_rel(parser, &@1, $1)); }
	;

table_function:
	path '(' args ')' {
		NEED($$ = sql_new_rel(parser, &@1, REL_FUNCTION));
		NEED($$->call = sql_new_call(parser, &@1, sql_last_name(&$1), &$3));
		$$->height = $$->call->height;
	}
	;

/* ---- Expressions ---- */

exprs:
	expr { $$ = (struct sql_exprs){0}; NEED(sql_add_expr(parser, &$$, $1)); }
	| exprs ',' expr { $$ = $1; NEED(sql_add_expr(parser, &$$, $3)); }
	;

expr:
	operand
	| expr OR expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_OR, $1, $3)); }
	| expr AND expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_AND, $1, $3)); }
	| NOT expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_NOT, $2, NULL)); }
	| expr '=' expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_EQ, $1, $3)); }
	| expr NE expr {
		if (parser->source.ptr[@2.begin] == '!')
			NEED(sql_fail_as(parser, @2.pos, SQL_FAULT_BANG, "'!=' is not allowed: <> is"));
		NEED($$ = sql_new_op(parser, &@1, SQL_OP_NE, $1, $3));
	}
	| expr '<' expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_LT, $1, $3)); }
	| expr LE expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_LE, $1, $3)); }
	| expr '>' expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_GT, $1, $3)); }
	| expr GE expr { NEED($$ = sql_new_op(parser, &@1, SQL_OP_GE, $1, $3)); }
	| expr IS is { NEED($$ = sql_new_op(parser, &@1, $3, $1, NULL)); }
	| expr IS DISTINCT FROM expr %prec IS {
		NEED($$ = sql_new_op(parser, &@1, SQL_OP_IS_DISTINCT, $1, $5));
	}
	| expr IS NOT DISTINCT FROM expr %prec IS {
		NEED($$ = sql_new_op(parser, &@1, SQL_OP_IS_NOT_DISTINCT, $1, $6));
	}
	| expr BETWEEN operand AND operand %prec BETWEEN {
		NEED($$ = sql_new_between(parser, &@1, $1, $3, $5));
	}
	| expr NOT_INFIX BETWEEN operand AND operand %prec BETWEEN {
		NEED($$ = sql_negate(parser, &@2, sql_new_between(parser, &@1, $1, $4, $6)));
	}
	| expr LIKE operand opt_escape { NEED($$ = sql_new_like(parser, &@1, $1, $3, $4)); }
	| expr NOT_INFIX LIKE operand opt_escape %prec LIKE {
		NEED($$ = sql_negate(parser, &@2, sql_new_like(parser, &@1, $1, $4, $5)));
	}
	| expr IN '(' exprs ')' %prec IN { NEED($$ = sql_new_in(parser, &@1, $1, &$4, NULL)); }
	| expr NOT_INFIX IN '(' exprs ')' %prec IN {
		NEED($$ = sql_negate(parser, &@2, sql_new_in(parser, &@1, $1, &$5, NULL)));
	}
	| expr IN query_with_parens %prec IN {
		NEED($$ = sql_new_in(parser, &@1, $1, NULL, $3));
	}
	| expr NOT_INFIX IN query_with_parens %prec IN {
		NEED($$ = sql_negate(parser, &@2, sql_new_in(parser, &@1, $1, NULL, $4)));
	}
	;

opt_escape: %empty %prec LIKE { $$ = NULL; } | ESCAPE operand { $$ = $2; } ;

is:
	NULL { $$ = SQL_OP_IS_NULL; }
	| UNKNOWN { $$ = SQL_OP_IS_NULL; }
	| TRUE { $$ = SQL_OP_IS_TRUE; }
	| FALSE { $$ = SQL_OP_IS_FALSE; }
	| NOT NULL { $$ = SQL_OP_IS_NOT_NULL; }
	| NOT UNKNOWN { $$ = SQL_OP_IS_NOT_NULL; }
	| NOT TRUE { $$ = SQL_OP_IS_NOT_TRUE; }
	| NOT FALSE { $$ = SQL_OP_IS_NOT_FALSE; }
	;

/* What may stand between BETWEEN and its AND: no condition without brackets. */
operand:
	primary
	| operand '+' operand { NEED($$ = sql_new_op(parser, &@1, SQL_OP_ADD, $1, $3)); }
	| operand '-' operand { NEED($$ = sql_new_op(parser, &@1, SQL_OP_SUB, $1, $3)); }
	| operand '*' operand { NEED($$ = sql_new_op(parser, &@1, SQL_OP_MUL, $1, $3)); }
	| operand '/' operand { NEED($$ = sql_new_op(parser, &@1, SQL_OP_DIV, $1, $3)); }
	| operand '%' operand { NEED($$ = sql_new_op(parser, &@1, SQL_OP_MOD, $1, $3)); }
	| operand CONCAT operand { NEED($$ = sql_new_op(parser, &@1, SQL_OP_CONCAT, $1, $3)); }
	| '-' operand %prec SIGN { NEED($$ = sql_new_op(parser, &@1, SQL_OP_NEG, $2, NULL)); }
	| '+' operand %prec SIGN { $$ = $2; }
	;

primary:
	path { NEED($$ = sql_new_column(parser, &@1, &$1)); }
	| literal
	| interval
	| call
	| '(' expr ')' { $$ = $2; }
	| '(' exprs ',' expr ')' {
		NEED(sql_add_expr(parser, &$2, $4));
		NEED($$ = sql_new_row(parser, &@1, &$2));
	}
	| ROW '(' exprs ')' { NEED($$ = sql_new_row(parser, &@1, &$3)); }
	| query_with_parens %prec SIGN { NEED($$ = sql_new_query_expr(parser, &@1, $1)); }
	| EXISTS query_with_parens {
		NEED($$ = sql_new_query_expr(parser, &@2, $2));
		NEED($$ = sql_new_call_of(parser, &@1, TEXT("EXISTS"), $$, NULL));
	}
	| ARRAY '[' exprs ']' { NEED($$ = sql_new_call(parser, &@1, TEXT("ARRAY"), &$3)); }
	| ARRAY '[' ']' { NEED($$ = sql_new_call(parser, &@1, TEXT("ARRAY"), NULL)); }
	| primary '[' exprs ']' { NEED($$ = sql_new_item(parser, &@1, $1, &$3)); }
	;

literal:
	INTEGER { NEED($$ = sql_new_number(parser, &@1, $1)); }
	| DECIMAL { NEED($$ = sql_new_number(parser, &@1, $1)); }
	| DOUBLE { NEED($$ = sql_new_number(parser, &@1, $1)); }
	| STRING { NEED($$ = sql_new_string(parser, &@1, $1)); }
	| UNICODE { NEED($$ = sql_new_unicode(parser, &@1, $1, '\\')); }
	| UNICODE UESCAPE STRING {
		NEED($$ = sql_new_unicode(parser, &@1, $1, $3.len == 1 ? $3.ptr[0] : '\0'));
	}
	| TRUE { NEED($$ = sql_new_constant(parser, &@1, SQL_BOOLEAN, 1)); }
	| FALSE { NEED($$ = sql_new_constant(parser, &@1, SQL_BOOLEAN, 0)); }
	| UNKNOWN { NEED($$ = sql_new_constant(parser, &@1, SQL_NULL, 0)); }
	| NULL { NEED($$ = sql_new_constant(parser, &@1, SQL_NULL, 0)); }
	| DATE STRING { NEED($$ = sql_new_time(parser, &@$, SQL_DATE, $2)); }
	| TIME STRING { NEED($$ = sql_new_time(parser, &@$, SQL_TIME, $2)); }
	| TIMESTAMP STRING { NEED($$ = sql_new_time(parser, &@$, SQL_TIMESTAMP, $2)); }
	;

interval:
	INTERVAL sign STRING range {
		struct sql_interval interval = {.number = $3, .negative = $2};

		NEED($$ = sql_new_interval(parser, &@1, interval, &$4));
	}
	| INTERVAL sign INTEGER unit {
		struct sql_interval interval = {.number = $3, .negative = $2, .unquoted = true};

		NEED($$ = sql_new_interval(parser, &@1, interval, &(struct sql_range){.start = $4}));
	}
	| INTERVAL sign DECIMAL unit {
		struct sql_interval interval = {.number = $3, .negative = $2, .unquoted = true};

		NEED($$ = sql_new_interval(parser, &@1, interval, &(struct sql_range){.start = $4}));
	}
	| INTERVAL sign '(' expr ')' unit { REFUSE(@1, "an INTERVAL of an expression"); }
	| INTERVAL sign path unit { REFUSE(@1, "an INTERVAL of an expression"); }
	;

sign: %empty { $$ = false; } | '+' { $$ = false; } | '-' { $$ = true; } ;

range:
	unit %prec UNIT_END { $$ = (struct sql_range){.start = $1}; }
	| unit TO unit { $$ = (struct sql_range){.start = $1, .end = $3}; }
	;

unit:
	unit_word { $$ = (struct sql_unit){$1, -1, -1}; }
	| unit_word '(' precision ')' { $$ = (struct sql_unit){$1, $3, -1}; }
	| unit_word '(' precision ',' precision ')' { $$ = (struct sql_unit){$1, $3, $5}; }
	;

unit_word: UNIT | UNITS ;

precision:
	INTEGER {
		int64_t number;

		if (text_to_int64($1, &number) || number > SQL_MAX_LENGTH) {
			sql_fail(parser, -EINVAL, @1.pos, "a precision of %.*s is too large",
				TEXT_ARG($1));
			YYABORT;
		}
		$$ = (int32_t)number;
	}
	;

/* ---- Calls ---- */

call:
	plain_call
	| plain_call FILTER '(' WHERE expr ')' { NEED($$ = sql_add_filter(parser, $1, $5)); }
	| plain_call OVER '(' over ')' { NEED($$ = sql_add_over(parser, $1, $4)); }
	| plain_call FILTER '(' WHERE expr ')' OVER '(' over ')' {
		NEED($$ = sql_add_filter(parser, $1, $5));
		NEED($$ = sql_add_over(parser, $$, $9));
	}
	| plain_call OVER name { REFUSE(@2, "a named window"); }
	| special_call
	;

plain_call:
	call_name '(' args ')' { NEED($$ = sql_new_call(parser, &@1, $1, &$3)); }
	| call_name '(' '*' ')' {
		NEED($$ = sql_new_call(parser, &@1, $1, NULL));
		$$->star = true;
	}
	| call_name '(' DISTINCT arg_list ')' {
		NEED($$ = sql_new_call(parser, &@1, $1, &$4));
		$$->distinct = true;
	}
	| call_name '(' ALL arg_list ')' { NEED($$ = sql_new_call(parser, &@1, $1, &$4)); }
	| FLOOR '(' args ')' { NEED($$ = sql_new_call(parser, &@1, $1, &$3)); }
	;

call_name: path { $$ = sql_last_name(&$1); } | FUNCTION | UNIT | GROUPING | LEFT | RIGHT ;

args: %empty { $$ = (struct sql_exprs){0}; } | arg_list ;

arg_list:
	arg { $$ = (struct sql_exprs){0}; NEED(sql_add_expr(parser, &$$, $1)); }
	| arg_list ',' arg { $$ = $1; NEED(sql_add_expr(parser, &$$, $3)); }
	;

arg: arg_value | name ARROW arg_value { $$ = $3; $$->arg_name = $1; } ;

arg_value:
	expr
	| UNIT { NEED($$ = sql_new_unit(parser, &@1, $1)); }
	| TABLE path partition_of { NEED($$ = sql_new_table(parser, &@1, &$2, &$3)); }
	;

/* Behind the table of a SESSION: one name, or several in brackets. */
partition_of:
	%empty { $$ = (struct sql_exprs){0}; }
	| PARTITION BY column { $$ = (struct sql_exprs){0}; NEED(sql_add_expr(parser, &$$, $3)); }
	| PARTITION BY '(' columns ')' { $$ = $4; }
	;

columns:
	column { $$ = (struct sql_exprs){0}; NEED(sql_add_expr(parser, &$$, $1)); }
	| columns ',' column { $$ = $1; NEED(sql_add_expr(parser, &$$, $3)); }
	;

column: path { NEED($$ = sql_new_column(parser, &@1, &$1)); } ;

over:
	opt_partition opt_order frame { NEED($$ = sql_new_over(parser, &$1, &$2, $3)); }
	;

opt_partition: %empty { $$ = (struct sql_exprs){0}; } | PARTITION BY exprs { $$ = $3; } ;

frame:
	%empty { $$ = false; }
	| rows_or_range bound { $$ = true; }
	| rows_or_range BETWEEN bound AND bound { $$ = true; }
	;

rows_or_range: ROWS | RANGE ;

/* UNBOUNDED PRECEDING, INTERVAL '1' HOUR PRECEDING, ... : not kept. */
bound: CURRENT ROW | operand WORD ;

/* Functions with a syntax of their own. */
special_call:
	CONSTANT { NEED($$ = sql_new_call(parser, &@1, $1, NULL)); $$->bare = true; }
	| CONSTANT '(' precision ')' { NEED($$ = sql_new_call(parser, &@1, $1, NULL)); }
	| CASE whens else END { NEED($$ = sql_new_case(parser, &@1, NULL, &$2, $3)); }
	| CASE expr whens else END { NEED($$ = sql_new_case(parser, &@1, $2, &$3, $4)); }
	| CAST '(' expr AS type ')' { NEED($$ = sql_new_cast(parser, &@1, $3, &$5)); }
	| TRY_CAST '(' expr AS type ')' {
		NEED($$ = sql_new_cast(parser, &@1, $3, &$5));
		$$->name = TEXT("TRY_CAST");
	}
	| FLOOR '(' expr TO any_unit ')' {
		NEED($$ = sql_new_unit(parser, &@5, $5));
		NEED($$ = sql_new_call_of(parser, &@1, $1, $3, $$));
	}
	| EXTRACT '(' any_unit FROM expr ')' {
		NEED($$ = sql_new_unit(parser, &@3, $3));
		NEED($$ = sql_new_call_of(parser, &@1, TEXT("EXTRACT"), $$, $5));
	}
	| POSITION '(' operand IN operand ')' {
		NEED($$ = sql_new_call_of(parser, &@1, TEXT("POSITION"), $3, $5));
	}
	| SUBSTRING '(' arg_list ')' { NEED($$ = sql_new_call(parser, &@1, TEXT("SUBSTRING"), &$3)); }
	| SUBSTRING '(' expr FROM expr ')' {
		NEED($$ = sql_new_call_of(parser, &@1, TEXT("SUBSTRING"), $3, $5));
	}
	| SUBSTRING '(' expr FROM expr FOR expr ')' {
		struct sql_exprs args = {0};

		NEED(sql_add_expr(parser, &args, $3) && sql_add_expr(parser, &args, $5));
		NEED(sql_add_expr(parser, &args, $7));
		NEED($$ = sql_new_call(parser, &@1, TEXT("SUBSTRING"), &args));
	}
	| TRIM '(' expr ')' { NEED($$ = sql_new_trim(parser, &@1, TEXT("BOTH"), NULL, $3)); }
	| TRIM '(' expr FROM expr ')' { NEED($$ = sql_new_trim(parser, &@1, TEXT("BOTH"), $3, $5)); }
	| TRIM '(' trim_side trim_what FROM expr ')' {
		NEED($$ = sql_new_trim(parser, &@1, $3, $4, $6));
	}
	| OVERLAY '(' expr PLACING expr FROM expr overlay_length ')' {
		struct sql_exprs args = {0};

		NEED(sql_add_expr(parser, &args, $3) && sql_add_expr(parser, &args, $5));
		NEED(sql_add_expr(parser, &args, $7));
		NEED(!$8 || sql_add_expr(parser, &args, $8));
		NEED($$ = sql_new_call(parser, &@1, TEXT("OVERLAY"), &args));
	}
	;

trim_side:
	BOTH { $$ = TEXT("BOTH"); }
	| LEADING { $$ = TEXT("LEADING"); }
	| TRAILING { $$ = TEXT("TRAILING"); }
	;

trim_what: %empty { $$ = NULL; } | expr ;
overlay_length: %empty { $$ = NULL; } | FOR expr { $$ = $2; } ;
any_unit: UNIT | UNITS | WORD ;

whens:
	WHEN expr THEN expr {
		$$ = (struct sql_exprs){0};
		NEED(sql_add_expr(parser, &$$, $2) && sql_add_expr(parser, &$$, $4));
	}
	| whens WHEN expr THEN expr {
		$$ = $1;
		NEED(sql_add_expr(parser, &$$, $3) && sql_add_expr(parser, &$$, $5));
	}
	;

else: %empty { $$ = NULL; } | ELSE expr { $$ = $2; } ;

/* ---- Types ---- */

type:
	type_core
	| type_core NULL
	| type_core NOT NULL { $$ = $1; $$.not_null = true; }
	;

type_core:
	TYPE { NEED(sql_type_of(parser, &(struct sql_unit){$1, -1, -1}, &@1, &$$)); }
	| SIZED_TYPE { NEED(sql_type_of(parser, &(struct sql_unit){$1, -1, -1}, &@1, &$$)); }
	| TYPE PRECISION { NEED(sql_type_of(parser, &(struct sql_unit){$1, -1, -1}, &@1, &$$)); }
	| SIZED_TYPE '(' precision ')' {
		NEED(sql_type_of(parser, &(struct sql_unit){$1, $3, -1}, &@1, &$$));
	}
	| SIZED_TYPE '(' precision ',' precision ')' {
		NEED(sql_type_of(parser, &(struct sql_unit){$1, $3, $5}, &@1, &$$));
	}
	| DATE { $$ = (struct sql_type){.kind = SQL_DATE}; }
	| TIME opt_precision no_zone { $$ = sql_time_type($2); }
	| TIMESTAMP opt_precision zone {
		$$ = (struct sql_type){.kind = $3, .precision = $2 < 0 ? 6 : $2};
	}
	| INTERVAL range { $$ = sql_interval_type(&$2); }
	| other_type { $$ = (struct sql_type){.kind = SQL_OTHER, .spelled = $1}; }
	;

opt_precision: %empty { $$ = -1; } | '(' precision ')' { $$ = $2; } ;
no_zone: %empty | WITHOUT TIME ZONE ;

zone:
	no_zone { $$ = SQL_TIMESTAMP; }
	| WITH LOCAL TIME ZONE { $$ = SQL_TIMESTAMP_LTZ; }
	;

/* Kept as DESCRIBE prints them: columns of these are never computed with. */
other_type:
	path { $$ = $1.count == 1 ? sql_last_name(&$1) : TEXT(""); }
	| ARRAY '<' type '>' { NEED(sql_nest_type(parser, "ARRAY", &$3, &$$)); }
	| MAP '<' type ',' type '>' { NEED(sql_map_type(parser, &$3, &$5, &$$)); }
	| ROW '<' fields '>' { NEED(sql_row_type(parser, $3, &$$)); }
	| ROW '(' fields ')' { NEED(sql_row_type(parser, $3, &$$)); }
	| type_core ARRAY { NEED(sql_nest_type(parser, "ARRAY", &$1, &$$)); }
	;

fields:
	field
	| fields ',' field { NEED(sql_join_fields(parser, $1, $3, &$$)); }
	;

field:
	name type { NEED(sql_field_type(parser, $1, &$2, &$$)); }
	| name type STRING { REFUSE(@3, "a comment within ROW"); }
	;

/* ---- DDL ---- */

create_table:
	create_head opt_elements opt_comment opt_partitioned opt_with create_tail {
		parser->statement->create->options = $5.items;
		parser->statement->create->option_count = $5.count;
		parser->statement->create->comment = $3;
		parser->statement->create->unprintable |= $4;
		NEED(sql_check_create(parser));
	}
	;

create_head:
	CREATE opt_temporary TABLE opt_if_not_exists path {
		struct sql_statement *statement = parser->statement;

		statement->kind = STMT_CREATE_TABLE;
		NEED(sql_set_name(parser, &@5, &$5, &statement->name, &statement->database));
		NEED(sql_new_create(parser));
		statement->create->temporary = $2;
		statement->create->if_not_exists = $4;
	}
	;

opt_temporary: %empty { $$ = false; } | TEMPORARY { $$ = true; } ;
opt_if_not_exists: %empty { $$ = false; } | IF NOT EXISTS { $$ = true; } ;
opt_if_exists: %empty { $$ = false; } | IF EXISTS { $$ = true; } ;

/* Bare names may stand in front of AS only, but the grammar cannot know that here. */
opt_elements: %empty | '(' elements ')' | '(' names ')' { parser->bare_columns = @1.pos; } ;
elements: element | elements ',' element ;

element:
	name type column_options {
		$3.pos = @1.pos;
		$3.name = $1;
		$3.type = $2;
		NEED(sql_add_column(parser, &$3));
	}
	| name AS expr opt_comment {
		struct sql_column column = {
			.kind = COLUMN_COMPUTED,
			.pos = @1.pos,
			.name = $1,
			.expr = $3,
			.has_comment = $4.ptr != NULL,
			.comment = $4,
		};

		NEED(sql_add_column(parser, &column));
	}
	| watermark
	| PRIMARY KEY '(' names ')' enforced {
		parser->statement->create->enforced |= $6;
		NEED(sql_set_key(parser, &@1, &$4));
	}
	| CONSTRAINT name PRIMARY KEY '(' names ')' enforced {
		parser->statement->create->unprintable = true;
		parser->statement->create->enforced |= $8;
		NEED(sql_set_key(parser, &@1, &$6));
	}
	| UNIQUE '(' names ')' enforced { REFUSE(@1, "UNIQUE"); }
	;

watermark: WATERMARK FOR path AS expr { NEED(sql_set_watermark(parser, &@1, sql_last_name(&$3), $5)); } ;

column_options:
	%empty { $$ = (struct sql_column){0}; }
	| column_options COMMENT STRING { $$ = $1; $$.has_comment = true; $$.comment = $3; }
	| column_options PRIMARY KEY enforced {
		parser->statement->create->enforced |= $4;
		$$ = $1;
		$$.primary_key = true;
	}
	| column_options CONSTRAINT name PRIMARY KEY enforced {
		parser->statement->create->unprintable = true;
		parser->statement->create->enforced |= $6;
		$$ = $1;
		$$.primary_key = true;
	}
	| column_options METADATA opt_from opt_virtual {
		$$ = $1;
		$$.kind = COLUMN_METADATA;
		$$.metadata = $3;
		$$.is_virtual = $4;
	}
	;

enforced: %empty { $$ = true; } | NOT ENFORCED { $$ = false; } | ENFORCED { $$ = true; } ;
opt_from: %empty { $$ = TEXT(""); } | FROM STRING { $$ = $2; } ;
opt_virtual: %empty { $$ = false; } | VIRTUAL { $$ = true; } ;
opt_comment: %empty { $$ = (struct text){0}; } | COMMENT STRING { $$ = $2; } ;
opt_partitioned: %empty { $$ = false; } | PARTITIONED BY '(' names ')' { $$ = true; } ;

opt_with: %empty { $$ = (struct sql_options){0}; } | WITH '(' options ')' { $$ = $3; } ;

options:
	STRING '=' STRING { $$ = (struct sql_options){0}; NEED(sql_add_option(parser, &$$, &@1, $1, $3)); }
	| options ',' STRING '=' STRING { $$ = $1; NEED(sql_add_option(parser, &$$, &@3, $3, $5)); }
	;

create_tail:
	%empty
	| LIKE path opt_like {
		struct sql_create_table *create = parser->statement->create;

		NEED(sql_set_name(parser, &@2, &$2, &create->like, &create->like_database));
	}
	| AS query { parser->statement->create->as = $2; }
	;

opt_like: %empty | '(' like_options ')' ;
like_options: like_option | like_options like_option ;
like_option: WORD like_feature { NEED(sql_set_like(parser, &@1, $1, $2)); } ;
like_feature: WORD | METADATA | ALL { $$ = TEXT("ALL"); } | WATERMARKS { $$ = TEXT("WATERMARKS"); } ;

create_view:
	CREATE opt_temporary VIEW opt_if_not_exists path view_columns opt_comment AS query {
		struct sql_statement *statement = parser->statement;

		statement->kind = STMT_CREATE_VIEW;
		statement->temporary = $2;
		statement->if_not_exists = $4;
		NEED(sql_set_name(parser, &@5, &$5, &statement->name, &statement->database));
		statement->columns = $6.items;
		statement->column_count = $6.count;
		statement->query = $9;
	}
	;

view_columns: %empty { $$ = (struct sql_names){0}; } | '(' names ')' { $$ = $2; } ;

alter:
	alter_head watermark
	| alter_head '(' watermark ')'
	| alter_table DROP WATERMARK { parser->statement->kind = STMT_ALTER_NO_WATERMARK; }
	| alter_table RENAME TO path {
		parser->statement->kind = STMT_ALTER_RENAME;
		NEED(sql_set_name(parser, &@4, &$4, &parser->statement->new_name,
			&parser->statement->new_database));
	}
	| alter_table SET '(' options ')' {
		parser->statement->kind = STMT_ALTER_OPTIONS;
		NEED(sql_new_create(parser));
		parser->statement->create->options = $4.items;
		parser->statement->create->option_count = $4.count;
	}
	;

alter_head:
	alter_table add_or_modify {
		parser->statement->kind = STMT_ALTER_WATERMARK;
		NEED(sql_new_create(parser));
	}
	;

alter_table:
	ALTER TABLE opt_if_exists path {
		parser->statement->if_exists = $3;
		NEED(sql_set_name(parser, &@4, &$4, &parser->statement->name,
			&parser->statement->database));
	}
	;

add_or_modify: ADD { parser->statement->added = true; } | MODIFY ;

alter_view:
	ALTER VIEW path RENAME TO path {
		parser->statement->kind = STMT_ALTER_VIEW;
		NEED(sql_set_name(parser, &@3, &$3, &parser->statement->name,
			&parser->statement->database));
		NEED(sql_set_name(parser, &@6, &$6, &parser->statement->new_name,
			&parser->statement->new_database));
	}
	| ALTER VIEW path AS query {
		parser->statement->kind = STMT_ALTER_VIEW;
		NEED(sql_set_name(parser, &@3, &$3, &parser->statement->name,
			&parser->statement->database));
		parser->statement->query = $5;
	}
	;

drop:
	DROP opt_temporary table_or_view opt_if_exists path {
		parser->statement->kind = STMT_DROP;
		parser->statement->temporary = $2;
		parser->statement->is_view = $3;
		parser->statement->if_exists = $4;
		NEED(sql_set_name(parser, &@5, &$5, &parser->statement->name,
			&parser->statement->database));
	}
	;

table_or_view: TABLE { $$ = false; } | VIEW { $$ = true; } ;

/* ---- The other statements ---- */

describe:
	describe_word opt_extended path {
		parser->statement->kind = STMT_DESCRIBE;
		NEED(sql_set_name(parser, &@3, &$3, &parser->statement->name,
			&parser->statement->database));
	}
	;

describe_word: DESCRIBE | DESC ;
opt_extended: %empty | EXTENDED ;

explain:
	EXPLAIN explained
	| EXPLAIN words explained { NEED(sql_check_explain(parser, &@2, &$2, false)); }
	| EXPLAIN words FOR explained { NEED(sql_check_explain(parser, &@2, &$2, true)); }
	;

explained: query { parser->statement->query = $1; } | insert ;

insert:
	INSERT into path query {
		NEED(sql_set_insert(parser, &@3, &$3, &(struct sql_names){0}, $4));
	}
	| INSERT into path '(' names ')' query { NEED(sql_set_insert(parser, &@3, &$3, &$5, $7)); }
	;

into: INTO | OVERWRITE { parser->statement->overwrite = true; } ;

%%

/* NOT in front of these belongs to them, not to what follows as a condition. */
static bool is_infix(int kind)
{
	return kind == T_BETWEEN || kind == T_IN || kind == T_LIKE;
}

static int sql_gram_lex(YYSTYPE *value, struct sql_loc *loc, struct sql_parser *parser)
{
	const struct sql_token *token = &parser->tokens.items[parser->next];

	parser->current = parser->next;
	*loc = token->loc;
	value->text = token->text;
	if (token->kind == 0)
		return 0;
	parser->next++;
	if (token->kind == T_NOT && is_infix(token[1].kind))
		return T_NOT_INFIX;
	if (token->kind == T_IF && token[1].kind != T_NOT && token[1].kind != T_EXISTS)
		return T_WORD;
	return token->kind;
}

/* Only without memory: a syntax error is reported below. */
static void sql_gram_error(const struct sql_loc *loc, struct sql_parser *parser, const char *message)
{
	(void)loc;
	(void)message;
	/* It comes only where the stack is full of operators that wait for what they stand before. */
	sql_fail(parser, -ENOTSUP, parser->tokens.items[parser->current].loc.pos,
		"this is nested deeper than %d levels", LIMIT_NESTING);
}

static int yyreport_syntax_error(const yypcontext_t *context, struct sql_parser *parser)
{
	parser->broken = true;
	for (const yy_state_t *state = context->yyssp; *state; state--)
		if (arena_grow(parser->scratch, &parser->trail.names, parser->trail.count,
			    &parser->trail.room, sizeof(*parser->trail.names)) == 0)
			parser->trail.names[parser->trail.count++] =
				yysymbol_name((yysymbol_kind_t)yystos[*state]);
	sql_refuse_token(parser, parser->current);
	return 0;
}
