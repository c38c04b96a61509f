/* Tiers in words: hints, and the sentence after a save. */
#ifndef EWIN_DAEMON_TIER_WORDS_H
#define EWIN_DAEMON_TIER_WORDS_H

#include "daemon/cause_words.h"
#include "daemon/status.h"

/* What one tier of a step that is wrong says; where the lab and the verdict leave it empty, a
 * sentence that says so. */
void lines_add_tier(const struct sheet *sheet, const struct status_step *step, int64_t tier,
	struct lines *lines);

/* What is open beside the summary and the evidence, in the order of the tiers: causes and hints
 * of a step that is wrong, what is to be learned of one that passes. */
void lines_add_tiers(
	const struct sheet *sheet, const struct status_step *step, struct lines *lines);

/* Do the open tiers say anything that the sentence does not? */
bool tiers_tell_more(
	const struct sheet *sheet, const struct status_step *step, struct text sentence);

/* The sentence for the prompt: the summary, with the concept once that is open, or with what is
 * to be learned after a pass; both, or the second alone, or that in short, in at most so many
 * columns. A cause is told even where it takes more. The summary stays where it is all that is
 * known, or the values are right. */
struct text tier_news(const struct sheet *sheet, const struct status_step *step,
	struct text summary, size_t columns);

#endif
