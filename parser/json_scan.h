/* The strict half of reading JSON: a scan over the source that refuses what cJSON lets pass, and
 * notes where each value starts, which cJSON does not tell. */
#ifndef EWIN_PARSER_JSON_SCAN_H
#define EWIN_PARSER_JSON_SCAN_H

#include "parser/text.h"

struct arena;
struct diag;

/* A value's first byte, in the order of the source. */
struct json_mark {
	int line, col;
	struct text number; /* the source of a number, else empty */
};

struct json_scan {
	struct json_mark *marks;
	size_t count, room;
	bool open; /* it ends within a bracket, or there is no value at all */
};

/* 0, -EINVAL with line and column, or -ENOMEM. What it accepts may still be no JSON (brackets and
 * commas are cJSON's business); each number, string and word in it is well formed. */
int json_scan(struct arena *arena, struct text source, struct json_scan *ret, struct diag *reterr);

#endif
