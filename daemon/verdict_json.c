/* Verdicts as JSON. `passed` is null where it cannot be told, so that a reader that knows only true
 * and false does not take "cannot tell" for wrong. */
#include "daemon/verdict_json.h"

#include "daemon/grade/saying.h"
#include "parser/arena.h"

static void add_evidence(struct arena *arena, struct json *object, const struct verdict *verdict)
{
	struct json *list = json_add(arena, object, "evidence", JSON_ARRAY);

	for (size_t i = 0; i < verdict->evidence_count; i++) {
		const struct evidence *e = &verdict->evidence[i];
		struct json *item = json_add(arena, list, NULL, JSON_OBJECT);

		json_add_integer(arena, item, "table", e->table);
		json_add_text(arena, item, "window_start", e->window_start);
		json_add_text(arena, item, "column", e->column);
		json_add_text(arena, item, "kind", text_of(evidence_name(e->kind)));
	}
}

static void add_remarks(struct arena *arena, struct json *object, const struct verdict *verdict)
{
	struct json *list = json_add(arena, object, "remarks", JSON_ARRAY);

	for (size_t i = 0; i < verdict->remark_count; i++)
		json_add_text(arena, list, NULL, message_render(arena, NULL, &verdict->remarks[i]));
}

static void add_diagnosis(struct arena *arena, struct json *object, const struct verdict *verdict)
{
	struct json *list = json_add(arena, object, "diagnosis", JSON_ARRAY);

	for (size_t i = 0; i < verdict->diagnosis_count; i++) {
		const struct diagnosis *d = &verdict->diagnosis[i];
		struct json *item = json_add(arena, list, NULL, JSON_OBJECT), *params;

		json_add_text(arena, item, "id", text_of(diagnosis_name(d->id)));
		params = json_add(arena, item, "params", JSON_OBJECT);
		if (d->param.len)
			json_add_text(arena, params, diagnosis_name(d->id), d->param);
		if (d->table)
			json_add_integer(arena, params, "table", d->table);
		if (d->changes >= 0)
			json_add_integer(arena, item, "changes", d->changes);
		json_add_text(arena, item, "confidence",
			d->ambiguous ? TEXT("ambiguous") : TEXT("exact"));
		json_add_text(arena, item, "text", text_of(saying_of(verdict, d)));
	}
}

static enum json_kind passed(enum verdict_kind kind)
{
	switch (kind) {
	case VERDICT_PASS: return JSON_TRUE;
	case VERDICT_PARTIAL:
	case VERDICT_FAIL: return JSON_FALSE;
	case VERDICT_CANNOT_TELL:
	case VERDICT_MISSING: break;
	}
	return JSON_NULL;
}

void verdict_json(struct arena *arena, struct json *object, const struct step *step,
	const struct verdict *verdict, struct text sha256)
{
	json_add_text(arena, object, "name", step->id);
	json_add_text(arena, object, "verdict", text_of(verdict_name(verdict->kind)));
	json_add(arena, object, "passed", passed(verdict->kind));
	json_add_text(arena, object, "summary", message_render(arena, NULL, &verdict->summary));
	json_add_text(arena, object, "file", step->file);
	json_add_text(arena, object, "sha256", sha256);
	add_remarks(arena, object, verdict);
	add_evidence(arena, object, verdict);
	add_diagnosis(arena, object, verdict);
}
