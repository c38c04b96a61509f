/* daemon/grade/diagnosis.c: names are unique. */
#include "daemon/grade/diagnosis.h"

#include "tests/test.h"

TEST(each_name_is_one_diagnosis)
{
	for (int i = 0; i < DIAGNOSIS_COUNT; i++)
		CHECK((int)diagnosis_find(text_of(diagnosis_name((enum diagnosis_id)i))) == i);
	CHECK(diagnosis_find(TEXT("no such cause")) == DIAGNOSIS_COUNT);
}

int main(void)
{
	RUN(each_name_is_one_diagnosis);
	return test_finish();
}
