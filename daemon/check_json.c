/* ewin-check, its verdicts as JSON. */
#include <stdio.h>

#include "daemon/check.h"
#include "daemon/verdict_json.h"
#include "parser/json.h"

int check_print_json(struct check *check)
{
	struct arena *arena = &check->arena;
	struct json *root = json_add(arena, NULL, NULL, JSON_OBJECT), *results;
	struct text printed;

	json_add_integer(arena, root, "version", 1);
	json_add_text(arena, root, "lab", check->lab->lab.name);
	json_add_integer(arena, root, "passed", (int64_t)check_count(check, VERDICT_PASS));
	json_add_integer(arena, root, "total", (int64_t)check->graded_count);
	results = json_add(arena, root, "results", JSON_ARRAY);
	for (size_t i = 0; i < check->graded_count; i++) {
		const struct graded *graded = &check->graded[i];

		verdict_json(arena, json_add(arena, results, NULL, JSON_OBJECT), graded->step,
			&graded->verdict, graded->sha256);
	}
	if (!results || json_print(arena, root, true, &printed))
		return EXIT_FAILED;
	printf("%.*s\n", TEXT_ARG(printed));
	return -1;
}
