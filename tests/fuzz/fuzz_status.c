/* Any bytes as the prompt's file and as status.json. What is read is written and read again as
 * the same, and what a shell gets of it holds no character that means something to a shell, a
 * prompt or a terminal. */
#include <errno.h>

#include "daemon/status.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY (64u << 20)

static void check_error(int err, const struct diag *diag)
{
	MUST(err == -EINVAL || err == -ENOMEM);
	MUST(diag->text[0] && utf8_valid(text_of(diag->text)));
}

static void check_plain(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		MUST(t.ptr[i] >= ' ' && t.ptr[i] < 0x7f &&
			!strchr("$`\\!\"'%#&|;<>()*[]{}~^", t.ptr[i]));
}

static void read_lines(struct arena *arena, struct text bytes)
{
	struct status_lines lines;
	struct diag diag = {0};
	int err = status_unpack(arena, bytes, &lines, &diag);

	if (err < 0) {
		check_error(err, &diag);
		return;
	}
	for (size_t i = 0; i < lines.lab_count; i++) {
		check_plain(lines.labs[i].name);
		check_plain(lines.labs[i].mark);
		check_plain(lines.labs[i].files);
		check_plain(lines.labs[i].folder);
	}
}

static void read_json(struct arena *arena, struct text bytes)
{
	struct text printed, reprinted, packed;
	struct status status, again;
	struct status_lines lines;
	struct diag diag = {0};
	int err = status_unpack_json(arena, bytes, &status, &diag);

	if (err < 0) {
		check_error(err, &diag);
		return;
	}
	MUST(status_pack_json(arena, &status, &printed, &diag) == 0);
	MUST(status_unpack_json(arena, printed, &again, &diag) == 0);
	MUST(status_pack_json(arena, &again, &reprinted, &diag) == 0);
	MUST(text_eq(printed, reprinted));
	MUST(status_pack(arena, &status, &packed, &diag) == 0);
	MUST(status_unpack(arena, packed, &lines, &diag) == 0);
	MUST(lines.lab_count == status.lab_count);
}

void fuzz(struct text input)
{
	char *bytes = fuzz_copy(input);
	struct arena arena;

	arena_init(&arena, MEMORY);
	read_lines(&arena, (struct text){bytes, input.len});
	read_json(&arena, (struct text){bytes, input.len});
	arena_finish(&arena);
	free(bytes);
}
