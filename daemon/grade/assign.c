/* Assigning columns: names exchanged or changed are no wrong values. A saved column can stand for
 * an asked one only where it holds the same values; of those assignments one must make all rows
 * the same. */
#include "daemon/grade/assign.h"

#include <errno.h>

#include "daemon/grade/fingerprint.h"
#include "daemon/grade/lines.h"
#include "parser/arena.h"

/* Another assignment of columns is worth a try only for so many columns, and only so often: names
 * exchanged or changed. */
#define PERMUTED_COLUMNS 16
#define PERMUTED_TRIES	 200

enum fit { FIT_UNKNOWN, FIT_NO, FIT_YES };

struct permuting {
	struct arena *arena;
	const struct table *asked, *saved;
	bool plain;	 /* neither table takes rows back */
	size_t left_out; /* the asked column that stays without; NO_COLUMN: none */
	int tries;
	bool found; /* the rows are equal under `of` */
	bool used[PERMUTED_COLUMNS];
	size_t of[PERMUTED_COLUMNS];
	enum fit fits[PERMUTED_COLUMNS][PERMUTED_COLUMNS];
};

/* Are the values other ones? Equal ones add up to the same, in whatever order; that other ones do
 * is as likely as one in 2^64, and the rows are compared in the end. */
static bool sums_differ(const struct permuting *p, size_t asked, size_t saved)
{
	const struct sql_type *type = &p->asked->columns[asked].type;
	bool typed = p->saved->columns[saved].type.kind != SQL_ANY;
	uint64_t sum = 0;

	for (size_t i = 0; i < p->saved->row_count; i++) {
		const struct value *have = &p->saved->rows[i].cells[saved];
		struct value read = *have;

		if (!have->null && !typed && value_parse(have->s, type, &read))
			return true;
		sum += fingerprint_cell(type, &read) -
		       fingerprint_cell(type, &p->asked->rows[i].cells[asked]);
	}
	return sum != 0;
}

/* Is the column's multiset of values the asked one? Keeps the search from trying the hopeless. */
static int column_fits(struct permuting *p, size_t asked, size_t saved, bool *ret)
{
	enum fit *fit = &p->fits[asked][saved];
	struct table want = {.columns = &p->asked->columns[asked], .column_count = 1};
	struct row *rows;

	if (*fit != FIT_UNKNOWN) {
		*ret = *fit == FIT_YES;
		return 0;
	}
	if (p->plain) {
		*ret = !sums_differ(p, asked, saved);
		*fit = *ret ? FIT_YES : FIT_NO;
		return 0;
	}
	rows = arena_array(p->arena, p->asked->row_count + 1, sizeof(*rows));
	if (!rows)
		return -ENOMEM;
	for (size_t i = 0; i < p->asked->row_count; i++) {
		rows[i] = p->asked->rows[i];
		rows[i].cells += asked;
	}
	want.rows = rows;
	want.row_count = p->asked->row_count;
	if (rows_equal(p->arena, &want, p->saved, &saved, ret))
		return -ENOMEM;
	*fit = *ret ? FIT_YES : FIT_NO;
	return 0;
}

static int permute(struct permuting *p, size_t at)
{
	int err = 0;

	if (at == p->asked->column_count)
		return p->tries-- > 0 ? rows_equal(p->arena, p->asked, p->saved, p->of, &p->found)
				      : 0;
	p->of[at] = NO_COLUMN;
	if (at == p->left_out)
		return permute(p, at + 1);
	for (size_t i = 0; !err && !p->found && i < p->saved->column_count; i++) {
		bool fits = false;

		if (p->used[i])
			continue;
		err = column_fits(p, at, i, &fits);
		if (err || !fits)
			continue;
		p->used[i] = true;
		p->of[at] = i;
		err = permute(p, at + 1);
		p->used[i] = false;
	}
	return err;
}

/* Has each asked column one that it could be? From the last one on: values stand behind keys, and
 * are what is wrong as a rule. */
static int all_fit(struct permuting *p, bool *ret)
{
	*ret = true;
	for (size_t i = p->asked->column_count; *ret && i > 0; i--) {
		*ret = i - 1 == p->left_out;
		for (size_t k = 0; !*ret && k < p->saved->column_count; k++)
			if (column_fits(p, i - 1, k, ret))
				return -ENOMEM;
	}
	return 0;
}

