/* The columns of a fixture, as lab.json declares them and as the references' CREATE TABLE does:
 * column by column, since a CSV file has no names. Other types are no fault of SQL, and yet one
 * of the two is not meant: properties and other data are made by lab.json. */
#include <errno.h>

#include "daemon/grade/lint.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"
#include "parser/sql.h"

/* Is this 'path' of a table that of the fixture? */
static bool reads(struct text path, const struct fixture *fixture)
{
	struct text rest;

	if (!text_ends(path, fixture->path))
		return false;
	rest = text_slice(path, 0, path.len - fixture->path.len);
	return !rest.len || text_eq(rest, TEXT("file:")) || text_eq(rest, TEXT("file://"));
}

static const struct fixture *fixture_of(
	const struct lab *lab, const struct sql_create_table *create)
{
	for (size_t i = 0; i < create->option_count; i++)
		for (size_t k = 0; k < lab->fixture_count; k++)
			if (text_eq(create->options[i].key, TEXT("path")) &&
				reads(create->options[i].value, &lab->fixtures[k]))
				return &lab->fixtures[k];
	return NULL;
}

static int lint_column(struct linting *linting, const struct step *step,
	const struct lab_column *declared, const struct sql_column *column)
{
	struct arena *arena = linting->lint->arena;
	struct sql_type type;
	struct text spelled, read;
	struct diag diag = {0};
	int err = fixture_type(arena, declared->type, &type);

	if (err)
		return err == -ENOMEM ? err : 0; /* told with the data */
	spelled = sql_type_print(arena, &type);
	read = sql_type_print(arena, &column->type);
	if (!spelled.ptr || !read.ptr)
		return -ENOMEM;
	if (text_eq(spelled, read))
		return 0;
	diag_set(&diag, 0, column->pos.line, column->pos.col,
		"the column %.*s is %.*s here, and %.*s is %.*s in lab.json",
		TEXT_ARG(column->name), TEXT_ARG(read), TEXT_ARG(declared->name),
		TEXT_ARG(spelled));
	diag_file(&diag, step->reference);
	lint_add_diag(linting->lint, LINT_WARNING, &diag);
	return 0;
}

static int lint_create(
	struct linting *linting, const struct step *step, const struct sql_create_table *create)
{
	const struct fixture *fixture = fixture_of(linting->source->lab, create);
	size_t at = 0;
	int err = 0;

	for (size_t i = 0; fixture && i < create->column_count && !err; i++)
		if (create->columns[i].kind == COLUMN_PHYSICAL && at < fixture->column_count)
			err = lint_column(
				linting, step, &fixture->columns[at++], &create->columns[i]);
	return err;
}

static int lint_script(struct linting *linting, const struct step *step, struct text sql)
{
	struct arena *arena = linting->lint->arena;
	struct sql_script pieces;
	int err = sql_split(arena, sql, &pieces, NULL);

	for (size_t i = 0; !err && i < pieces.count; i++) {
		struct sql_statement statement = {0};

		err = sql_parse(arena, &pieces.pieces[i], &statement, NULL);
		if (!err && statement.kind == STMT_CREATE_TABLE)
			err = lint_create(linting, step, statement.create);
		else if (err != -ENOMEM)
			err = 0;
	}
	return err == -ENOMEM ? err : 0;
}

/* What Flink is to refuse may be anything. */
int lint_types(struct linting *linting)
{
	const struct lab *lab = linting->source->lab;
	int err = 0;

	for (size_t i = 0; i < lab->step_count && !err; i++)
		if (linting->runs[i] && lab->steps[i].kind != STEP_ERROR)
			err = lint_script(linting, &lab->steps[i], linting->sql[i].bytes);
	return err;
}
