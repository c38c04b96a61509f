/* parser/json.c: what cJSON lets pass is refused, with its place; what is written reads back. */
#include "parser/json.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/test.h"

struct fixture {
	struct arena arena;
	struct diag diag;
	struct json json;
};

static int parse(struct fixture *f, struct text source)
{
	*f = (struct fixture){0};
	arena_init(&f->arena, 16 << 20);
	return json_parse(&f->arena, source, &f->json, &f->diag);
}

static bool refused_at(struct text source, int line, int col)
{
	struct fixture f;
	bool as_expected = parse(&f, source) == -EINVAL && f.diag.line == line && f.diag.col == col;

	if (!as_expected)
		printf("# '%.*s': %d:%d %s\n", TEXT_ARG(source), f.diag.line, f.diag.col,
			f.diag.text);
	arena_finish(&f.arena);
	return as_expected;
}

static bool accepted(struct text source)
{
	struct fixture f;
	bool ok = parse(&f, source) == 0;

	arena_finish(&f.arena);
	return ok;
}

/* Each of these passes cJSON 1.7.15 unseen. */
TEST(library_leniency_is_refused)
{
	CHECK(refused_at(TEXT("{\"a\":1} trailing"), 1, 9));
	CHECK(refused_at(TEXT("[01]"), 1, 2));
	CHECK(refused_at(TEXT("[1.]"), 1, 2));
	CHECK(refused_at(TEXT("[\"a\nb\"]"), 1, 4));
	CHECK(refused_at(TEXT("\xef\xbb\xbf[1]"), 1, 1));
	CHECK(refused_at(TEXT("[1e999]"), 1, 2));
	CHECK(refused_at(TEXT("[\"a\\u0000b\"]"), 1, 10));
	CHECK(refused_at(TEXT("{\"a\":1,\n \"a\":2}"), 2, 6));
	CHECK(refused_at(TEXT("[\"\xff\"]"), 1, 1));
	CHECK(refused_at(TEXT("[1]\0"), 1, 4));
}

static bool ends_early(struct text source, int line, int col)
{
	struct fixture f;
	bool said = refused_at(source, line, col) && parse(&f, source) < 0 &&
		    strcmp(f.diag.text, "it ends too early") == 0;

	arena_finish(&f.arena);
	return said;
}

/* The place is where the text ends, not the empty line behind its last newline. */
TEST(a_text_that_just_ends_is_told_as_such)
{
	CHECK(ends_early(TEXT("{\n"), 1, 2));
	CHECK(ends_early(TEXT("{\n  \"a\": 1\n\n"), 2, 9));
	CHECK(ends_early(TEXT("{\"a\": 1,"), 1, 9));
	CHECK(ends_early(TEXT("{\"a\""), 1, 5));
	CHECK(ends_early(TEXT("\n"), 1, 1));
	CHECK(!ends_early(TEXT("{\"a\" 1}"), 1, 6));
	CHECK(refused_at(TEXT("{\n\"a\": 1,\n}\n"), 3, 2));
	CHECK(!ends_early(TEXT("{\n\"a\": 1,\n}\n"), 3, 2));
}

static bool has_repeat(const struct json_repeats *repeats, int line, int col)
{
	for (size_t i = 0; i < repeats->count; i++)
		if (repeats->items[i].line == line && repeats->items[i].col == col)
			return true;
	return false;
}

TEST(of_a_key_that_repeats_the_first_is_kept)
{
	struct fixture f = {0};
	struct json_repeats repeats;
	const struct json *inner;
	int64_t number = 0;

	arena_init(&f.arena, 16 << 20);
	CHECK(json_parse_first(&f.arena,
		      TEXT("{\"a\": 1, \"b\": {\"c\": 2, \"c\": 3, \"d\": 4},\n\"a\": 5, \"a\": 6, "
			   "\"e\": 7}"),
		      &f.json, &repeats, &f.diag) == 0);
	CHECK(repeats.count == 3 && has_repeat(&repeats, 1, 29) && has_repeat(&repeats, 2, 6) &&
		has_repeat(&repeats, 2, 14));
	CHECK(f.json.count == 3 && json_integer(f.json.items[0], &number) == 0 && number == 1);
	CHECK(json_integer(f.json.items[2], &number) == 0 && number == 7);
	inner = json_get(&f.json, TEXT("b"));
	CHECK(inner && inner->count == 2 && json_integer(inner->items[0], &number) == 0 &&
		number == 2);
	arena_finish(&f.arena);
	CHECK(refused_at(
		TEXT("{\"a\": 1, \"b\": {\"c\": 2},\n\"a\": {\"c\": 1, \"c\": 2}}"), 2, 6));
}

TEST(what_is_no_json_is_refused)
{
	CHECK(refused_at(TEXT("[+1]"), 1, 2));
	CHECK(refused_at(TEXT("[NaN]"), 1, 2));
	CHECK(refused_at(TEXT("{'a':1}"), 1, 2));
	CHECK(!accepted(TEXT("[1,]")));
	CHECK(!accepted(TEXT("")));
	CHECK(!accepted(TEXT("{\"a\":1 // no\n}")));
	CHECK(!accepted(TEXT("{} {}")));
	CHECK(!accepted(TEXT("{\"a\" 1}")));
	CHECK(!accepted(TEXT("[\"\\q\"]")));
}

TEST(nesting_is_bounded)
{
	char deep[2 * LIMIT_NESTING + 2];

	memset(deep, '[', LIMIT_NESTING + 1);
	memset(deep + LIMIT_NESTING + 1, ']', LIMIT_NESTING + 1);
	CHECK(!accepted((struct text){deep, sizeof(deep)}));
	CHECK(accepted((struct text){deep + 1, sizeof(deep) - 2}));
}

