/* Render, for people: the words of ewin-status. An expected value is nowhere in a status, so none
 * can be shown. */
#include "daemon/render.h"

#include "daemon/tier_words.h"
#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/encoding.h"

/* Columns of the prompt's sentence: two lines of a terminal. */
enum { NEWS_COLUMNS = 200 };

/* What stands in the column of verdicts. */
static size_t verdict_width(void)
{
	static const char *const words[] = {N_("pass"), N_("partial"), N_("fail"),
		N_("cannot-tell"), N_("missing"), N_("running"), N_("stale"), NULL};

	return sheet_width(words);
}

static struct text step_word(const struct status_step *step)
{
	if (step->running)
		return text_of(tr("running"));
	return text_of(step->stale ? tr("stale") : tr(verdict_name(step->verdict.kind)));
}

static struct text step_sentence(const struct sheet *sheet, const struct status_step *step)
{
	if (step->running)
		return sheet_message(sheet,
			&(struct message){.id = MSG_RUNNING,
				.args = {step->out.name,
					text_format(sheet->arena, "%lld", (long long)step->rows)}});
	if (step->stale)
		return sheet_message(sheet, &(struct message){.id = MSG_NEWER_SQL,
						    .args = {step->sql.name, step->out.name}});
	return sheet_message(sheet, &step->verdict.summary);
}

/* Does the command of a notice that something is closed end in this file? Its path may be
 * quoted. */
static bool opens(struct arena *arena, struct text command, struct text name)
{
	struct text bare = text_format(arena, "/%.*s", TEXT_ARG(name));
	struct text quoted = text_format(arena, "%.*s'", TEXT_ARG(bare));

	return text_ends(command, bare) || text_ends(command, quoted);
}

/* The notice that says how what was saved is opened to the service; NULL: it is open. Of a file
 * in a closed folder no time is known, and the folder's notice is the first of its lab. */
static const struct message *closed_notice_of(const struct sheet *sheet,
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	if (step->out.state != FILE_UNREADABLE)
		return NULL;
	for (size_t i = 0; i < status->notice_count; i++) {
		const struct message *notice = &status->notices[i];
		if (notice->id == MSG_CLOSED && text_eq(notice->args[0], lab->name) &&
			(!step->out.mtime_ns ||
				opens(sheet->arena, notice->args[1], step->out.name)))
			return notice;
	}
	return NULL;
}

/* A further line of a step, below its sentence. */
static void put_below(const struct sheet *sheet, size_t names, struct text t)
{
	fprintf(sheet->file, "  %*s", (int)(names + verdict_width()) + 2, "");
	sheet_put(sheet, t);
	fputs("\n", sheet->file);
}

static struct text join(struct arena *arena, struct text t, struct text more)
{
	return text_format(arena, "%.*s%s%.*s", TEXT_ARG(t), t.len ? tr(", ") : "", TEXT_ARG(more));
}

/* "table 1, row with 09:00, cnt: wrong" */
static struct text evidence_text(struct arena *arena, const struct evidence *evidence)
{
	struct text t = TEXT("");

	if (evidence->table)
		t = text_format(arena, tr("table %d"), evidence->table);
	if (evidence->window_start.len)
		t = join(arena, t,
			text_format(arena, tr("row with %.*s"),
				TEXT_ARG(evidence_row(arena, evidence))));
	if (evidence->column.len)
		t = join(arena, t, evidence->column);
	if (evidence->kind != EVIDENCE_VALUE && !evidence->window_start.len &&
		!evidence->column.len)
		t = join(arena, t, text_of(tr("rows")));
	switch (evidence->kind) {
	case EVIDENCE_VALUE: return text_format(arena, tr("%.*s: wrong"), TEXT_ARG(t));
	case EVIDENCE_MISSING: return text_format(arena, tr("%.*s: missing"), TEXT_ARG(t));
	case EVIDENCE_EXTRA:
		return text_format(arena, tr("%.*s: should not be there"), TEXT_ARG(t));
	}
	return t;
}

/* Does the message name the same place? Its arguments are the table, the row and the column, or
 * the column or key alone, as far as there are. */
static bool names(
	struct arena *arena, const struct message *message, const struct evidence *evidence)
{
	struct text table = text_format(arena, "%d", evidence->table);

	if (!evidence->window_start.len && evidence->column.len &&
		text_eq(message->args[0], evidence->column))
		return true;
	if (!text_eq(message->args[0], table))
		return false;
	if (!evidence->window_start.len)
		return text_eq(message->args[1], evidence->column);
	return text_eq(message->args[1], evidence_row(arena, evidence)) &&
	       text_eq(message->args[2], evidence->column);
}

