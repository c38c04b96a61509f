/* Tiers: when a hint opens, and the words of the causes. */
#include "daemon/tiers.h"

#include <stdlib.h>

#include "daemon/limits.h"
#include "daemon/tier_words.h"
#include "parser/arena.h"
#include "tests/test.h"

static struct diagnosis delays[] = {
	{.id = DIAG_DELAY, .param = {"0s", 2}, .ambiguous = true},
	{.id = DIAG_FILTER_EXTRA, .ambiguous = true},
	{.id = DIAG_DELAY, .param = {"2s", 2}, .ambiguous = true},
};
static const struct verdict wrong = {.kind = VERDICT_FAIL}, right = {.kind = VERDICT_PASS},
			    open = {.kind = VERDICT_CANNOT_TELL}, half = {.kind = VERDICT_PARTIAL},
			    gone = {.kind = VERDICT_MISSING};

TEST(a_wrong_attempt_opens_one_more)
{
	int64_t tier = TIER_NONE;

	tier = tier_after(tier, &wrong, true);
	CHECK(tier == TIER_WHERE);
	CHECK(tier_after(tier, &wrong, false) == TIER_WHERE);
	tier = tier_after(tier, &half, true);
	CHECK(tier == TIER_CONCEPT);
	tier = tier_after(tier, &wrong, true);
	CHECK(tier == TIER_ROW);
	CHECK(tier_after(tier, &wrong, true) == TIER_ROW);
}

TEST(a_pass_opens_the_whole_and_begins_anew)
{
	CHECK(tier_after(TIER_NONE, &right, true) == TIER_WHOLE);
	CHECK(tier_after(TIER_ROW, &right, false) == TIER_WHOLE);
	CHECK(tier_after(TIER_WHOLE, &wrong, true) == TIER_WHERE);
	CHECK(tier_after(99, &wrong, false) == TIER_WHERE);
}

TEST(what_is_not_known_to_be_wrong_opens_and_closes_nothing)
{
	CHECK(tier_after(TIER_CONCEPT, &open, true) == TIER_CONCEPT);
	CHECK(tier_after(TIER_CONCEPT, &gone, false) == TIER_CONCEPT);
	CHECK(tier_after(TIER_WHOLE, &gone, false) == TIER_NONE);
	CHECK(tier_after(TIER_NONE, &open, true) == TIER_NONE);
}

/* The lab's first hint is the concept, and waits where a cause is known. */
TEST(hints_of_the_lab)
{
	struct verdict known = wrong;

	CHECK(tier_hints(TIER_WHERE, &wrong, 2) == 0);
	CHECK(tier_hints(TIER_CONCEPT, &wrong, 2) == 1);
	CHECK(tier_hints(TIER_CONCEPT, &wrong, 0) == 0);
	CHECK(tier_hints(TIER_ROW, &wrong, 2) == 2);
	CHECK(tier_hints(TIER_WHOLE, &right, 2) == 0);
	known.diagnosis = delays;
	known.diagnosis_count = 1;
	CHECK(tier_hints(TIER_CONCEPT, &known, 2) == 0);
	CHECK(tier_hints(TIER_ROW, &known, 2) == 2);
}

static struct arena arena;

static struct lines causes_of(struct diagnosis *causes, size_t count)
{
	const struct sheet sheet = {.arena = &arena};
	struct verdict verdict = {
		.kind = VERDICT_FAIL, .diagnosis = causes, .diagnosis_count = count};
	struct lines lines = {0};

	lines_add_causes(&sheet, &verdict, BESIDE_VERDICT, &lines);
	return lines;
}

static bool has(struct text line, const char *what)
{
	return text_find(line, text_of(what)) < line.len;
}

