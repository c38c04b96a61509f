/* status.json: the whole status, packed. The form is described in the header; status_json_read.c
 * reads it back.
 *
 * A message goes out as its id with arguments, for readers that render it in their own language,
 * and as an English sentence for those that do not. The sentence is not read back. */
#include "daemon/status.h"

#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"

static const char *const file_states[] = {
	[FILE_MISSING] = "missing",
	[FILE_THERE] = "there",
	[FILE_UNREADABLE] = "unreadable",
	[FILE_NOT_REGULAR] = "not-regular",
	[FILE_TOO_LARGE] = "too-large",
};

const char *status_file_state(enum file_state state)
{
	return file_states[state];
}

static void add_bool(struct arena *arena, struct json *parent, const char *name, bool value)
{
	json_add(arena, parent, name, value ? JSON_TRUE : JSON_FALSE);
}

static void pack_message(
	struct arena *arena, struct json *parent, const char *name, const struct message *message)
{
	struct json *object = json_add(arena, parent, name, JSON_OBJECT);
	struct json *args;

	json_add_text(arena, object, "id", text_of(message_name(message->id)));
	args = json_add(arena, object, "args", JSON_ARRAY);
	for (size_t i = 0; i < MESSAGE_ARGS; i++)
		json_add_text(arena, args, NULL, message->args[i]);
	json_add_text(arena, object, "text", message_render(arena, NULL, message));
}

static void pack_evidence(struct arena *arena, struct json *parent, const struct evidence *evidence)
{
	struct json *object = json_add(arena, parent, NULL, JSON_OBJECT);

	json_add_integer(arena, object, "table", evidence->table);
	json_add_text(arena, object, "window_start", evidence->window_start);
	json_add_text(arena, object, "key", evidence->key);
	json_add_text(arena, object, "column", evidence->column);
	json_add_text(arena, object, "kind", text_of(evidence_name(evidence->kind)));
}

static void pack_diagnosis(
	struct arena *arena, struct json *parent, const struct diagnosis *diagnosis)
{
	struct json *object = json_add(arena, parent, NULL, JSON_OBJECT);

	json_add_text(arena, object, "id", text_of(diagnosis_name(diagnosis->id)));
	json_add_text(arena, object, "param", diagnosis->param);
	json_add_integer(arena, object, "table", diagnosis->table);
	add_bool(arena, object, "ambiguous", diagnosis->ambiguous);
	json_add_integer(arena, object, "changes", diagnosis->changes);
}

/* {"en": "...", "ja": "..."} */
static void pack_texts(
	struct arena *arena, struct json *parent, const char *name, const struct lab_texts *texts)
{
	struct json *object = json_add(arena, parent, name, JSON_OBJECT);

	for (size_t i = 0; i < texts->count; i++) {
		struct text language = text_copy(arena, texts->items[i].language);
		if (language.ptr)
			json_add_text(arena, object, language.ptr, texts->items[i].text);
	}
}

static void pack_file(
	struct arena *arena, struct json *parent, const char *name, const struct status_file *file)
{
	struct json *object = json_add(arena, parent, name, JSON_OBJECT);

	json_add_text(arena, object, "name", file->name);
	json_add_text(arena, object, "state", text_of(status_file_state(file->state)));
	json_add_integer(arena, object, "size", file->size);
	json_add_integer(arena, object, "mtime_ns", file->mtime_ns);
	json_add_text(arena, object, "sha256", file->sha256);
}

static void pack_look(struct arena *arena, struct json *parent, const struct look *look)
{
	struct json *object = json_add(arena, parent, "look", JSON_OBJECT);

	json_add_integer(arena, object, "row", look->row);
	json_add_text(arena, object, "window", text_of(look->window));
	json_add_integer(arena, object, "select", look->select);
}

static void pack_count(struct arena *arena, struct json *parent, const char *name,
	const struct lesson_count *count)
{
	if (count->told)
		json_add_integer(arena, parent, name, count->number);
	else
		json_add(arena, parent, name, JSON_NULL);
}

static void pack_run(struct arena *arena, struct json *parent, const struct lesson_run *run)
{
	struct json *object = json_add(arena, parent, NULL, JSON_OBJECT);

	add_bool(arena, object, "batch", run->batch);
	add_bool(arena, object, "windowed", run->windowed);
	pack_count(arena, object, "rows", &run->rows);
	pack_count(arena, object, "filtered", &run->filtered);
	pack_count(arena, object, "dropped", &run->dropped);
}

