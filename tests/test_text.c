/* parser/text.c and parser/arena.c: cutting, comparing, bounded numbers, growing arrays. */
#include "parser/text.h"

#include <errno.h>

#include "parser/arena.h"
#include "tests/test.h"

TEST(lines_end_at_newlines_and_the_last_needs_none)
{
	struct text rest = TEXT("a\n\nb"), line = {0};

	CHECK(text_next_line(&rest, &line) && text_eq(line, TEXT("a")));
	CHECK(text_next_line(&rest, &line) && line.len == 0);
	CHECK(text_next_line(&rest, &line) && text_eq(line, TEXT("b")));
	CHECK(!text_next_line(&rest, &line) && text_eq(line, TEXT("b")));
}

TEST(words_end_at_single_blanks)
{
	struct text rest = TEXT("a  b");

	CHECK(text_eq(text_next_word(&rest), TEXT("a")));
	CHECK(text_next_word(&rest).len == 0);
	CHECK(text_eq(text_next_word(&rest), TEXT("b")) && rest.len == 0);
	CHECK(text_next_word(&rest).len == 0 && rest.len == 0);
}

TEST(a_set_of_bytes_has_no_nul)
{
	CHECK(text_is_of(TEXT("abba"), "ab") && text_is_of(TEXT("b"), "ab"));
	CHECK(!text_is_of(TEXT("abc"), "ab") && !text_is_of(TEXT("a\0b"), "ab"));
	CHECK(!text_is_of(TEXT(""), "ab"));
}

TEST(numbers_are_bounded)
{
	int64_t n = 7;

	CHECK(text_to_int64(TEXT("-9223372036854775808"), &n) == 0 && n == INT64_MIN);
	CHECK(text_to_int64(TEXT("9223372036854775808"), &n) == -ERANGE && n == INT64_MIN);
	CHECK(text_to_int64(TEXT(""), &n) == -EINVAL);
	CHECK(text_to_int64(TEXT("-"), &n) == -EINVAL);
	CHECK(text_to_int64(TEXT("1 "), &n) == -EINVAL);
}

TEST(slices_stay_inside)
{
	CHECK(text_eq(text_slice(TEXT("abc"), 1, 99), TEXT("bc")));
	CHECK(text_slice(TEXT("abc"), 5, 2).len == 0);
	CHECK(text_find(TEXT("abc"), TEXT("bc")) == 1);
	CHECK(text_find(TEXT("abc"), TEXT("x")) == 3);
	CHECK(text_count(TEXT("a+b+"), '+') == 2 && text_count(TEXT(""), '+') == 0);
}

TEST(arena_keeps_its_limit_and_what_it_grew)
{
	struct arena arena;
	int *items = NULL;
	size_t room = 0;

	arena_init(&arena, 1 << 20);
	for (int i = 0; i < 1000; i++) {
		CHECK(arena_grow(&arena, &items, (size_t)i, &room, sizeof(*items)) == 0);
		items[i] = i;
	}
	CHECK(items[0] == 0 && items[999] == 999);
	CHECK(arena_alloc(&arena, 1 << 20) == NULL);
	CHECK(arena_array(&arena, SIZE_MAX / 2, 3) == NULL);
	arena_finish(&arena);
}

TEST(a_duration_is_written_in_its_largest_exact_unit)
{
	static const struct {
		int64_t ms;
		const char *text;
	} cases[] = {{0, "0s"}, {200, "200ms"}, {5000, "5s"}, {-5000, "-5s"}, {60000, "1min"},
		{90000, "90s"}, {3600000, "1h"}, {86400000, "1d"}, {4999, "4999ms"}};
	struct arena arena;

	arena_init(&arena, 1 << 20);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK(text_eq(text_duration(&arena, cases[i].ms, ""), text_of(cases[i].text)));
	CHECK(text_eq(text_duration(&arena, -5000, " "), TEXT("-5 s")));
	arena_finish(&arena);
}

int main(void)
{
	RUN(lines_end_at_newlines_and_the_last_needs_none);
	RUN(words_end_at_single_blanks);
	RUN(a_set_of_bytes_has_no_nul);
	RUN(numbers_are_bounded);
	RUN(slices_stay_inside);
	RUN(a_duration_is_written_in_its_largest_exact_unit);
	RUN(arena_keeps_its_limit_and_what_it_grew);
	return test_finish();
}
