/* ALTER TABLE and DROP.
 * Recorded: watermark/mistakes/sweep_ok_alter, sweep_ok_drop_recreate, watermark/more/ddl_drop_wm,
 * watermark/more/w5_alter_path_wrong, more_sim/w5_alter_path, more_sim/w5_rename_table. */
#include "sim/define.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"

static int find_table(struct planner *planner, const struct catalog *catalog,
	const struct sql_statement *statement, struct catalog_entry **ret)
{
	*ret = catalog_find(catalog, statement->name);
	if (!*ret || (*ret)->is_view)
		return refuse(planner, statement->pos, "ALTER of what is not a table");
	return 0;
}

int define_watermark(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *entry, changed;
	int err = find_table(planner, catalog, statement, &entry);

	if (err < 0)
		return err;
	changed = *entry;
	changed.has_watermark = true;
	changed.watermark_column = statement->create->watermark_column;
	changed.watermark = statement->create->watermark;
	err = define_check_watermark(planner, &changed);
	if (err == 0)
		*entry = changed;
	return err;
}

int define_no_watermark(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *entry;
	int err = find_table(planner, catalog, statement, &entry);

	if (err < 0)
		return err;
	if (!entry->has_watermark)
		return refuse(planner, statement->pos, "DROP WATERMARK where there is none");
	entry->has_watermark = false;
	return 0;
}

/* The new options come last, where they win. */
int define_options(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	const struct sql_create_table *given = statement->create;
	struct catalog_entry *entry;
	struct sql_option *options;
	size_t n = 0;
	int err = find_table(planner, catalog, statement, &entry);

	if (err < 0)
		return err;
	options = arena_array(
		catalog->arena, entry->option_count + given->option_count + 1, sizeof(*options));
	if (!options)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < entry->option_count; i++)
		options[n++] = entry->options[i];
	for (size_t i = 0; i < given->option_count; i++) {
		if (text_eq(given->options[i].key, TEXT("connector")))
			return refuse(planner, given->options[i].pos, "Another connector");
		options[n++] = given->options[i];
	}
	entry->options = options;
	entry->option_count = n;
	return 0;
}

int define_name(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *entry;
	int err = find_table(planner, catalog, statement, &entry);

	if (err < 0)
		return err;
	if (entry->temporary || catalog_find(catalog, statement->new_name))
		return refuse(planner, statement->pos, "RENAME of this table");
	entry->name = statement->new_name;
	return 0;
}

int define_drop(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *entry =
		catalog_find_kind(catalog, statement->name, statement->temporary);

	if (!entry && statement->if_exists)
		return 0;
	if (!entry || entry->is_view != statement->is_view)
		return refuse(planner, statement->pos, "DROP of what is not there");
	entry->dropped = true;
	return 0;
}
