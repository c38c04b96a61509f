/* parser/transcript*.c: what the client printed is what is read. The recorded outputs are the
 * judge: their footers count the rows, and each case's note says what its tables hold, found by
 * other means than this parser. */
#include "parser/transcript.h"

#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/test.h"

#define RECORDED "tests/recorded/"

/* A file and what was read from it. */
struct reading {
	struct arena arena;
	struct text bytes;
	struct transcript transcript;
	struct diag diag;
	int err;
};

static struct text read_file(struct arena *arena, const char *path)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	size_t size = 0;

	if (!file)
		return (struct text){NULL, 0};
	if (fseek(file, 0, SEEK_END) == 0) {
		size = (size_t)ftell(file);
		rewind(file);
		bytes = arena_alloc(arena, size + 1);
		if (bytes && fread(bytes, 1, size, file) != size)
			bytes = NULL;
	}
	fclose(file);
	return (struct text){bytes, bytes ? size : 0};
}

static void parse(struct reading *reading, struct text bytes)
{
	*reading = (struct reading){.bytes = bytes};
	arena_init(&reading->arena, LIMIT_GRADE_ARENA);
	reading->err = transcript_parse(
		&reading->arena, NULL, bytes, &reading->transcript, &reading->diag);
}

static void parse_file(struct reading *reading, const char *path)
{
	*reading = (struct reading){0};
	arena_init(&reading->arena, LIMIT_GRADE_ARENA);
	reading->bytes = read_file(&reading->arena, path);
	reading->err = reading->bytes.ptr ? transcript_parse(&reading->arena, NULL, reading->bytes,
						    &reading->transcript, &reading->diag)
					  : -ENOENT;
}

static void finish(struct reading *reading)
{
	arena_finish(&reading->arena);
}

/* The n-th table, from 0; an empty one where there is none. */
static const struct result *table_of(const struct reading *reading, size_t n)
{
	static const struct result none = {.footer_rows = -2};
	const struct transcript *transcript = &reading->transcript;

	for (size_t i = 0; i < transcript->count; i++)
		if (transcript->results[i].kind == RESULT_TABLE && n-- == 0)
			return &transcript->results[i];
	return &none;
}

static size_t count_rows(const struct reading *reading)
{
	size_t count = 0;

	for (size_t i = 0; i < reading->transcript.count; i++)
		count += reading->transcript.results[i].table.row_count;
	return count;
}

static size_t count_kind(const struct reading *reading, enum result_kind kind)
{
	size_t count = 0;

	for (size_t i = 0; i < reading->transcript.count; i++)
		count += reading->transcript.results[i].kind == kind;
	return count;
}

static const char *const references[] = {"batch", "ddl", "filtered", "late", "slow", "sweep", "w5"};

#define REFERENCES (sizeof(references) / sizeof(references[0]))

static bool cell_is(const struct result *result, size_t row, size_t column, struct text wanted)
{
	const struct table *table = &result->table;

	return row < table->row_count && column < table->column_count &&
	       !table->rows[row].cells[column].null &&
	       text_eq(table->rows[row].cells[column].s, wanted);
}

/* ---- every recorded output ---- */

static int visited, wrong;

/* Footers, "Empty set", messages, errors and jobs of a file, counted line by line without a
 * parser. */
struct counts {
	size_t footers, empty, messages, errors, jobs;
};

static size_t occurrences(struct text text, struct text needle)
{
	size_t count = 0;

	for (;;) {
		size_t at = text_find(text, needle);

		if (at == text.len)
			return count;
		count++;
		text = text_slice(text, at + needle.len, text.len);
	}
}

static void count_lines(struct text text, struct counts *counts)
{
	struct text line;

	*counts = (struct counts){
		.messages = occurrences(text, TEXT("[INFO] ")) -
			    occurrences(text, TEXT("[INFO] Executing SQL from file.")) -
			    occurrences(text, TEXT("[INFO] Submitting SQL")) -
			    occurrences(text, TEXT("[INFO] SQL update statement has been")),
		.errors = occurrences(text, TEXT("[ERROR] ")) +
			  occurrences(text, TEXT("Failed to initialize from sql script")),
		.jobs = occurrences(text, TEXT("\nJob ID: ")),
	};
	while (text_next_line(&text, &line)) {
		line = text_trim(line);
		counts->footers += text_find(line, TEXT("\u00a0in\u00a0set")) < line.len ||
				   text_find(line, TEXT("Received\u00a0a\u00a0total")) < line.len ||
				   text_starts(line, TEXT("Received a \x1b[01;31m\x1b[Ktotal")) ||
				   (text_find(line, TEXT(" Received a total of ")) < line.len &&
					   !text_ends(line, TEXT("|"))) ||
				   text_starts(line, TEXT("Received a total of ")) ||
				   (line.len && line.ptr[0] >= '0' && line.ptr[0] <= '9' &&
					   text_find(line, TEXT(" in set")) < line.len);
		counts->empty += text_ends(line, TEXT("Empty set")) ||
				 (text_find(line, TEXT("Empty set (")) < line.len &&
					 text_ends(line, TEXT(" seconds)")));
	}
}

/* Files whose lines were torn, sorted or wrapped: of those only that they can be read. */
static bool is_torn(const char *path)
{
	return strstr(path, "/w5_in_json/") || strstr(path, "/w5_sorted_lines/") ||
	       strstr(path, "/w5_cut_60/");
}

/* Every footer belongs to a table that has as many rows; w5_row_deleted lost one by hand, and so
 * did two of other forms, the footer of w5_footer_edited counts one less. A terminal cut a
 * message of w5_ok_wrapped_120 in two. */
static bool footers_agree(const char *path, const struct reading *reading)
{
	bool deleted = strstr(path, "_row_deleted/") != NULL;
	bool broken = strstr(path, "/w5_ok_wrapped_120/") != NULL;
	bool lowered = strstr(path, "/w5_footer_edited/") != NULL;
	struct counts counts;
	size_t footers = 0;

	for (size_t i = 0; i < reading->transcript.count; i++) {
		const struct result *result = &reading->transcript.results[i];

		if (result->kind != RESULT_TABLE || result->footer_rows < 0)
			continue;
		footers++;
		if ((size_t)result->footer_rows + lowered != result->table.row_count + deleted)
			return false;
	}
	count_lines(reading->bytes, &counts);
	return footers == counts.footers && count_kind(reading, RESULT_EMPTY) == counts.empty &&
	       count_kind(reading, RESULT_MESSAGE) + broken == counts.messages &&
	       count_kind(reading, RESULT_ERROR) == counts.errors &&
	       count_kind(reading, RESULT_JOB) == counts.jobs;
}

static bool is_out(const char *path, int type)
{
	return type == FTW_F && text_ends(text_of(path), TEXT(".out"));
}

static int visit_output(const char *path, const struct stat *info, int type, struct FTW *where)
{
	struct reading reading;

	(void)info;
	(void)where;
	if (!is_out(path, type))
		return 0;
	parse_file(&reading, path);
	visited++;
	if (reading.err || (!is_torn(path) && !footers_agree(path, &reading))) {
		printf("# %s: %s\n", path, reading.err ? reading.diag.text : "counts differ");
		wrong++;
	}
	finish(&reading);
	return 0;
}

TEST(every_recorded_table_is_read_whole)
{
	visited = wrong = 0;
	CHECK(nftw(RECORDED, visit_output, 16, FTW_PHYS) == 0);
	CHECK(visited > 700);
	CHECK(wrong == 0);
}

/* ---- the notes ---- */

/* The text between `from` and `to` in t; empty where they are not there. */
static struct text between(struct text t, struct text from, struct text to)
{
	size_t start = text_find(t, from);
	struct text rest =
		start == t.len && from.len ? TEXT("") : text_slice(t, start + from.len, t.len);

	return text_slice(rest, 0, text_find(rest, to));
}

/* Cuts the next piece off *rest, up to `separator`. */
static bool next_piece(struct text *rest, struct text separator, struct text *piece)
{
	size_t end = text_find(*rest, separator);

	if (rest->len == 0)
		return false;
	*piece = text_slice(*rest, 0, end);
	*rest = text_slice(*rest, end + separator.len, rest->len);
	return true;
}

static int64_t number_after(struct text t, struct text label, int64_t otherwise)
{
	struct text digits = between(t, label, TEXT(" "));
	int64_t number = otherwise;

	text_to_int64(digits, &number);
	return number;
}

