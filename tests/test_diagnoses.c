/* The recorded learner cases: each note names the cause in the catalogue's vocabulary, and the
 * grader names it, part of it, or nothing; never another one.
 *
 *	diagnosis: ID[=param][@n][, ID...] [| alternative]      "-": a right answer
 *
 * A comma joins causes that are all there, "|" separates answers that the evidence cannot tell
 * apart. */
#include "daemon/grade/diagnose.h"
#include "tests/cases.h"

/* Causes of one alternative at most, and alternatives. */
enum { CAUSES = 8 };

enum match { EXACT, AMONG, PART, NOTHING, WRONG, OUTCOMES };

static const char *const outcome_names[] = {
	"exactly", "among several", "in part", "not at all", "wrongly"};

struct cause {
	struct text id, param;
};

struct answer {
	struct cause causes[CAUSES];
	size_t count;
};

struct walk {
	bool without_sql; /* the output alone is looked at */
	int outcomes[OUTCOMES], right_answers, accused;
};

static struct answer parse_answer(struct text t)
{
	struct answer answer = {0};
	struct text part;

	while (answer.count < CAUSES && note_part(&t, ", ", &part)) {
		size_t sign = text_find(part, TEXT("="));
		struct text id = text_slice(part, 0, sign);

		id = text_slice(id, 0, text_find(id, TEXT("@")));
		answer.causes[answer.count++] = (struct cause){id,
			sign < part.len ? text_slice(part, sign + 1, part.len) : (struct text){0}};
	}
	return answer;
}

/* Effects that a cause brings with it: who names them as well, or them alone, is less helpful, not
 * wrong. */
static bool is_effect(const struct diagnosis *given, struct text root)
{
	static const struct {
		const char *root;
		enum diagnosis_id effect;
	} effects[] = {{"set-after-query", DIAG_STREAMING_MODE},
		{"set-after-query", DIAG_INTERVAL_MISSING}, {"set-after-query", DIAG_NO_TABLEAU},
		{"set-misspelt", DIAG_STREAMING_MODE}, {"set-misspelt", DIAG_INTERVAL_MISSING},
		{"set-misspelt", DIAG_NO_TABLEAU}, {"set-lost", DIAG_STREAMING_MODE},
		{"set-lost", DIAG_INTERVAL_MISSING}, {"set-lost", DIAG_NO_TABLEAU},
		{"no-window", DIAG_CHANGELOG}, {"group-key-missing", DIAG_CHANGELOG},
		{"topn-partition", DIAG_CHANGELOG}, {"limit", DIAG_CHANGELOG},
		{"order-by", DIAG_CHANGELOG}, {"emit-options", DIAG_CHANGELOG},
		{"filter-extra", DIAG_ANOTHER_STEP}, {"aggregated", DIAG_ANOTHER_STEP},
		{"window-kind", DIAG_ANOTHER_STEP}, {"interval", DIAG_ANOTHER_STEP},
		{"other-data", DIAG_ERROR_CSV}, {"ddl-columns", DIAG_ERROR_CSV},
		{"unbounded-source", DIAG_INTERRUPTED}, {"unbounded-source", DIAG_TRUNCATED},
		{"processing-time", DIAG_NO_WATERMARK}};

	for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (effects[i].effect == given->id && text_eq(root, text_of(effects[i].root)))
			return true;
	return false;
}

static bool names(const struct diagnosis *given, const struct cause *cause)
{
	struct text param = text_slice(cause->param, 0, text_find(cause->param, TEXT("@")));

	if (!text_eq(text_of(diagnosis_name(given->id)), cause->id))
		return false;
	return !note_is_exact(cause->id) || !param.len || !given->param.len ||
	       text_eq(given->param, param);
}

/* Causes of the answer that are given. */
static size_t found_in(const struct verdict *verdict, const struct answer *answer)
{
	size_t found = 0;

	for (size_t i = 0; i < answer->count; i++)
		for (size_t k = 0; k < verdict->diagnosis_count; k++)
			if (names(&verdict->diagnosis[k], &answer->causes[i])) {
				found++;
				break;
			}
	return found;
}

/* Given ones, those for certain or the others, that the answer does not have. */
static size_t beside(const struct verdict *verdict, const struct answer *answer, bool ambiguous)
{
	size_t count = 0;

	for (size_t k = 0; k < verdict->diagnosis_count; k++) {
		size_t i = 0;

		if (verdict->diagnosis[k].ambiguous != ambiguous ||
			verdict->diagnosis[k].id == DIAG_UNRECOGNISED)
			continue;
		while (i < answer->count && !names(&verdict->diagnosis[k], &answer->causes[i]) &&
			!is_effect(&verdict->diagnosis[k], answer->causes[i].id))
			i++;
		count += i == answer->count;
	}
	return count;
}

