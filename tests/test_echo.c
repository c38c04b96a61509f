/* sim/echo.c: statements, messages and the frame as recorded outputs show them. Whole files are
 * compared in tests/test_sim_run.sh, as far as their statements are simulated. */
#include "sim/echo.h"

#include <glob.h>

#include "parser/arena.h"
#include "parser/sql.h"
#include "sim/zero_width.h"
#include "tests/test.h"

struct buffer {
	char text[1 << 16];
	size_t len;
};

static int keep(void *ctx, const char *bytes, size_t size)
{
	struct buffer *buffer = ctx;

	memcpy(buffer->text + buffer->len, bytes, size);
	buffer->len += size;
	return 0;
}

static bool echoes(struct text source, struct text expected)
{
	struct buffer buffer = {0};
	struct writer out = {.write = keep, .ctx = &buffer};

	echo_statement(&out, source);
	return !out.err && text_eq((struct text){buffer.text, buffer.len}, expected);
}

/* Is this the beginning (or the end) of the recorded output? */
static bool begins(struct buffer *printed, const char *recorded, bool at_end)
{
	static char bytes[1 << 16];
	struct text whole = {bytes, 0}, part = {printed->text, printed->len};
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "tests/recorded/%s.out", recorded);
	file = fopen(path, "r");
	if (!file)
		return false;
	whole.len = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	return at_end ? text_ends(whole, part) : text_starts(whole, part);
}

TEST(the_echo_ends_with_the_last_closer)
{
	/* recorded: format/stmt_no_bracket, watermark/ref/late */
	CHECK(echoes(TEXT("SET 'a' = 'b'"), TEXT("Flink SQL> ")));
	CHECK(echoes(TEXT("\nSELECT f(a)\nFROM t WHERE g[1] = 2\n"),
		TEXT("Flink SQL> \n> SELECT f(a)\n> FROM t WHERE g[1]")));
	CHECK(echoes(TEXT("SELECT '}' AS a"), TEXT("Flink SQL> SELECT '}")));
	CHECK(echoes(TEXT("\n\nDESCRIBE t"), TEXT("Flink SQL> ")));
}

TEST(a_tab_rings_before_its_segment_and_is_gone)
{
	/* recorded: format/stmt_tabs */
	CHECK(echoes(TEXT("SELECT\t1\tAS a,\n\t(2)\tAS b"),
		TEXT("Flink SQL> \a\a\aSELECT1AS a,\n> (2)\a")));
	CHECK(echoes(TEXT("A\tB(c)\tD(e)\tF"), TEXT("Flink SQL> \aAB(c)\aD(e)\a")));
}

TEST(cr_and_zero_width_characters_are_left_out)
{
	/* recorded: format/stmt_crlf, format/wide_chars_stream */
	CHECK(echoes(TEXT("a(\r\nb)"), TEXT("Flink SQL> a(\n> b)")));
	CHECK(echoes(TEXT("('e\xcc\x81', '\xe2\x80\x8bzw', '\xe2\x80\x8d')"),
		TEXT("Flink SQL> ('e', 'zw', '')")));
	CHECK(echoes(TEXT("('\xff')"), TEXT("Flink SQL> ('\xef\xbf\xbd')")));
	/* recorded: more_sim/echo_zero_width */
	CHECK(zero_width(0x301) && zero_width(0xfffb) && !zero_width(0x2ff) && !zero_width('a'));
	CHECK(!zero_width(0xe007f) && !zero_width(0x180e) && !zero_width(0x3042));
}

