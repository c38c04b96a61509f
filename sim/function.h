/* Functions that are called by name, as tables: what each takes, which type comes out, how its
 * value is made. One table a topic; bind_function.c looks names up in all of them. */
#ifndef EWIN_SIM_FUNCTION_H
#define EWIN_SIM_FUNCTION_H

#include "sim/expr.h"
#include "sim/scratch.h"

struct binder;

/* Most arguments of a function that has a fixed number of them. */
#define FUNCTION_ARGS 4

/* The type of the result. */
enum function_result {
	RESULT_STRING,
	RESULT_FIRST,	/* as the first argument */
	RESULT_VARYING, /* the same, with VARCHAR for CHAR */
	RESULT_JOINED,	/* VARCHAR of the lengths of the first two together */
	RESULT_INT,
	RESULT_BIGINT,
	RESULT_BOOLEAN,
	RESULT_DOUBLE,
	RESULT_DATE,
	RESULT_TIMESTAMP, /* of 3 digits */
};

/* When the type is nullable. The value is NULL where an argument is, in any case. */
enum function_null { NULL_FROM_ARGS, NULL_ALWAYS };

/* Arguments of a function that is being evaluated, none of them NULL. */
struct call {
	const struct expr *expr;
	struct eval *eval;
	struct value args[FUNCTION_ARGS];
	size_t count;
};

/* Bound arguments of a call; room for one more. */
struct call_args {
	const struct binder *binder;
	struct arena *arena;
	struct expr **args;
	size_t count;
};

struct function {
	const char *name;
	/* A letter an argument: t a text, i an integer up to INT, l one up to BIGINT, n a number,
	 * c a constant text, T a TIMESTAMP, . any; behind '?' they may be missing, '*' repeats
	 * the last. */
	const char *takes;
	enum function_result result;
	enum function_null null;
	void (*apply)(const struct call *call, struct value *ret);
	/* Instead of result and apply: makes the expression. 0, -ENOTSUP or -ENOMEM. */
	int (*bind)(struct call_args *call, struct expr **ret);
	/* What Flink names as supported, "<CHARACTER>, <INTEGER>", one a '|'; NULL: not known. */
	const char *forms;
};

extern const struct function text_functions[], search_functions[], number_functions[];
extern const struct function time_functions[], other_functions[];

/* The function of this name, or NULL. */
const struct function *function_find(struct text name);

/* Do the arguments' types fit? */
bool function_takes(const struct function *function, const struct call_args *call);

/* The fewest and the most arguments. */
void function_arity(const struct function *function, size_t *least, size_t *most);

/* The expression of a call whose arguments fit. 0, -ENOTSUP or -ENOMEM. */
int function_make(const struct function *function, struct call_args *call, struct expr **ret);

/* The call's text: begin, append, end. */
struct scratch *call_begin(const struct call *call);
void call_append(const struct call *call, struct text text);
void call_end(const struct call *call, struct value *ret);

/* Leaves what is simulated where a text has characters that Java counts as two. */
void call_plain(const struct call *call, struct text text);

#endif
