/* The recorded learner cases, on two fixtures: each note says the verdict that an ideal grader
 * gives, and the grader gives it. Exceptions stand in tests/recorded/KNOWN, a line each: the
 * case, the verdict given, the reason. A right answer that does not pass has no exception. */
#include "tests/cases.h"

struct cases {
	struct arena arena; /* of the list of exceptions */
	struct text known;
	int graded, differing, excused;
};

/* The exception of a case: the verdict that is given instead, or an empty text. */
static struct text known_verdict(const struct cases *cases, struct text name)
{
	struct text rest = cases->known, line;

	while (text_next_line(&rest, &line)) {
		size_t blank = text_find(line, TEXT(" "));
		struct text verdict = text_trim(text_slice(line, blank, line.len));

		if (text_eq(text_slice(line, 0, blank), name))
			return text_slice(verdict, 0, text_find(verdict, TEXT(" ")));
	}
	return (struct text){0};
}

static void judge(struct cases *cases, struct text name, struct text noted,
	const struct verdict *verdict, struct arena *arena)
{
	const char *given = verdict_name(verdict->kind);
	struct text asked = text_eq(noted, TEXT("can't tell")) ? TEXT("cannot-tell") : noted;
	struct text known = known_verdict(cases, name);
	bool same = text_eq(asked, text_of(given));

	cases->graded++;
	CHECK(asked.len > 0);
	if (same && known.len == 0)
		return;
	if (!same && text_eq(known, text_of(given)) && !text_eq(asked, TEXT("pass"))) {
		cases->excused++;
		return;
	}
	cases->differing++;
	printf("# %.*s: noted %.*s, given %s%s: %.*s\n", TEXT_ARG(name), TEXT_ARG(asked), given,
		known.len ? " (in KNOWN otherwise)" : "",
		TEXT_ARG(message_render(arena, NULL, &verdict->summary)));
}

static void grade_case(void *ctx, const struct recorded_case *one)
{
	struct cases *cases = ctx;
	struct verdict verdict = {0};
	struct text path = text_format(
		one->arena, "%.*s/%s/%s", TEXT_ARG(one->lab->lab.name), one->set, one->name);

	CHECK(grade_step(one->arena, one->lab->grader, one->step, one->submissions, &verdict,
		      NULL) == 0);
	judge(cases, path, note_line(one->note, "verdict:"), &verdict, one->arena);
}

TEST(each_recorded_case_gets_the_verdict_of_its_note)
{
	struct cases cases = {0};

	arena_init(&cases.arena, LIMIT_GRADE_ARENA);
	cases.known = recorded_text(&cases.arena, AT_FDCWD, RECORDED "/KNOWN");
	visit_cases(&(struct case_visitor){grade_case, &cases});
	printf("# %d cases graded, %d differ, %d known\n", cases.graded, cases.differing,
		cases.excused);
	CHECK(cases.graded >= 650);
	CHECK(cases.differing == 0);
	arena_finish(&cases.arena);
}

/* Cases whose output shows by itself what is not as asked, though its rows are right. */
static const char *const shown[] = {"ddl_named_sensor_events", "ddl_wrong_table_name",
	"slow_filter_view_1h", "slow_filtered", "batch_floor", "batch_floor_end",
	"w5_filter_ok_rows", "filtered_ok_filter_clause"};

static bool is_shown(const char *name)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		if (strcmp(shown[i], name) == 0)
			return true;
	return false;
}

struct alone {
	int right, shown;
};

static void grade_alone(void *ctx, const struct recorded_case *one)
{
	struct alone *alone = ctx;
	struct verdict verdict = {0};
	bool right = text_eq(note_line(one->note, "verdict:"), TEXT("pass"));

	if (!right && !is_shown(one->name))
		return;
	for (size_t i = 0; i < one->lab->lab.step_count; i++)
		one->submissions[i].sql = (struct saved_file){.state = FILE_MISSING};
	CHECK(grade_step(one->arena, one->lab->grader, one->step, one->submissions, &verdict,
		      NULL) == 0);
	if (verdict.kind != (right ? VERDICT_PASS : VERDICT_PARTIAL))
		printf("# %s: %s\n", one->name, verdict_name(verdict.kind));
	CHECK(verdict.kind == (right ? VERDICT_PASS : VERDICT_PARTIAL));
	alone->right += right;
	alone->shown += !right;
}

TEST(without_the_sql_what_the_output_shows_counts_and_no_right_answer_is_called_wrong)
{
	struct alone alone = {0};

	visit_cases(&(struct case_visitor){grade_alone, &alone});
	CHECK(alone.right > 100);
	CHECK(alone.shown == sizeof(shown) / sizeof(shown[0]));
}

/* SQL that is refused at its first statement, and a definition of another table: neither prints a
 * right answer. */
static const char *const beside[] = {"CREATE TABLE t (a INT b INT);\n",
	"CREATE TABLE t (a INT) WITH ('connector' = 'filesystem', 'path' = 'file:///x');\n"
	"DESCRIBE t;\n"};

static bool is_told_stale(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->remark_count; i++)
		if (verdict->remarks[i].id == MSG_STALE)
			return true;
	return false;
}

static void grade_beside(void *ctx, const struct recorded_case *one)
{
	enum step_kind kind = one->lab->lab.steps[one->step].kind;
	int *count = ctx;

	if (!text_eq(note_line(one->note, "verdict:"), TEXT("pass")) ||
		(kind != STEP_TABLES && kind != STEP_DESCRIBE))
		return;
	for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
		struct verdict verdict = {0};

		one->submissions[one->step].sql =
			(struct saved_file){.state = FILE_THERE, .bytes = text_of(beside[i])};
		CHECK(grade_step(one->arena, one->lab->grader, one->step, one->submissions,
			      &verdict, NULL) == 0);
		CHECK(verdict.kind == VERDICT_PASS && is_told_stale(&verdict));
		++*count;
	}
}

TEST(a_right_answer_beside_other_sql_passes_and_is_told_so)
{
	int count = 0;

	visit_cases(&(struct case_visitor){grade_beside, &count});
	CHECK(count > 150);
}

int main(void)
{
	RUN(each_recorded_case_gets_the_verdict_of_its_note);
	RUN(without_the_sql_what_the_output_shows_counts_and_no_right_answer_is_called_wrong);
	RUN(a_right_answer_beside_other_sql_passes_and_is_told_so);
	return test_finish();
}
