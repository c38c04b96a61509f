/* A fuzz target defines fuzz(), which is given any bytes. What must hold for all of them is written
 * with MUST(), which ends the program like a sanitizer does. That they take little time must hold
 * in all targets; it is the processor's time, which others on the machine do not lengthen. */
#ifndef EWIN_TESTS_FUZZ_H
#define EWIN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "parser/text.h"

#define MUST(condition)                                                                 \
	do {                                                                            \
		if (!(condition)) {                                                     \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                        \
		}                                                                       \
	} while (0)

void fuzz(struct text input);

__attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	clock_t start = clock();

	fuzz((struct text){(const char *)data, size});
	MUST(clock() - start < CLOCKS_PER_SEC);
	return 0;
}

/* A copy that ends where its memory ends, so that reading beyond it is seen. The caller frees
 * it. */
static inline char *fuzz_copy(struct text text)
{
	char *copy = malloc(text.len ? text.len : 1);

	MUST(copy);
	if (text.len)
		memcpy(copy, text.ptr, text.len);
	return copy;
}

#endif
