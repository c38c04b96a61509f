/* Options of a table. Only the filesystem connector with the csv format is simulated; what Flink
 * says to others is known. A csv option that it does not know does nothing. Recorded:
 * semantics/errors_sql_bad_connector, semantics/errors_sql_bad_format,
 * semantics/errors_sql_no_connector, semantics/errors_sql_no_format,
 * semantics/edge_sql_bad_option, watermark/mistakes/slow_table_option,
 * more_sim/insert_print_options. */
#include "sim/connector.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/csv_settings.h"
#include "sim/fault.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* In the order in which Flink lists them. */
static const char *const supported[] = {"auto-compaction", "compaction.file-size", "connector",
	"format", "partition.default-name", "partition.time-extractor.class",
	"partition.time-extractor.kind", "partition.time-extractor.timestamp-formatter",
	"partition.time-extractor.timestamp-pattern", "path", "property-version",
	"scan.watermark.alignment.group", "scan.watermark.alignment.max-drift",
	"scan.watermark.alignment.update-interval", "scan.watermark.emit.strategy",
	"scan.watermark.idle-timeout", "sink.parallelism", "sink.partition-commit.delay",
	"sink.partition-commit.policy.class", "sink.partition-commit.policy.class.parameters",
	"sink.partition-commit.policy.kind", "sink.partition-commit.success-file.name",
	"sink.partition-commit.trigger", "sink.partition-commit.watermark-time-zone",
	"sink.rolling-policy.check-interval", "sink.rolling-policy.file-size",
	"sink.rolling-policy.inactivity-interval", "sink.rolling-policy.rollover-interval",
	"sink.shuffle-by-partition.enable", "source.monitor-interval", "source.path.regex-pattern",
	"source.report-statistics"};

/* Those among them, and of the csv format, that change what is read. */
static const char *const refused[] = {"csv.escape-character", "source.monitor-interval",
	"source.path.regex-pattern", "source.report-statistics"};

/* Connectors and formats that Flink finds in its classpath, but that are not simulated. */
static const char *const connectors[] = {"blackhole", "datagen", "filesystem", "legacy-csv",
	"print", "python-arrow-source", "python-input-format"};
static const char *const formats[] = {"avro", "canal-json", "csv", "debezium-json", "json",
	"maxwell-json", "ogg-json", "orc", "parquet", "raw"};

static bool listed(const char *const *list, size_t count, struct text name)
{
	for (size_t i = 0; i < count; i++)
		if (text_eq(text_of(list[i]), name))
			return true;
	return false;
}

/* Lines of names, one after another. */
static struct text join_lines(struct arena *arena, const char *const *list, size_t count)
{
	struct text lines = text_of("");

	for (size_t i = 0; i < count && lines.ptr; i++)
		lines = text_format(arena, "%.*s\n%s", TEXT_ARG(lines), list[i]);
	return lines;
}

static int unknown_connector(struct arena *arena, struct text name, struct text *fault)
{
	struct text lines = join_lines(arena, connectors, COUNT(connectors));

	if (!lines.ptr)
		return -ENOMEM;
	return fault_set(arena, fault,
		FAULT_VALIDATION "Could not find any factory for identifier '%.*s' that implements "
				 "'org.apache.flink.table.factories.DynamicTableFactory' in the "
				 "classpath.\n\nAvailable factory identifiers are:\n%.*s",
		TEXT_ARG(name), TEXT_ARG(lines));
}

static int unsupported_option(struct arena *arena, const char *connector, struct text key,
	struct text lines, struct text *fault)
{
	if (!lines.ptr)
		return -ENOMEM;
	return fault_set(arena, fault,
		FAULT_VALIDATION "Unsupported options found for '%s'.\n\nUnsupported options:"
				 "\n\n%.*s\n\nSupported options:\n%.*s",
		connector, TEXT_ARG(key), TEXT_ARG(lines));
}

static int check_format(
	struct arena *arena, struct text format, struct text *fault, struct diag *reterr)
{
	if (!format.ptr)
		return fault_set(arena, fault,
			FAULT_VALIDATION
			"One or more required options are missing.\n\nMissing required "
			"options are:\n\nformat");
	if (text_eq(format, TEXT("csv")))
		return 0;
	if (listed(formats, COUNT(formats), format))
		return diag_set(reterr, -ENOTSUP, 0, 0, "The format '%.*s' is not simulated.",
			TEXT_ARG(format));
	return fault_set(arena, fault,
		FAULT_VALIDATION "Could not find any format factory for identifier '%.*s' in the "
				 "classpath.",
		TEXT_ARG(format));
}

static int check_option(struct arena *arena, const struct sql_option *option, struct text *fault,
	struct diag *reterr)
{
	if (listed(refused, COUNT(refused), option->key))
		return diag_set(reterr, -ENOTSUP, option->pos.line, option->pos.col,
			"The option '%.*s' is not simulated.", TEXT_ARG(option->key));
	if (text_starts(option->key, TEXT("csv.")) ||
		listed(supported, COUNT(supported), option->key))
		return 0;
	return unsupported_option(arena, "filesystem", option->key,
		join_lines(arena, supported, COUNT(supported)), fault);
}

