/* Statements that the client refused: its error, the statement that it is of, and what was asked
 * instead give the cause. An error behind the asked results explains nothing, and one whose text
 * is not known here is left to the words of the client. */
#include "daemon/grade/choose.h"
#include "daemon/grade/refusal.h"
#include "parser/arena.h"

/* Read downward; the first sign that is in the text decides. */
static const struct {
	const char *sign;
	void (*explain)(struct refusal *refusal);
} signs[] = {
	{"only single statement supported", refusal_several},
	{"Encountered \"/*+\"", refusal_hint},
	{"HintStrategyTable", refusal_hint},
	{"TokenMgrError", refusal_character},
	{"impl.ParseException", refusal_syntax},
	{"SqlParserEOFException", refusal_syntax},
	{"CalciteException", refusal_syntax},
	{"In non-interactive mode, it only supports", refusal_no_tableau},
	{"Could not parse value for enum", refusal_value},
	{"does not match any of the recognized units", refusal_value},
	{"is not a valid ISO-8601 duration format", refusal_value},
	{"Could not parse value", refusal_value},
	{"Unrecognized option for boolean", refusal_value},
	{"Invalid time zone. The value should be", refusal_value},
	{"for 'execution.runtime-mode'. Only an explicit", refusal_value},
	{"already exists a watermark spec", refusal_watermark_twice},
	{"has already defined the watermark strategy", refusal_watermark_twice},
	{"The rowtime attribute field '", refusal_no_name},
	{"Primary key column '", refusal_no_name},
	{"Unknown target column '", refusal_no_name},
	{"A database with name [", refusal_no_name},
	{"Database '", refusal_no_name},
	{"A regular Column named '", refusal_column_twice},
	{"TableAlreadyExistException", refusal_table_twice},
	{"Temporary table '", refusal_table_twice},
	{"Tables or views with the identifier '", refusal_no_table},
	{"Object '", refusal_no_table},
	{"Cannot find table '", refusal_no_table},
	{"with identifier '", refusal_no_table},
	{"Table '", refusal_no_name},
	{"Column '", refusal_no_column},
	{"Unknown identifier '", refusal_no_column},
	{"No match found for function signature", refusal_no_function},
	{"is not being grouped", refusal_ungrouped},
	{"CURRENT_WATERMARK() must be called with", refusal_watermark_argument},
	{"The argument of CURRENT_WATERMARK() must be a rowtime", refusal_not_rowtime},
	{"requires the timecol to be TIMESTAMP", refusal_descriptor_type},
	{"requires the timecol is a time attribute type", refusal_not_time_attribute},
	{"Invalid data type of time field for watermark", refusal_watermark_type},
	{"Only constant window descriptors are supported", refusal_lengths_form},
	{"must be an integral multiple of", refusal_lengths},
	{"must satisfy abs(offset) < size", refusal_lengths},
	{"to be positive, but got", refusal_lengths},
	{"Unaligned windows like session are not supported in batch", refusal_session_in_batch},
	{"early-fire and late-fire", refusal_emit},
	{"Sort on a non-time-attribute field", refusal_sort},
	{"() function is not supported on Window", refusal_rank},
	{"window rank function requires order by", refusal_unordered},
	{"GroupWindow(", refusal_legacy},
	{"SOURCE_WATERMARK() is a declarative", refusal_of_source},
	{"$SCALAR_QUERY", refusal_scalar},
	{"Cannot apply '", refusal_argument_type},
	{"Invalid number of arguments to function", refusal_arguments},
	{"is not a valid time frame", refusal_form},
	{"Expecting alias, found", refusal_form},
	{"exceeds precision of", refusal_lengths_form},
	{"Aggregate expressions cannot be nested", refusal_form},
	{"Aggregate expression is illegal in", refusal_form},
	{"VIEW definition and input fields not match", refusal_form},
	{"doesn't support ENFORCED mode", refusal_form},
	{"Column types of query result and sink for", refusal_sink},
	{"Unsupported options found for", refusal_option},
	{"required options are missing", refusal_required_option},
	{"an option key 'connector'", refusal_connector},
	{"Could not find any factory for identifier", refusal_connector},
	{"can only be used as a sink", refusal_connector},
	{"Could not find any format factory", refusal_format},
	{"FileNotFoundException", refusal_no_file},
	{"RowTime field should not be null", refusal_null_rowtime},
	{"CsvReadException", refusal_bad_line},
	{"Row length mismatch", refusal_bad_line},
	{"DateTimeParseException", refusal_bad_line},
	{"NumberFormatException", refusal_bad_line},
	{"Failed to deserialize CSV row", refusal_bad_line},
	{"JsonParseException", refusal_bad_line},
	{"CharConversionException", refusal_bad_line},
};

/* A text where a name is called for: the planner's own mishap. */
static void literal_for_name(struct refusal *refusal)
{
	if (text_find(refusal->error, TEXT("SqlCharStringLiteral cannot be cast to")) <
		refusal->error.len)
		refusal_add(refusal, DIAG_ERROR_SYNTAX, TEXT("DESCRIPTOR-string"));
}

static void explain(struct refusal *refusal)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (text_find(refusal->error, text_of(signs[i].sign)) < refusal->error.len) {
			signs[i].explain(refusal);
			return;
		}
	literal_for_name(refusal);
}

/* The innermost cause of a verbose error; a short one is that already. */
static struct text innermost(struct text error)
{
	const struct text mark = TEXT("Caused by: ");
	size_t at;

	while ((at = text_find(error, mark)) < error.len)
		error = text_slice(error, at + mark.len, error.len);
	at = text_find(error, TEXT("\n\tat "));
	return text_slice(error, 0, at);
}

static const struct result *last_error(const struct transcript *transcript)
{
	for (size_t i = transcript->count; i > 0; i--)
		if (transcript->results[i - 1].kind == RESULT_ERROR)
			return &transcript->results[i - 1];
	return NULL;
}

static bool is_complete(const struct table *asked, const struct result *saved)
{
	if (!saved || saved->end == END_ERROR)
		return false;
	for (size_t i = 0; i < asked->column_count; i++)
		if (table_column(&saved->table, asked->columns[i].name) ==
			saved->table.column_count)
			return false;
	return true;
}

/* The first asked result that is not there, from 1; 0: all are. */
static int lost_table(const struct grading *g)
{
	if (g->step->kind != STEP_TABLES)
		return 1;
	for (size_t i = 0; i < g->expected->count; i++)
		if (!is_complete(g->expected->tables[i], g->choice.tables[i]))
			return (int)i + 1;
	return 0;
}

void diagnose_error(const struct grading *g, struct causes *causes)
{
	const struct result *error = last_error(&g->transcript);
	struct refusal refusal = {.arena = g->arena, .grading = g, .causes = causes};
	struct text sql = g->has_script ? g->submission->sql.bytes : (struct text){0};
	int lost = error ? lost_table(g) : 0;

	if (!lost)
		return;
	refusal.table = g->expected->count > 1 ? lost : 0;
	refusal.error = innermost(error->text);
	if (written_of(g->arena, sql, &g->transcript, &refusal.written, &refusal.at) ||
		written_sql(g->arena, g->expected->sql, &refusal.asked)) {
		causes->nomem = true;
		return;
	}
	if (refusal.at < refusal.written.count)
		refusal.statement = &refusal.written.items[refusal.at];
	explain(&refusal);
}
