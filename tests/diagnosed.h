/* Mistakes put into the references of the labs, for tests: the SQL is changed, the simulated
 * client runs it, and the causes that are named for its output are held against those that were
 * put in. */
#ifndef EWIN_TESTS_DIAGNOSED_H
#define EWIN_TESTS_DIAGNOSED_H

#include "daemon/grade/diagnose.h"
#include "daemon/grade/grader.h"
#include "daemon/labs.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "sim/client.h"
#include "tests/test.h"

#define RECORDED "tests/recorded"

struct edit {
	const char *from, *to;
};

struct variant {
	const char *lab, *step;
	struct edit edits[4];
	const char *causes; /* as notes write them; "-": none, whatever the verdict */
};

struct printed {
	struct arena *arena;
	char *bytes;
	size_t len, room;
};

static inline int print(void *ctx, const char *bytes, size_t size)
{
	struct printed *printed = ctx;

	for (size_t i = 0; i < size; i++) {
		if (arena_grow(printed->arena, &printed->bytes, printed->len, &printed->room, 1))
			return -1;
		printed->bytes[printed->len++] = bytes[i];
	}
	return 0;
}

static inline double no_time(void *ctx)
{
	(void)ctx;
	return 0;
}

/* False: it is not simulated to its end. */
static inline bool run_client(
	struct arena *arena, const struct sim_files *files, struct text sql, struct text *ret)
{
	struct printed printed = {.arena = arena};
	struct writer writer = {.write = print, .ctx = &printed};
	struct client client = {.arena = arena,
		.session = session_new(arena, files),
		.out = &writer,
		.history = TEXT("/root/.flink-sql-history"),
		.seconds = no_time,
		.release = FLINK_2_3};
	struct diag diag;
	int err = client_run(&client, sql, &diag);

	*ret = (struct text){printed.bytes, printed.len};
	return err == 0;
}

static inline struct text edited(struct arena *arena, struct text sql, const struct edit *edit)
{
	size_t at = text_find(sql, text_of(edit->from));

	if (at == sql.len)
		printf("# not in the reference: %s\n", edit->from);
	CHECK(at < sql.len);
	return text_format(arena, "%.*s%s%.*s", (int)at, sql.ptr, edit->to,
		TEXT_ARG(text_slice(sql, at + text_of(edit->from).len, sql.len)));
}

static inline struct text printed_causes(struct arena *arena, const struct verdict *verdict)
{
	struct text t = TEXT("");

	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		t = text_format(arena, "%.*s%s%s%s%.*s", TEXT_ARG(t), i ? ", " : "",
			diagnosis_name(verdict->diagnosis[i].id),
			verdict->diagnosis[i].param.len ? "=" : "",
			TEXT_ARG(verdict->diagnosis[i].param));
	return t.len ? t : TEXT("-");
}

/* Where the first cause of a list ends; its parameter may be a call of several arguments. */
static inline size_t first_end(struct text list)
{
	size_t end = 0;
	int depth = 0;

	while (end < list.len && (depth || list.ptr[end] != ',')) {
		depth += list.ptr[end] == '(';
		depth -= list.ptr[end] == ')';
		end++;
	}
	return end;
}

/* Is every part of a list in the other one? A part without a parameter is any. */
static inline bool holds_all(struct text list, struct text other)
{
	while (list.len) {
		size_t end = first_end(list);
		struct text part = text_slice(list, 0, end), rest = other;
		bool found = false;

		while (rest.len && !found) {
			size_t stop = first_end(rest);
			struct text one = text_slice(rest, 0, stop);
			size_t id = text_find(one, TEXT("=")), mine = text_find(part, TEXT("="));

			found = text_eq(text_slice(one, 0, id), text_slice(part, 0, mine)) &&
				(id == one.len || mine == part.len || text_eq(one, part));
			rest = text_slice(rest, stop + 2, rest.len);
		}
		if (!found)
			return false;
		list = text_slice(list, end + 2, list.len);
	}
	return true;
}

static inline bool is_one_of(struct text given, struct text causes)
{
	while (causes.len) {
		size_t end = text_find(causes, TEXT(" | "));
		struct text one = text_slice(causes, 0, end);

		if (holds_all(given, one) && holds_all(one, given))
			return true;
		causes = text_slice(causes, end + 3, causes.len);
	}
	return false;
}

static inline const struct loaded_lab *find_lab(const struct labs *labs, const char *name)
{
	for (size_t i = 0; i < labs->count; i++)
		if (text_eq(labs->items[i]->lab.name, text_of(name)))
			return labs->items[i];
	return NULL;
}

static inline void check_variant(
	const struct labs *labs, const struct variant *variant, bool with_sql)
{
	const struct loaded_lab *lab = find_lab(labs, variant->lab);
	struct arena arena;
	struct submission *submissions;
	struct verdict verdict = {0};
	struct text sql, out, given;
	size_t step = lab_step(&lab->lab, text_of(variant->step));

	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	sql = lab->grader->expected[step].sql;
	for (size_t i = 0; i < 4 && variant->edits[i].from; i++)
		sql = edited(&arena, sql, &variant->edits[i]);
	if (!run_client(&arena, lab->grader->data, sql, &out)) {
		printf("# not simulated: %s %s\n", variant->step, variant->edits[0].to);
		CHECK(!"the client is simulated to its end");
	}
	submissions[step] =
		(struct submission){.out = {FILE_THERE, out, 0}, .sql = {FILE_THERE, sql, 0}};
	if (!with_sql)
		submissions[step].sql = (struct saved_file){0};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(diagnose_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	given = printed_causes(&arena, &verdict);
	if (!is_one_of(given, text_of(variant->causes)))
		printf("# %s %s (%s): %s, but %.*s is named (%s)\n", variant->lab, variant->step,
			variant->edits[0].to, variant->causes, TEXT_ARG(given),
			message_name(verdict.summary.id));
	CHECK(is_one_of(given, text_of(variant->causes)));
	arena_finish(&arena);
}

#endif