static size_t count_op(const struct table *table, enum row_op op)
{
	size_t count = 0;

	for (size_t i = 0; i < table->row_count; i++)
		count += table->rows[i].op == op;
	return count;
}

/* The sum over all rows of a column, whatever their op; -1 where there is no such column. */
static int64_t sum_of(const struct table *table, const char *name)
{
	size_t column = 0;
	int64_t sum = 0;

	while (column < table->column_count && !text_eq(table->columns[column].name, text_of(name)))
		column++;
	if (column == table->column_count)
		return -1;
	for (size_t i = 0; i < table->row_count; i++) {
		int64_t number = 0;

		if (!table->rows[i].cells[column].null &&
			text_to_int64(table->rows[i].cells[column].s, &number))
			return -1;
		sum += number;
	}
	return sum;
}

static bool columns_are(const struct table *table, struct text names)
{
	struct text name;
	size_t column = 0;

	while (next_piece(&names, TEXT(","), &name))
		if (column == table->column_count || !text_eq(table->columns[column++].name, name))
			return false;
	return column == table->column_count;
}

/* S [window_start,cnt] 9 rows +I:3 +U:3 -U:3 cnt=585 "Received a total of 9 rows"; B for batch. */
static bool table_is(const struct result *result, struct text note)
{
	const struct table *table = &result->table;
	bool streaming = text_starts(note, TEXT("S "));
	int64_t rows = number_after(note, TEXT("] "), -1);
	struct text sums = between(note, TEXT(" rows "), TEXT("\""));
	int64_t cnt = number_after(sums, TEXT("cnt="), -1);
	int64_t total = number_after(sums, TEXT("total="), -1);

	if ((table->form == TABLE_CHANGELOG) != streaming || rows != (int64_t)table->row_count ||
		!columns_are(table, between(note, TEXT("["), TEXT("]"))))
		return false;
	if ((cnt >= 0 && cnt != sum_of(table, "cnt")) ||
		(total >= 0 && total != sum_of(table, "total")))
		return false;
	return (int64_t)count_op(table, OP_UPDATE_BEFORE) == number_after(sums, TEXT("-U:"), 0) &&
	       (int64_t)count_op(table, OP_UPDATE_AFTER) == number_after(sums, TEXT("+U:"), 0) &&
	       (int64_t)count_op(table, OP_DELETE) == number_after(sums, TEXT("-D:"), 0);
}

/* The note has as much of an error's first line as fits. */
static bool error_is(const struct result *result, struct text note)
{
	struct text rest = result->text, line = TEXT("");

	text_next_line(&rest, &line);
	return text_starts(line, text_trim_right(text_slice(note, 4, note.len)));
}

/* What the notes' own reader could not read, and this one must: indented lines, rows without a
 * frame, lines that a terminal wrapped. They are checked against the reference below. */
static bool beyond_the_note(const char *path)
{
	return strstr(path, "/w5_indented/") || strstr(path, "/w5_grep_plusI/") ||
	       strstr(path, "/w5_interactive_narrow/");
}

/* The next result that notes speak of, from *n on. */
static const struct result *next_noted(const struct reading *reading, size_t *n)
{
	while (*n < reading->transcript.count) {
		const struct result *result = &reading->transcript.results[(*n)++];

		if (result->kind == RESULT_TABLE || result->kind == RESULT_ERROR ||
			result->kind == RESULT_EMPTY)
			return result;
	}
	return NULL;
}

static bool result_is(const struct result *result, struct text note)
{
	if (text_starts(note, TEXT("ERR ")))
		return result->kind == RESULT_ERROR && error_is(result, note);
	if (text_starts(note, TEXT("B [EMPTY] ")))
		return result->kind == RESULT_EMPTY;
	return result->kind == RESULT_TABLE && table_is(result, note);
}

static bool note_agrees(const struct reading *reading, struct text note)
{
	struct text shows = between(note, TEXT("\nshows: "), TEXT("\n")), piece;
	const struct result *result;
	size_t n = 0;

	if (text_eq(shows, TEXT("no table, no error")))
		return next_noted(reading, &n) == NULL;
	while (next_piece(&shows, TEXT(" || "), &piece)) {
		result = next_noted(reading, &n);
		if (!result || !result_is(result, piece))
			return false;
	}
	return next_noted(reading, &n) == NULL;
}

static int visit_note(const char *path, const struct stat *info, int type, struct FTW *where)
{
	struct reading reading;
	char note_path[PATH_MAX];
	struct text note;

	(void)info;
	if (!is_out(path, type) || beyond_the_note(path))
		return 0;
	snprintf(note_path, sizeof(note_path), "%.*snote.txt", where->base, path);
	parse_file(&reading, path);
	note = read_file(&reading.arena, note_path);
	if (text_find(note, TEXT("\nshows: ")) < note.len) {
		visited++;
		if (reading.err || !note_agrees(&reading, note)) {
			printf("# %s: not as noted\n", path);
			wrong++;
		}
	}
	finish(&reading);
	return 0;
}

TEST(tables_and_errors_are_those_of_the_notes)
{
	visited = wrong = 0;
	CHECK(nftw(RECORDED "watermark/mistakes", visit_note, 16, FTW_PHYS) == 0);
	CHECK(visited > 300);
	CHECK(wrong == 0);
}

/* ---- what pastes and editors do ---- */

static bool same_rows(const struct table *a, const struct table *b)
{
	if (a->row_count != b->row_count || a->column_count != b->column_count)
		return false;
	for (size_t i = 0; i < a->row_count; i++) {
		if (a->rows[i].op != b->rows[i].op)
			return false;
		for (size_t c = 0; c < a->column_count; c++)
			if (a->rows[i].cells[c].null != b->rows[i].cells[c].null ||
				!text_eq(a->rows[i].cells[c].s, b->rows[i].cells[c].s))
				return false;
	}
	return true;
}

/* Is the first table of this mistake's w5.out the reference's, cell by cell? */
static bool reads_as_reference(const char *mistake, unsigned remarks)
{
	struct reading reference, reading;
	char path[PATH_MAX];
	bool same;

	snprintf(path, sizeof(path), RECORDED "watermark/mistakes/%s/w5.out", mistake);
	parse_file(&reference, RECORDED "watermark/ref/w5.out");
	parse_file(&reading, path);
	same = !reading.err && table_of(&reference, 0)->table.row_count == 15 &&
	       same_rows(&table_of(&reading, 0)->table, &table_of(&reference, 0)->table) &&
	       (reading.transcript.remarks & remarks) == remarks;
	finish(&reading);
	finish(&reference);
	return same;
}

TEST(a_changed_file_reads_as_what_it_was)
{
	CHECK(reads_as_reference("w5_indented", REMARK_INDENTED));
	CHECK(reads_as_reference("w5_grep_plusI", 0));
	CHECK(reads_as_reference("w5_interactive_narrow", 0));
	CHECK(reads_as_reference("w5_ok_interactive_copy", REMARK_ANSI_STRIPPED));
	CHECK(reads_as_reference("w5_nbsp_paste", 0));
	CHECK(reads_as_reference("w5_markdown_fence", 0));
	CHECK(reads_as_reference("w5_ansi_half_stripped", REMARK_ANSI_STRIPPED));
	CHECK(reads_as_reference("w5_ok_crlf_out", REMARK_CRLF));
	CHECK(reads_as_reference("w5_ok_stderr_merged", REMARK_STDERR));
	CHECK(reads_as_reference("w5_ok_stdin", 0));
	CHECK(reads_as_reference("w5_ok_script_header", REMARK_CRLF));
	CHECK(reads_as_reference("w5_appended_twice", REMARK_SESSIONS));
	CHECK(reads_as_reference("w5_table_only_paste", 0));
	CHECK(reads_as_reference("w5_trailing_blanks_cut", 0));
}

/* ---- cells ---- */

