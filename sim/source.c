/* Source: the filesystem connector with the csv format. Only columns that the query reads are
 * converted, so that a bad value elsewhere does no harm, and a short row passes where it has as
 * many fields as are read, be they others; a row of too many fields fails always. Recorded:
 * semantics/edge_csv_bad_int_project, semantics/edge_csv_few_project,
 * watermark/more/w5_delim_semicolon, semantics/errors_csv_many_project,
 * semantics/edge_csv_many_ignore, semantics/errors_csv_missing_file_batch. */
#include "sim/source.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/csv_bytes.h"
#include "parser/csv_quick.h"
#include "parser/csv_utf8.h"
#include "parser/csv_value.h"
#include "parser/diag.h"
#include "sim/csv_settings.h"
#include "sim/fault.h"
#include "sim/kept.h"

#define READ_SIZE (64u << 10)

/* A field that the query reads. */
struct field {
	size_t index;  /* in the record */
	size_t column; /* in the row */
	const struct sql_type *type;
	char *bytes; /* BYTES: where the value lies */
	size_t room;
	struct csv_day day;
};

struct source {
	struct arena *arena;
	struct run *run;
	struct op *down;
	const struct catalog_entry *table;
	struct csv_reader *reader;
	struct field *fields;
	size_t field_count;
	size_t expected; /* fields of a record */
	bool lenient;	 /* csv.ignore-parse-errors */
	char delimiter;
	bool has_null;
	struct text null_literal;
	struct value *cells;
	struct csv_utf8 utf8;
	int64_t rows;	  /* that were begun */
	bool within_line; /* of the bytes that were counted */
};

/* file:/x, file:///x and /x are the same; in file://x/y, x is a host, which stays visible. */
struct text source_path(const struct catalog_entry *table)
{
	struct text path = catalog_option(table, TEXT("path")), rest;

	if (!text_starts(path, TEXT("file:")))
		return path;
	rest = text_slice(path, 5, path.len);
	if (text_starts(rest, TEXT("//")) && !text_starts(rest, TEXT("///")))
		return path;
	while (text_starts(rest, TEXT("//")))
		rest = text_slice(rest, 1, rest.len);
	return rest;
}

/* The column that a record's field is of, from 1; 0: of none. */
static size_t column_of(const struct source *source, size_t index)
{
	for (size_t i = 0; i < source->table->column_count; i++)
		if (source->table->columns[i].kind == COLUMN_PHYSICAL && index-- == 0)
			return i + 1;
	return 0;
}

/* Says where in the file the row at hand is. */
static int place_fault(struct source *source)
{
	struct run *run = source->run;
	struct text column =
		run->fault_column ? source->table->columns[run->fault_column - 1].name : TEXT("");
	bool named = run->fault_column;

	run->place = text_format(source->arena, "%.*s: row %" PRId64 ", line %" PRId64 "%s%.*s%s",
		TEXT_ARG(source_path(source->table)), source->rows,
		csv_reader_record(source->reader)->line, named ? ", column '" : "",
		TEXT_ARG(column), named ? "'" : "");
	return run->place.ptr ? 0 : -ENOMEM;
}

static int fail(struct source *source, struct text fault)
{
	source->run->row_fault = true;
	source->run->fault = fault;
	source->run->refused = "What Flink says of this bad field";
	return fault.ptr ? fault.len ? -EBADMSG : -ENOTSUP : -ENOMEM;
}

/* BYTES are kept as they are printed, in memory of the field. */
static int read_bytes(
	struct source *source, struct field *field, struct text text, struct value *ret)
{
	size_t room = csv_bytes_room(text);
	struct text bytes;
	int err;

	if (room > field->room) {
		field->bytes = arena_alloc(source->arena, 2 * room);
		field->room = field->bytes ? 2 * room : 0;
		if (!field->bytes)
			return -ENOMEM;
	}
	err = csv_bytes(text, field->bytes, &bytes);
	if (err == 0)
		*ret = (struct value){.s = bytes};
	return err;
}

static int read_value(
	struct source *source, struct field *field, struct text text, struct value *ret)
{
	if (field->type->kind == SQL_BINARY || field->type->kind == SQL_VARBINARY)
		return read_bytes(source, field, text, ret);
	return csv_value(text, field->type, ret);
}

static int read_field(struct source *source, struct field *field, const struct csv_record *record)
{
	struct value *cell = &source->cells[field->column];
	const struct value null = {.null = true};
	struct text text;
	int err;

	if (field->index >= record->count)
		return *cell = null, 0;
	text = record->fields[field->index].text;
	if (source->has_null && text_eq(text, source->null_literal))
		return *cell = null, 0;
	if (csv_quick_value(text, field->type, &field->day, cell))
		return 0;
	*cell = null;
	err = read_value(source, field, text, cell);
	if (err == -EINVAL && source->lenient)
		return 0;
	if (err == -ENOTSUP)
		source->run->refused = "What Flink reads in this field";
	if (err != -EINVAL)
		return err;
	source->run->fault_column = field->column + 1;
	return fail(source, csv_value_error(source->arena, text, field->type));
}

