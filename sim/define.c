/* CREATE. A WATERMARK is checked when it is defined, a connector only when it is read.
 * Recorded: semantics/errors_sql_twice_table, semantics/errors_sql_wm_ts6,
 * semantics/errors_sql_wm_unknown, watermark/mistakes/ddl_wm_on_event_id, ddl_if_not_exists_twice,
 * more_sim/ddl_no_interval, more_sim/w5_ok_view_cols. */
#include "sim/define.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/limits.h"
#include "parser/diag.h"
#include "sim/fault.h"
#include "sim/switched.h"

static bool is_temporary(const struct sql_statement *statement)
{
	return statement->create ? statement->create->temporary : statement->temporary;
}

static bool may_exist(const struct sql_statement *statement)
{
	return statement->create ? statement->create->if_not_exists : statement->if_not_exists;
}

int define_taken(struct planner *planner, struct text name)
{
	return plan_fault(planner,
		"org.apache.flink.table.catalog.exceptions.TableAlreadyExistException: Table (or "
		"view) %.*s.%.*s already exists in Catalog default_catalog.",
		TEXT_ARG(planner->catalog->database), TEXT_ARG(name));
}

static int name_taken(struct planner *planner, const struct sql_statement *statement)
{
	if (is_temporary(statement))
		return plan_fault(planner,
			FAULT_VALIDATION
			"Temporary table '`default_catalog`.`%.*s`.`%.*s`' already exists",
			TEXT_ARG(planner->catalog->database), TEXT_ARG(statement->name));
	return define_taken(planner, statement->name);
}

/* Does the name stand already? *done: IF NOT EXISTS makes that right. */
static int check_name(struct planner *planner, const struct catalog *catalog,
	const struct sql_statement *statement, bool *done)
{
	*done = false;
	if (catalog->count >= LIMIT_CATALOG)
		return refuse(planner, statement->pos, "A session of so many tables and views");
	if (!catalog_find_kind(catalog, statement->name, is_temporary(statement)))
		return 0;
	if (!may_exist(statement))
		return name_taken(planner, statement);
	*done = true;
	return 0;
}

/* The first column name that the expression reads and the table has not. */
static const struct sql_expr *unknown_name(
	const struct catalog_entry *entry, const struct sql_expr *expr)
{
	if (expr->kind == EXPR_COLUMN)
		return catalog_column(entry, expr->name) ? NULL : expr;
	for (size_t i = 0; i < expr->arg_count; i++) {
		const struct sql_expr *unknown = unknown_name(entry, expr->args[i]);

		if (unknown)
			return unknown;
	}
	return NULL;
}

#define SUPPORTED_MINUS                                 \
	"Supported form(s): '<NUMERIC> - <NUMERIC>'\n"  \
	"'<DATETIME_INTERVAL> - <DATETIME_INTERVAL>'\n" \
	"'<DATETIME> - <DATETIME_INTERVAL>'"

/* ts - INTERVAL ... where ts is a text. */
static int check_text_watermark(
	struct planner *planner, const struct catalog_entry *entry, const struct sql_column *column)
{
	const struct sql_expr *expr = entry->watermark;

	if (expr->kind != EXPR_OP || expr->op != SQL_OP_SUB || expr->args[0]->kind != EXPR_COLUMN ||
		expr->args[1]->kind != EXPR_INTERVAL)
		return refuse(planner, expr->pos, "This watermark");
	return plan_fault(planner,
		FAULT_CALCITE "Cannot apply '-' to arguments of type '<VARCHAR(%d)> - <INTERVAL "
			      "%.*s>'. " SUPPORTED_MINUS,
		(int)column->type.precision, TEXT_ARG(expr->args[1]->interval.unit));
}

/* ts - 5, where ts is a time. */
static int check_bare_number(
	struct planner *planner, const struct catalog_entry *entry, const struct sql_column *column)
{
	const struct sql_expr *expr = entry->watermark;
	struct text summary = type_summary(planner->arena, &column->type);

