/* A test program: TEST bodies, a list in main(), TAP on standard output.
 *
 *	TEST(next_line_of_empty_text) { CHECK(!text_next_line(&rest, &line)); }
 *	int main(void) { RUN(next_line_of_empty_text); return test_finish(); }
 */
#ifndef EWIN_TESTS_TEST_H
#define EWIN_TESTS_TEST_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct test_state {
	int count, failed;
	bool current_failed;
};

static struct test_state test_state;

#define TEST(name) static void test_##name(void)
#define RUN(name)  test_run(#name, test_##name)

/* Runs it where that can be done here. */
#define RUN_IF(possible, name, why) ((possible) ? RUN(name) : test_skip(#name, why))

/* Fails the running test, and goes on, where the condition does not hold. */
#define CHECK(condition) test_check((condition), __FILE__, __LINE__, #condition)

static inline void test_check(bool holds, const char *file, int line, const char *what)
{
	if (holds)
		return;
	test_state.current_failed = true;
	printf("# %s:%d: %s\n", file, line, what);
}

static inline void test_run(const char *name, void (*body)(void))
{
	test_state.current_failed = false;
	body();
	test_state.count++;
	test_state.failed += test_state.current_failed;
	printf("%s %d - %s\n", test_state.current_failed ? "not ok" : "ok", test_state.count, name);
	fflush(stdout);
}

/* A test that cannot be made here. */
static inline void test_skip(const char *name, const char *why)
{
	printf("ok %d - %s # SKIP %s\n", ++test_state.count, name, why);
}

static inline int test_finish(void)
{
	printf("1..%d\n", test_state.count);
	return test_state.failed != 0;
}

#endif