TEST(cells_are_cut_by_width_whatever_they_hold)
{
	struct reading reading;
	const struct result *result;

	parse_file(&reading, RECORDED "format/border_like_stream.out");
	result = table_of(&reading, 0);
	CHECK(cell_is(result, 0, 0, TEXT("+----+----+")));
	CHECK(cell_is(result, 1, 0, TEXT("| +I | 1 |")));
	CHECK(cell_is(result, 2, 0, TEXT("Flink SQL> ")));
	CHECK(cell_is(result, 5, 0, TEXT("x\n+----+---+")) && cell_is(result, 5, 1, TEXT("6")));
	CHECK(cell_is(result, 6, 0, TEXT("x\nEmpty set")));
	CHECK(cell_is(result, 7, 0, TEXT("a\n| +I | fake |")) && cell_is(result, 7, 1, TEXT("8")));
	finish(&reading);

	parse_file(&reading, RECORDED "format/pipe_newline_batch.out");
	result = table_of(&reading, 0);
	CHECK(cell_is(result, 0, 0, TEXT("a | b")));
	CHECK(cell_is(result, 2, 0, TEXT("line1\nline2")));
	CHECK(cell_is(result, 3, 0, TEXT("tab\tx")));
	CHECK(cell_is(result, 4, 0, TEXT("cr\rx")));
	CHECK(cell_is(result, 5, 0, TEXT("trailing   ")));
	CHECK(cell_is(result, 7, 0, TEXT("")));
	CHECK(cell_is(result, 9, 0, TEXT("esc\x1b[31mred")));
	CHECK(cell_is(result, 10, 0, TEXT("nul\0x")) && cell_is(result, 10, 1, TEXT("11")));
	CHECK(reading.transcript.remarks == REMARK_NUL);
	finish(&reading);
}

TEST(a_header_may_be_wider_than_its_border)
{
	struct reading reading;

	parse_file(&reading, RECORDED "format/wide_header_batch.out");
	CHECK(table_of(&reading, 0)->table.column_count == 3);
	CHECK(cell_is(table_of(&reading, 0), 0, 1, TEXT("x")));
	CHECK(cell_is(table_of(&reading, 0), 0, 2, TEXT("2")));
	finish(&reading);
}

/* In a C locale '?' stands for a character that was counted as two. */
TEST(a_row_may_be_shorter_than_its_border)
{
	struct reading reading;

	parse(&reading, TEXT("Flink SQL> +----+--------------------------------+-------------+\n"
			     "| op |                              s |           n |\n"
			     "+----+--------------------------------+-------------+\n"
			     "| +I |                         ??? |           1 |\n"
			     "| +I |                              a |           2 |\n"
			     "+----+--------------------------------+-------------+\n"
			     "Received a total of 2 rows (0.10 seconds)\n"));
	CHECK(cell_is(table_of(&reading, 0), 0, 0, TEXT("???")));
	CHECK(cell_is(table_of(&reading, 0), 1, 1, TEXT("2")));
	CHECK(table_of(&reading, 0)->end == END_FOOTER && table_of(&reading, 0)->closed);
	finish(&reading);
}

TEST(null_is_no_text)
{
	struct reading reading;
	const struct table *table;

	parse_file(&reading, RECORDED "format/null_columns_stream.out");
	table = &table_of(&reading, 0)->table;
	CHECK(table->row_count > 0 && table->rows[0].cells[0].null);
	finish(&reading);

	parse_file(&reading, RECORDED "watermark/ref/ddl.out");
	table = &table_of(&reading, 0)->table;
	CHECK(table->form == TABLE_CATALOG && table->row_count == 4 && table->column_count == 6);
	CHECK(cell_is(table_of(&reading, 0), 3, 1, TEXT("TIMESTAMP(3) *ROWTIME*")));
	CHECK(cell_is(table_of(&reading, 0), 3, 5, TEXT("`ts` - INTERVAL '5' SECOND")));
	CHECK(table->rows[0].cells[5].null && table->rows[3].cells[3].null);
	finish(&reading);
}

TEST(cells_that_may_be_cut_are_told)
{
	struct reading reading;

	parse_file(&reading, RECORDED "watermark/mistakes/batch_width10/batch.out");
	CHECK(table_of(&reading, 0)->cut_cells);
	finish(&reading);
	parse_file(&reading, RECORDED "format/wide_chars_cut_batch.out");
	CHECK(table_of(&reading, 0)->cut_cells);
	finish(&reading);
	parse_file(&reading, RECORDED "watermark/ref/batch.out");
	CHECK(!table_of(&reading, 0)->cut_cells);
	finish(&reading);
}

/* Wide characters make the client cut a name, whose length it takes for its width. */
TEST(names_that_may_be_cut_are_told)
{
	struct reading reading;

	parse_file(&reading, RECORDED "format/wide_header_batch.out");
	CHECK(table_of(&reading, 0)->cut_cells);
	finish(&reading);
	parse_file(&reading, RECORDED "format/long_name_stream.out");
	CHECK(table_of(&reading, 0)->table.row_count && !table_of(&reading, 0)->cut_cells);
	finish(&reading);
}

/* The reference without its second border, or with a part of it: all rows are there. */
TEST(a_lost_border_loses_no_row)
{
	for (size_t i = 0; i < REFERENCES; i++) {
		struct reading whole, reading;
		struct text name, border, header, changed;
		const struct result *result;
		char path[PATH_MAX];

		snprintf(path, sizeof(path), RECORDED "watermark/ref/%s.out", references[i]);
		parse_file(&whole, path);
		name = i == 0	? TEXT("|            window_start")
		       : i == 1 ? TEXT("|     name")
				: TEXT("| op |");
		header = text_slice(whole.bytes, text_find(whole.bytes, name), whole.bytes.len);
		border = text_slice(header, text_find(header, TEXT("\n+")) + 1, header.len);
		border = text_slice(border, 0, text_find(border, TEXT("\n")) + 1);
		CHECK(text_starts(border, TEXT("+-")) && text_ends(border, TEXT("-+\n")));
		for (size_t left = 0; left < border.len - 1; left += border.len / 2 + 1) {
			changed = text_format(&whole.arena, "%.*s%.*s%s%.*s",
				(int)(border.ptr - whole.bytes.ptr), whole.bytes.ptr, (int)left,
				border.ptr, left ? "\n" : "",
				TEXT_ARG(text_slice(whole.bytes,
					(size_t)(border.ptr - whole.bytes.ptr) + border.len,
					whole.bytes.len)));
			parse(&reading, changed);
			result = table_of(&reading, 0);
			CHECK(same_rows(&result->table, &table_of(&whole, 0)->table));
			CHECK(result->footer_rows == table_of(&whole, 0)->footer_rows);
			CHECK(!result->framed && result->closed);
			finish(&reading);
		}
		finish(&whole);
	}
}

/* Header and second border are lost: what follows the first border are rows. */
TEST(a_lost_header_loses_no_row)
{
	struct reading reading;

	parse(&reading, TEXT("+----+-------+\n| +I |     1 |\n| +I |     2 |\n+----+-------+\n"
			     "Received a total of 2 rows (0.10 seconds)\n"));
	CHECK(count_rows(&reading) == 2 && table_of(&reading, 0)->footer_rows == 2);
	finish(&reading);
	parse(&reading, TEXT("+-------+-------+\n|     a |     1 |\n|     b |     2 |\n"
			     "+-------+-------+\n2 rows in set (0.10 seconds)\n"));
	CHECK(count_rows(&reading) == 2 && table_of(&reading, 0)->footer_rows == 2);
	finish(&reading);
}

/* The end of the file is within a row, behind a bar of its own or one in a cell. */
TEST(an_unfinished_row_is_none)
{
	static const char *const cut[] = {"| +I | 2026-07-06 09:01:00.000 | 3",
		"| +I | 2026-07-06 09:01:00.000 |", "| +I |", "|",
		"| +I | 2026-07-06 09:01:00.000"};

	for (size_t i = 0; i < sizeof(cut) / sizeof(cut[0]); i++) {
		char text[512];
		struct reading reading;

		for (int form = 0; form < 4; form++) {
			snprintf(text, sizeof(text), "%s| +I | 2026-07-06 09:00:00.000 | 3 |\n%s%s",
				form / 2 ? "+----+-------------------------+---+\n"
					   "| op |                       t | n |\n"
					   "+----+-------------------------+---+\n"
					 : "",
				cut[i], form % 2 ? "\n" : "");
			parse(&reading, text_of(text));
			CHECK(reading.transcript.count == 1 && count_rows(&reading) == 1);
			CHECK(cell_is(table_of(&reading, 0), 0, 1, TEXT("3")));
			finish(&reading);
		}
	}
}

/* What else writes to the same terminal may stand between the rows; but a session that begins, or
 * another table, ends the one before. */