	if (expr->kind != EXPR_OP || expr->op != SQL_OP_SUB || expr->args[0]->kind != EXPR_COLUMN ||
		expr->args[1]->kind != EXPR_LITERAL || expr->args[1]->type.kind != SQL_INT)
		return 0;
	if (!summary.ptr)
		return diag_nomem(planner->diag);
	return plan_fault(planner,
		FAULT_CALCITE
		"Cannot apply '-' to arguments of type '<%.*s> - <INTEGER>'. " SUPPORTED_MINUS,
		TEXT_ARG(summary));
}

int define_check_watermark(struct planner *planner, const struct catalog_entry *entry)
{
	const struct sql_column *column;
	const struct sql_expr *unknown;
	struct text summary;

	if (!entry->has_watermark)
		return 0;
	column = catalog_column(entry, entry->watermark_column);
	/* Flink tells the place within the statement, and all columns:
	 * watermark/more/ddl_wm_unknown_column. */
	if (!column)
		return refuse(planner, entry->watermark->pos,
			"A watermark for a column that is not there");
	unknown = unknown_name(entry, entry->watermark);
	if (unknown)
		return plan_fault(planner, FAULT_CALCITE "Unknown identifier '%.*s'",
			TEXT_ARG(unknown->name));
	if (column->kind == COLUMN_COMPUTED)
		return 0;
	if (column->type.kind == SQL_VARCHAR)
		return check_text_watermark(planner, entry, column);
	summary = type_summary(planner->arena, &column->type);
	if (!summary.ptr)
		return diag_nomem(planner->diag);
	if (!type_is_time(&column->type) || column->type.precision > 3)
		return plan_fault(planner,
			FAULT_VALIDATION "Invalid data type of time field for watermark "
					 "definition. The field must be of "
					 "type TIMESTAMP(p) or TIMESTAMP_LTZ(p), the supported "
					 "precision 'p' is from 0 to "
					 "3, but the time field type is %.*s",
			TEXT_ARG(summary));
	return check_bare_number(planner, entry, column);
}

static int base_table(struct planner *planner, const struct catalog *catalog,
	const struct sql_statement *statement, const struct catalog_entry **ret)
{
	const struct sql_create_table *create = statement->create;

	*ret = NULL;
	if (!create->like.len)
		return 0;
	*ret = catalog_find(catalog, create->like_database, create->like);
	if (!*ret || (*ret)->is_view)
		return refuse(planner, statement->pos, "LIKE something that is not a table");
	return 0;
}

/* CURRENT_WATERMARK of what is no time attribute is refused when it is defined. */
static bool is_wrong_watermark(struct text fault)
{
	return text_starts(fault, TEXT(FAULT_VALIDATION "The argument of CURRENT_"));
}

/* A computed column cannot read the watermark, as the time is not an attribute yet.
 * Recorded: watermark/more/filtered_computed_wm_col. */
static int check_computed(struct planner *planner, const struct catalog_entry *entry)
{
	struct diag *diag = planner->diag;
	struct plan *plan;
	int err;

	err = plan_table(planner, entry, &plan);
	if (err == -ENOTSUP)
		return err;
	if (err == -EBADMSG &&
		(is_wrong_watermark(planner->fault) ||
			text_starts(planner->fault, TEXT(FAULT_CALCITE "Cannot apply"))))
		return err;
	planner->fault = planner->late_fault = (struct text){0};
	planner->fault_pos = (struct sql_pos){0};
	return err == -ENOMEM ? diag_nomem(diag) : 0;
}

/* One bare word: the name of a type that is none, since there are no types but the built-in
 * ones. */
static bool is_bare_word(struct text spelled)
{
	for (size_t i = 0; i < spelled.len; i++)
		if (!((spelled.ptr[i] | 0x20) >= 'a' && (spelled.ptr[i] | 0x20) <= 'z') &&
			spelled.ptr[i] != '_')
			return false;
	return spelled.len > 0;
}

