/* The table's columns, and what of it is there when a statement runs. */
#include "daemon/grade/differing.h"
#include "parser/arena.h"

bool differ_tables(const struct differing *d)
{
	return d->asked->has_table && d->mine->has_table;
}

bool differ_described(const struct differing *d)
{
	return d->grading->step->kind == STEP_DESCRIBE;
}

/* ---- columns ---- */

static const struct sql_column *column_named(const struct catalog_entry *table, struct text name)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (text_ieq(table->columns[i].name, name))
			return &table->columns[i];
	return NULL;
}

/* The physical column at this place, or NULL. */
static const struct sql_column *column_at(const struct catalog_entry *table, size_t place)
{
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].kind == COLUMN_PHYSICAL && place-- == 0)
			return &table->columns[i];
	return NULL;
}

static size_t physical_count(const struct catalog_entry *table)
{
	size_t count = 0;

	while (column_at(table, count))
		count++;
	return count;
}

static bool is_text(enum sql_kind kind)
{
	return kind == SQL_CHAR || kind == SQL_VARCHAR;
}

static bool is_whole(enum sql_kind kind)
{
	return kind >= SQL_TINYINT && kind <= SQL_BIGINT;
}

/* Types that read the same values from a file and count alike. */
static bool reads_alike(const struct sql_type *asked, const struct sql_type *mine)
{
	if (is_whole(asked->kind) && is_whole(mine->kind))
		return mine->kind >= asked->kind;
	if (is_text(asked->kind) && is_text(mine->kind))
		return true;
	return asked->kind == mine->kind && asked->precision <= mine->precision;
}

static bool same_type(
	struct differing *d, const struct sql_type *asked, const struct sql_type *mine)
{
	struct sql_type a = *asked, m = *mine;

	a.not_null = m.not_null = false;
	return differ_described(d)
		       ? text_eq(sql_type_print(d->arena, &a), sql_type_print(d->arena, &m))
		       : reads_alike(&a, &m);
}

static void say_column(struct differing *d, struct text name, const char *what)
{
	differ_say(d, DIAG_DDL_COLUMNS, text_format(d->arena, "%.*s-%s", TEXT_ARG(name), what));
}

/* Columns that only one of them has. */
static void differ_count(struct differing *d)
{
	const struct catalog_entry *asked = &d->asked->table, *mine = &d->mine->table;

	for (size_t i = 0; column_at(asked, i); i++)
		if (!column_named(mine, column_at(asked, i)->name))
			say_column(d, column_at(asked, i)->name, "missing");
	for (size_t i = 0; i < mine->column_count; i++)
		if (!column_named(asked, mine->columns[i].name) &&
			(differ_described(d) || mine->columns[i].kind == COLUMN_PHYSICAL))
			say_column(d, mine->columns[i].name, "extra");
}

static bool is_other_order(const struct catalog_entry *asked, const struct catalog_entry *mine)
{
	bool moved = false;

	for (size_t i = 0; column_at(asked, i); i++) {
		const struct sql_column *column = column_named(mine, column_at(asked, i)->name);

		if (!column || column->kind != COLUMN_PHYSICAL)
			return false;
		moved |= !text_ieq(column_at(asked, i)->name, column_at(mine, i)->name);
	}
	return moved;
}

static void say_type(struct differing *d, const struct sql_column *mine)
{
	differ_say(d, DIAG_DDL_COLUMNS,
		text_format(d->arena, "%.*s:%.*s", TEXT_ARG(mine->name),
			TEXT_ARG(sql_type_print(d->arena, &mine->type))));
}

/* Types of the columns that both have, whatever their places. */
static void differ_types(struct differing *d)
{
	for (size_t i = 0; column_at(&d->asked->table, i); i++) {
		const struct sql_column *a = column_at(&d->asked->table, i),
					*m = column_named(&d->mine->table, a->name);

		if (m && m->kind == COLUMN_PHYSICAL && !same_type(d, &a->type, &m->type))
			say_type(d, m);
	}
}

static void differ_column(
	struct differing *d, const struct sql_column *asked, const struct sql_column *mine)
{
	if (!same_type(d, &asked->type, &mine->type))
		say_type(d, mine);
	else if (!differ_described(d))
		return;
	else if (!column_named(&d->mine->table, asked->name) &&
		 !column_named(&d->asked->table, mine->name))
		say_column(d, mine->name, "renamed");
	else if (text_ieq(asked->name, mine->name) && !text_eq(asked->name, mine->name))
		differ_say(d, DIAG_DDL_COLUMNS, TEXT("case"));
}

/* Columns that are worked out, beside the file's. */
static void differ_computed(struct differing *d)
{
	const struct catalog_entry *mine = &d->mine->table;

	for (size_t i = 0; i < mine->column_count; i++)
		if (mine->columns[i].kind != COLUMN_PHYSICAL &&
			!column_named(&d->asked->table, mine->columns[i].name))
			say_column(d, mine->columns[i].name, "extra");
}

void differ_columns_declared(struct differing *d)
{
	const struct catalog_entry *asked = &d->asked->table, *mine = &d->mine->table;
	bool counts = differ_tables(d) && physical_count(asked) == physical_count(mine);

	if (!differ_tables(d))
		return;
	if (!counts)
		differ_count(d);
	else if (is_other_order(asked, mine))
		differ_say(d, DIAG_DDL_COLUMNS, TEXT("order"));
	else
		for (size_t i = 0; column_at(asked, i); i++)
			differ_column(d, column_at(asked, i), column_at(mine, i));
	if (!differ_described(d))
		return;
	if (!counts || is_other_order(asked, mine))
		differ_types(d);
	if (counts)
		differ_computed(d); /* else told with the count */
}

/* ---- what is there when the statement runs ---- */

static bool is_created(const struct differing *d, bool before)
{
	for (size_t i = 0; i < d->script->count; i++) {
		const struct profile *p = &d->script->items[i];

		if (p->kind == STMT_CREATE_TABLE && (p->statement < d->mine->statement) == before &&
			(before || (p->key.len && text_find(d->error, p->key) < d->error.len)))
			return true;
	}
	return false;
}

/* A name that is not found: nothing was created, or only later. */
static void differ_missing_table(struct differing *d)
{
	bool missing = (text_has(d->error, "Object '") && text_has(d->error, "not found")) ||
		       text_has(d->error, "doesn't exist");

	if (!missing)
		return;
	if (is_created(d, false))
		differ_say(d, DIAG_CREATE_MISSING, TEXT("later"));
	else if (!is_created(d, true))
		differ_say(d, DIAG_CREATE_MISSING, (struct text){0});
}

void differ_creation(struct differing *d)
{
	if (text_has(d->error, "already exists a watermark spec"))
		differ_say(d, DIAG_CREATE_CONFLICT, TEXT("watermark"));
	else if (text_has(d->error, "already exists"))
		differ_say(d, DIAG_CREATE_CONFLICT, TEXT("table"));
	else if (d->mine->conflict && d->causes->count)
		differ_say(d, DIAG_CREATE_CONFLICT, TEXT("table"));
	differ_missing_table(d);
}