TEST(lines_between_rows_do_not_end_a_table)
{
#define BORDER "+----+-------+\n"
#define HEAD   "Flink SQL> " BORDER "| op |     n |\n" BORDER "| +I |     1 |\n"
#define REST   "| +I |     2 |\n" BORDER "Received a total of 2 rows (0.10 seconds)\n"
	static const char *const whole[] = {HEAD "--More--\n" REST, HEAD "\n" REST,
		HEAD "WARNING: a logger's\njava.io.IOException: x\n\tat a.b(C.java:1)\n" REST,
		HEAD "| +I |     2 |\n--More--\n" BORDER
		     "Received a total of 2 rows (0.10 seconds)\n"};
	static const char *const ended[] = {HEAD "$ sql-client.sh -f x.sql\n" HEAD REST,
		HEAD "[INFO] Executing SQL from file.\n" REST,
		HEAD "Shutting down the session...\ndone.\n" REST,
		HEAD "once more:\n" BORDER "| op |     n |\n" BORDER REST};
	struct reading reading;

	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		parse(&reading, text_of(whole[i]));
		CHECK(count_kind(&reading, RESULT_TABLE) == 1 && count_rows(&reading) == 2);
		CHECK(table_of(&reading, 0)->footer_rows == 2);
		finish(&reading);
	}
	for (size_t i = 0; i < sizeof(ended) / sizeof(ended[0]); i++) {
		parse(&reading, text_of(ended[i]));
		CHECK(count_kind(&reading, RESULT_TABLE) == 2);
		CHECK(table_of(&reading, 0)->table.row_count == 1);
		finish(&reading);
	}
#undef BORDER
#undef HEAD
#undef REST
}

TEST(bars_in_a_cell_do_not_end_an_unfinished_row)
{
	struct reading reading;

	parse(&reading, TEXT("Flink SQL> +----+-----------+---+\n| op |         s | n |\n"
			     "+----+-----------+---+\n| +I | x | y | z | 1 |\n| +I | x | y |"));
	CHECK(reading.transcript.count == 1 && count_rows(&reading) == 1);
	CHECK(cell_is(table_of(&reading, 0), 0, 0, TEXT("x | y | z")));
	finish(&reading);
}

TEST(a_table_has_the_kind_that_its_footer_says)
{
	struct reading reading;

	parse_file(&reading, RECORDED "format/col_named_op_stream.out");
	CHECK(table_of(&reading, 0)->table.form == TABLE_CHANGELOG);
	CHECK(table_of(&reading, 0)->table.column_count == 2);
	finish(&reading);
	parse(&reading,
		TEXT("+----+---+\n| op | n |\n+----+---+\n| +I | 1 |\n+----+---+\n1 row in set\n"));
	CHECK(table_of(&reading, 0)->table.form == TABLE_BATCH);
	CHECK(cell_is(table_of(&reading, 0), 0, 0, TEXT("+I")));
	finish(&reading);
	parse_file(&reading, RECORDED "format/stmt_show.out");
	for (size_t i = 0; i < reading.transcript.count; i++)
		CHECK(reading.transcript.results[i].kind != RESULT_TABLE ||
			reading.transcript.results[i].table.form == TABLE_CATALOG);
	finish(&reading);
}

TEST(a_hand_made_table_is_told)
{
	struct reading reading;

	parse_file(&reading, RECORDED "watermark/mistakes/ddl_handwritten_docs_style/ddl.out");
	CHECK(table_of(&reading, 0)->left_aligned && !reading.transcript.client);
	CHECK(cell_is(table_of(&reading, 0), 2, 0, TEXT("reading")));
	finish(&reading);
	parse_file(&reading, RECORDED "watermark/mistakes/w5_interactive_narrow/w5.out");
	CHECK(table_of(&reading, 0)->wrapped && table_of(&reading, 0)->footer_rows == 15);
	finish(&reading);
	parse_file(&reading, RECORDED "watermark/mistakes/w5_grep_plusI/w5.out");
	CHECK(!table_of(&reading, 0)->framed && !reading.transcript.client);
	finish(&reading);
}

/* ---- echo, messages, errors, the end ---- */

TEST(an_echo_is_the_sql_without_prompts)
{
	struct reading reading;

	parse_file(&reading, RECORDED "watermark/ref/w5.out");
	CHECK(reading.transcript.count == 4);
	CHECK(text_starts(reading.transcript.results[2].echo,
		TEXT("CREATE TABLE events (\n  event_id BIGINT,\n  sensor STRING,\n")));
	CHECK(text_ends(reading.transcript.results[2].echo, TEXT("'format' = 'csv'\n)")));
	CHECK(text_eq(table_of(&reading, 0)->echo,
		TEXT("SELECT window_start, window_end, COUNT(*) AS cnt, SUM(reading) AS total\n"
		     "FROM TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' MINUTE)")));
	finish(&reading);

	parse_file(&reading, RECORDED "watermark/mistakes/w5_interactive_narrow/w5.out");
	CHECK(text_starts(
		table_of(&reading, 0)->echo, TEXT("SELECT window_start, window_end, COUNT(*) AS "
						  "cnt, SUM(reading) AS total\nFROM")));
	finish(&reading);

	parse_file(&reading, RECORDED "format/stmt_comment_table.out");
	CHECK(text_ends(table_of(&reading, 0)->echo, TEXT("\n-- +----+-----+\nSELECT (1)")));
	finish(&reading);

	parse_file(&reading, RECORDED "watermark/mistakes/w5_comment_after_last_semicolon/w5.out");
	CHECK(text_starts(reading.transcript.echo, TEXT("SELECT window_start")));
	finish(&reading);
}

TEST(errors_begin_with_their_class)
{
	struct reading reading;

	parse_file(&reading, RECORDED "format/err_parse.out");
	CHECK(text_eq(reading.transcript.results[1].text,
		TEXT("org.apache.calcite.runtime.CalciteException: "
		     "Non-query expression encountered in illegal context")));
	finish(&reading);
	parse_file(&reading, RECORDED "format/err_verbose.out");
	CHECK(text_find(reading.transcript.results[2].text,
		      TEXT("\nCaused by: org.apache.calcite.sql.validate.SqlValidatorException")) <
		reading.transcript.results[2].text.len);
	finish(&reading);
	parse(&reading, TEXT("[31;1m[ERROR] Could not execute SQL statement. Reason:\n"
			     "a.B: c\n\nd\n\nShutting down the session...\ndone.\n"));
	CHECK(reading.transcript.count == 1 && reading.transcript.complete);
	CHECK(text_eq(reading.transcript.results[0].text, TEXT("a.B: c\n\nd")));
	finish(&reading);
	parse_file(&reading, RECORDED "format/err_bad_row_middle_stream.out");
	CHECK(table_of(&reading, 0)->end == END_ERROR && !reading.transcript.interrupted);
	finish(&reading);
}

TEST(an_insert_is_one_job)
{
	struct reading reading;

	parse_file(&reading, RECORDED "format/stmt_insert_print.out");
	CHECK(reading.transcript.count == 3);
	CHECK(reading.transcript.results[2].kind == RESULT_JOB &&
		reading.transcript.results[2].text.len == 32);
	finish(&reading);
}

TEST(an_interrupted_run_is_told_from_a_complete_one)
{
	struct reading reading;

	parse_file(&reading, RECORDED "format/unbounded_sigterm.out");
	CHECK(reading.transcript.interrupted && reading.transcript.complete);
	CHECK(table_of(&reading, 0)->end == END_NONE && table_of(&reading, 0)->footer_rows == -1);
	finish(&reading);
	parse_file(&reading, RECORDED "format/unbounded_sigkill.out");
	CHECK(!reading.transcript.interrupted && !reading.transcript.complete);
	finish(&reading);
	parse_file(&reading, RECORDED "watermark/ref/w5.out");
	CHECK(!reading.transcript.interrupted && reading.transcript.complete);
	finish(&reading);
}