static bool is_said(
	struct arena *arena, const struct verdict *verdict, const struct evidence *evidence)
{
	if (names(arena, &verdict->summary, evidence))
		return true;
	for (size_t i = 0; i < verdict->remark_count; i++)
		if (names(arena, &verdict->remarks[i], evidence))
			return true;
	return false;
}

/* Is there anything to be read of the step beside this sentence? */
static bool has_more(
	const struct sheet *sheet, const struct status_step *step, struct text sentence)
{
	const struct verdict *verdict = &step->verdict;
	struct text summary = step_sentence(sheet, step);

	if (verdict->remark_count || verdict->kind == VERDICT_PASS)
		return verdict->remark_count > 0;
	if (text_find(sentence, summary) == sentence.len)
		return true;
	for (size_t i = 0; i < verdict->evidence_count; i++)
		if (!is_said(sheet->arena, verdict, &verdict->evidence[i]))
			return true;
	return tiers_tell_more(sheet, step, sentence);
}

/* What was saved last in its lab comes before what only followed from that, and of those alike the
 * newest. */
static bool is_newer(
	const struct status_step *a, bool a_saved, const struct status_step *b, bool b_saved)
{
	return !b || (a_saved != b_saved ? a_saved : a->seq > b->seq);
}

/* The step to tell of after `since`, with its lab; NULL: nothing is new. */
static const struct status_step *find_news(
	const struct status *status, int64_t since, const struct status_lab **ret_lab)
{
	const struct status_step *news = NULL;
	bool saved = false;

	for (size_t l = 0; l < status->lab_count; l++) {
		const struct status_lab *lab = &status->labs[l];
		for (size_t s = 0; s < lab->step_count; s++) {
			const struct status_step *step = &lab->steps[s];
			if (step->seq <= since || step->running ||
				!is_newer(step, s == lab->latest, news, saved))
				continue;
			news = step;
			saved = s == lab->latest;
			*ret_lab = lab;
		}
	}
	return news;
}

void render_news(const struct sheet *sheet, const struct status *status, int64_t since)
{
	const struct status_lab *lab = NULL;
	const struct status_step *news = find_news(status, since, &lab);
	const struct message *closed;
	struct text name, head, sentence, rest;
	size_t used;

	if (!news)
		return;
	name = status->lab_count == 1 ? news->name
				      : text_format(sheet->arena, "%.*s/%.*s", TEXT_ARG(lab->name),
						TEXT_ARG(news->name));
	head = text_format(
		sheet->arena, "ewind: %.*s: %.*s: ", TEXT_ARG(name), TEXT_ARG(step_word(news)));
	rest = text_format(sheet->arena, tr(" (more: ewin-status %.*s)"), TEXT_ARG(name));
	closed = closed_notice_of(sheet, status, lab, news);
	sentence = closed ? sheet_message(sheet, closed) : step_sentence(sheet, news);
	used = client_width(head) + client_width(rest);
	if (!news->stale && used < NEWS_COLUMNS)
		sentence = tier_news(sheet, news, sentence, NEWS_COLUMNS - used);
	sheet_put(sheet, head);
	sheet_put(sheet, sentence);
	if (!news->stale && (closed || has_more(sheet, news, sentence)))
		sheet_put(sheet, rest);
	fputs("\n", sheet->file);
}

/* Evidence that a person is told at once. */
enum { EVIDENCE_LINES = 3 };

/* Where it is off, beyond what the sentences above name. */
static void put_evidence(const struct sheet *sheet, const struct verdict *verdict, size_t columns)
{
	size_t count = 0;

	for (size_t i = 0; i < verdict->evidence_count; i++)
		if (!is_said(sheet->arena, verdict, &verdict->evidence[i]) &&
			count++ < EVIDENCE_LINES)
			put_below(
				sheet, columns, evidence_text(sheet->arena, &verdict->evidence[i]));
	/* Not how many: that may be what is asked. */
	if (count > EVIDENCE_LINES)
		put_below(sheet, columns, text_of(tr("and more")));
}

/* The tiers that are open, for somebody who looks at a step alone. */
static void put_tiers(const struct sheet *sheet, const struct status_step *step, size_t names)
{
	struct lines lines = {0};

	lines_add_tiers(sheet, step, &lines);
	for (size_t i = 0; i < lines.count; i++)
		put_below(sheet, names, lines.items[i]);
}