/* Is an effect of the answer's among what is given? */
static bool has_effect(const struct verdict *verdict, const struct answer *answer)
{
	for (size_t k = 0; k < verdict->diagnosis_count; k++)
		for (size_t i = 0; i < answer->count; i++)
			if (is_effect(&verdict->diagnosis[k], answer->causes[i].id))
				return true;
	return false;
}

static enum match judge_answer(const struct verdict *verdict, const struct answer *answer)
{
	size_t found = found_in(verdict, answer);

	if (beside(verdict, answer, false) ||
		(found == 0 && beside(verdict, answer, true) && !has_effect(verdict, answer)))
		return WRONG;
	if (found == 0)
		return NOTHING;
	if (beside(verdict, answer, true))
		return AMONG;
	return found == answer->count ? EXACT : PART;
}

/* The best of the note's alternatives; ambiguous causes that are all among them are exact. */
static enum match judge(const struct verdict *verdict, struct text noted)
{
	enum match best = WRONG;
	struct answer all = {0};
	struct text part;

	while (note_part(&noted, " | ", &part)) {
		struct answer answer = parse_answer(part);
		enum match outcome = judge_answer(verdict, &answer);

		best = outcome < best ? outcome : best;
		for (size_t i = 0; i < answer.count && all.count < CAUSES; i++)
			all.causes[all.count++] = answer.causes[i];
	}
	return best == AMONG && beside(verdict, &all, true) == 0 ? EXACT : best;
}

static void print_given(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		printf("%s%s%s%.*s", i == 0 ? "" : (verdict->diagnosis[i].ambiguous ? " | " : ", "),
			diagnosis_name(verdict->diagnosis[i].id),
			verdict->diagnosis[i].param.len ? "=" : "",
			TEXT_ARG(verdict->diagnosis[i].param));
}

static void take(struct walk *walk, const struct recorded_case *one, struct text noted,
	const struct verdict *verdict)
{
	enum match outcome = judge(verdict, noted);

	if (text_starts(noted, TEXT("-"))) {
		walk->right_answers++;
		if (verdict->kind != VERDICT_PASS || outcome != WRONG)
			return;
		walk->accused++;
	} else {
		walk->outcomes[outcome]++;
		if (outcome == EXACT)
			return;
	}
	printf("# %.*s/%s: named %s: noted %.*s, given ", TEXT_ARG(one->lab->lab.name), one->name,
		outcome_names[outcome], TEXT_ARG(noted));
	print_given(verdict);
	printf(" (%s %s)\n", verdict_name(verdict->kind), message_name(verdict->summary.id));
}

static void diagnose_case(void *ctx, const struct recorded_case *one)
{
	struct walk *walk = ctx;
	const struct lab *lab = &one->lab->lab;
	struct verdict verdict = {0};

	for (size_t i = 0; walk->without_sql && i < lab->step_count; i++)
		one->submissions[i].sql = (struct saved_file){.state = FILE_MISSING};
	CHECK(grade_step(one->arena, one->lab->grader, one->step, one->submissions, &verdict,
		      NULL) == 0);
	CHECK(diagnose_step(one->arena, one->lab->grader, one->step, one->submissions, &verdict,
		      NULL) == 0);
	if (!walk->without_sql || lab->steps[one->step].kind == STEP_TABLES)
		take(walk, one, note_line(one->note, "diagnosis:"), &verdict);
}

static void walk_cases(struct walk *walk, const char *what)
{
	visit_cases(&(struct case_visitor){diagnose_case, walk});
	printf("## recorded causes%s:", what);
	for (int i = 0; i < OUTCOMES; i++)
		printf(" %d named %s%s", walk->outcomes[i], outcome_names[i],
			i + 1 < OUTCOMES ? "," : "\n");
	CHECK(walk->right_answers > 60 && walk->accused == 0);
	CHECK(walk->outcomes[WRONG] == 0);
}

TEST(no_recorded_case_gets_a_cause_that_is_not_its_own)
{
	struct walk walk = {0};

	walk_cases(&walk, "");
}

TEST(nor_does_it_without_the_sql)
{
	struct walk walk = {.without_sql = true};

	walk_cases(&walk, " from the output alone");
}

int main(void)
{
	RUN(no_recorded_case_gets_a_cause_that_is_not_its_own);
	RUN(nor_does_it_without_the_sql);
	return test_finish();
}
