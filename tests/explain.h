/* Explaining in a test: runs explain_script() into memory, and reads what it told. */
#ifndef EWIN_TESTS_EXPLAIN_H
#define EWIN_TESTS_EXPLAIN_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/calendar.h"
#include "parser/diag.h"
#include "parser/json.h"
#include "sim/explain.h"

#define MEMORY (512u << 20)
#define NONE   INT64_MIN

struct memory {
	struct arena *arena;
	char *bytes;
	size_t len, room;
};

static inline int write_memory(void *ctx, const char *bytes, size_t size)
{
	struct memory *memory = ctx;

	if (memory->len + size > memory->room) {
		size_t room = 2 * (memory->len + size);
		char *moved = arena_alloc(memory->arena, room);

		if (!moved)
			return -ENOMEM;
		if (memory->len)
			memcpy(moved, memory->bytes, memory->len);
		memory->bytes = moved;
		memory->room = room;
	}
	memcpy(memory->bytes + memory->len, bytes, size);
	memory->len += size;
	return 0;
}

static inline int explain_text(struct arena *arena, const struct explain *explain, struct text sql,
	const struct sim_files *files, struct text *ret)
{
	struct memory memory = {.arena = arena};
	struct writer out = {.write = write_memory, .ctx = &memory};
	struct diag diag = {0};
	int err = explain_script(arena, explain, sql, files, &out, &diag);

	if (err < 0)
		printf("# %d: %s\n", diag.line, diag.text);
	*ret = (struct text){memory.bytes, memory.len};
	return err;
}

/* "2026-07-06 09:01:00.000" as ms; NONE for null. */
static inline int64_t time_of(const struct json *json)
{
	int year, month, day, hour, minute, second, milli;
	char text[32];

	if (!json || json->kind != JSON_STRING)
		return NONE;
	snprintf(text, sizeof(text), "%.*s", TEXT_ARG(json->string));
	if (sscanf(text, "%d-%d-%d %d:%d:%d.%d", &year, &month, &day, &hour, &minute, &second,
		    &milli) != 7)
		return NONE;
	return calendar_days((struct civil_day){year, month, day}) * MS_PER_DAY +
	       (hour * INT64_C(60) + minute) * MS_PER_MINUTE + second * MS_PER_SECOND + milli;
}

static inline int64_t number_of(const struct json *object, const char *name)
{
	const struct json *json = json_get(object, text_of(name));
	int64_t number = -1;

	if (json)
		json_integer(json, &number);
	return number;
}

static inline bool is_true(const struct json *object, const char *name)
{
	const struct json *json = json_get(object, text_of(name));

	return json && json->kind == JSON_TRUE;
}

#endif
