/* The table: where its rows come from, its columns, its options, its watermark and its time. */
#include "daemon/grade/differing.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/ast.h"
#include "sim/delay.h"
#include "sim/source.h"

static bool both_have_tables(const struct differing *d)
{
	return d->asked->has_table && d->mine->has_table;
}

static bool describes(const struct differing *d)
{
	return d->grading->step->kind == STEP_DESCRIBE;
}

static struct text option_of(const struct profile *p, const char *key)
{
	return catalog_option(&p->table, text_of(key));
}

static bool is_on(const struct profile *p, const char *key)
{
	return text_ieq(text_trim(option_of(p, key)), TEXT("true"));
}

/* ---- the file ---- */

/* The whole file; -EISDIR and others as open() and read() say. */
static int read_file(struct differing *d, struct text path, struct text *ret)
{
	const struct sim_files *files = d->grading->grader->data;
	struct reader reader;
	struct diag diag;
	size_t room = 1 << 16, len = 0;
	char *buf = arena_alloc(d->arena, room);
	int err = buf ? files->open(files->ctx, path, &reader, &diag) : -ENOMEM;

	while (!err) {
		long got = reader.read(reader.ctx, buf + len, room - len);
		char *larger;

		if (got <= 0) {
			err = (int)got;
			break;
		}
		len += (size_t)got;
		if (len < room)
			continue;
		larger = arena_alloc(d->arena, 2 * room);
		if (!larger) {
			err = -ENOMEM;
			break;
		}
		memcpy(larger, buf, len);
		buf = larger;
		room *= 2;
	}
	if (err != -ENOMEM && buf && !err && reader.close)
		reader.close(reader.ctx);
	*ret = (struct text){buf, len};
	return err;
}

static size_t count_lines(struct text t)
{
	struct text line;
	size_t count = 0;

	while (text_next_line(&t, &line))
		count++;
	return count;
}

static uint64_t hash_line(struct text line)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	line = text_trim(line);
	for (size_t i = 0; i < line.len; i++)
		hash = (hash ^ (unsigned char)line.ptr[i]) * UINT64_C(1099511628211);
	return hash;
}

/* The same lines in another order? Told by the sum of their hashes. */
static bool same_lines(struct text a, struct text b)
{
	uint64_t sum = 0;
	struct text line;

	if (count_lines(a) != count_lines(b))
		return false;
	while (text_next_line(&a, &line))
		sum += hash_line(line);
	while (text_next_line(&b, &line))
		sum -= hash_line(line);
	return sum == 0;
}

static struct text file_name(struct text path)
{
	size_t from = path.len;

	while (from && path.ptr[from - 1] != '/')
		from--;
	return text_slice(path, from, path.len);
}

/* A path that leads elsewhere: to nothing, to the same rows in another order, to other rows. */
static void differ_path(struct differing *d)
{
	struct text asked = source_path(&d->asked->table), mine = source_path(&d->mine->table);
	struct text a = {0}, m = {0};
	int err;

	if (text_eq(asked, mine))
		return;
	err = describes(d) ? -ENOENT : read_file(d, mine, &m);
	if (err == -ENOMEM)
		d->causes->nomem = true;
	else if (err == -ENOENT || text_has(d->error, "does not exist"))
		differ_say(d, DIAG_PATH, (struct text){0});
	else if (!err && !read_file(d, asked, &a) && same_lines(a, m))
		differ_say(d, DIAG_SORTED_INPUT, (struct text){0});
	else
		differ_say(d, DIAG_OTHER_DATA, file_name(mine));
}

void differ_source(struct differing *d)
{
	static const char *const options[] = {"connector", "format"};
	bool other = false;

	if (!both_have_tables(d))
		return;
	differ_path(d);
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		if (!text_eq(option_of(d->asked, options[i]), option_of(d->mine, options[i])))
			differ_say(d, DIAG_TABLE_OPTION, text_of(options[i]));
	other = causes_have(d->causes, DIAG_OTHER_DATA);
	if (is_on(d->mine, "csv.ignore-parse-errors") && (other || !d->mine->as_in_lab))
		differ_say(d, DIAG_TABLE_OPTION, TEXT("ignore-parse-errors"));
	if (option_of(d->mine, "source.monitor-interval").ptr &&
		!option_of(d->asked, "source.monitor-interval").ptr)
		differ_say(d, DIAG_UNBOUNDED_SOURCE, (struct text){0});
	if (describes(d) && !text_ieq(d->asked->table.name, d->mine->table.name))
		differ_say(d, DIAG_TABLE_OPTION, TEXT("name"));
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
	return describes(d) ? text_eq(sql_type_print(d->arena, &a), sql_type_print(d->arena, &m))
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
			(describes(d) || mine->columns[i].kind == COLUMN_PHYSICAL))
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

void differ_columns_declared(struct differing *d)
{
	const struct catalog_entry *asked = &d->asked->table, *mine = &d->mine->table;

	if (!both_have_tables(d))
		return;
	if (physical_count(asked) != physical_count(mine)) {
		differ_count(d);
		return;
	}
	if (is_other_order(asked, mine)) {
		differ_say(d, DIAG_DDL_COLUMNS, TEXT("order"));
		return;
	}
	for (size_t i = 0; column_at(asked, i); i++) {
		const struct sql_column *a = column_at(asked, i), *m = column_at(mine, i);

		if (!same_type(d, &a->type, &m->type))
			differ_say(d, DIAG_DDL_COLUMNS,
				text_format(d->arena, "%.*s:%.*s", TEXT_ARG(m->name),
					TEXT_ARG(sql_type_print(d->arena, &m->type))));
		else if (describes(d) && !column_named(mine, a->name) &&
			 !column_named(asked, m->name))
			say_column(d, m->name, m->kind == COLUMN_PHYSICAL ? "renamed" : "extra");
	}
	if (describes(d))
		for (size_t i = 0; i < mine->column_count; i++)
			if (mine->columns[i].kind != COLUMN_PHYSICAL &&
				!column_named(asked, mine->columns[i].name))
				say_column(d, mine->columns[i].name, "extra");
}

