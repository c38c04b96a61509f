/* sim/normalize.c: what is masked, and that nothing else is. */
#include "sim/normalize.h"

#include "tests/test.h"

struct buffer {
	char text[256];
	size_t len;
};

static int keep(void *ctx, const char *bytes, size_t size)
{
	struct buffer *buffer = ctx;

	memcpy(buffer->text + buffer->len, bytes, size);
	buffer->len += size;
	return 0;
}

static bool becomes(const char *line, const char *expected)
{
	struct buffer buffer = {0};
	struct writer out = {.write = keep, .ctx = &buffer};

	normalize_line(&out, text_of(line));
	return text_eq((struct text){buffer.text, buffer.len}, text_of(expected));
}

static bool stays(const char *line)
{
	return becomes(line, line);
}

TEST(the_time_cost_is_masked_with_its_separator)
{
	CHECK(becomes("Received a total of 1 row (0.39 seconds)\n",
		"Received a total of 1 row (S.SS seconds)\n"));
	CHECK(becomes("15 rows in set (12.05 seconds)", "15 rows in set (S.SS seconds)"));
	CHECK(becomes("1 row in set (0.05 seconds)\n", "1 row in set (S.SS seconds)\n"));
	CHECK(becomes(
		"> FROM f(a)Empty set (0,39 seconds)\n", "> FROM f(a)Empty set (S,SS seconds)\n"));
}

TEST(a_job_and_the_history_are_masked)
{
	CHECK(becomes("Job ID: d1e784eac9e6cee492c61ea38516cb6c\n", "Job ID: JOB\n"));
	CHECK(becomes("Command history file path: /root/.flink-sql-history\n",
		"Command history file path: PATH\n"));
}

TEST(all_else_stays)
{
	CHECK(stays(""));
	CHECK(stays("\n"));
	CHECK(stays("| +I |    1 row (0.39 seconds) |\n"));
	CHECK(stays("1 row (0.3 seconds)\n"));
	CHECK(stays("1 row (.39 seconds)\n"));
	CHECK(stays("1 row 0.39 seconds)\n"));
	CHECK(stays("it took (0.39 seconds)\n"));
	CHECK(stays(".39 seconds)\n"));
	CHECK(stays("Job ID: d1e784eac9e6cee492c61ea38516cb6\n"));
	CHECK(stays("Job ID: D1E784EAC9E6CEE492C61EA38516CB6C\n"));
	CHECK(stays("> Job ID: d1e784eac9e6cee492c61ea38516cb6c\n"));
	CHECK(stays(" Command history file path: /root\n"));
}

int main(void)
{
	RUN(the_time_cost_is_masked_with_its_separator);
	RUN(a_job_and_the_history_are_masked);
	RUN(all_else_stays);
	return test_finish();
}