TEST(the_closing_lines_are_seen_from_the_tail)
{
	CHECK(transcript_tail_complete(TEXT("x\nShutting down the session...\ndone.\n")));
	CHECK(transcript_tail_complete(TEXT("x\nShutting down the session...\ndone.")));
	CHECK(transcript_tail_complete(TEXT("Shutting down the session...\r\ndone.\r\n\r\n")));
	CHECK(transcript_tail_complete(TEXT("Shutting down the session...\n\n\ndone.\n\n\n")));
	CHECK(transcript_tail_complete(
		TEXT("Shutting down the session...\ndone.\n\n"
		     "Script done on 2026-11-29 [COMMAND_EXIT_CODE=\"0\"]\n")));
	CHECK(transcript_tail_complete(
		TEXT("S\0h\0u\0t\0t\0i\0n\0g\0 \0d\0o\0w\0n\0 \0t\0h\0e\0 \0"
		     "s\0e\0s\0s\0i\0o\0n\0.\0.\0.\0\n\0d\0o\0n\0e\0.\0\n\0")));
	CHECK(!transcript_tail_complete(TEXT("")));
	CHECK(!transcript_tail_complete(TEXT("done.\n")));
	CHECK(!transcript_tail_complete(TEXT("Shutting down the session...\ndone")));
	CHECK(!transcript_tail_complete(TEXT("Shutting down the session...\n")));
	CHECK(!transcript_tail_complete(TEXT("Shutting down the session...\ndone.\nFlink SQL> ")));
}

/* The reference with every `from` replaced by `to`. */
static struct text replaced(struct arena *arena, struct text t, struct text from, struct text to)
{
	char *out = arena_alloc(arena, t.len * (to.len + 1) + 1);
	size_t len = 0;

	while (out && t.len) {
		bool here = text_starts(t, from);
		struct text piece = here ? to : text_slice(t, 0, 1);

		if (piece.len)
			memcpy(out + len, piece.ptr, piece.len);
		len += piece.len;
		t = text_slice(t, here ? from.len : 1, t.len);
	}
	return (struct text){out, len};
}

/* As PowerShell's ">" writes ASCII. */
static struct text to_utf16(struct arena *arena, struct text t, bool big)
{
	char *out = arena_alloc(arena, 2 * t.len + 2);

	memcpy(out, big ? "\xfe\xff" : "\xff\xfe", 2);
	for (size_t i = 0; i < t.len; i++)
		out[2 + 2 * i + big] = t.ptr[i];
	return (struct text){out, 2 * t.len + 2};
}

/* As a terminal shows it and a screen copy takes it: cut at so many columns. */
static struct text wrapped_at(struct arena *arena, struct text t, size_t columns)
{
	char *out = arena_alloc(arena, t.len * 2 + 1);
	size_t len = 0, column = 0;

	for (size_t i = 0; i < t.len; i++) {
		if (column == columns && t.ptr[i] != '\n')
			out[len++] = '\n';
		column = column == columns || t.ptr[i] == '\n' ? 0 : column;
		column += t.ptr[i] != '\n';
		out[len++] = t.ptr[i];
	}
	return (struct text){out, len};
}

/* Does the reference, changed, still read as four results with the same rows? */
static bool still_reads(struct text changed, const struct reading *reference, unsigned remarks)
{
	struct reading reading;
	bool same;

	parse(&reading, changed);
	same = !reading.err && reading.transcript.count == 4 &&
	       same_rows(&table_of(&reading, 0)->table, &table_of(reference, 0)->table) &&
	       table_of(&reading, 0)->footer_rows == 15 &&
	       (reading.transcript.remarks & remarks) == remarks;
	finish(&reading);
	return same;
}

TEST(no_change_of_blanks_or_encoding_loses_a_row)
{
	struct reading ref;
	struct arena *arena = &ref.arena;
	struct text t, plain;

	parse_file(&ref, RECORDED "watermark/ref/w5.out");
	t = ref.bytes;
	plain = replaced(arena, t, TEXT("\x1b[34;1m"), TEXT(""));
	plain = replaced(arena, plain, TEXT("\x1b[0m"), TEXT(""));
	CHECK(still_reads(plain, &ref, REMARK_ANSI_STRIPPED));
	CHECK(still_reads(replaced(arena, t, TEXT("\x1b"), TEXT("")), &ref, REMARK_ANSI_STRIPPED));
	CHECK(still_reads(
		replaced(arena, t, TEXT("\x1b"), TEXT("^[")), &ref, REMARK_ANSI_STRIPPED));
	CHECK(still_reads(to_utf16(arena, t, false), &ref, REMARK_BOM | REMARK_UTF16));
	CHECK(still_reads(to_utf16(arena, t, true), &ref, REMARK_BOM | REMARK_UTF16));
	t = replaced(arena, t, TEXT("\n"), TEXT("\r\n"));
	CHECK(still_reads(t, &ref, REMARK_CRLF));
	CHECK(still_reads(to_utf16(arena, t, false), &ref, REMARK_CRLF | REMARK_UTF16));
	t = ref.bytes;
	CHECK(still_reads(replaced(arena, t, TEXT(" "), TEXT("\u00a0")), &ref, 0));
	CHECK(still_reads(replaced(arena, t, TEXT(" "), TEXT("\t")), &ref, 0));
	CHECK(still_reads(replaced(arena, t, TEXT("        "), TEXT("\t")), &ref, 0));
	CHECK(still_reads(replaced(arena, t, TEXT("  "), TEXT("")), &ref, 0));
	CHECK(still_reads(replaced(arena, t, TEXT("\n"), TEXT("\n\t")), &ref, 0));
	CHECK(still_reads(replaced(arena, t, TEXT("\n"), TEXT("\n   ")), &ref, REMARK_INDENTED));
	CHECK(still_reads(replaced(arena, t, TEXT("\n"), TEXT("  \n")), &ref, 0));
	CHECK(still_reads(wrapped_at(arena, t, 80), &ref, 0));
	t = replaced(arena, t, TEXT("  "), TEXT("\u00a0 "));
	CHECK(still_reads(t, &ref, 0));
	CHECK(still_reads(replaced(arena, t, TEXT("\u00a0 "), TEXT(" \u00a0")), &ref, 0));
	CHECK(still_reads(replaced(arena, t, TEXT("\u00a0  "), TEXT("\u00a0\u00a0 ")), &ref, 0));
	finish(&ref);
}

/* What a cell holds is no page's blank, and none is lost. */
TEST(a_cell_keeps_its_own_blanks)
{
	struct reading reading;

	parse(&reading,
		TEXT("Flink SQL> +----+------------+\n| op |          s |\n+----+------------+\n"
		     "| +I |    \u00a0x \u00a0y\u00a0 |\n"
		     "| +I | \u00a0 \u00a0 \u00a0 \u00a0 \u00a0x |\n"
		     "| +I |       x\n\ny |\n+----+------------+\n"
		     "Received a total of 3 rows (0.10 seconds)\n"));
	CHECK(count_rows(&reading) == 3);
	CHECK(cell_is(table_of(&reading, 0), 0, 0, TEXT("\u00a0x \u00a0y\u00a0")));
	CHECK(cell_is(table_of(&reading, 0), 1, 0, TEXT("\u00a0 \u00a0 \u00a0 \u00a0 \u00a0x")));
	CHECK(cell_is(table_of(&reading, 0), 2, 0, TEXT("x\n\ny")));
	finish(&reading);
}

/* A blank line behind each line, whatever ends it; a line that is missing stays so. */
TEST(lines_may_be_doubled)
{
	struct reading ref, reading;
	struct text t, cut;

	parse_file(&ref, RECORDED "watermark/ref/w5.out");
	t = replaced(&ref.arena, ref.bytes, TEXT("\n"), TEXT("\n\n"));
	CHECK(still_reads(t, &ref, 0));
	CHECK(still_reads(replaced(&ref.arena, t, TEXT("\n"), TEXT("\r\n")), &ref, REMARK_CRLF));
	CHECK(still_reads(replaced(&ref.arena, t, TEXT("\n\n"), TEXT("\n \n")), &ref, 0));
	cut = text_slice(t, 0, text_find(t, TEXT("| +I |")));
	t = text_slice(t, cut.len, t.len);
	t = text_slice(t, text_find(t, TEXT("\n\n")) + 2, t.len);
	parse(&reading, text_format(&ref.arena, "%.*s%.*s", TEXT_ARG(cut), TEXT_ARG(t)));
	CHECK(count_rows(&reading) == 14 && table_of(&reading, 0)->footer_rows == 15);
	finish(&reading);
	finish(&ref);
}

/* Only the border that is glued to the echo is wider than the terminal: nothing is lost. Without
 * its end it is no border. */
