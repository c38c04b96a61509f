/* ALTER and DROP.
 * Recorded: watermark/mistakes/sweep_ok_alter, sweep_ok_drop_recreate, watermark/more/ddl_drop_wm,
 * watermark/more/w5_alter_path_wrong, more_sim/w5_alter_path, more_sim/w5_rename_table,
 * more_sim/alter_*, more_sim/drop_*. */
#include "sim/define.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/fault.h"

#define FAULT_ALTER FAULT_VALIDATION "Failed to execute ALTER TABLE statement.\n"

/* The permanent table that is altered; NULL in *ret, with 0: IF EXISTS makes its absence right. */
static int find_table(struct planner *planner, const struct catalog *catalog,
	const struct sql_statement *statement, struct catalog_entry **ret)
{
	*ret = catalog_find_kind(catalog, statement->name, false);
	if (catalog_find_kind(catalog, statement->name, true))
		return refuse(planner, statement->pos, "ALTER of a temporary table");
	if (*ret && (*ret)->is_view)
		return plan_fault(
			planner, FAULT_VALIDATION "ALTER TABLE for a view is not allowed");
	if (*ret || statement->if_exists)
		return 0;
	return plan_fault(planner,
		FAULT_VALIDATION "Table `default_catalog`.`%.*s`.`%.*s` doesn't exist or is a "
				 "temporary table.",
		TEXT_ARG(catalog->database), TEXT_ARG(statement->name));
}

/* ADD WATERMARK wants a table without one. */
static int check_added(struct planner *planner, const struct catalog_entry *entry,
	const struct sql_statement *statement)
{
	struct text printed;

	if (!statement->added || !entry->has_watermark)
		return 0;
	printed = sql_expr_print(planner->arena, entry->watermark);
	if (!printed.ptr)
		return diag_nomem(planner->diag);
	return plan_fault(planner,
		FAULT_ALTER "The current table has already defined the watermark strategy `%.*s` "
			    "AS %.*s. You might want to drop it before adding a new one.",
		TEXT_ARG(entry->watermark_column), TEXT_ARG(printed));
}

int define_watermark(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *entry, changed;
	int err = find_table(planner, catalog, statement, &entry);

	if (err < 0 || !entry)
		return err;
	err = check_added(planner, entry, statement);
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

	if (err < 0 || !entry)
		return err;
	if (!entry->has_watermark)
		return plan_fault(planner,
			FAULT_ALTER "The current table does not define any watermark strategy.");
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

	if (err < 0 || !entry)
		return err;
	options = arena_array(
		catalog->arena, entry->option_count + given->option_count + 1, sizeof(*options));
	if (!options)
		return diag_nomem(planner->diag);
	for (size_t i = 0; i < entry->option_count; i++)
		options[n++] = entry->options[i];
	for (size_t i = 0; i < given->option_count; i++)
		options[n++] = given->options[i];
	entry->options = options;
	entry->option_count = n;
	return 0;
}

int define_name(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *entry;
	int err = find_table(planner, catalog, statement, &entry);

	if (err < 0 || !entry)
		return err;
	if (catalog_find_kind(catalog, statement->new_name, true))
		return refuse(planner, statement->pos, "RENAME to a temporary table's name");
	if (catalog_find_kind(catalog, statement->new_name, false))
		return define_taken(planner, statement->new_name);
	entry->name = statement->new_name;
	return 0;
}

static int change_view(struct planner *planner, const struct catalog *catalog,
	const struct sql_statement *statement, struct catalog_entry *view)
{
	struct plan *plan;
	int err;

	if (!statement->query) {
		if (catalog_find(catalog, TEXT(""), statement->new_name))
			return refuse(planner, statement->pos, "RENAME to a name that is taken");
		view->name = statement->new_name;
		return 0;
	}
	err = plan_query(planner, statement->query, &plan);
	if (err == -EBADMSG)
		return refuse(planner, statement->pos, "ALTER VIEW AS a query that fails");
	if (err < 0)
		return err;
	view->query = statement->query;
	view->view_columns = NULL;
	view->view_column_count = 0;
	view->made_in_batch = planner->batch;
	return 0;
}

int define_view_anew(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *view = catalog_find_kind(catalog, statement->name, false);

	if (catalog_find_kind(catalog, statement->name, true) || !view)
		return refuse(planner, statement->pos, "ALTER of a view that is not there");
	if (!view->is_view)
		return plan_fault(
			planner, FAULT_VALIDATION "ALTER VIEW for a table is not allowed");
	return change_view(planner, catalog, statement, view);
}

/* A temporary table hides the permanent one from DROP too. */
static int not_dropped(struct planner *planner, const struct catalog *catalog,
	const struct sql_statement *statement, const struct catalog_entry *temporary)
{
	const char *what = statement->is_view ? "View" : "Table";

	if (temporary && temporary->is_view)
		return refuse(planner, statement->pos, "DROP beside a temporary view");
	if (temporary && statement->is_view)
		return refuse(planner, statement->pos, "DROP VIEW beside a temporary table");
	if (temporary)
		return plan_fault(planner,
			FAULT_VALIDATION "Temporary table with identifier "
					 "'`default_catalog`.`%.*s`.`%.*s`' exists. Drop it first "
					 "before removing the permanent table.",
			TEXT_ARG(catalog->database), TEXT_ARG(statement->name));
	if (statement->temporary)
		what = "Temporary table or view";
	return plan_fault(planner,
		FAULT_VALIDATION "%s with identifier 'default_catalog.%.*s.%.*s' does not exist.",
		what, TEXT_ARG(catalog->database), TEXT_ARG(statement->name));
}

int define_drop(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *entry =
		catalog_find_kind(catalog, statement->name, statement->temporary);
	const struct catalog_entry *temporary =
		statement->temporary ? NULL : catalog_find_kind(catalog, statement->name, true);

	if (entry && entry->is_view != statement->is_view && statement->temporary)
		return refuse(planner, statement->pos, "DROP of another kind");
	if (temporary || !entry || entry->is_view != statement->is_view)
		return statement->if_exists && !temporary && !entry
			       ? 0
			       : not_dropped(planner, catalog, statement, temporary);
	entry->dropped = true;
	return 0;
}