static int try_assignment(struct permuting *p, size_t left_out)
{
	bool hope;

	p->left_out = left_out;
	if (all_fit(p, &hope) || (hope && permute(p, 0)))
		return -ENOMEM;
	return 0;
}

/* Could this saved column be meant for that asked one, with other values? Text stands for text
 * where the two share a value. */
static int could_stand_for(struct permuting *p, size_t asked, size_t saved, bool *ret)
{
	struct table want = {.columns = &p->asked->columns[asked], .column_count = 1};
	enum sql_kind kind = want.columns[0].type.kind;
	bool is_text = kind == SQL_CHAR || kind == SQL_VARCHAR;
	struct row *rows = arena_array(p->arena, p->asked->row_count + 1, sizeof(*rows));
	struct lines have, lines;
	size_t unreadable = 0;

	if (!rows || lines_fold(p->arena, &want, p->saved, &saved, &have))
		return -ENOMEM;
	for (size_t i = 0; i < have.count; i++)
		unreadable += have.items[i].unreadable;
	*ret = unreadable < have.count;
	if (!is_text)
		return 0;
	for (size_t i = 0; i < p->asked->row_count; i++) {
		rows[i] = p->asked->rows[i];
		rows[i].cells += asked;
	}
	want.rows = rows;
	want.row_count = p->asked->row_count;
	if (lines_fold(p->arena, &want, &want, &(size_t){0}, &lines))
		return -ENOMEM;
	unreadable = have.count;
	lines_cancel(&lines, &have);
	*ret = have.count < unreadable;
	return 0;
}

/* Is the asked column that was left out really not there, not just wrong? */
static int is_missing(struct permuting *p, size_t left_out, bool *ret)
{
	bool stands =
		table_column(p->saved, p->asked->columns[left_out].name) < p->saved->column_count;

	for (size_t i = 0; !stands && i < p->saved->column_count; i++) {
		bool used = false;

		for (size_t k = 0; k < p->asked->column_count; k++)
			used = used || p->of[k] == i;
		if (!used && could_stand_for(p, left_out, i, &stands))
			return -ENOMEM;
	}
	*ret = !stands;
	return 0;
}

/* Tries each asked column as the one that is missing. */
static int try_without(struct permuting *p)
{
	for (size_t i = p->asked->column_count; !p->found && i > 0; i--) {
		if (try_assignment(p, i - 1))
			return -ENOMEM;
		if (p->found && is_missing(p, i - 1, &p->found))
			return -ENOMEM;
	}
	return 0;
}

/* Can the rows be the same at all? Changes may have to be folded first. */
static bool may_be_equal(const struct table *asked, const struct table *saved, bool corrected)
{
	if (asked->column_count > PERMUTED_COLUMNS || saved->column_count > PERMUTED_COLUMNS ||
		saved->column_count + 1 < asked->column_count)
		return false;
	return corrected ? saved->row_count / 50 <= asked->row_count
			 : saved->row_count == asked->row_count;
}

static void fill_map(const struct permuting *p, struct column_map *map)
{
	size_t last = 0;

	*map = (struct column_map){.of = map->of, .in_order = true};
	for (size_t i = 0; i < p->asked->column_count; i++) {
		map->of[i] = p->of[i];
		if (p->of[i] == NO_COLUMN)
			continue;
		map->in_order = map->in_order && (map->found == 0 || p->of[i] > last);
		last = p->of[i];
		map->found++;
	}
	map->extra = p->saved->column_count - map->found;
}

int assign_columns(struct arena *arena, const struct table *asked, const struct table *saved,
	bool corrected, struct column_map *map, bool *ret)
{
	struct permuting *p;

	*ret = false;
	if (!may_be_equal(asked, saved, corrected))
		return 0;
	p = ARENA_NEW(arena, struct permuting);
	if (!p)
		return -ENOMEM;
	*p = (struct permuting){.arena = arena,
		.asked = asked,
		.saved = saved,
		.tries = PERMUTED_TRIES,
		.plain = !corrected && !table_is_corrected(asked)};
	if (saved->column_count >= asked->column_count && try_assignment(p, NO_COLUMN))
		return -ENOMEM;
	if (!p->found && asked->column_count > 2 && try_without(p))
		return -ENOMEM;
	if (p->found)
		fill_map(p, map);
	*ret = p->found;
	return 0;
}