TEST(a_first_border_may_be_wrapped)
{
	const struct text end = TEXT("\n-+----------------------+-------------+\n");
	struct reading ref, reading;
	struct text t;

	parse_file(&ref, RECORDED "watermark/mistakes/w5_ansi_half_stripped/w5.out");
	for (size_t columns = 97; columns < 200; columns++) {
		parse(&reading, wrapped_at(&ref.arena, ref.bytes, columns));
		CHECK(same_rows(&table_of(&reading, 0)->table, &table_of(&ref, 0)->table));
		CHECK(table_of(&reading, 0)->framed && !table_of(&reading, 0)->wrapped);
		CHECK(table_of(&reading, 0)->closed && table_of(&reading, 0)->footer_rows == 15);
		finish(&reading);
	}
	parse_file(&reading, RECORDED "watermark/more/w5_ok_wrapped_120/w5.out");
	CHECK(table_of(&reading, 0)->framed);
	CHECK(text_ends(table_of(&reading, 0)->echo, TEXT("COUNT(*) AS cnt, SUM(reading)")));
	t = replaced(&ref.arena, reading.bytes, end, TEXT("\n"));
	CHECK(t.len < reading.bytes.len);
	finish(&reading);
	parse(&reading, t);
	CHECK(count_rows(&reading) == 15 && !table_of(&reading, 0)->framed);
	finish(&reading);
	finish(&ref);
}

/* ---- what stands before each line ---- */

/* What an editor, a mail or a page does to every line. */
struct damage {
	const char *prefix; /* a printf format for the line's number, if it takes one */
	unsigned remark;
	bool numbered;
	bool bare; /* blank lines have nothing before them, and no number */
};

static const struct damage damages[] = {
	{"> ", REMARK_PREFIX, false, false},
	{">", REMARK_PREFIX, false, false},
	{"> > ", REMARK_PREFIX, false, false},
	{"# ", REMARK_PREFIX, false, false},
	{"-- ", REMARK_PREFIX, false, false},
	{"    # ", REMARK_PREFIX, false, false},
	{"\u2502 ", REMARK_PREFIX, false, false},
	{"| ", REMARK_PREFIX, false, false},
	{"|", REMARK_PREFIX, false, false},
	{"+", REMARK_PREFIX, false, false},
	{"\t", 0, false, true},
	{"%6zu\t", REMARK_PREFIX, true, false},
	{"%zu: ", REMARK_PREFIX, true, false},
	{"%zu:", REMARK_PREFIX, true, false},
	{"%3zu ", REMARK_PREFIX, true, false},
	{"%3zu  ", REMARK_PREFIX, true, true},
	{"%4zu | ", REMARK_PREFIX, true, false},
	{"%4zu \u2502 ", REMARK_PREFIX, true, false},
	{"2026-11-30T10:00:01Z ", REMARK_PREFIX, false, false},
	{"Nov 30 10:00:%02zu lab bash[123]: ", REMARK_PREFIX, true, false},
	{"[pod/sql-client-7d9f8b6c5-x2x4z/sql-client] ", REMARK_PREFIX, false, false},
	{"sql-client-1  | 2026-11-30T10:00:01.%09zuZ ", REMARK_PREFIX, true, false},
	{"2026-11-30T10:00:01.%zuZ ", REMARK_PREFIX, true, false},
	{"7%zu.5 ", REMARK_PREFIX, true, false},
	{"\x1b[36msql-client-1  |\x1b[0m ", REMARK_PREFIX, false, false},
};

static size_t put_prefix(char *out, size_t room, const struct damage *damage, size_t number)
{
	int len;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	len = damage->numbered ? snprintf(out, room, damage->prefix, number)
			       : snprintf(out, room, "%s", damage->prefix);
#pragma GCC diagnostic pop
	return (size_t)len;
}

/* `trimmed`: blanks at a line's end are lost, as in a mail. */
static struct text damaged(
	struct arena *arena, struct text t, const struct damage *damage, bool trimmed)
{
	size_t room = t.len * 24 + 64, len = 0, number = 1;
	char *out = arena_alloc(arena, room);
	struct text line;

	while (out && text_next_line(&t, &line)) {
		size_t start = len;

		if (line.len || !damage->bare)
			len += put_prefix(out + len, room - len, damage, number++);
		if (line.len)
			memcpy(out + len, line.ptr, line.len);
		len += line.len;
		while (trimmed && len > start && out[len - 1] == ' ')
			len--;
		out[len++] = '\n';
	}
	return (struct text){out, out ? len : 0};
}

static bool same_result(const struct result *a, const struct result *b)
{
	return a->kind == b->kind && a->line == b->line && a->end == b->end &&
	       a->closed == b->closed && a->framed == b->framed &&
	       a->footer_rows == b->footer_rows && text_eq(a->text, b->text) &&
	       same_rows(&a->table, &b->table);
}

static bool is_alike(struct text changed, const struct reading *reference, unsigned remark)
{
	const struct transcript *wanted = &reference->transcript;
	struct reading reading;
	bool same;

	parse(&reading, changed);
	same = !reading.err && reading.transcript.count == wanted->count &&
	       reading.transcript.complete && (reading.transcript.remarks & remark) == remark;
	for (size_t i = 0; same && i < wanted->count; i++)
		same = same_result(&reading.transcript.results[i], &wanted->results[i]);
	finish(&reading);
	return same;
}

/* And is its end seen at once? */
static bool reads_alike(struct text changed, const struct reading *reference, unsigned remark)
{
	return is_alike(changed, reference, remark) && transcript_tail_complete(changed);
}

TEST(what_stands_before_each_line_is_no_part_of_it)
{
	for (size_t i = 0; i < REFERENCES; i++) {
		struct reading reference;
		char path[PATH_MAX];

		snprintf(path, sizeof(path), RECORDED "watermark/ref/%s.out", references[i]);
		parse_file(&reference, path);
		CHECK(reference.transcript.count > 1 && reference.transcript.remarks == 0);
		for (size_t d = 0; d < 2 * sizeof(damages) / sizeof(damages[0]); d++) {
			const struct damage *damage = &damages[d / 2];
			struct text changed =
				damaged(&reference.arena, reference.bytes, damage, d % 2);
			bool same = reads_alike(changed, &reference, damage->remark);

			if (!same)
				printf("# %s \"%s\"\n", references[i], damage->prefix);
			CHECK(same);
			changed = replaced(&reference.arena, changed, TEXT("\n"), TEXT("\r\n"));
			CHECK(reads_alike(changed, &reference, damage->remark));
		}
		finish(&reference);
	}
}

/* What grep and highlighters paint, in whatever part of a table. */
TEST(colours_are_no_part_of_a_table)
{
	static const char *const words[] = {"|", "+", "--", "+I", "09:0", "42", "total",
		"window_end", "ts", "  ", "Flink", "Received", "rows", "done.", "Shutting",
		"Command"};
	static const char *const colours[] = {
		"\x1b[01;31m\x1b[K%s\x1b[m\x1b[K", "\x1b[32m%s\x1b[0m", "\x1b[38;5;208m%s\x1b[m"};

	for (size_t i = 0; i < REFERENCES * 3; i++) {
		struct reading reference;
		char path[PATH_MAX];

		snprintf(path, sizeof(path), RECORDED "watermark/ref/%s.out", references[i / 3]);
		parse_file(&reference, path);
		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++) {
			char painted[64];
			struct text changed;
			bool same;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(painted, sizeof(painted), colours[i % 3], words[k]);
#pragma GCC diagnostic pop
			changed = replaced(&reference.arena, reference.bytes, text_of(words[k]),
				text_of(painted));
			same = is_alike(changed, &reference, 0);
			if (!same)
				printf("# %s \"%s\" %zu\n", references[i / 3], words[k], i % 3);
			CHECK(same);
		}
		finish(&reference);
	}
}

TEST(rows_alone_may_be_painted_by_grep)
{
	struct reading reading;

	parse(&reading, TEXT("| \x1b[01;31m\x1b[K+I\x1b[m\x1b[K | 5 |\n"
			     "| \x1b[01;31m\x1b[K+I\x1b[m\x1b[K | 6 |\n"));
	CHECK(count_rows(&reading) == 2 && table_of(&reading, 0)->table.column_count == 1);
	CHECK(cell_is(table_of(&reading, 0), 1, 0, TEXT("6")));
	finish(&reading);
	parse(&reading, TEXT("| +I | a\x1b[31mred |\n"));
	CHECK(cell_is(table_of(&reading, 0), 0, 0, TEXT("a\x1b[31mred")));
	finish(&reading);
}

