/* daemon/grade/diagnosis.c: names are unique, durations are written as the catalogue writes them. */
#include "daemon/grade/diagnosis.h"

#include "parser/arena.h"
#include "tests/test.h"

TEST(each_name_is_one_diagnosis)
{
	for (int i = 0; i < DIAGNOSIS_COUNT; i++)
		CHECK((int)diagnosis_find(text_of(diagnosis_name((enum diagnosis_id)i))) == i);
	CHECK(diagnosis_find(TEXT("no such cause")) == DIAGNOSIS_COUNT);
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
		CHECK(text_eq(diagnosis_duration(&arena, cases[i].ms), text_of(cases[i].text)));
	arena_finish(&arena);
}

int main(void)
{
	RUN(each_name_is_one_diagnosis);
	RUN(a_duration_is_written_in_its_largest_exact_unit);
	return test_finish();
}
