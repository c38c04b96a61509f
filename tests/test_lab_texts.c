/* The texts of the labs that ship: each is there in every language that sentences are there in. A
 * lab in English alone, as an example may be, is none of it. */
#include <glob.h>
#include <stdio.h>

#include "daemon/grade/lab.h"
#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/test.h"

static const struct text languages[] = {
#define X(name) {name, sizeof(name) - 1},
	LANGUAGE_LIST(X)
#undef X
};
#define LANGUAGES (sizeof(languages) / sizeof(languages[0]))

struct missing {
	const char *path;
	size_t texts, missing;
	bool english_alone;
};

static bool has(const struct lab_texts *texts, struct text language)
{
	for (size_t i = 0; i < texts->count; i++)
		if (text_eq(texts->items[i].language, language) && texts->items[i].text.len)
			return true;
	return false;
}

static void see(void *ctx, const struct lab_texts *texts)
{
	struct missing *missing = ctx;

	missing->texts++;
	for (size_t i = 0; i < LANGUAGES; i++) {
		if (has(texts, languages[i]) || (missing->english_alone && i > 0))
			continue;
		missing->missing++;
		if (missing->path)
			printf("# %s:%d: no %s\n", missing->path, texts->line, languages[i].ptr);
	}
}

static void look(struct arena *arena, struct text json, struct missing *missing)
{
	struct lab lab;
	struct diag diag;

	if (lab_parse(arena, json, &lab, &diag) < 0)
		return;
	missing->english_alone = lab.language_count == 1;
	lab_texts_each(&lab, see, missing);
}

static struct text slurp(struct arena *arena, const char *path)
{
	FILE *file = fopen(path, "r");
	size_t room = 1 << 20;
	char *bytes = arena_alloc(arena, room);
	size_t len = file && bytes ? fread(bytes, 1, room, file) : 0;

	if (file)
		fclose(file);
	return (struct text){bytes, len};
}

TEST(every_text_in_every_language)
{
	struct arena arena;
	glob_t paths;
	int translated = 0;

	CHECK(glob("contrib/labs/*/lab.json", 0, NULL, &paths) == 0);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		struct missing missing = {.path = paths.gl_pathv[i]};

		arena_init(&arena, 16 << 20);
		look(&arena, slurp(&arena, paths.gl_pathv[i]), &missing);
		CHECK(missing.texts > 0 && missing.missing == 0);
		translated += !missing.english_alone;
		arena_finish(&arena);
	}
	CHECK(translated >= 2);
	globfree(&paths);
}

/* That this is found: one hint of the first lab loses its Korean. */
TEST(a_text_that_is_missing_is_found)
{
	struct arena arena;
	struct missing missing = {0};
	struct text json, rest;
	size_t hints, korean;

	arena_init(&arena, 16 << 20);
	json = slurp(&arena, "contrib/labs/watermark/lab.json");
	hints = text_find(json, TEXT("\"hints\""));
	rest = text_slice(json, hints, json.len);
	korean = hints + text_find(rest, TEXT("\"ko\""));
	CHECK(korean < json.len);
	memcpy((char *)json.ptr + korean, "\"xx\"", 4);
	look(&arena, json, &missing);
	CHECK(missing.texts > 0 && missing.missing == 1);
	arena_finish(&arena);
}

int main(void)
{
	RUN(every_text_in_every_language);
	RUN(a_text_that_is_missing_is_found);
	return test_finish();
}