/* ---- time ---- */

static bool not_proctime(const struct sql_expr *expr, void *ctx)
{
	(void)ctx;
	return !(expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("PROCTIME")));
}

static bool is_proctime(const struct sql_expr *expr)
{
	return expr && !ast_walk(expr, not_proctime, NULL);
}

/* The name by which profiles know the time attribute; empty: there is none. */
static struct text rowtime_of(const struct profile *p)
{
	for (size_t i = 0; p->table.has_watermark && i < p->table.column_count; i++)
		if (text_eq(p->table.columns[i].name, p->table.watermark_column))
			return p->columns[i];
	return (struct text){0};
}

static bool is_rowtime(const struct profile *p, const struct sql_expr *expr)
{
	return expr->kind == EXPR_COLUMN && !expr->qualifier.len &&
	       text_eq(expr->name, rowtime_of(p));
}

struct attribute_search {
	const struct profile *profile;
	const struct sql_expr *wrong;
};

static bool find_wrong_argument(const struct sql_expr *expr, void *ctx)
{
	struct attribute_search *s = ctx;

	if (expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("CURRENT_WATERMARK")) &&
		expr->arg_count == 1 && !is_rowtime(s->profile, expr->args[0]))
		s->wrong = expr->args[0];
	return !s->wrong;
}

/* A window, or CURRENT_WATERMARK, is given something else than the time attribute. */
static void differ_attribute(struct differing *d)
{
	struct attribute_search search = {.profile = d->mine};
	const struct sql_expr *time = d->mine->window.time;

	if (time && !is_rowtime(d->mine, time))
		search.wrong = time;
	for (size_t i = 0; !search.wrong && i < d->mine->before.count; i++)
		ast_walk(d->mine->before.items[i], find_wrong_argument, &search);
	for (size_t i = 0; !search.wrong && i < d->mine->item_count; i++)
		if (d->mine->items[i].expr)
			ast_walk(d->mine->items[i].expr, find_wrong_argument, &search);
	if (!search.wrong || search.wrong->kind == EXPR_LITERAL)
		return;
	differ_say(d, DIAG_NO_TIME_ATTRIBUTE,
		search.wrong->kind == EXPR_CAST ? TEXT("CAST")
						: term_text(d, d->mine, search.wrong));
}

static void differ_delay(struct differing *d)
{
	const struct catalog_entry *asked = &d->asked->table, *mine = &d->mine->table;
	int64_t asked_ms, mine_ms;

	if (!delay_of(asked->watermark, asked->watermark_column, &asked_ms) ||
		!delay_of(mine->watermark, mine->watermark_column, &mine_ms) || asked_ms == mine_ms)
		return;
	if (mine_ms % 1000 && (mine_ms > 1000 || mine_ms < -1000))
		differ_say(d, DIAG_DELAY, text_format(d->arena, "%gs", (double)mine_ms / 1000));
	else
		differ_say(d, DIAG_DELAY, diagnosis_duration(d->arena, mine_ms));
}

/* A watermark over a column that is no time. */
static bool differ_watermark_column(struct differing *d)
{
	const struct sql_column *column =
		catalog_column(&d->mine->table, d->mine->table.watermark_column);

	if (!column || column->kind != COLUMN_PHYSICAL || column->type.kind == SQL_TIMESTAMP ||
		column->type.kind == SQL_TIMESTAMP_LTZ ||
		text_eq(rowtime_of(d->mine), rowtime_of(d->asked)))
		return false;
	differ_say(d, DIAG_NO_TIME_ATTRIBUTE, column->name);
	return true;
}

void differ_watermark(struct differing *d)
{
	if (!both_have_tables(d) || !d->asked->table.has_watermark)
		return;
	if (is_proctime(d->mine->window.time))
		differ_say(d, DIAG_PROCESSING_TIME, (struct text){0});
	else if (!d->mine->table.has_watermark)
		differ_say(d, DIAG_NO_WATERMARK, (struct text){0});
	else if (!differ_watermark_column(d)) {
		differ_delay(d);
		differ_attribute(d);
	}
}

/* The computed time attribute: moved by so much, or through a zone. */
void differ_zone(struct differing *d)
{
	const struct sql_column *column;
	const struct sql_expr *from;
	int64_t shift_ms;

	if (!both_have_tables(d) || !d->mine->table.has_watermark)
		return;
	column = catalog_column(&d->mine->table, d->mine->table.watermark_column);
	if (!column || column->kind != COLUMN_COMPUTED)
		return;
	from = term_bare(column->expr);
	if (from->kind == EXPR_COLUMN)
		return;
	for (size_t i = 0; i < d->mine->table.column_count; i++) {
		struct text name = d->mine->table.columns[i].name;
		struct text length;

		if (!delay_of(from, name, &shift_ms) || shift_ms == 0)
			continue;
		length = diagnosis_duration(d->arena, -shift_ms);
		differ_say(d, DIAG_TIME_ZONE,
			text_format(d->arena, "%s%.*s", shift_ms < 0 ? "+" : "", TEXT_ARG(length)));
		return;
	}
	if (d->mine->settings.zone.len)
		differ_say(d, DIAG_TIME_ZONE, d->mine->settings.zone);
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
