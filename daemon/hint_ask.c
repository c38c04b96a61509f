/* Asking for a hint. What is opened is read from the status that the reply names, so this shows
 * what `ewin-status STEP` shows from now on. */
#include "daemon/hint_ask.h"

#include <errno.h>

#include "daemon/await.h"
#include "daemon/ctl.h"
#include "daemon/here.h"
#include "daemon/render.h"
#include "daemon/tier_words.h"
#include "daemon/tiers.h"
#include "parser/arena.h"
#include "parser/diag.h"

struct choice {
	const struct status_lab *lab;
	const struct status_step *step;
};

/* How near a step is to what its learner is at: it is wrong, its lab's last one, a late one. */
static bool is_nearer(const struct choice *a, const struct choice *b)
{
	bool a_wrong = tier_applies(&a->step->verdict), b_wrong, a_last, b_last;

	if (!b->step)
		return true;
	b_wrong = tier_applies(&b->step->verdict);
	if (a_wrong != b_wrong)
		return a_wrong;
	a_last = a->step == &a->lab->steps[a->lab->latest];
	b_last = b->step == &b->lab->steps[b->lab->latest];
	return a_last != b_last ? a_last : a->step->seq > b->step->seq;
}

static struct choice choose(const struct status *status, struct text name)
{
	struct choice best = {0};

	for (size_t i = 0; i < status->lab_count; i++)
		for (size_t j = 0; j < status->labs[i].step_count; j++) {
			const struct status_lab *lab = &status->labs[i];
			struct choice choice = {lab, &lab->steps[j]};
			if (render_means(lab, choice.step, name) && is_nearer(&choice, &best))
				best = choice;
		}
	return best;
}

static void put(const struct sheet *sheet, struct text line)
{
	sheet_put(sheet, line);
	fputs("\n", sheet->file);
}

static void put_lines(const struct sheet *sheet, const struct lines *lines)
{
	for (size_t i = 0; i < lines->count; i++)
		put(sheet, lines->items[i]);
}

static void put_answer(
	const struct sheet *sheet, const struct status_step *step, const struct ctl_reply *reply)
{
	struct lines lines = {0};
	struct text name = step->name;

	switch (reply->answer) {
	case CTL_OPENED:
		lines_add_tier(sheet, step, reply->tier, &lines);
		put_lines(sheet, &lines);
		break;
	case CTL_ALL_OPEN:
		put(sheet, text_format(sheet->arena, tr("All hints of %.*s are open:"),
				   TEXT_ARG(name)));
		lines_add_tiers(sheet, step, &lines);
		put_lines(sheet, &lines);
		break;
	case CTL_NOT_WRONG:
		put(sheet, text_format(sheet->arena, tr("%.*s: nothing is known to be wrong."),
				   TEXT_ARG(name)));
		break;
	case CTL_REFUSED:
	case CTL_UNKNOWN:
	case CTL_BAD:
	case CTL_ANSWERS: break;
	}
}

/* The answers by which nothing was done. */
static int refuse(const struct ctl_reply *reply, struct diag *reterr)
{
	if (reply->answer == CTL_REFUSED)
		return diag_set(reterr, -EACCES, 0, 0,
			tr("hints are given to whom the lab's folder belongs"));
	return diag_set(reterr, -ESRCH, 0, 0, tr("no lab has this step"));
}

/* What came of it is told from the status that the reply names. */
static int tell(const struct sheet *sheet, const char *run_dir, const struct choice *choice,
	const struct ctl_reply *reply, struct diag *reterr)
{
	struct text name = text_format(sheet->arena, "%.*s/%.*s", TEXT_ARG(choice->lab->name),
		TEXT_ARG(choice->step->name));
	struct status status;
	struct choice now;
	int r = await_read(sheet->arena, run_dir, &status, reterr);

	if (r < 0)
		return r;
	now = choose(&status, name);
	if (status.seq < reply->seq || !now.step)
		return diag_set(reterr, -EAGAIN, 0, 0,
			tr("the status does not have the answer yet: ewin-status shows it in a "
			   "moment"));
	put_answer(sheet, now.step, reply);
	return 0;
}

int hint_ask(const struct sheet *sheet, const char *run_dir, struct text step, struct diag *reterr)
{
	struct ctl_reply reply = {0};
	struct status status;
	struct choice choice;
	int r = await_read(sheet->arena, run_dir, &status, reterr);

	if (r < 0)
		return r;
	step = step.len ? here_name(sheet->arena, &status, step) : here_lab(sheet->arena, &status);
	choice = choose(&status, step);
	if (!choice.step)
		return -ENOENT;
	r = ctl_ask(run_dir, choice.lab->name, choice.step->name, &reply, reterr);
	if (r < 0)
		return r;
	if (reply.answer >= CTL_REFUSED)
		return refuse(&reply, reterr);
	return tell(sheet, run_dir, &choice, &reply, reterr);
}
