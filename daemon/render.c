/* Render: the words of ewin-status. An expected value is nowhere in a status, so none can be shown;
 * what a learner chose (arguments, names) is cleaned once more on its way to a terminal. */
#include "daemon/render.h"

#include "daemon/verdict_json.h"
#include "parser/arena.h"
#include "parser/encoding.h"
#include "parser/json.h"

/* Columns of the widest verdict, "cannot-tell", and of a step's name before it is let stick out. */
enum { VERDICT_WIDTH = 11, NAME_WIDTH = 10 };

/* No control character, no C1, no override of the writing direction: '?' stands for each. */
static bool shows(uint32_t c, bool ascii)
{
	if (c < 0x20 || c == 0x7f)
		return false;
	if (c < 0x80)
		return true;
	return !ascii && c >= 0xa0 && c != 0xfffd && !(c >= 0x200b && c <= 0x200f) &&
	       !(c >= 0x2028 && c <= 0x202e) && !(c >= 0x2060 && c <= 0x2069);
}

static void put(const struct sheet *sheet, struct text t)
{
	while (t.len) {
		size_t len;
		uint32_t c = utf8_decode(t, &len);

		if (shows(c, sheet->ascii))
			fwrite(t.ptr, 1, len, sheet->file);
		else
			fputc('?', sheet->file);
		t = text_slice(t, len, t.len);
	}
}

/* Filled up with blanks to `width` columns. */
static void put_padded(const struct sheet *sheet, struct text t, size_t width)
{
	put(sheet, t);
	for (size_t used = client_width(t); used < width; used++)
		fputc(' ', sheet->file);
}

static struct text step_word(const struct status_step *step)
{
	if (step->running)
		return TEXT("running");
	return step->stale ? TEXT("stale") : text_of(verdict_name(step->verdict.kind));
}

static struct text step_sentence(struct arena *arena, const struct status_step *step)
{
	if (step->running)
		return text_format(arena, "%.*s is still being written, %lld rows so far.",
			TEXT_ARG(step->out.name), (long long)step->rows);
	if (step->stale)
		return text_format(arena, "%.*s is newer than %.*s: run it again.",
			TEXT_ARG(step->sql.name), TEXT_ARG(step->out.name));
	return message_render(arena, &step->verdict.summary);
}

void render_news(const struct sheet *sheet, const struct status *status, int64_t since)
{
	const struct status_step *news = NULL;
	bool more;

	for (size_t l = 0; l < status->lab_count; l++) {
		for (size_t s = 0; s < status->labs[l].step_count; s++) {
			const struct status_step *step = &status->labs[l].steps[s];
			if (step->seq <= since || step->running)
				continue;
			if (!news || step->seq > news->seq ||
				(step->seq == news->seq && s == status->labs[l].latest))
				news = step;
		}
	}
	if (!news)
		return;
	more = news->verdict.kind != VERDICT_PASS || news->verdict.remark_count > 0;
	fputs("ewind: ", sheet->file);
	put(sheet, news->name);
	fputs(": ", sheet->file);
	put(sheet, step_word(news));
	fputs(": ", sheet->file);
	put(sheet, step_sentence(sheet->arena, news));
	if (more && !news->stale) {
		fputs(" (more: ewin-status ", sheet->file);
		put(sheet, news->name);
		fputs(")", sheet->file);
	}
	fputs("\n", sheet->file);
}

/* A further line of a step, below its sentence. */
static void put_below(const struct sheet *sheet, struct text t)
{
	fprintf(sheet->file, "  %*s", NAME_WIDTH + VERDICT_WIDTH + 2, "");
	put(sheet, t);
	fputs("\n", sheet->file);
}

static struct text evidence_text(struct arena *arena, const struct evidence *evidence)
{
	struct text t =
		evidence->table ? text_format(arena, "table %d", evidence->table) : TEXT("");

	if (evidence->window_start.len)
		t = text_format(arena, "%.*s%s%.*s", TEXT_ARG(t),
			t.len ? ", row with " : "row with ", TEXT_ARG(evidence->window_start));
	if (evidence->column.len)
		t = text_format(arena, "%.*s%s%.*s", TEXT_ARG(t), t.len ? ", " : "",
			TEXT_ARG(evidence->column));
	switch (evidence->kind) {
	case EVIDENCE_VALUE: return text_format(arena, "%.*s: wrong", TEXT_ARG(t));
	case EVIDENCE_MISSING: return text_format(arena, "%.*s: missing", TEXT_ARG(t));
	case EVIDENCE_EXTRA: return text_format(arena, "%.*s: should not be there", TEXT_ARG(t));
	}
	return t;
}

