/* Written: pairing statements with what the client printed. Each statement prints one result, in
 * order, and the first error ends the run. Blanks are left out where an echo is held against a
 * statement, and so is what is not ASCII: the client drops characters without a width. */
#include "daemon/grade/written.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"

/* Statements of a script, or results of a file: a lab asks for ten. Each is held against each
 * other. */
#define MOST_STATEMENTS 200

static int add(struct arena *arena, struct written *written, const struct sql_piece *piece)
{
	struct written_statement *s = &written->items[written->count];
	struct diag diag = {0};

	s->piece = *piece;
	s->err = sql_parse(arena, piece, &s->tree, &diag);
	written->count++;
	return s->err == -ENOMEM ? s->err : 0;
}

int written_sql(struct arena *arena, struct text sql, struct written *ret)
{
	struct written written = {.whole = true};
	struct sql_script script = {0};
	struct diag diag = {0};
	int err = sql_split(arena, sql, &script, &diag);

	if (err == -ENOMEM)
		return err;
	written.items = arena_array(arena, script.count + 1, sizeof(*written.items));
	if (!written.items)
		return -ENOMEM;
	for (size_t i = 0; script.count <= MOST_STATEMENTS && i < script.count; i++)
		if (add(arena, &written, &script.pieces[i]))
			return -ENOMEM;
	*ret = written;
	return 0;
}

static int echoes(struct arena *arena, const struct transcript *transcript, struct written *ret)
{
	struct written written = {0};

	written.items = arena_array(arena, transcript->count + 2, sizeof(*written.items));
	if (!written.items)
		return -ENOMEM;
	for (size_t i = 0; transcript->count <= MOST_STATEMENTS && i < transcript->count; i++) {
		struct sql_piece piece = {
			.source = transcript->results[i].echo, .line = 1, .col = 1, .run = true};

		if (add(arena, &written, &piece))
			return -ENOMEM;
	}
	*ret = written;
	return 0;
}

static bool counts(char c)
{
	return c > ' ' && c < 0x7f;
}

static size_t next_counting(struct text t, size_t at)
{
	while (at < t.len && !counts(t.ptr[at]))
		at++;
	return at;
}

static bool is_closer(char c)
{
	return c == ')' || c == ']' || c == '}';
}

/* Is this what the client echoes of the statement? */
static bool is_echo(struct text echo, struct text source)
{
	size_t i = next_counting(echo, 0), k = next_counting(source, 0);

	while (i < echo.len && k < source.len && echo.ptr[i] == source.ptr[k]) {
		i = next_counting(echo, i + 1);
		k = next_counting(source, k + 1);
	}
	if (i < echo.len)
		return false;
	for (; k < source.len; k++)
		if (is_closer(source.ptr[k]))
			return false;
	return true;
}

/* The statement that the last of these results is of, from 1; 0: they are not of this script. A
 * file may hold several runs: each begins with the first statement again. */
static size_t align(const struct written *written, const struct transcript *transcript)
{
	bool several = (transcript->remarks & REMARK_SESSIONS) != 0;
	size_t next = 0;

	for (size_t i = 0; i < transcript->count; i++) {
		struct text echo = transcript->results[i].echo;

		if (next == written->count || !is_echo(echo, written->items[next].piece.source))
			next = 0;
		if (next == 0 && i > 0 && !several)
			return 0;
		if (next == written->count || !is_echo(echo, written->items[next].piece.source))
			return 0;
		next++;
	}
	return next;
}

bool written_matches(const struct written *written, const struct transcript *transcript)
{
	return align(written, transcript) > 0;
}

bool written_has(const struct written *written, struct text echo)
{
	if (next_counting(echo, 0) == echo.len)
		return true;
	for (size_t i = 0; i < written->count; i++)
		if (is_echo(echo, written->items[i].piece.source))
			return true;
	return false;
}

static size_t last_error(const struct transcript *transcript)
{
	size_t i = transcript->count;

	while (i > 0 && transcript->results[i - 1].kind != RESULT_ERROR)
		i--;
	return i ? i - 1 : transcript->count;
}

/* Does an error stand behind rows of its own statement? Then it is no result of its own. */
static bool follows_table(const struct transcript *transcript, size_t error)
{
	return error > 0 && error < transcript->count &&
	       transcript->results[error - 1].kind == RESULT_TABLE &&
	       transcript->results[error - 1].end == END_ERROR;
}

int written_of(struct arena *arena, struct text sql, const struct transcript *transcript,
	struct written *ret, size_t *failed)
{
	struct transcript shown = *transcript;
	size_t error = last_error(transcript), at;
	bool none = error == transcript->count;
	int err = written_sql(arena, sql, ret);

	if (!none && follows_table(transcript, error))
		error--;
	if (!none)
		shown.count = error + 1;
	at = err ? 0 : align(ret, &shown);
	if (at == 0 && !err && sql.len && transcript->count == 0)
		at = 1; /* nothing was printed that could speak against it */
	if (at == 0 && !err)
		err = echoes(arena, &shown, ret);
	*failed = none ? ret->count : (at ? at - 1 : error);
	return err;
}

const struct sql_create_table *written_table(
	const struct written *written, size_t before, struct text name)
{
	for (size_t i = before < written->count ? before : written->count; i > 0; i--) {
		const struct written_statement *s = &written->items[i - 1];

		if (s->err == 0 && s->tree.kind == STMT_CREATE_TABLE &&
			text_ieq(s->tree.create->name, name))
			return s->tree.create;
	}
	return NULL;
}

const struct sql_query *written_query(const struct written_statement *s)
{
	return s->err ? NULL : s->tree.query;
}
