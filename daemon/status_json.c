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

static void write_bool(struct json_writer *out, const char *name, bool value)
{
	json_word(out, name, value ? JSON_TRUE : JSON_FALSE);
}

static void write_message(struct json_writer *out, const char *name, const struct message *message)
{
	json_open(out, name, JSON_OBJECT);
	json_text(out, "id", text_of(message_name(message->id)));
	json_open(out, "args", JSON_ARRAY);
	for (size_t i = 0; i < MESSAGE_ARGS; i++)
		json_text(out, NULL, message->args[i]);
	json_close(out, JSON_ARRAY);
	json_text(out, "text", message_render(out->arena, NULL, message));
	json_close(out, JSON_OBJECT);
}

static void write_evidence(struct json_writer *out, const struct evidence *evidence)
{
	json_open(out, NULL, JSON_OBJECT);
	json_number(out, "table", evidence->table);
	json_text(out, "window_start", evidence->window_start);
	json_text(out, "key", evidence->key);
	json_text(out, "column", evidence->column);
	json_text(out, "kind", text_of(evidence_name(evidence->kind)));
	json_close(out, JSON_OBJECT);
}

static void write_diagnosis(struct json_writer *out, const struct diagnosis *diagnosis)
{
	json_open(out, NULL, JSON_OBJECT);
	json_text(out, "id", text_of(diagnosis_name(diagnosis->id)));
	json_text(out, "param", diagnosis->param);
	json_number(out, "table", diagnosis->table);
	write_bool(out, "ambiguous", diagnosis->ambiguous);
	json_number(out, "changes", diagnosis->changes);
	json_close(out, JSON_OBJECT);
}

/* {"en": "...", "ja": "..."} */
static void write_texts(struct json_writer *out, const char *name, const struct lab_texts *texts)
{
	json_open(out, name, JSON_OBJECT);
	for (size_t i = 0; i < texts->count; i++) {
		struct text language = text_copy(out->arena, texts->items[i].language);
		if (language.ptr)
			json_text(out, language.ptr, texts->items[i].text);
	}
	json_close(out, JSON_OBJECT);
}

static void write_file(struct json_writer *out, const char *name, const struct status_file *file)
{
	json_open(out, name, JSON_OBJECT);
	json_text(out, "name", file->name);
	json_text(out, "state", text_of(status_file_state(file->state)));
	json_number(out, "size", file->size);
	json_number(out, "mtime_ns", file->mtime_ns);
	json_text(out, "sha256", file->sha256);
	json_close(out, JSON_OBJECT);
}

static void write_look(struct json_writer *out, const struct look *look)
{
	json_open(out, "look", JSON_OBJECT);
	json_number(out, "row", look->row);
	json_text(out, "window", text_of(look->window));
	json_number(out, "select", look->select);
	json_close(out, JSON_OBJECT);
}

static void write_count(struct json_writer *out, const char *name, const struct lesson_count *count)
{
	if (count->told)
		json_number(out, name, count->number);
	else
		json_word(out, name, JSON_NULL);
}

static void write_run(struct json_writer *out, const struct lesson_run *run)
{
	json_open(out, NULL, JSON_OBJECT);
	write_bool(out, "batch", run->batch);
	write_bool(out, "windowed", run->windowed);
	write_count(out, "rows", &run->rows);
	write_count(out, "filtered", &run->filtered);
	write_count(out, "dropped", &run->dropped);
	json_close(out, JSON_OBJECT);
}

static void write_verdict(struct json_writer *out, const struct verdict *verdict)
{
	write_message(out, "summary", &verdict->summary);
	json_open(out, "remarks", JSON_ARRAY);
	for (size_t i = 0; i < verdict->remark_count; i++)
		write_message(out, NULL, &verdict->remarks[i]);
	json_close(out, JSON_ARRAY);
	json_open(out, "evidence", JSON_ARRAY);
	for (size_t i = 0; i < verdict->evidence_count; i++)
		write_evidence(out, &verdict->evidence[i]);
	json_close(out, JSON_ARRAY);
	json_open(out, "diagnosis", JSON_ARRAY);
	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		write_diagnosis(out, &verdict->diagnosis[i]);
	json_close(out, JSON_ARRAY);
}