static void pack_step(struct arena *arena, struct json *parent, const struct status_step *step)
{
	struct json *object = json_add(arena, parent, NULL, JSON_OBJECT);
	struct json *list;

	json_add_text(arena, object, "name", step->name);
	json_add_integer(arena, object, "seq", step->seq);
	json_add_text(arena, object, "verdict", text_of(verdict_name(step->verdict.kind)));
	add_bool(arena, object, "running", step->running);
	json_add_integer(arena, object, "rows", step->rows);
	add_bool(arena, object, "stale", step->stale);
	add_bool(arena, object, "searching", step->searching);
	json_add_integer(arena, object, "attempt", step->attempt);
	json_add_integer(arena, object, "hint_tier", step->hint_tier);
	pack_message(arena, object, "summary", &step->verdict.summary);
	list = json_add(arena, object, "remarks", JSON_ARRAY);
	for (size_t i = 0; i < step->verdict.remark_count; i++)
		pack_message(arena, list, NULL, &step->verdict.remarks[i]);
	list = json_add(arena, object, "evidence", JSON_ARRAY);
	for (size_t i = 0; i < step->verdict.evidence_count; i++)
		pack_evidence(arena, list, &step->verdict.evidence[i]);
	list = json_add(arena, object, "diagnosis", JSON_ARRAY);
	for (size_t i = 0; i < step->verdict.diagnosis_count; i++)
		pack_diagnosis(arena, list, &step->verdict.diagnosis[i]);
	pack_look(arena, object, &step->look);
	pack_texts(arena, object, "title", &step->title);
	list = json_add(arena, object, "hints", JSON_ARRAY);
	for (size_t i = 0; i < step->hint_count; i++)
		pack_texts(arena, list, NULL, &step->hints[i]);
	pack_texts(arena, object, "learned", &step->learned);
	list = json_add(arena, object, "links", JSON_ARRAY);
	for (size_t i = 0; i < step->link_count; i++) {
		struct json *link = json_add(arena, list, NULL, JSON_OBJECT);
		pack_texts(arena, link, "title", &step->links[i].title);
		json_add_text(arena, link, "url", step->links[i].url);
	}
	list = json_add(arena, object, "runs", JSON_ARRAY);
	for (size_t i = 0; i < step->lesson.count; i++)
		pack_run(arena, list, &step->lesson.runs[i]);
	pack_file(arena, object, "out", &step->out);
	pack_file(arena, object, "sql", &step->sql);
}

static void pack_lab(struct arena *arena, struct json *parent, const struct status_lab *lab)
{
	struct json *object = json_add(arena, parent, NULL, JSON_OBJECT);
	bool broken = lab->problem.len > 0;
	struct json *steps;

	json_add_text(arena, object, "name", lab->name);
	json_add_text(arena, object, "folder", lab->folder);
	json_add_text(arena, object, "problem", lab->problem);
	json_add_integer(arena, object, "passed", broken ? 0 : (int64_t)status_passed(lab));
	json_add_integer(arena, object, "total", broken ? 0 : (int64_t)lab->step_count);
	json_add_text(arena, object, "mark", status_mark(arena, lab));
	json_add_integer(arena, object, "latest", (int64_t)lab->latest);
	pack_texts(arena, object, "title", &lab->title);
	steps = json_add(arena, object, "steps", JSON_ARRAY);
	for (size_t i = 0; i < lab->step_count; i++)
		pack_step(arena, steps, &lab->steps[i]);
}

/* With a newline. Not by text_format(): printf() counts such a long text byte by byte, a quarter
 * of the time that publishing takes. */
static struct text line_of(struct arena *arena, struct text text)
{
	char *line = arena_alloc(arena, text.len + 1);

	if (!line)
		return (struct text){0};
	memcpy(line, text.ptr, text.len);
	line[text.len] = '\n';
	return (struct text){line, text.len + 1};
}

int status_pack_json(
	struct arena *arena, const struct status *status, struct text *ret, struct diag *reterr)
{
	struct json *root = json_add(arena, NULL, NULL, JSON_OBJECT);
	struct json *labs, *list;
	struct text text;

	json_add_integer(arena, root, "version", STATUS_VERSION);
	json_add_integer(arena, root, "seq", status->seq);
	json_add_integer(arena, root, "pid", status->pid);
	list = json_add(arena, root, "notices", JSON_ARRAY);
	for (size_t i = 0; i < status->notice_count; i++)
		pack_message(arena, list, NULL, &status->notices[i]);
	labs = json_add(arena, root, "labs", JSON_ARRAY);
	for (size_t i = 0; i < status->lab_count; i++)
		pack_lab(arena, labs, &status->labs[i]);
	if (!labs || json_print(arena, root, false, &text) < 0)
		return diag_nomem(reterr);
	text = line_of(arena, text);
	if (!text.ptr)
		return diag_nomem(reterr);
	*ret = text;
	return 0;
}