/* Codes that the client has counted as columns are the cell's, whatever the lines of one look
 * like. */
TEST(a_cell_keeps_its_own_colours)
{
	struct reading reading;
	const struct result *result;

	parse(&reading, TEXT("Flink SQL> +----+----------------------+\n"
			     "| op |                    s |\n"
			     "+----+----------------------+\n"
			     "| +I |         \x1b[31mred\x1b[0m |\n"
			     "| +I |     x\n\x1b[2m+----+\x1b[0m |\n"
			     "| +I |      x\n\x1b[2m+---+\x1b[m\n |\n"
			     "\x1b[32m| +I |                    y |\x1b[0m\n"
			     "+----+----------------------+\n"
			     "Received a total of 4 rows (0.10 seconds)\n"));
	result = table_of(&reading, 0);
	CHECK(count_rows(&reading) == 4 && result->closed && result->footer_rows == 4);
	CHECK(cell_is(result, 0, 0, TEXT("\x1b[31mred\x1b[0m")));
	CHECK(cell_is(result, 1, 0, TEXT("x\n\x1b[2m+----+\x1b[0m")));
	CHECK(cell_is(result, 2, 0, TEXT("x\n\x1b[2m+---+\x1b[m\n")));
	CHECK(cell_is(result, 3, 0, TEXT("y")));
	finish(&reading);
}

TEST(lines_may_end_in_cr_alone)
{
	for (size_t i = 0; i < REFERENCES; i++) {
		struct reading reference;
		char path[PATH_MAX];
		struct text changed;

		snprintf(path, sizeof(path), RECORDED "watermark/ref/%s.out", references[i]);
		parse_file(&reference, path);
		changed = replaced(&reference.arena, reference.bytes, TEXT("\n"), TEXT("\r"));
		CHECK(reads_alike(changed, &reference, REMARK_CR));
		changed = text_format(&reference.arena, "%.*s\n", TEXT_ARG(changed));
		CHECK(reads_alike(changed, &reference, REMARK_CR));
		finish(&reference);
	}
}

/* Only the table is pasted, with the same before each line. */
TEST(a_table_alone_may_have_a_prefix)
{
	struct reading reading;

	parse(&reading, TEXT("# +----+---+\n# | op | n |\n# +----+---+\n# | +I | 1 |\n"
			     "# | +I | 2 |\n# +----+---+\n#\n"));
	CHECK(count_rows(&reading) == 2 && table_of(&reading, 0)->framed);
	CHECK(cell_is(table_of(&reading, 0), 1, 0, TEXT("2")));
	CHECK(reading.transcript.remarks == REMARK_PREFIX);
	finish(&reading);
	parse(&reading, TEXT("me: +----+---+\nme: | op | n |\nme: +----+---+\nme: | +I | 1 |\n"));
	CHECK(count_rows(&reading) == 1 && table_of(&reading, 0)->framed);
	finish(&reading);
	parse(&reading, TEXT("| +----+---+\n| | op | n |\n| +----+---+\n| | +I | 1 |\n"
			     "| | +I | 2 |\n| +----+---+"));
	CHECK(count_rows(&reading) == 2 && cell_is(table_of(&reading, 0), 1, 0, TEXT("2")));
	finish(&reading);
}

/* Rows that begin alike, whatever their cells look like, and numbers that are cells. */
TEST(no_cell_is_taken_for_a_prefix)
{
	static const char *const rows[] = {"| +I | Flink SQL> x | 1 |\n| +I | Flink SQL> y | 2 |\n",
		"| +I | +----+ | 1 |\n| +I | +----+ | 2 |\n",
		"| 1 | Flink SQL> |\n| 2 | Flink SQL> |\n",
		"| Shutting down the session... |\n| Shutting down the session... |\n",
		"| +I | 2026-07-06 09:00:00.000 | 1 |\n| +I | 2026-07-06 09:00:00.000 | 2 |\n"};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct text rest = text_of(rows[i]), line = {0}, cells, cell;
		struct reading reading;

		parse(&reading, rest);
		CHECK(count_rows(&reading) == 2 && reading.transcript.remarks == 0);
		text_next_line(&rest, &line);
		cells = text_slice(line, 2, line.len - 2);
		if (text_starts(cells, TEXT("+I | ")))
			cells = text_slice(cells, 5, cells.len);
		cell = text_slice(cells, 0, text_find(cells, TEXT(" | ")));
		CHECK(cell_is(table_of(&reading, 0), 0, 0, cell));
		finish(&reading);
	}
}

/* A script may hold a transcript as its comment: the echo has it line by line. */
TEST(an_echo_of_a_transcript_is_no_transcript)
{
	struct reading reading;

	parse(&reading, TEXT("Flink SQL> -- as before:\n> -- Flink SQL> +----+---+\n"
			     "> -- | op | n |\n> -- +----+---+\n> SELECT (1)+----+---+\n"
			     "| op | n |\n+----+---+\n| +I | 1 |\n+----+---+\n"
			     "Received a total of 1 row (0.10 seconds)\n"));
	CHECK(reading.transcript.count == 1 && count_rows(&reading) == 1);
	CHECK(reading.transcript.remarks == 0);
	CHECK(text_ends(table_of(&reading, 0)->echo, TEXT("-- +----+---+\nSELECT (1)")));
	finish(&reading);
}

/* ---- what may come in ---- */

TEST(a_file_cut_anywhere_has_no_more_rows_than_the_whole)
{
	for (size_t i = 0; i < REFERENCES; i++) {
		struct reading whole, cut;
		char path[PATH_MAX];
		size_t rows = 0, step = 1;

		snprintf(path, sizeof(path), RECORDED "watermark/ref/%s.out", references[i]);
		parse_file(&whole, path);
		CHECK(whole.err == 0 && whole.transcript.complete);
		step = whole.bytes.len > 6000 ? 7 : 1;
		for (size_t len = 0; len < whole.bytes.len - 7; len += step) {
			parse(&cut, text_slice(whole.bytes, 0, len));
			CHECK(cut.err == 0 && !cut.transcript.complete);
			CHECK(count_rows(&cut) >= rows && count_rows(&cut) <= count_rows(&whole));
			rows = count_rows(&cut);
			finish(&cut);
		}
		CHECK(rows == count_rows(&whole));
		finish(&whole);
	}
}

static struct text filled(struct arena *arena, size_t size, struct text unit)
{
	char *bytes = arena_alloc(arena, size + unit.len);

	if (!bytes)
		return (struct text){NULL, 0};
	memcpy(bytes, unit.ptr, unit.len);
	for (size_t len = unit.len; len < size; len *= 2)
		memcpy(bytes + len, bytes, len < size - len ? len : size - len);
	return (struct text){bytes, size};
}

/* Reads `size` bytes that begin with `head` and go on with repeated `unit`. */
static int parse_headed(struct text head, struct text unit, size_t size, clock_t *ret)
{
	struct arena arena;
	struct reading reading;
	struct text bytes;
	clock_t start;
	int err;

	arena_init(&arena, 2 * size + 64);
	bytes = filled(&arena, size, unit);
	memcpy((char *)bytes.ptr, head.ptr, head.len);
	start = clock();
	parse(&reading, bytes);
	*ret = clock() - start;
	err = reading.err;
	CHECK(err == 0 || reading.diag.text[0]);
	finish(&reading);
	arena_finish(&arena);
	return err;
}

static int parse_filled(struct text unit, size_t size)
{
	clock_t time;

	return parse_headed(TEXT(""), unit, size, &time);
}

/* Does four times the size take less than six times as long? A time of a few milliseconds says
 * nothing, and other work of the machine's adds to one: it is asked again. */
static bool is_in_proportion(struct text head, struct text unit, size_t size)
{
	clock_t one = 0, four = 0;

	for (int round = 0; round < 4; round++) {
		parse_headed(head, unit, size, &one);
		parse_headed(head, unit, 4 * size, &four);
		if (four < 6 * one || four < CLOCKS_PER_SEC / 100)
			return true;
	}
	printf("# %.*s: %ld, %ld\n", TEXT_ARG(unit), (long)one, (long)four);
	return false;
}

#define HEAD "+---+---+\n| a | b |\n+---+---+\n"

