/* Catalog: entries by name, and LIKE, which copies columns, the watermark and the options of
 * another table. Recorded: watermark/mistakes/sweep_ok_like, sweep_like_plain,
 * sweep_like_no_overwriting, sweep_ok_drop_recreate. */
#include "sim/catalog.h"

#include <errno.h>

#include "parser/arena.h"
#include "sim/fault.h"

static struct catalog_entry *find(
	const struct catalog *catalog, struct text database, struct text name, bool temporary)
{
	for (struct catalog_entry *entry = catalog->first; entry; entry = entry->next)
		if (!entry->dropped && entry->temporary == temporary &&
			text_eq(entry->database, database) && text_eq(entry->name, name))
			return entry;
	return NULL;
}

struct catalog_entry *catalog_find_kind(
	const struct catalog *catalog, struct text name, bool temporary)
{
	return find(catalog, catalog->database, name, temporary);
}

struct catalog_entry *catalog_find(
	const struct catalog *catalog, struct text database, struct text name)
{
	struct text in = database.len ? database : catalog->database;
	struct catalog_entry *entry = find(catalog, in, name, true);

	return entry ? entry : find(catalog, in, name, false);
}

bool catalog_has_database(const struct catalog *catalog, struct text name)
{
	for (const struct database *database = catalog->databases; database;
		database = database->next)
		if (text_eq(database->name, name))
			return true;
	return text_eq(name, TEXT(DATABASE));
}

struct catalog_entry *catalog_add(struct catalog *catalog, struct text name)
{
	struct catalog_entry *entry = ARENA_NEW(catalog->arena, struct catalog_entry);

	if (!entry)
		return NULL;
	*entry = (struct catalog_entry){
		.name = name, .database = catalog->database, .next = catalog->first};
	catalog->first = entry;
	catalog->count++;
	return entry;
}

static int join_columns(struct arena *arena, const struct sql_create_table *create,
	const struct catalog_entry *base, struct catalog_entry *ret)
{
	size_t count = create->column_count + (base ? base->column_count : 0);
	struct sql_column *columns = arena_array(arena, count + 1, sizeof(*columns));
	size_t n = 0;

	if (!columns)
		return -ENOMEM;
	for (size_t i = 0; base && i < base->column_count; i++)
		columns[n++] = base->columns[i];
	for (size_t i = 0; i < create->column_count; i++)
		columns[n++] = create->columns[i];
	ret->columns = columns;
	ret->column_count = n;
	return 0;
}

/* The table's own options come after those taken over, and win. */
static int join_options(struct arena *arena, const struct sql_create_table *create,
	const struct catalog_entry *base, struct catalog_entry *ret)
{
	size_t from_base = base && !create->like_excluding_options ? base->option_count : 0;
	struct sql_option *options =
		arena_array(arena, create->option_count + from_base + 1, sizeof(*options));
	size_t n = 0;

	if (!options)
		return -ENOMEM;
	for (size_t i = 0; i < from_base; i++)
		options[n++] = base->options[i];
	for (size_t i = 0; i < create->option_count; i++)
		options[n++] = create->options[i];
	ret->options = options;
	ret->option_count = n;
	return 0;
}

/* The key, by a constraint of the table or of a column; its columns are NOT NULL. */
static int join_key(struct arena *arena, const struct sql_create_table *create,
	const struct catalog_entry *base, struct catalog_entry *ret)
{
	struct text *key = arena_array(arena, ret->column_count + 1, sizeof(*key));
	size_t count = 0;

	if (!key)
		return -ENOMEM;
	for (size_t i = 0; i < create->column_count; i++)
		if (create->columns[i].primary_key)
			key[count++] = create->columns[i].name;
	ret->primary_key = count ? key : create->primary_key;
	ret->primary_key_count = count ? count : create->primary_key_count;
	if (base && !ret->primary_key_count) {
		ret->primary_key = base->primary_key;
		ret->primary_key_count = base->primary_key_count;
	}
	for (size_t i = 0; i < ret->primary_key_count; i++)
		for (size_t j = 0; j < ret->column_count; j++)
			if (text_eq(ret->columns[j].name, ret->primary_key[i]))
				ret->columns[j].type.not_null = true;
	return 0;
}

int catalog_define(struct arena *arena, const struct sql_create_table *create,
	const struct catalog_entry *base, struct catalog_entry *ret, struct text *fault)
{
	bool taken = base && base->has_watermark && !create->like_excluding_watermarks;
	int err = join_columns(arena, create, base, ret);

	if (err == 0)
		err = join_options(arena, create, base, ret);
	if (err < 0)
		return err;
	if (taken && create->has_watermark && !create->like_overwriting_watermarks)
		return fault_set(arena, fault,
			FAULT_VALIDATION
			"There already exists a watermark spec for column '%.*s' in the "
			"base table. You might want to specify EXCLUDING WATERMARKS or "
			"OVERWRITING WATERMARKS.",
			TEXT_ARG(create->watermark_column));
	ret->comment = create->comment;
	ret->unprintable =
		create->unprintable || (base && (base->unprintable || base->comment.ptr));
	ret->has_watermark = create->has_watermark || taken;
	ret->watermark_column =
		create->has_watermark || !taken ? create->watermark_column : base->watermark_column;
	ret->watermark = create->has_watermark || !taken ? create->watermark : base->watermark;
	return join_key(arena, create, base, ret);
}

const struct sql_column *catalog_column(const struct catalog_entry *entry, struct text name)
{
	for (size_t i = 0; i < entry->column_count; i++)
		if (text_eq(entry->columns[i].name, name))
			return &entry->columns[i];
	return NULL;
}

struct text catalog_option(const struct catalog_entry *entry, struct text key)
{
	for (size_t i = entry->option_count; i-- > 0;)
		if (text_eq(entry->options[i].key, key))
			return entry->options[i].value;
	return (struct text){0};
}