static void put_details(const struct sheet *sheet, const struct status_step *step, size_t names)
{
	const struct verdict *verdict = &step->verdict;

	if (step->stale)
		put_below(sheet, names,
			text_format(
				sheet->arena, tr("before: %s"), tr(verdict_name(verdict->kind))));
	for (size_t i = 0; i < verdict->remark_count; i++)
		put_below(sheet, names, sheet_message(sheet, &verdict->remarks[i]));
}

/* `names`: columns of the column of names. */
static void put_step(
	const struct sheet *sheet, const struct status_step *step, size_t names, bool alone)
{
	struct text title = alone ? sheet_text(sheet, &step->title) : TEXT("");

	if (title.len) {
		fputs("  ", sheet->file);
		sheet_put(sheet, title);
		fputs("\n", sheet->file);
	}
	fputs("  ", sheet->file);
	sheet_put_padded(sheet, step->name, names);
	fputs(" ", sheet->file);
	sheet_put_padded(sheet, step_word(step), verdict_width());
	fputs(" ", sheet->file);
	sheet_put(sheet, step_sentence(sheet, step));
	if (step->attempt > 1 && step->verdict.kind != VERDICT_MISSING)
		fprintf(sheet->file, tr(" (attempt %lld)"), (long long)step->attempt);
	fputs("\n", sheet->file);
	if (step->running)
		return;
	put_details(sheet, step, names);
	if (!alone)
		return;
	put_evidence(sheet, &step->verdict, names);
	if (!step->stale)
		put_tiers(sheet, step, names);
}

/* The columns of the longest name of the lab's steps. */
static size_t name_width(const struct status_lab *lab)
{
	size_t widest = SHEET_NAME_WIDTH;

	for (size_t i = 0; i < lab->step_count; i++) {
		size_t width = client_width(lab->steps[i].name);
		widest = width > widest ? width : widest;
	}
	return widest;
}

bool render_means(const struct status_lab *lab, const struct status_step *step, struct text name)
{
	if (!name.len || text_eq(name, lab->name))
		return true;
	if (name.len > lab->name.len && text_starts(name, lab->name) &&
		name.ptr[lab->name.len] == '/')
		name = text_slice(name, lab->name.len + 1, name.len);
	return text_eq(step->name, name) || text_eq(step->out.name, name);
}

bool render_has_step(const struct status_lab *lab, struct text name)
{
	for (size_t i = 0; i < lab->step_count; i++)
		if (render_means(lab, &lab->steps[i], name))
			return true;
	return !name.len || text_eq(name, lab->name);
}

/* The lab's name, how far it is, where, and its title. */
static void put_head(const struct sheet *sheet, const struct status_lab *lab)
{
	struct text title = sheet_text(sheet, &lab->title);

	sheet_put(sheet, lab->name);
	fprintf(sheet->file, " %zu/%zu  ", status_passed(lab), lab->step_count);
	sheet_put(sheet, lab->folder);
	if (title.len) {
		fputs("  ", sheet->file);
		sheet_put(sheet, title);
	}
	fputs("\n", sheet->file);
}

static void put_lab(const struct sheet *sheet, const struct status_lab *lab, struct text step)
{
	put_head(sheet, lab);
	if (lab->problem.len) {
		fputs("  ", sheet->file);
		sheet_put(sheet, text_format(sheet->arena, tr("cannot be graded: %.*s"),
					 TEXT_ARG(lab->problem)));
		fputs("\n", sheet->file);
	}
	for (size_t i = 0; i < lab->step_count; i++)
		if (render_means(lab, &lab->steps[i], step))
			put_step(sheet, &lab->steps[i], name_width(lab),
				step.len > 0 && !text_eq(step, lab->name));
}

/* Is the notice of a lab other than what was asked for? */
static bool is_elsewhere(
	const struct status *status, const struct message *notice, struct text step)
{
	for (size_t i = 0; notice->id != MSG_POLLED && i < status->lab_count; i++)
		if (text_eq(notice->args[0], status->labs[i].name))
			return !render_has_step(&status->labs[i], step);
	return false;
}

bool render_status(const struct sheet *sheet, const struct status *status, struct text step)
{
	bool found = false;

	for (size_t i = 0; i < status->notice_count; i++) {
		if (is_elsewhere(status, &status->notices[i], step))
			continue;
		sheet_put(sheet, sheet_message(sheet, &status->notices[i]));
		fputs("\n", sheet->file);
	}
	for (size_t i = 0; i < status->lab_count; i++) {
		if (!render_has_step(&status->labs[i], step))
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

		sheet_put(sheet, lab->name);
		fprintf(sheet->file, " %zu/%zu ", status_passed(lab), lab->step_count);
		sheet_put(sheet, status_mark(sheet->arena, lab));
		fputs("\n", sheet->file);
	}
}