/* REAL is a word of the parser alone. */
static int check_type(struct planner *planner, const struct sql_column *column)
{
	struct text spelled = column->type.spelled;

	if (column->kind != COLUMN_COMPUTED && column->type.kind == SQL_DECIMAL &&
		(column->type.precision < 1 || column->type.scale > column->type.precision))
		return refuse(planner, column->pos, "A DECIMAL of these digits");
	if (column->kind == COLUMN_COMPUTED || column->type.kind != SQL_OTHER)
		return 0;
	if (text_ieq(spelled, TEXT("REAL")))
		return plan_fault(planner, FAULT_TABLE "Type is not supported: REAL");
	if (is_bare_word(spelled))
		return plan_fault(
			planner, FAULT_CALCITE "Unknown identifier '%.*s'", TEXT_ARG(spelled));
	return 0;
}

static int check_types(struct planner *planner, const struct catalog_entry *entry)
{
	int err = 0;

	for (size_t i = 0; i < entry->column_count && err == 0; i++)
		err = plan_locate(
			planner, check_type(planner, &entry->columns[i]), entry->columns[i].pos);
	return err;
}

/* What the validator says of the columns and the key that CREATE TABLE gives.
 * Recorded: more_sim/create_column_twice, more_sim/create_key_enforced. */
static int check_elements(struct planner *planner, const struct sql_create_table *create)
{
	if (create->enforced)
		return plan_fault(planner,
			"org.apache.flink.sql.parser.error.SqlValidateException: Flink doesn't "
			"support ENFORCED mode for PRIMARY KEY constraint. ENFORCED/NOT ENFORCED "
			"controls if the constraint checks are performed on the incoming/outgoing "
			"data. Flink does not own the data therefore the only supported mode is "
			"the NOT ENFORCED mode");
	for (size_t i = 0; i < create->column_count; i++)
		for (size_t j = 0; j < i; j++) {
			const struct sql_column *column = &create->columns[i];

			if (!text_eq(column->name, create->columns[j].name))
				continue;
			if (column->kind != COLUMN_PHYSICAL)
				return refuse(planner, column->pos, "A column that is there twice");
			return plan_fault(planner,
				FAULT_VALIDATION
				"A regular Column named '%.*s' already exists in the table.",
				TEXT_ARG(column->name));
		}
	return 0;
}

static int check_key(struct planner *planner, const struct catalog_entry *entry, struct sql_pos pos)
{
	for (size_t i = 1; i < entry->primary_key_count; i++)
		if (text_eq(entry->primary_key[i], entry->primary_key[i - 1]))
			return refuse(planner, pos, "A key with a column that is there twice");
	for (size_t i = 0; i < entry->primary_key_count; i++)
		if (!catalog_column(entry, entry->primary_key[i]))
			return refuse(planner, pos, "A key of a column that is not there");
	return 0;
}

/* A computed column reads physical ones alone. */
static int check_references(struct planner *planner, const struct catalog_entry *entry)
{
	for (size_t i = 0; i < entry->column_count; i++) {
		const struct sql_column *column = &entry->columns[i], *read;
		const struct sql_expr *unknown;

		if (column->kind != COLUMN_COMPUTED)
			continue;
		unknown = unknown_name(entry, column->expr);
		if (unknown && !unknown->qualifier.len)
			return plan_locate(planner,
				plan_fault(planner, FAULT_CALCITE "Unknown identifier '%.*s'",
					TEXT_ARG(unknown->name)),
				unknown->pos);
		read = column->expr->kind == EXPR_COLUMN ? catalog_column(entry, column->expr->name)
							 : NULL;
		if (read && read->kind == COLUMN_COMPUTED)
			return refuse(planner, column->pos, "A column computed of a computed one");
	}
	return 0;
}