TEST(alternatives_are_told_as_such_and_equal_ones_once)
{
	struct lines lines;

	arena_init(&arena, 1u << 20);
	lines = causes_of(delays, 3);
	CHECK(lines.count == 2);
	CHECK(text_starts(lines.items[0], TEXT("Either: ")));
	CHECK(text_ends(lines.items[0], TEXT(" Yours: 0s or 2s.")));
	CHECK(text_starts(lines.items[1], TEXT("Or: ")));
	delays[1].id = DIAG_DELAY;
	lines = causes_of(delays, 3);
	CHECK(lines.count == 1 && !has(lines.items[0], "Either"));
	delays[1].id = DIAG_FILTER_EXTRA;
	arena_finish(&arena);
}

/* A key that is missing is a part of the solution; a key too many is the learner's own. */
TEST(only_what_the_learner_wrote_is_quoted)
{
	struct diagnosis missing = {.id = DIAG_GROUP_KEY_MISSING, .param = {"shop", 4}};
	struct diagnosis extra = {.id = DIAG_GROUP_KEY_EXTRA, .param = {"shop", 4}};
	struct diagnosis column = {.id = DIAG_COLUMN_MISSING, .param = {"cnt", 3}};
	struct diagnosis none = {.id = DIAG_NO_WINDOW, .param = {"none", 4}};
	struct diagnosis second = {.id = DIAG_DELAY, .param = {"31s", 3}, .table = 2};

	arena_init(&arena, 1u << 20);
	CHECK(!has(causes_of(&missing, 1).items[0], "shop"));
	CHECK(has(causes_of(&extra, 1).items[0], "shop"));
	CHECK(!has(causes_of(&column, 1).items[0], "cnt"));
	CHECK(!has(causes_of(&none, 1).items[0], "Yours"));
	CHECK(text_starts(causes_of(&second, 1).items[0], TEXT("Table 2: ")));
	arena_finish(&arena);
}

static struct text news_of(const struct status_step *step, size_t columns)
{
	const struct sheet sheet = {.arena = &arena};

	return tier_news(&sheet, step, TEXT("Off."), columns);
}

/* "More" is promised only where there is more. */
TEST(what_the_sentence_says_is_no_more)
{
	static struct lab_text said[] = {{{"en", 2}, {"Think.", 6}, 0, 0}};
	struct lab_texts hint = {said, 1, 0, 0};
	const struct sheet sheet = {.arena = &arena};
	struct status_step step = {
		.verdict = wrong, .hint_tier = TIER_WHERE, .hints = &hint, .hint_count = 1};

	arena_init(&arena, 1u << 20);
	CHECK(!tiers_tell_more(&sheet, &step, TEXT("Off.")));
	step.hint_tier = TIER_CONCEPT;
	CHECK(tiers_tell_more(&sheet, &step, TEXT("Off.")));
	CHECK(!tiers_tell_more(&sheet, &step, TEXT("Off. Think.")));
	step.hint_count = 0;
	CHECK(!tiers_tell_more(&sheet, &step, TEXT("Off.")));
	step.verdict.diagnosis = (struct diagnosis[]){{.id = DIAG_TOPN_N}};
	step.verdict.diagnosis_count = 1;
	CHECK(tiers_tell_more(&sheet, &step, TEXT("Off.")));
	CHECK(!tiers_tell_more(&sheet, &step, text_of(diagnosis_sentence(DIAG_TOPN_N))));
	arena_finish(&arena);
}

/* A comparison, and a call of the catalogue, as they are written. */
TEST(what_is_quoted_can_be_read)
{
	struct diagnosis distinct = {
		.id = DIAG_AGG_FUNCTION, .param = TEXT("COUNT-DISTINCT:reading")};
	struct diagnosis plain = {.id = DIAG_AGG_FUNCTION, .param = TEXT("AVG")};
	struct diagnosis equal = {.id = DIAG_LATE_CMP, .param = TEXT("=")};

	arena_init(&arena, 1u << 20);
	CHECK(text_ends(
		causes_of(&distinct, 1).items[0], TEXT(" Yours: COUNT(DISTINCT reading).")));
	CHECK(text_ends(causes_of(&plain, 1).items[0], TEXT(" Yours: AVG.")));
	CHECK(text_ends(causes_of(&equal, 1).items[0], TEXT(" Yours: \"=\".")));
	arena_finish(&arena);
}

