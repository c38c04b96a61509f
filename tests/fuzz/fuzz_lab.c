/* Any bytes as a lab.json. Reading up to the first fault and reading on behind it agree whether
 * there is one. */
#include <errno.h>

#include "daemon/grade/lab.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "tests/fuzz/fuzz.h"

#define MEMORY (64u << 20)

static void check_lab(const struct lab *lab)
{
	MUST(lab->name.len && lab->folder.len && lab->step_count && lab->language_count);
	for (size_t i = 0; i < lab->step_count; i++) {
		MUST(lab_step(lab, lab->steps[i].id) == i);
		for (size_t j = 0; j < lab->steps[i].after_count; j++)
			MUST(lab->steps[i].after[j] < lab->step_count);
	}
}

void fuzz(struct text input)
{
	char *bytes = fuzz_copy(input);
	struct text json = {bytes, input.len};
	struct lab_faults faults = {0};
	struct diag diag = {0};
	struct arena arena;
	struct lab lab;
	int err;

	arena_init(&arena, MEMORY);
	err = lab_parse(&arena, json, &lab, &diag);
	if (err) {
		MUST(err == -EINVAL || err == -ENOMEM);
		MUST(diag.text[0] && utf8_valid(text_of(diag.text)));
	} else {
		check_lab(&lab);
	}
	if (err != -ENOMEM) {
		int all = lab_parse_all(&arena, json, &lab, &faults);
		MUST(all == err || all == -ENOMEM);
		MUST(all == -ENOMEM || (all == 0) == (faults.count == 0));
		for (size_t i = 0; i < faults.count; i++)
			MUST(faults.items[i].text.len && utf8_valid(faults.items[i].text));
	}
	arena_finish(&arena);
	free(bytes);
}