static int fail_many(struct source *source, const struct csv_record *record)
{
	return fail(
		source, csv_many_error(source->arena, source->reader, record, source->expected));
}

/* More fields than columns; one that is blank may follow the last. */
static bool too_many(const struct source *source, const struct csv_record *record)
{
	return record->count > source->expected && !csv_extra_blank(record, source->expected);
}

static int take_record(void *ctx, const struct csv_record *record)
{
	struct source *source = ctx;
	int err = 0;

	source->rows++;
	if (too_many(source, record))
		return source->lenient ? 0 : fail_many(source, record);
	if (record->count < source->field_count && !source->lenient)
		return fail(
			source, csv_few_error(source->arena, source->field_count, record->count));
	for (size_t i = 0; i < source->field_count && err == 0; i++)
		err = read_field(source, &source->fields[i], record);
	if (err < 0)
		return err;
	if (run_spend(source->run, STEPS_ROW) < 0)
		return -ENOTSUP;
	source->run->rows_in++;
	return op_row(source->down, OP_INSERT, source->cells);
}

static int place_fields(struct source *source, const struct plan *scan)
{
	const struct catalog_entry *table = scan->scan.table;

	source->fields = arena_array(source->arena, table->column_count + 1, sizeof(struct field));
	source->cells = arena_array(source->arena, table->column_count + 1, sizeof(struct value));
	if (!source->fields || !source->cells)
		return -ENOMEM;
	for (size_t i = 0; i < table->column_count; i++) {
		source->cells[i].null = true;
		if (table->columns[i].kind != COLUMN_PHYSICAL)
			continue;
		if (scan->scan.needed[i])
			source->fields[source->field_count++] =
				(struct field){.index = source->expected,
					.column = i,
					.type = &table->columns[i].type};
		source->expected++;
	}
	return 0;
}

/* Where a row cannot be split: fields that are too many before that are met first. The row's
 * fault is one of the field that was begun. */
static int fail_within(struct source *source, struct text fault)
{
	const struct csv_record *record = csv_reader_record(source->reader);

	source->rows++;
	if (too_many(source, record))
		return fail_many(source, record);
	source->run->fault_column = column_of(source, record->count);
	return fail(source, fault);
}

static int push(struct source *source, struct text bytes)
{
	int err = csv_reader_push(source->reader, bytes);

	if (err == -EILSEQ)
		return fail_within(source,
			csv_behind_quote_error(source->arena, source->reader, source->delimiter));
	if (err == -ENOTSUP && !source->run->refused)
		source->run->refused = "A second quote in a line that is passed over";
	return err;
}

static int finish(struct source *source)
{
	int err = csv_reader_finish(source->reader);

	if (err == -EINVAL && source->lenient)
		return 0;
	if (err == -EINVAL)
		return fail_within(source, csv_open_quote_error(source->arena, source->reader));
	return err;
}

/* Bytes that are not UTF-8, or too few at the end of the file: Flink has read what is before
 * them. */
static int fail_utf8(struct source *source, struct text bytes)
{
	return fail_within(source, csv_utf8_error(source->arena, &source->utf8, bytes));
}

/* Reads bytes of the file, but for a character at their end that is not complete: *held is its
 * size. */
static int take(struct source *source, struct text bytes, size_t *held)
{
	int64_t start = source->utf8.offset;
	int wrong = csv_utf8_check(&source->utf8, bytes), err;
	size_t good = (size_t)(source->utf8.offset - start);

	err = push(source, text_slice(bytes, 0, good));
	*held = bytes.len - good;
	if (err < 0 || wrong == 0)
		return err;
	if (wrong == -EILSEQ)
		return fail_utf8(source, text_slice(bytes, good, bytes.len));
	source->run->refused = "A table's file that is not in UTF-8";
	return wrong;
}

/* Counts lines from where they begin, as the last one may have no end. */
static void count_lines(struct source *source, struct text bytes)
{
	for (size_t i = 0; i < bytes.len && source->run->lines < LIMIT_COUNTED_LINES; i++) {
		source->run->lines += !source->within_line;
		source->within_line = bytes.ptr[i] != '\n';
	}
}

