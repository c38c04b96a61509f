/* Mistakes as values: their causes, and how they are written: "delay=5s",
 * "group-key-extra=shop". */
#include <errno.h>

#include "parser/arena.h"
#include "sim/mistakes.h"

static void add(struct mistake *mistake, const char *id, struct param param)
{
	if (mistake->cause_count < MISTAKE_CAUSES)
		mistake->causes[mistake->cause_count++] = (struct cause){id, param};
}

void cause_add(struct mistake *mistake, const char *id)
{
	add(mistake, id, (struct param){0});
}

void cause_add_duration(struct mistake *mistake, const char *id, int64_t ms)
{
	add(mistake, id, (struct param){.kind = PARAM_DURATION, .number = ms});
}

void cause_add_number(struct mistake *mistake, const char *id, int64_t number)
{
	add(mistake, id, (struct param){.kind = PARAM_NUMBER, .number = number});
}

void cause_add_name(struct mistake *mistake, const char *id, struct text name)
{
	add(mistake, id, (struct param){.kind = PARAM_NAME, .name = name});
}

struct text param_print(struct arena *arena, const struct param *param)
{
	switch (param->kind) {
	case PARAM_DURATION: return text_duration(arena, param->number, "");
	case PARAM_NUMBER: return text_format(arena, "%lld", (long long)param->number);
	case PARAM_NAME: return param->name;
	case PARAM_NONE: break;
	}
	return TEXT("");
}

struct text mistake_print(struct arena *arena, const struct mistake *mistake)
{
	struct text all = TEXT("");

	for (size_t i = 0; i < mistake->cause_count && all.ptr; i++) {
		const struct cause *cause = &mistake->causes[i];
		struct text param = param_print(arena, &cause->param);

		all = text_format(arena, "%.*s%s%s%s%.*s", TEXT_ARG(all), i ? ", " : "", cause->id,
			cause->param.kind == PARAM_NONE ? "" : "=", TEXT_ARG(param));
	}
	return all;
}

bool param_equal(const struct param *a, const struct param *b)
{
	return a->kind == b->kind && a->number == b->number && text_eq(a->name, b->name);
}

int mistake_copy(struct arena *arena, const struct mistake *mistake, struct mistake *ret)
{
	struct mistake copy = *mistake;

	for (size_t i = 0; i < copy.cause_count; i++) {
		struct param *param = &copy.causes[i].param;

		if (param->kind != PARAM_NAME)
			continue;
		param->name = text_copy(arena, param->name);
		if (!param->name.ptr)
			return -ENOMEM;
	}
	*ret = copy;
	return 0;
}
