/* daemon/grade/message.c: names are unique, arguments are clean. */
#include "daemon/grade/message.h"

#include "parser/arena.h"
#include "tests/test.h"

TEST(each_name_is_one_message)
{
	for (int i = 0; i < MESSAGE_COUNT; i++)
		CHECK((int)message_find(text_of(message_name((enum message_id)i))) == i);
	CHECK(message_find(TEXT("no such message")) == MESSAGE_COUNT);
}

TEST(arguments_are_shown_without_what_a_terminal_obeys)
{
	struct arena arena;
	struct message m;
	struct text said;

	arena_init(&arena, 1 << 20);
	CHECK(message_make(&arena, MSG_MISSING, TEXT("w\x1b[31m\n\xc2\x9b\xe2\x80\xae\xff.out {1}"),
		      (struct text){0}, (struct text){0}, &m) == 0);
	said = message_render(&arena, NULL, &m);
	CHECK(text_eq(said, TEXT("w?[31m ???.out {1} is not there yet.")));
	arena_finish(&arena);
}

TEST(long_arguments_are_cut_between_characters)
{
	static char kana[3 * 200];
	struct arena arena;
	struct message m;

	for (size_t i = 0; i < sizeof(kana); i += 3)
		memcpy(kana + i, "\xe3\x81\x82", 3);
	arena_init(&arena, 1 << 20);
	CHECK(message_make(&arena, MSG_MISSING, (struct text){kana, sizeof(kana)}, (struct text){0},
		      (struct text){0}, &m) == 0);
	CHECK(m.args[0].len < 210 && m.args[0].len % 3 == 0 && text_ends(m.args[0], TEXT("...")));
	arena_finish(&arena);
}

int main(void)
{
	RUN(each_name_is_one_message);
	RUN(arguments_are_shown_without_what_a_terminal_obeys);
	RUN(long_arguments_are_cut_between_characters);
	return test_finish();
}
