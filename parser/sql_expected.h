/* What Flink's parser expects where: sql_expect.c, by the tables of sql_expected.c. */
#ifndef EWIN_PARSER_SQL_EXPECTED_H
#define EWIN_PARSER_SQL_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>

#include "parser/text.h"

struct arena;
struct sql_place;

/* A list that others name by $name. */
struct sql_part {
	const char *name, *list;
};

/* What may follow an expression, for what is around it. */
struct sql_around {
	bool item; /* of a SELECT: an alias may follow */
	const char *list;
	const char *examples; /* a line each, with an expression behind */
};

/* All that may follow where no expression ends. */
struct sql_spot {
	int back;   /* the tokens before the wrong one that Flink names with it */
	bool exact; /* the token before the last one counts as well */
	const char *list;
	const char *examples;
};

extern const char sql_token_order[];
extern const struct sql_part sql_parts[];
extern const size_t sql_part_count;
extern const struct sql_around sql_arounds[];
extern const size_t sql_around_count;
extern const struct sql_spot sql_spots[];
extern const size_t sql_spot_count;

/* A list in the making; '~' stands between the tokens of an entry. */
struct sql_entries {
	struct arena *arena;
	struct text *items;
	size_t count, room;
};

/* Adds words with blanks between them. 0 or -ENOMEM. */
int sql_add_list(struct sql_entries *list, struct text words);

/* Fills the list with what is expected at the place, in Flink's order; *back is how many tokens before the wrong
 * one Flink names with it. 0; -ENOTSUP where it is not known; -ENOMEM. */
int sql_expect(struct sql_entries *list, const struct sql_place *place, int *back);

#endif