/* What is in proportion to the bytes takes four times as long for four times as many; what is
 * quadratic, sixteen times. */
TEST(time_is_in_proportion_to_the_bytes)
{
	static const struct {
		const char *head, *unit;
	} worst[] = {{"", "x"}, {"", "["}, {"", "|"}, {"", "+"}, {"", "-"}, {"", "\n"}, {"", "\r"},
		{"", "\t"}, {"", "+-"}, {"", "+---"}, {"", "+---+\n"}, {"", "+---+---+---+---+\n"},
		{"", "[INFO] "}, {"", "\x1b["}, {"", "\x1b[1m[INFO] "}, {"", "Empty set"},
		{"", "> "}, {"", "> +---+\n"}, {"", "Flink SQL> "}, {"", "| a | b | c | d |\n"},
		{"", "+-------+\n| a\n"}, {"", "7: xxxxxxxxx\n"}, {HEAD, "|xxxxxxxx\n"},
		{HEAD, "| | | |\n"}, {HEAD, "|"}, {HEAD, "xxxxxxxxx\n"}, {HEAD, "| 1 | 2 |\n"}};
	const size_t size = 1u << 20;

	for (size_t i = 0; i < sizeof(worst) / sizeof(worst[0]); i++)
		CHECK(is_in_proportion(text_of(worst[i].head), text_of(worst[i].unit), size));
}

TEST(long_lines_are_no_error)
{
	static const char *const units[] = {"x", "[", "+-", "+---", "-+", " ", "[INFO] ", "\x1b[",
		"Empty set", "Flink SQL> ", "+---+---", "0", "\xe6\x97\xa5", "\xff", "E",
		"+---+\n| a |\n", "-+\n|\n"};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		CHECK(parse_filled(text_of(units[i]), 1u << 20) == 0);
}

TEST(limits_are_told)
{
	struct reading reading;

	CHECK(parse_filled(TEXT("x"), LIMIT_OUT_BYTES + 1) == -E2BIG);
	CHECK(parse_filled(TEXT("\n"), LIMIT_OUT_LINES + 1) == -E2BIG);
	CHECK(parse_filled(TEXT("\n"), LIMIT_OUT_LINES) == 0);
	CHECK(parse_filled(TEXT("\r"), LIMIT_OUT_LINES + 1) == -E2BIG);
	CHECK(parse_filled(TEXT("Empty set\n"), 10 * (LIMIT_OUT_RESULTS + 1)) == -E2BIG);
	CHECK(parse_filled(TEXT("| "), 4 * LIMIT_COLUMNS) == -E2BIG);
	CHECK(parse_filled(TEXT("+---"), 8 * LIMIT_COLUMNS) == 0);
	parse(&reading, TEXT("| a |\n"));
	CHECK(reading.err == 0 && count_rows(&reading) == 1);
	finish(&reading);
}

TEST(rubbish_is_told_from_text)
{
	struct reading reading;

	CHECK(parse_filled(TEXT("\0"), 100) == -EINVAL);
	CHECK(parse_filled(TEXT("\x7f"
				"ELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0"),
		      4000) == -EINVAL);
	CHECK(parse_filled(TEXT("x"), 100) == 0);
	parse(&reading, TEXT(""));
	CHECK(reading.err == 0 && reading.transcript.count == 0 && !reading.transcript.client);
	finish(&reading);
}

/* Recorded bytes with a few of them changed: nothing may be read beyond its end, which the address
 * sanitizer sees since each text is a block of its own. */
TEST(changed_bytes_do_no_harm)
{
	static const char *const files[] = {"format/border_like_stream",
		"format/pipe_newline_batch", "format/stmt_show", "format/wide_chars_cut_batch",
		"format/width_3_stream", "watermark/mistakes/w5_interactive_narrow/w5",
		"watermark/mistakes/w5_nbsp_paste/w5"};
	static const char bytes[] = "+-|\n\r \x1b[m0>\xe3\x81\0I.";
	uint32_t state = 1;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct reading whole;
		char path[PATH_MAX];

		snprintf(path, sizeof(path), RECORDED "%s.out", files[i]);
		parse_file(&whole, path);
		CHECK(whole.bytes.len > 0);
		for (int round = 0; round < 200; round++) {
			struct reading changed;
			char *copy = malloc(whole.bytes.len);

			if (!copy)
				break;
			memcpy(copy, whole.bytes.ptr, whole.bytes.len);
			for (int n = 0; n < 8; n++) {
				state = state * 1664525u + 1013904223u;
				copy[state / 16 % whole.bytes.len] =
					bytes[state % (sizeof(bytes) - 1)];
			}
			parse(&changed, (struct text){copy, whole.bytes.len - state % 16});
			CHECK(changed.err == 0 || changed.err == -EINVAL);
			finish(&changed);
			free(copy);
		}
		finish(&whole);
	}
}

/* A changelog has a value beside its op: what looks like one without is a table of one column. */
TEST(ops_alone_are_values)
{
	struct reading reading;
	const struct result *result;

	parse(&reading, TEXT("+----+\n| op |\n+----+\n| +I |\n| -U |\n+----+\nReceived a total of "
			     "2 rows\n"));
	result = table_of(&reading, 0);
	CHECK(result->table.column_count == 1 && result->table.row_count == 2);
	CHECK(text_eq(result->table.rows[1].cells[0].s, TEXT("-U")));
	finish(&reading);
}

/* Control bytes before a row are no indentation: there is a table in it or not, and the file goes
 * on. */
TEST(a_row_behind_control_bytes_is_left_behind)
{
	static const char *const before[] = {"\x01", "\x1b", "\f", " \x02 "};

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		struct reading reading;
		char text[128];

		snprintf(text, sizeof(text), "Flink SQL> \n%s| +I | 1 |\nFlink SQL> \n| +I | 2 |\n",
			before[i]);
		parse(&reading, text_of(text));
		CHECK(reading.err == 0 && reading.transcript.count <= 2);
		CHECK(count_rows(&reading) >= 1);
		finish(&reading);
	}
}

int main(void)
{
	RUN(every_recorded_table_is_read_whole);
	RUN(tables_and_errors_are_those_of_the_notes);
	RUN(a_changed_file_reads_as_what_it_was);
	RUN(no_change_of_blanks_or_encoding_loses_a_row);
	RUN(what_stands_before_each_line_is_no_part_of_it);
	RUN(lines_may_end_in_cr_alone);
	RUN(colours_are_no_part_of_a_table);
	RUN(rows_alone_may_be_painted_by_grep);
	RUN(a_cell_keeps_its_own_colours);
	RUN(a_cell_keeps_its_own_blanks);
	RUN(lines_may_be_doubled);
	RUN(a_first_border_may_be_wrapped);
	RUN(a_table_alone_may_have_a_prefix);
	RUN(no_cell_is_taken_for_a_prefix);
	RUN(an_echo_of_a_transcript_is_no_transcript);
	RUN(cells_are_cut_by_width_whatever_they_hold);
	RUN(a_header_may_be_wider_than_its_border);
	RUN(a_row_may_be_shorter_than_its_border);
	RUN(null_is_no_text);
	RUN(cells_that_may_be_cut_are_told);
	RUN(names_that_may_be_cut_are_told);
	RUN(a_lost_border_loses_no_row);
	RUN(a_lost_header_loses_no_row);
	RUN(an_unfinished_row_is_none);
	RUN(lines_between_rows_do_not_end_a_table);
	RUN(bars_in_a_cell_do_not_end_an_unfinished_row);
	RUN(a_table_has_the_kind_that_its_footer_says);
	RUN(a_hand_made_table_is_told);
	RUN(an_echo_is_the_sql_without_prompts);
	RUN(errors_begin_with_their_class);
	RUN(an_insert_is_one_job);
	RUN(an_interrupted_run_is_told_from_a_complete_one);
	RUN(the_closing_lines_are_seen_from_the_tail);
	RUN(a_file_cut_anywhere_has_no_more_rows_than_the_whole);
	RUN(time_is_in_proportion_to_the_bytes);
	RUN(long_lines_are_no_error);
	RUN(limits_are_told);
	RUN(rubbish_is_told_from_text);
	RUN(changed_bytes_do_no_harm);
	RUN(ops_alone_are_values);
	RUN(a_row_behind_control_bytes_is_left_behind);
	return test_finish();
}