static int check_name(struct arena *arena, const struct catalog_entry *table, struct text *ret,
	struct text *fault)
{
	*ret = catalog_option(table, TEXT("connector"));
	if (!ret->ptr)
		return fault_set(arena, fault,
			FAULT_VALIDATION
			"Table options do not contain an option key 'connector' for "
			"discovering a connector.");
	if (!listed(connectors, COUNT(connectors), *ret))
		return unknown_connector(arena, *ret, fault);
	return 0;
}

int connector_check(struct arena *arena, const struct catalog_entry *table, struct text *fault,
	struct diag *reterr)
{
	struct text connector;
	int err = check_name(arena, table, &connector, fault);

	if (err < 0)
		return err;
	if (text_eq(connector, TEXT("print")) || text_eq(connector, TEXT("blackhole")))
		return fault_set(arena, fault,
			FAULT_VALIDATION
			"Connector '%.*s' can only be used as a sink. It cannot be "
			"used as a source.",
			TEXT_ARG(connector));
	if (!text_eq(connector, TEXT("filesystem")))
		return diag_set(reterr, -ENOTSUP, 0, 0, "The connector '%.*s' is not simulated.",
			TEXT_ARG(connector));
	err = check_format(arena, catalog_option(table, TEXT("format")), fault, reterr);
	for (size_t i = 0; i < table->option_count && err == 0; i++)
		err = check_option(arena, &table->options[i], fault, reterr);
	if (err == 0 && !catalog_option(table, TEXT("path")).ptr)
		err = diag_set(reterr, -ENOTSUP, 0, 0, "A table without 'path' is not simulated.");
	if (err == 0)
		err = csv_settings(arena, table, &(struct csv_options){0}, fault, reterr);
	return err;
}

/* Options of datagen whose values are not looked at any closer. */
static bool is_datagen_option(const struct catalog_entry *table, struct text key)
{
	static const char *const kinds[] = {"kind", "start", "end", "min", "max", "length"};
	struct text field;
	size_t dot;

	if (text_eq(key, TEXT("connector")) || text_eq(key, TEXT("number-of-rows")) ||
		text_eq(key, TEXT("rows-per-second")))
		return true;
	if (!text_starts(key, TEXT("fields.")))
		return false;
	field = text_slice(key, sizeof("fields.") - 1, key.len);
	dot = text_find(field, TEXT("."));
	for (size_t i = 0; i < table->column_count; i++)
		if (text_eq(table->columns[i].name, text_slice(field, 0, dot)))
			return listed(kinds, COUNT(kinds), text_slice(field, dot + 1, field.len));
	return false;
}

int connector_check_submitted(struct arena *arena, const struct catalog_entry *table,
	struct text *fault, struct diag *reterr)
{
	bool known = text_eq(catalog_option(table, TEXT("connector")), TEXT("datagen"));

	for (size_t i = 0; i < table->option_count && known; i++)
		known = is_datagen_option(table, table->options[i].key);
	return known ? 0 : connector_check(arena, table, fault, reterr);
}

/* An option of print's that it does not know, or that is not simulated. */
static int check_print_option(struct arena *arena, const struct sql_option *option,
	struct text *fault, struct diag *reterr)
{
	static const char *const known[] = {"connector", "print-identifier", "property-version",
		"scan.watermark.alignment.group", "scan.watermark.alignment.max-drift",
		"scan.watermark.alignment.update-interval", "scan.watermark.emit.strategy",
		"scan.watermark.idle-timeout", "sink.parallelism", "standard-error"};
	bool flag = text_eq(option->value, TEXT("true")) || text_eq(option->value, TEXT("false"));

	if (text_eq(option->key, TEXT("connector")) ||
		text_eq(option->key, TEXT("print-identifier")) ||
		(text_eq(option->key, TEXT("standard-error")) && flag))
		return 0;
	if (!listed(known, COUNT(known), option->key))
		return unsupported_option(
			arena, "print", option->key, join_lines(arena, known, COUNT(known)), fault);
	return diag_set(reterr, -ENOTSUP, option->pos.line, option->pos.col,
		"The option '%.*s' is not simulated.", TEXT_ARG(option->key));
}

int connector_check_sink(struct arena *arena, const struct catalog_entry *table, struct text *fault,
	struct diag *reterr)
{
	struct text connector;
	int err = check_name(arena, table, &connector, fault);

	if (err == 0 && text_eq(connector, TEXT("print"))) {
		for (size_t i = 0; i < table->option_count && err == 0; i++)
			err = check_print_option(arena, &table->options[i], fault, reterr);
		return err;
	}
	if (err < 0 || (text_eq(connector, TEXT("blackhole")) && table->option_count == 1))
		return err;
	return diag_set(reterr, -ENOTSUP, 0, 0,
		"A table to write to of the connector '%.*s' is not simulated.",
		TEXT_ARG(connector));
}