TEST(the_sentence_after_a_save)
{
	static struct lab_text said[] = {{{"en", 2}, {"Think.", 6}, 0, 0}};
	struct lab_texts hint = {said, 1, 0, 0};
	struct status_step step = {
		.verdict = wrong, .hint_tier = TIER_WHERE, .hints = &hint, .hint_count = 1};

	arena_init(&arena, 1u << 20);
	CHECK(text_eq(news_of(&step, 80), TEXT("Off.")));
	step.verdict.diagnosis =
		(struct diagnosis[]){{.id = DIAG_OTHER_DATA, .param = TEXT("newer")}};
	step.verdict.diagnosis_count = 1;
	CHECK(text_eq(news_of(&step, 80),
		TEXT("Off. The data has changed since this was saved: run it again.")));
	step.verdict.diagnosis_count = 0;
	step.hint_tier = TIER_CONCEPT;
	CHECK(text_eq(news_of(&step, 80), TEXT("Off. Think.")));
	CHECK(text_eq(tier_news(&(struct sheet){.arena = &arena}, &step, TEXT("違います。"), 80),
		TEXT("違います。Think.")));
	/* What the lab says of the whole step does not stand for the place. */
	CHECK(text_eq(news_of(&step, 8), TEXT("Off.")));
	step.verdict.diagnosis = (struct diagnosis[]){{.id = DIAG_DELAY, .param = {"0s", 2}}};
	step.verdict.diagnosis_count = 1;
	CHECK(text_ends(news_of(&step, 200), TEXT(" Yours: 0s.")));
	CHECK(text_eq(news_of(&step, strlen(diagnosis_sentence(DIAG_DELAY))),
		text_of(diagnosis_sentence(DIAG_DELAY))));
	/* From the second wrong save on the cause is told, however long the names of lab and step
	 * are. */
	CHECK(text_eq(news_of(&step, 4), text_of(diagnosis_sentence(DIAG_DELAY))));
	step.verdict.diagnosis =
		(struct diagnosis[]){{.id = DIAG_DELAY, .param = {"10s", 3}, .ambiguous = true},
			{.id = DIAG_DELAY, .param = {"11s", 3}, .ambiguous = true}};
	step.verdict.diagnosis_count = 2;
	CHECK(text_ends(news_of(&step, 200), TEXT(" Yours: 10s or 11s.")));
	CHECK(text_eq(news_of(&step, 4), text_of(diagnosis_sentence(DIAG_DELAY))));
	step.verdict.kind = VERDICT_PARTIAL;
	CHECK(text_eq(news_of(&step, 4), TEXT("Off.")));
	CHECK(text_starts(news_of(&step, 300), TEXT("Off. ")));
	/* "Start at the first difference": which? */
	step.verdict.kind = VERDICT_FAIL;
	step.verdict.diagnosis =
		(struct diagnosis[]){{.id = DIAG_EDITED_BY_HAND, .ambiguous = true},
			{.id = DIAG_UNRECOGNISED, .ambiguous = true}};
	CHECK(text_starts(news_of(&step, 4), TEXT("Off. Either: ")));
	step.verdict = right;
	step.hint_tier = TIER_WHOLE;
	step.learned = hint;
	CHECK(text_eq(news_of(&step, 80), TEXT("Off. Think.")));
	arena_finish(&arena);
}

int main(void)
{
	RUN(a_wrong_attempt_opens_one_more);
	RUN(a_pass_opens_the_whole_and_begins_anew);
	RUN(what_is_not_known_to_be_wrong_opens_and_closes_nothing);
	RUN(hints_of_the_lab);
	RUN(alternatives_are_told_as_such_and_equal_ones_once);
	RUN(only_what_the_learner_wrote_is_quoted);
	RUN(what_the_sentence_says_is_no_more);
	RUN(what_is_quoted_can_be_read);
	RUN(the_sentence_after_a_save);
	return test_finish();
}