static int pump(struct source *source, const struct reader *file, struct diag *reterr)
{
	char *buffer = arena_alloc(source->arena, CSV_UTF8_HELD + READ_SIZE);
	int err = buffer ? 0 : -ENOMEM;
	size_t held = 0, len;
	long got = 1;

	while (err == 0 && got > 0) {
		got = file->read(file->ctx, buffer + held, READ_SIZE);
		if (got < 0)
			return diag_set(reterr, (int)got, 0, 0,
				"The table's file can be read no further: %s.",
				strerror((int)-got));
		if (got == 0)
			break;
		count_lines(source, (struct text){buffer + held, (size_t)got});
		len = held + (size_t)got;
		err = take(source, (struct text){buffer, len}, &held);
		memmove(buffer, buffer + len - held, held);
	}
	if (err == 0)
		err = held ? fail_utf8(source, (struct text){buffer, held}) : finish(source);
	if (err == -E2BIG)
		return diag_set(reterr, err, 0, 0,
			"A row of the table's file, behind %" PRId64
			" others, is longer than %u bytes.",
			source->run->rows_in, LIMIT_CSV_RECORD);
	return err ? err : op_watermark(source->down, WATERMARK_END);
}

static int open_file(struct source *source, const struct catalog_entry *table,
	const struct sim_files *files, struct reader *ret, struct diag *reterr)
{
	struct text path = source_path(table);
	int err;

	if (!text_starts(path, TEXT("/")))
		return diag_set(reterr, -ENOTSUP, 0, 0, "The path '%.*s' is not simulated.",
			TEXT_ARG(path));
	err = files->open(files->ctx, path, ret, reterr);
	if (err == -EISDIR)
		return diag_set(reterr, -ENOTSUP, 0, 0, "A directory as 'path' is not simulated.");
	if (err != -ENOENT)
		return err;
	return fault_set(source->arena, &source->run->fault,
		"java.io.FileNotFoundException: File %s%.*s does not exist or the user running "
		"Flink "
		"('root') has insufficient permissions to access it.",
		text_starts(catalog_option(table, TEXT("path")), TEXT("file:")) ? "file:" : "",
		TEXT_ARG(path));
}

/* Reads the file. */
static int read_file(struct arena *arena, const struct plan *scan, const struct sim_files *files,
	struct run *run, struct op *down, struct diag *reterr)
{
	const struct catalog_entry *table = scan->scan.table;
	struct source source = {.arena = arena,
		.run = run,
		.down = down,
		.table = table,
		.null_literal = catalog_option(table, TEXT("csv.null-literal"))};
	struct csv_options options = {.record = take_record, .ctx = &source};
	struct reader file = {0};
	int err = csv_settings(arena, table, &options, &run->fault, reterr);

	if (err == 0)
		err = open_file(&source, table, files, &file, reterr);
	if (err < 0)
		return err;
	source.lenient = options.lenient;
	source.delimiter = options.delimiter;
	source.has_null = source.null_literal.ptr != NULL;
	err = place_fields(&source, scan);
	if (err == 0)
		err = csv_reader_new(arena, &options, &source.reader);
	if (err == 0)
		err = pump(&source, &file, reterr);
	if (err == -EBADMSG && run->row_fault && place_fault(&source) < 0)
		err = -ENOMEM;
	csv_reader_free(source.reader);
	if (file.close)
		file.close(file.ctx);
	return err;
}

/* Reads all columns of the file into the kept rows. A fault here need not be the query's. */
static int keep(const struct plan *scan, const struct sim_files *files, struct kept_file **ret)
{
	struct kept_rows *kept = files->kept;
	const struct catalog_entry *table = scan->scan.table;
	struct plan all = *scan;
	struct run run = {0};
	struct kept_file *file = kept_add(kept, table);
	struct op *op = file ? kept_op(kept, file, table) : NULL;
	int err;

	all.scan.needed = arena_array(kept->arena, table->column_count + 1, sizeof(bool));
	if (!op || !all.scan.needed)
		return -ENOMEM;
	for (size_t i = 0; i < table->column_count; i++)
		all.scan.needed[i] = table->columns[i].kind == COLUMN_PHYSICAL;
	err = read_file(kept->arena, &all, files, &run, op, NULL);
	file->usable = err == 0;
	file->lines = run.lines;
	*ret = file;
	return err == -ENOMEM ? err : 0;
}

int source_run(struct arena *arena, const struct plan *scan, const struct sim_files *files,
	struct run *run, struct op *down, struct diag *reterr)
{
	struct kept_file *file = files->kept ? kept_find(files->kept, scan->scan.table) : NULL;
	int err = files->kept && !file ? keep(scan, files, &file) : 0;

	if (err < 0)
		return err;
	if (file && file->usable)
		return kept_run(arena, files->kept, file, scan, run, down);
	return read_file(arena, scan, files, run, down, reterr);
}
