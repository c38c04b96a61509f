/* Tiers in words: the causes of a verdict as a learner reads them. */
#ifndef EWIN_DAEMON_TIER_WORDS_H
#define EWIN_DAEMON_TIER_WORDS_H

#include "daemon/sheet.h"
#include "daemon/status.h"

struct lines {
	struct text *items;
	size_t count, room;
};

/* What of a verdict is printed beside its causes: a cause that says no more is left out. */
enum beside {
	BESIDE_NOTHING,
	BESIDE_SUMMARY,
	BESIDE_VERDICT /* its remarks, too */
};

/* A sentence a cause, with what the learner wrote quoted behind it, or a report's key before it; causes of
 * which the evidence cannot tell which it was are told as alternatives. No line comes twice. What there is no
 * memory for is left out. */
void lines_add_causes(const struct sheet *sheet, const struct verdict *verdict, enum beside beside,
	struct lines *lines);

/* What one tier of a step that is wrong says; where the lab and the verdict leave it empty, a sentence that
 * says so. */
void lines_add_tier(const struct sheet *sheet, const struct status_step *step, int64_t tier,
	struct lines *lines);

/* What is open beside the summary and the evidence, in the order of the tiers: causes and hints of a
 * step that is wrong, what is to be learned of one that passes. */
void lines_add_tiers(
	const struct sheet *sheet, const struct status_step *step, struct lines *lines);

/* The sentence for the prompt: the summary, with the concept once that is open, or with what is to be
 * learned after a pass; both, or the second alone, or that in short, in at most so many columns. A cause is told
 * even where it takes more. */
struct text tier_news(const struct sheet *sheet, const struct status_step *step,
	struct text summary, size_t columns);

#endif
