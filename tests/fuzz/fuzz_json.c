/* Any bytes as JSON. What is read is written and read again as the same. */
#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/json.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY (64u << 20)

void fuzz(struct text input)
{
	char *bytes = fuzz_copy(input);
	struct json tree, again;
	struct diag diag = {0};
	struct text printed, reprinted;
	struct arena arena;
	int err;

	arena_init(&arena, MEMORY);
	err = json_parse(&arena, (struct text){bytes, input.len}, &tree, &diag);
	if (err < 0) {
		MUST(err == -EINVAL || err == -ENOMEM);
		MUST(diag.text[0] && utf8_valid(text_of(diag.text)));
		MUST(err == -ENOMEM || (diag.line > 0 && diag.col > 0));
	} else {
		MUST(json_print(&arena, &tree, bytes[0] & 1, &printed) == 0);
		MUST(json_parse(&arena, printed, &again, &diag) == 0);
		MUST(json_print(&arena, &again, bytes[0] & 1, &reprinted) == 0);
		MUST(text_eq(printed, reprinted));
	}
	arena_finish(&arena);
	free(bytes);
}