TEST(integers_keep_their_digits_and_values_their_place)
{
	struct fixture f;
	const struct json *n;
	int64_t i = 0;

	CHECK(parse(&f, TEXT("{\n \"n\": 9007199254740993,\n \"f\": 1.0, \"k\\u0065y\": "
			     "[true]\n}\n")) == 0);
	n = json_get(&f.json, TEXT("n"));
	CHECK(n && json_integer(n, &i) == 0 && i == 9007199254740993);
	CHECK(n && n->line == 2 && n->col == 7);
	n = json_get(&f.json, TEXT("f"));
	CHECK(n && json_integer(n, &i) == -EINVAL);
	n = json_get(&f.json, TEXT("key"));
	CHECK(n && n->kind == JSON_ARRAY && n->items[0]->kind == JSON_TRUE &&
		n->items[0]->col == 25);
	CHECK(!json_get(&f.json, TEXT("N")));
	arena_finish(&f.arena);
}

/* A status of many labs is one long line: each place in it is counted once. */
TEST(a_long_line_keeps_its_columns)
{
	static char line[1 << 16];
	struct fixture f;
	size_t len = 0;

	line[len++] = '[';
	while (len < sizeof(line) - 8) {
		memcpy(line + len, "\"\xc3\xa9\",", 5);
		len += 5;
	}
	memcpy(line + len, "7]", 2);
	CHECK(parse(&f, (struct text){line, len + 2}) == 0);
	CHECK(f.json.items[f.json.count - 1]->col == (int)((len - 1) / 5 * 4 + 2));
	CHECK(f.json.items[1]->col == 6);
	arena_finish(&f.arena);
	CHECK(refused_at(TEXT("[\"\xc3\xa9\",\n\"\xc3\xa9\", 01]"), 2, 6));
}

TEST(written_text_is_clean_and_reads_back)
{
	struct arena arena;
	struct json *root, again;
	struct text printed = {0};
	int64_t i = 0;

	arena_init(&arena, 1 << 20);
	root = json_add(&arena, NULL, NULL, JSON_OBJECT);
	json_add_text(&arena, root, "s", TEXT("\"\\\n\x1b\x7f\xc2\x9b\xff"));
	json_add_integer(&arena, root, "n", INT64_MIN);
	CHECK(json_print(&arena, root, false, &printed) == 0);
	for (size_t k = 0; k < printed.len; k++)
		CHECK((unsigned char)printed.ptr[k] >= 0x20 && printed.ptr[k] != 0x7f);
	CHECK(text_find(printed, TEXT("\xc2\x9b")) == printed.len);
	CHECK(json_parse(&arena, printed, &again, NULL) == 0);
	CHECK(text_eq(
		json_get(&again, TEXT("s"))->string, TEXT("\"\\\n\x1b\x7f\xc2\x9b\xef\xbf\xbd")));
	CHECK(json_integer(json_get(&again, TEXT("n")), &i) == 0 && i == INT64_MIN);
	arena_finish(&arena);
}

/* Three levels, empty brackets, and every kind of value. */
static int write_all_kinds(struct json_writer *out, struct text *ret)
{
	json_open(out, NULL, JSON_OBJECT);
	json_text(out, "s", TEXT("a \"b\"\n\xff"));
	json_open(out, "none", JSON_ARRAY);
	json_close(out, JSON_ARRAY);
	json_open(out, "list", JSON_ARRAY);
	json_number(out, NULL, INT64_MIN);
	json_open(out, NULL, JSON_OBJECT);
	json_close(out, JSON_OBJECT);
	json_word(out, NULL, JSON_TRUE);
	json_close(out, JSON_ARRAY);
	json_word(out, "n\"", JSON_NULL);
	json_word(out, "f", JSON_FALSE);
	json_close(out, JSON_OBJECT);
	return json_written(out, ret);
}

TEST(values_are_written_one_behind_the_other)
{
	struct arena arena;
	struct json_writer line = {.arena = &arena}, lines = {.arena = &arena, .indent = true};
	struct text text = {0};

	arena_init(&arena, 1 << 20);
	CHECK(write_all_kinds(&line, &text) == 0);
	CHECK(text_eq(
		text, TEXT("{\"s\":\"a \\\"b\\\"\\n\xef\xbf\xbd\",\"none\":[],"
			   "\"list\":[-9223372036854775808,{},true],\"n\\\"\":null,\"f\":false}")));
	CHECK(write_all_kinds(&lines, &text) == 0);
	CHECK(text_eq(
		text, TEXT("{\n  \"s\": \"a \\\"b\\\"\\n\xef\xbf\xbd\",\n  \"none\": [],\n"
			   "  \"list\": [\n    -9223372036854775808,\n    {},\n    true\n  ],\n"
			   "  \"n\\\"\": null,\n  \"f\": false\n}")));
	arena_finish(&arena);
}

TEST(a_text_without_room_is_not_handed_out)
{
	struct arena arena;
	struct json_writer out = {.arena = &arena};
	struct text text = TEXT("untouched");

	arena_init(&arena, 64);
	CHECK(write_all_kinds(&out, &text) == -ENOMEM && text_eq(text, TEXT("untouched")));
	arena_finish(&arena);
}

int main(void)
{
	RUN(library_leniency_is_refused);
	RUN(of_a_key_that_repeats_the_first_is_kept);
	RUN(what_is_no_json_is_refused);
	RUN(nesting_is_bounded);
	RUN(integers_keep_their_digits_and_values_their_place);
	RUN(a_text_that_just_ends_is_told_as_such);
	RUN(a_long_line_keeps_its_columns);
	RUN(written_text_is_clean_and_reads_back);
	RUN(values_are_written_one_behind_the_other);
	RUN(a_text_without_room_is_not_handed_out);
	return test_finish();
}