int define_table(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry entry = {0}, *added;
	const struct catalog_entry *base;
	bool done;
	int err = check_name(planner, catalog, statement, &done);

	if (err < 0 || done)
		return err;
	err = check_elements(planner, statement->create);
	if (err == 0)
		err = base_table(planner, catalog, statement, &base);
	if (err == 0)
		err = catalog_define(
			catalog->arena, statement->create, base, &entry, &planner->fault);
	if (err == 0)
		err = check_types(planner, &entry);
	if (err == 0)
		err = check_key(planner, &entry, statement->pos);
	if (err == 0)
		err = check_references(planner, &entry);
	if (err == 0)
		err = define_check_watermark(planner, &entry);
	if (err == 0)
		err = check_computed(planner, &entry);
	if (err == -EBADMSG && planner->batch)
		return refuse(planner, statement->pos, "Such a watermark in batch mode");
	if (err < 0)
		return err;
	added = catalog_add(catalog, statement->name);
	if (!added)
		return diag_nomem(planner->diag);
	entry.name = added->name;
	entry.database = added->database;
	entry.next = added->next;
	entry.temporary = is_temporary(statement);
	entry.made_in_batch = planner->batch;
	*added = entry;
	return 0;
}

/* A view that names its columns names all of them. Recorded: more_sim/create_view_fields. */
static int check_fields(
	struct planner *planner, const struct sql_statement *statement, const struct plan *plan)
{
	struct text names = TEXT(""), fields = TEXT("");

	if (!statement->column_count || statement->column_count == plan->column_count)
		return 0;
	for (size_t i = 0; i < statement->column_count && names.ptr; i++)
		names = text_format(planner->arena, "%.*s%s%.*s", TEXT_ARG(names), i ? ", " : "",
			TEXT_ARG(statement->columns[i]));
	for (size_t i = 0; i < plan->column_count && fields.ptr; i++)
		fields = text_format(planner->arena, "%.*s%s%.*s", TEXT_ARG(fields), i ? ", " : "",
			TEXT_ARG(plan->columns[i].name));
	if (!names.ptr || !fields.ptr)
		return diag_nomem(planner->diag);
	return plan_fault(planner,
		FAULT_VALIDATION "VIEW definition and input fields not match:\n\tDef fields: "
				 "[%.*s].\n\tInput fields: [%.*s].",
		TEXT_ARG(names), TEXT_ARG(fields));
}

/* A view's names are checked when it is made; what its query does is checked when it is read.
 * Recorded: watermark/mistakes/filtered_batch_mode. */
static int check_view(struct planner *planner, const struct sql_statement *statement)
{
	struct diag *diag = planner->diag;
	struct plan *plan;
	int err;

	planner->diag = NULL;
	err = plan_query(planner, statement->query, &plan);
	planner->diag = diag;
	if (err == 0 && planner->repeats && !statement->column_count)
		return refuse(planner, statement->pos, "A view with two columns of one name");
	if (err == 0 && switched_breaks(plan, planner->batch))
		return refuse(planner, statement->pos, SWITCHED);
	if (err == 0)
		return check_fields(planner, statement, plan);
	if (err == -EBADMSG &&
		(text_starts(planner->fault, TEXT(FAULT_CALCITE)) ||
			text_starts(planner->fault, TEXT(FAULT_VALIDATION "Invalid input")) ||
			is_wrong_watermark(planner->fault)))
		return err;
	return err == -ENOMEM ? diag_nomem(diag) : 0;
}

int define_view(
	struct planner *planner, struct catalog *catalog, const struct sql_statement *statement)
{
	struct catalog_entry *added;
	bool done;
	int err = check_name(planner, catalog, statement, &done);

	if (err < 0 || done)
		return err;
	err = check_view(planner, statement);
	if (err < 0)
		return err;
	added = catalog_add(catalog, statement->name);
	if (!added)
		return diag_nomem(planner->diag);
	added->is_view = true;
	added->query = statement->query;
	added->view_columns = statement->columns;
	added->view_column_count = statement->column_count;
	added->temporary = statement->temporary;
	added->made_in_batch = planner->batch;
	return 0;
}