static void put_step(const struct sheet *sheet, const struct status_step *step)
{
	const struct verdict *verdict = &step->verdict;

	fputs("  ", sheet->file);
	put_padded(sheet, step->name, NAME_WIDTH);
	fputs(" ", sheet->file);
	put_padded(sheet, step_word(step), VERDICT_WIDTH);
	fputs(" ", sheet->file);
	put(sheet, step_sentence(sheet->arena, step));
	if (step->attempt > 1)
		fprintf(sheet->file, " (attempt %lld)", (long long)step->attempt);
	fputs("\n", sheet->file);
	if (step->running)
		return;
	if (step->stale)
		put_below(sheet,
			text_format(sheet->arena, "before: %s", verdict_name(verdict->kind)));
	for (size_t i = 0; i < verdict->remark_count; i++)
		put_below(sheet, message_render(sheet->arena, &verdict->remarks[i]));
	for (size_t i = 0; i < verdict->evidence_count; i++)
		put_below(sheet, evidence_text(sheet->arena, &verdict->evidence[i]));
}

static bool asked(const struct status_step *step, struct text name)
{
	return !name.len || text_eq(step->name, name) || text_eq(step->out.name, name);
}

static bool has_step(const struct status_lab *lab, struct text name)
{
	for (size_t i = 0; i < lab->step_count; i++)
		if (asked(&lab->steps[i], name))
			return true;
	return !name.len;
}

static void put_lab(const struct sheet *sheet, const struct status_lab *lab, struct text step)
{
	put(sheet, lab->name);
	fprintf(sheet->file, " %zu/%zu  ", status_passed(lab), lab->step_count);
	put(sheet, lab->folder);
	fputs("\n", sheet->file);
	if (lab->problem.len) {
		fputs("  cannot be graded: ", sheet->file);
		put(sheet, lab->problem);
		fputs("\n", sheet->file);
	}
	for (size_t i = 0; i < lab->step_count; i++)
		if (asked(&lab->steps[i], step))
			put_step(sheet, &lab->steps[i]);
}

bool render_status(const struct sheet *sheet, const struct status *status, struct text step)
{
	bool found = false;

	if (status->notice.len) {
		put(sheet, status->notice);
		fputs("\n", sheet->file);
	}
	for (size_t i = 0; i < status->lab_count; i++) {
		if (!has_step(&status->labs[i], step))
			continue;
		put_lab(sheet, &status->labs[i], step);
		found = true;
	}
	return found || !step.len;
}

void render_short(const struct sheet *sheet, const struct status *status)
{
	for (size_t i = 0; i < status->lab_count; i++) {
		const struct status_lab *lab = &status->labs[i];

		put(sheet, lab->name);
		fprintf(sheet->file, " %zu/%zu ", status_passed(lab), lab->step_count);
		put(sheet, status_mark(sheet->arena, lab));
		fputs("\n", sheet->file);
	}
}

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

void render_json(const struct sheet *sheet, const struct status *status, struct text step)
{
	for (size_t l = 0; l < status->lab_count; l++) {
		const struct status_lab *lab = &status->labs[l];
		struct json *root = json_add(sheet->arena, NULL, NULL, JSON_OBJECT), *list;
		struct text text;

		json_add_integer(sheet->arena, root, "version", 1);
		json_add_text(sheet->arena, root, "lab", lab->name);
		json_add_integer(sheet->arena, root, "passed", (int64_t)status_passed(lab));
		json_add_integer(sheet->arena, root, "total", (int64_t)lab->step_count);
		json_add_text(sheet->arena, root, "problem", lab->problem);
		list = json_add(sheet->arena, root, "results", JSON_ARRAY);
		for (size_t i = 0; i < lab->step_count; i++)
			if (asked(&lab->steps[i], step))
				add_step(sheet, list, &lab->steps[i]);
		if (json_print(sheet->arena, root, true, &text) == 0)
			fprintf(sheet->file, "%.*s\n", TEXT_ARG(text));
	}
}
