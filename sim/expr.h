/* Expressions with types: a small tree that is evaluated over one row. Three-valued logic: NULL
 * is a value like any other, and a condition holds only where it is TRUE. */
#ifndef EWIN_SIM_EXPR_H
#define EWIN_SIM_EXPR_H

#include "parser/sql.h"
#include "sim/op.h"
#include "sim/time_unit.h"

struct arena;

/* What an expression is evaluated over. */
struct eval {
	const struct value *cells;
	int64_t wm_ms;	   /* CURRENT_WATERMARK; WATERMARK_NONE is NULL */
	const char *fault; /* what Flink would fail with: "class: message", or NULL */
	bool beyond;	   /* a value left what is simulated, such as numbers of 128 bits */
};

/* How `beyond` is refused. */
#define EVAL_BEYOND "A value as it comes out here"

struct function;
struct scratch;

struct expr {
	void (*eval)(const struct expr *expr, struct eval *eval, struct value *ret);
	struct sql_type type;
	struct expr **args;
	size_t arg_count;
	size_t column; /* of a column reference */
	bool is_column;
	bool is_constant;
	bool reads_watermark; /* CURRENT_WATERMARK is somewhere in it */
	struct value constant;
	enum sql_op op;
	int64_t number;		 /* a width, a scale or a sign; see the function that reads it */
	struct scratch *scratch; /* where a text is made */
	const struct function *function;
	const struct zone *zone; /* of expr_zoned() */
};

/* The cell of a column. NULL: no memory, here and below. */
struct expr *expr_column(struct arena *arena, size_t column, const struct sql_type *type);
struct expr *expr_constant(
	struct arena *arena, const struct sql_type *type, const struct value *value);

/* An operator over typed arguments, whose array it keeps. BETWEEN and IN are taken apart by the
 * binder before. 0; -ENOTSUP: not for these types; -ENOMEM. */
int expr_op(
	struct arena *arena, enum sql_op op, struct expr **args, size_t count, struct expr **ret);

/* A cast. 0, -ENOTSUP or -ENOMEM. An expression
 * that has the type already is returned as it is, but for its time attribute. */
int expr_cast(
	struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret);

/* TRY_CAST: NULL where a text is none of the type's. */
int expr_try_cast(
	struct arena *arena, struct expr *arg, const struct sql_type *type, struct expr **ret);

/* CASE WHEN a THEN b ... ELSE c END: args are pairs and at last the ELSE; all results have one
 * type. COALESCE(a, b, ...). The watermark that passed last. */
int expr_case(struct arena *arena, struct expr **args, size_t count, struct expr **ret);
int expr_coalesce(struct arena *arena, struct expr **args, size_t count, struct expr **ret);

/* GREATEST (SQL_OP_GT) and LEAST (SQL_OP_LT): NULL where one is. */
int expr_extreme(
	struct arena *arena, enum sql_op op, struct expr **args, size_t count, struct expr **ret);
struct expr *expr_current_watermark(struct arena *arena, const struct sql_type *type);

/* A TIMESTAMP_LTZ as the TIMESTAMP that clocks of the zone show, or the other way; NULL is UTC. 0
 * or -ENOMEM. */
struct zone;
int expr_zoned(struct arena *arena, const struct zone *zone, struct expr *arg, struct expr **ret);

/* TO_TIMESTAMP_LTZ(count, 0 or 3). 0, -ENOTSUP or -ENOMEM. */
int expr_epoch(struct arena *arena, struct expr **args, struct expr **ret);

/* A rounded TIMESTAMP as a TIMESTAMP_LTZ again, by the offset at the time that was rounded. */
int expr_zoned_back(struct arena *arena, const struct zone *zone, struct expr *local,
	struct expr *at, struct expr **ret);

/* ---- times: see expr_time.c ---- */

/* PROCTIME(): known by its type alone. NULL: no memory. */
struct expr *expr_proctime(struct arena *arena);

/* A time plus or minus an interval, intervals among themselves and times an integer. Each of
 * these 0, -ENOTSUP for other types or units, or -ENOMEM. */
int expr_time_arithmetic(
	struct arena *arena, enum sql_op op, struct expr **args, struct expr **ret);

/* A time column minus a constant: as the watermark of nearly every table, in one node. `plain` is
 * the same as an expression of several. NULL: no memory. */
struct expr *expr_delayed(
	struct arena *arena, const struct expr *plain, struct expr *time, int64_t delay_ms);

/* FLOOR(time TO unit), or CEIL; EXTRACT(unit FROM time). */
int expr_round_time(
	struct arena *arena, struct expr **args, enum time_unit unit, bool up, struct expr **ret);
int expr_extract(struct arena *arena, struct expr **args, enum time_unit unit, struct expr **ret);

/* TIMESTAMPDIFF(unit, from, to). */
int expr_time_difference(
	struct arena *arena, struct expr **args, enum time_unit unit, struct expr **ret);

/* ---- texts: see expr_text.c. Each 0, -ENOTSUP for other types, or -ENOMEM ---- */

/* CONCAT, ||, CONCAT_WS; UNIX_TIMESTAMP(text) in UTC. */
int expr_concat(struct arena *arena, struct expr **args, size_t count, struct expr **ret);
int expr_concat_ws(struct arena *arena, struct expr **args, size_t count, struct expr **ret);
int expr_join(struct arena *arena, struct expr **args, struct expr **ret);
int expr_unix_timestamp(struct arena *arena, struct expr **args, struct expr **ret);

/* The type that values of both types can be cast to without loss. 0 or -ENOTSUP. */
int type_common(const struct sql_type *a, const struct sql_type *b, struct sql_type *ret);

/* The same for arithmetic and CASE, where of FLOAT and DOUBLE the first one counts. */
int type_of_sum(const struct sql_type *a, const struct sql_type *b, struct sql_type *ret);

/* A number's type as DECIMAL: INT is DECIMAL(10, 0). */
struct sql_type type_as_decimal(const struct sql_type *type);

/* A type as the validator names it in an error; empty: not known. Its ptr is NULL: no memory. */
struct text type_in_signature(struct arena *arena, const struct sql_type *type);

/* The length of two texts together. */
int32_t length_sum(int32_t a, int32_t b);

bool type_is_integer(const struct sql_type *type);
bool type_is_number(const struct sql_type *type);
bool type_is_time(const struct sql_type *type); /* TIMESTAMP, TIMESTAMP_LTZ */

/* Evaluates; 0, -EBADMSG with eval->fault, or -ENOTSUP with eval->beyond. */
int expr_eval(const struct expr *expr, struct eval *eval, struct value *ret);

/* Is the condition TRUE for the row? Errors as expr_eval(). */
int expr_holds(const struct expr *expr, struct eval *eval, bool *ret);

/* Is it made of constants alone? */
bool expr_is_constant(const struct expr *expr);

/* The columns that it reads are set to true. */
void expr_mark_columns(const struct expr *expr, bool *columns);

/* A new node over these arguments, for the files that implement expressions. */
struct expr *expr_node(struct arena *arena,
	void (*eval)(const struct expr *, struct eval *, struct value *),
	const struct sql_type *type, struct expr **args, size_t count);

/* Arithmetic: see expr_number.c. An integer of that kind wraps. */
int expr_arithmetic(
	struct arena *arena, enum sql_op op, struct expr **args, size_t count, struct expr **ret);
int64_t integer_wrap(uint64_t n, enum sql_kind kind);

/* Evaluates argument n. */
static inline void expr_arg(const struct expr *expr, size_t n, struct eval *eval, struct value *ret)
{
	expr->args[n]->eval(expr->args[n], eval, ret);
}

#endif