TEST(the_frame_is_the_clients)
{
	struct buffer buffer = {0};
	struct writer out = {.write = keep, .ctx = &buffer};

	echo_begin(&out, TEXT("/root/.flink-sql-history"));
	echo_end(&out, TEXT(""));
	CHECK(begins(&buffer, "format/stmt_empty_file", false));
	buffer.len = 0;
	echo_begin(&out, TEXT("/root/.flink-sql-history"));
	echo_statement(&out, TEXT("SET 'a' = 'b'"));
	echo_info(&out, TEXT("Execute statement succeeded."));
	echo_gap(&out);
	echo_end(&out, TEXT("\nSELECT 'abc AS a;\nSELECT 2 AS b;"));
	CHECK(begins(&buffer, "format/stmt_unclosed_string", false));
	buffer.len = 0;
	echo_gap(&out);
	echo_end(&out, TEXT(""));
	CHECK(begins(&buffer, "watermark/ref/w5", true));
}

TEST(errors_end_without_a_prompt)
{
	struct buffer buffer = {0};
	struct writer out = {.write = keep, .ctx = &buffer};

	echo_error(&out, TEXT("java.lang.NumberFormatException: For input string: \"xx\""));
	echo_gap(&out);
	echo_abort(&out);
	CHECK(begins(&buffer, "format/err_bad_row_middle_stream", true));
}

static struct text read_whole(struct arena *arena, const char *path)
{
	size_t room = 1 << 20;
	char *bytes = arena_alloc(arena, room);
	struct text whole = {bytes, 0};
	FILE *file = fopen(path, "r");

	if (file) {
		whole.len = fread(bytes, 1, room, file);
		fclose(file);
	}
	return whole;
}

/* Does each statement's echo stand in the output where the result before it ends? */
static bool echo_stands(struct text out, const struct sql_script *script)
{
	struct text prompt = TEXT("\nFlink SQL> ");

	for (size_t i = 0; i < script->count; i++) {
		static struct buffer buffer;
		struct writer writer = {.write = keep, .ctx = &buffer};
		size_t next = text_find(out, prompt);

		if (next == out.len)
			return i > 0 && (text_find(out, TEXT("[ERROR]")) < out.len ||
						text_find(out, TEXT("Exiting")) < out.len);
		out = text_slice(out, next + 1, out.len);
		buffer.len = 0;
		echo_statement(&writer, script->pieces[i].source);
		if (!text_starts(out, (struct text){buffer.text, buffer.len}))
			return false;
		/* what comes next is a result: no more of the statement */
		out = text_slice(out, buffer.len, out.len);
		if (out.len && !memchr("\x1b+E\nT", out.ptr[0], 5))
			return false;
	}
	return true;
}

static void check_echoes(const char *pattern, size_t at_least)
{
	glob_t found;

	CHECK(glob(pattern, 0, NULL, &found) == 0 && found.gl_pathc >= at_least);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct sql_script script = {0};
		struct arena arena;
		struct text out;
		char path[256];

		arena_init(&arena, 16 << 20);
		snprintf(path, sizeof(path), "%.*s.out", (int)strlen(found.gl_pathv[i]) - 4,
			found.gl_pathv[i]);
		out = read_whole(&arena, path);
		CHECK(sql_split(&arena, read_whole(&arena, found.gl_pathv[i]), &script, NULL) == 0);
		if (!echo_stands(out, &script)) {
			printf("# %s\n", path);
			CHECK(out.len == SIZE_MAX);
		}
		arena_finish(&arena);
	}
	globfree(&found);
}

TEST(every_recorded_statement_has_its_echo)
{
	check_echoes("tests/recorded/watermark/ref/*.sql", 7);
	check_echoes("tests/recorded/window/ref/*.sql", 7);
	check_echoes("tests/recorded/format/stmt_*.sql", 30);
	check_echoes("tests/recorded/format/wide_*.sql", 4);
	check_echoes("tests/recorded/semantics/*.sql", 30);
}

int main(void)
{
	RUN(the_echo_ends_with_the_last_closer);
	RUN(a_tab_rings_before_its_segment_and_is_gone);
	RUN(cr_and_zero_width_characters_are_left_out);
	RUN(the_frame_is_the_clients);
	RUN(errors_end_without_a_prompt);
	RUN(every_recorded_statement_has_its_echo);
	return test_finish();
}
