/* Any bytes as what the SQL client printed. */
#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/limits.h"
#include "parser/transcript.h"
#include "parser/transcript_lines.h"
#include "tests/fuzz/fuzz.h"

/* Compiled once, as the daemon does. */
static const struct line_patterns *patterns(void)
{
	static struct arena arena;
	static struct line_patterns *compiled;

	if (!compiled) {
		arena_init(&arena, LIMIT_GRADE_ARENA);
		MUST(line_patterns_new(&arena, NULL, &compiled, NULL) == 0);
	}
	return compiled;
}

static void must_be_table(const struct result *result)
{
	const struct table *table = &result->table;

	MUST(table->column_count > 0 || table->row_count == 0);
	for (size_t row = 0; row < table->row_count; row++)
		for (size_t i = 0; i < table->column_count; i++)
			MUST(table->rows[row].cells[i].null || table->rows[row].cells[i].s.ptr ||
				!table->rows[row].cells[i].s.len);
}

static void must_be_results(const struct transcript *transcript)
{
	int line = 0;

	for (size_t i = 0; i < transcript->count; i++) {
		const struct result *result = &transcript->results[i];

		MUST(result->line >= line);
		line = result->line;
		MUST(result->footer_rows >= -1);
		if (result->kind == RESULT_TABLE)
			must_be_table(result);
	}
}

void fuzz(struct text input)
{
	struct transcript transcript = {0};
	struct diag diag = {0};
	struct arena arena;
	char *bytes = fuzz_copy(input);
	struct text text = {bytes, input.len};
	int err;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	err = transcript_parse(&arena, patterns(), text, &transcript, &diag);
	MUST(err == 0 || err == -EINVAL || err == -E2BIG || err == -ENOMEM);
	MUST(err == 0 || (diag.text[0] && utf8_valid(text_of(diag.text))));
	if (err == 0)
		must_be_results(&transcript);
	transcript_tail_complete(
		text_slice(text, input.len > 4096 ? input.len - 4096 : 0, input.len));
	arena_finish(&arena);
	free(bytes);
}
