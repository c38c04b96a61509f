/* Render, for programs: the verdicts of `ewin-check --json`, and what only a daemon knows of them. */
#include "daemon/render.h"
#include "daemon/verdict_json.h"
#include "parser/arena.h"
#include "parser/json.h"

static void add_step(const struct sheet *sheet, struct json *list, const struct status_step *step)
{
	struct json *object = json_add(sheet->arena, list, NULL, JSON_OBJECT);

	verdict_json(sheet->arena, object, &(struct step){.id = step->name, .file = step->out.name},
		&step->verdict, step->out.sha256);
	json_add_integer(sheet->arena, object, "attempt", step->attempt);
	json_add_integer(sheet->arena, object, "hint_tier", step->hint_tier);
	json_add(sheet->arena, object, "running", step->running ? JSON_TRUE : JSON_FALSE);
	json_add(sheet->arena, object, "stale", step->stale ? JSON_TRUE : JSON_FALSE);
	if (step->out.state == FILE_MISSING)
		json_add(sheet->arena, object, "age_ms", JSON_NULL);
	else
		json_add_integer(sheet->arena, object, "age_ms",
			sheet->now_ms - step->out.mtime_ns / 1000000);
}

bool render_json(const struct sheet *sheet, const struct status *status, struct text step)
{
	bool found = false;

	for (size_t l = 0; l < status->lab_count; l++) {
		const struct status_lab *lab = &status->labs[l];
		struct json *root, *list;
		struct text text;

		if (!render_has_step(lab, step))
			continue;
		found = true;
		root = json_add(sheet->arena, NULL, NULL, JSON_OBJECT);
		json_add_integer(sheet->arena, root, "version", 1);
		json_add_text(sheet->arena, root, "lab", lab->name);
		json_add_integer(sheet->arena, root, "passed", (int64_t)status_passed(lab));
		json_add_integer(sheet->arena, root, "total", (int64_t)lab->step_count);
		json_add_text(sheet->arena, root, "problem", lab->problem);
		list = json_add(sheet->arena, root, "results", JSON_ARRAY);
		for (size_t i = 0; i < lab->step_count; i++)
			if (render_means(lab, &lab->steps[i], step))
				add_step(sheet, list, &lab->steps[i]);
		if (json_print(sheet->arena, root, true, &text) == 0)
			fprintf(sheet->file, "%.*s\n", TEXT_ARG(text));
	}
	return found || !step.len;
}