/* What the lab has to say of the step. */
static void write_words(struct json_writer *out, const struct status_step *step)
{
	write_texts(out, "title", &step->title);
	json_open(out, "hints", JSON_ARRAY);
	for (size_t i = 0; i < step->hint_count; i++)
		write_texts(out, NULL, &step->hints[i]);
	json_close(out, JSON_ARRAY);
	write_texts(out, "learned", &step->learned);
	json_open(out, "links", JSON_ARRAY);
	for (size_t i = 0; i < step->link_count; i++) {
		json_open(out, NULL, JSON_OBJECT);
		write_texts(out, "title", &step->links[i].title);
		json_text(out, "url", step->links[i].url);
		json_close(out, JSON_OBJECT);
	}
	json_close(out, JSON_ARRAY);
}

static void write_step(struct json_writer *out, const struct status_step *step)
{
	json_open(out, NULL, JSON_OBJECT);
	json_text(out, "name", step->name);
	json_number(out, "seq", step->seq);
	json_text(out, "verdict", text_of(verdict_name(step->verdict.kind)));
	write_bool(out, "running", step->running);
	json_number(out, "rows", step->rows);
	write_bool(out, "stale", step->stale);
	write_bool(out, "searching", step->searching);
	json_number(out, "attempt", step->attempt);
	json_number(out, "hint_tier", step->hint_tier);
	write_verdict(out, &step->verdict);
	write_look(out, &step->look);
	write_words(out, step);
	json_open(out, "runs", JSON_ARRAY);
	for (size_t i = 0; i < step->lesson.count; i++)
		write_run(out, &step->lesson.runs[i]);
	json_close(out, JSON_ARRAY);
	write_file(out, "out", &step->out);
	write_file(out, "sql", &step->sql);
	json_close(out, JSON_OBJECT);
}

static void write_lab(struct json_writer *out, const struct status_lab *lab)
{
	bool broken = lab->problem.len > 0;

	json_open(out, NULL, JSON_OBJECT);
	json_text(out, "name", lab->name);
	json_text(out, "folder", lab->folder);
	json_text(out, "problem", lab->problem);
	json_number(out, "passed", broken ? 0 : (int64_t)status_passed(lab));
	json_number(out, "total", broken ? 0 : (int64_t)lab->step_count);
	json_text(out, "mark", status_mark(out->arena, lab));
	json_number(out, "latest", (int64_t)lab->latest);
	write_texts(out, "title", &lab->title);
	json_open(out, "steps", JSON_ARRAY);
	for (size_t i = 0; i < lab->step_count; i++)
		write_step(out, &lab->steps[i]);
	json_close(out, JSON_ARRAY);
	json_close(out, JSON_OBJECT);
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
	struct json_writer out = {.arena = arena};
	struct text text;

	json_open(&out, NULL, JSON_OBJECT);
	json_number(&out, "version", STATUS_VERSION);
	json_number(&out, "seq", status->seq);
	json_number(&out, "pid", status->pid);
	json_open(&out, "notices", JSON_ARRAY);
	for (size_t i = 0; i < status->notice_count; i++)
		write_message(&out, NULL, &status->notices[i]);
	json_close(&out, JSON_ARRAY);
	json_open(&out, "labs", JSON_ARRAY);
	for (size_t i = 0; i < status->lab_count; i++)
		write_lab(&out, &status->labs[i]);
	json_close(&out, JSON_ARRAY);
	json_close(&out, JSON_OBJECT);
	if (json_written(&out, &text) < 0)
		return diag_nomem(reterr);
	text = line_of(arena, text);
	if (!text.ptr)
		return diag_nomem(reterr);
	*ret = text;
	return 0;
}
