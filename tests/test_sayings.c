/* daemon/grade/saying.c and daemon/grade/message.h: what is said of a recorded case must be true
 * of that case. What is true of it is read off its own files, or was established by who made it
 * (note.txt). */
#include "daemon/grade/saying.h"

#include <string.h>

#include "daemon/grade/diagnose.h"
#include "tests/cases.h"

/* Sentences of a verdict, a line each. */
static struct text all_sentences(struct arena *arena, const struct verdict *verdict)
{
	struct text all = message_render(arena, NULL, &verdict->summary);

	for (size_t i = 0; i < verdict->remark_count; i++)
		all = text_format(arena, "%.*s\n%.*s", TEXT_ARG(all),
			TEXT_ARG(message_render(arena, NULL, &verdict->remarks[i])));
	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		all = text_format(arena, "%.*s\n%s", TEXT_ARG(all),
			saying_of(verdict, &verdict->diagnosis[i]));
	return all;
}

static bool has(struct text t, const char *part)
{
	return text_find(t, text_of(part)) < t.len;
}

/* What a sentence may only be said of: an output in which that stands. */
static const struct {
	const char *said, *stands;
} grounds[] = {
	{"message names a line and a column", ", column "},
	{"output has an op column", "| op |"},
	{"late is then chance", "| op |"},
	{"cannot be sorted by any column", "Sort on a non-time"},
};

/* What is to be said of a case, and what is not. */
static const struct {
	const char *name, *said, *unsaid;
} facts[] = {
	/* one statement a line is what the client wants; which of the two is wrong it does not
	 * say */
	{"w5_all_on_one_line", "Two statements stand on one line", "line and a column"},
	{"ddl_two_stmts_one_line", "Two statements stand on one line", "line and a column"},
	{"late_string_arg", "brackets, commas and quotes", "line and a column"},
	{"ddl_trailing_comma", "names a line and a column", "brackets, commas and quotes"},
	/* Flink speaks of $SCALAR_QUERY, and of '*', where a function is misspelt */
	{"w5_tumbel", "One name is not known", "in the client's message"},
	{"w5_cont_star", "One name is not known", "in the client's message"},
	{"w5_unknown_column", "One name in the client's message", "One name is not known"},
	/* no row was read, so there are no numbers to speak of */
	{"w5_path_orders", "reads another file", "These numbers"},
	{"w5_first300", "These numbers", "reads another file"},
	/* the client printed the table; the file was wrapped or sorted afterwards */
	{"w5_in_json", "has no table as the SQL client prints it", "was never run"},
	{"w5_sorted_lines", "has no table as the SQL client prints it", "SQL beside it"},
	{"w5_cut_60", "not whole", "SQL beside it"},
	{"w5_create_only", "was never run", "has no table"},
	/* the failed run came first */
	{"w5_ok_appended_after_error", "Every value is right", "error after the result"},
	{"w5_wrong_then_error", "error after the result", "SQL beside it"},
	/* Flink takes any key, and looks at the values of those that it knows */
	{"slow_interval_neg", "refuses the value of a SET", "without a word"},
	{"batch_set_value_typo", "refuses the value of a SET", "without a word"},
	{"slow_key_no_pipeline", "without a word", "refuses the value"},
	/* FROM TUMBLE(...) stands there; two filter late rows themselves */
	{"shop_only_shop", "belong to no window", "no window function"},
	{"filtered_floor_group", "belong to no window", "nothing is late"},
	{"filtered_no_window_count", "belong to no window", "nothing is late"},
	/* DESCRIBE prints no rows of data, and knows no windows */
	{"ddl_delay5min", "The delay of this watermark is 5 min", "rows are right"},
	{"ddl_plus_sign", "The delay of this watermark is -5 s", "rows are right"},
	{"w5_delay4999ms", "The rows are right, but the watermark delay is 4999 ms",
		"this watermark"},
	{"ddl_proctime", "The time here is the clock", "windows"},
	{"ddl_source_watermark", "read the WATERMARK line again", "sign"},
	/* nothing is late in a batch run */
	{"batch_par4", "Every value is right", "Parallelism"},
	{"w5_par2_run1", "Parallelism is 2", "Every value is right"},
	/* a stream is sorted by its time, which drops late rows; one that is cut is sorted by
	 * anything */
	{"late_order_ts", "The sort decides", "cannot be sorted"},
	{"late_order_by_ts_desc_view", "The sort decides", "cannot be sorted"},
	{"batch_order_total_limit10", "The sort decides", "cannot be sorted"},
	{"late_order_by_id", "cannot be sorted", "The sort decides"},
	/* the step asks for late rows, and has no window */
	{"late_from_filtered_view", "does not ask for that", "window"},
	{"late_sigint_mid", "the query never ends", "the last window"},
	/* a run that printed nothing but an error */
	{"filtered_batch_mode", "This was a batch run", "op column"},
	{"late_batch_mode", "This was a batch run", "op column"},
	{"ddl_batch_mode", "This was a batch run", "op column"},
	{"session_batch", "This was a batch run", "op column"},
	{"sweep_second_batch", "the output has no op column", "asks for a streaming run"},
	{"batch_session", "The windows are of another kind", "The rows show"},
	/* a report is no transcript */
	{"report_truncated", "The file ends too early", "footer"},
	{"errors_hop_truncated", "The file ends too early", "footer"},
	{"report_trailing_comma", "look for a wrong quote, comma", "too early"},
	{"report_negative", "The sign is turned", "are left"},
	{"report_key_case", "nearly the same", "A key of the task is not there."},
	{"report_missing_key", "A key of the task is not there.", "nearly the same"},
	/* the name stands in the file: as an alias, which WHERE does not know */
	{"late_alias_in_where", "is not known where it is used", "nowhere"},
	{"session_by_item", "another key than asked", "belongs inside"},
	{"w5_tvf_no_group", "has no GROUP BY", "a key is missing"},
	{"errors_hop_no_tableau", "does not refuse this order", "Nothing was refused"},
	{"sweep_both_select_0", "hold the same result", "same run"},
	/* no row came, so none by chance; a query of the same run */
	{"sweep_no_slots", "The query never ran", "Parallelism"},
	{"batch_union_streaming_too", "that the step does not ask for", "another run"},
	{"w5_offset1min", "An offset shifts", "are shifted"},
	/* footer, columns and SQL fit */
	{"w5_value_edited", "gives other rows on this data", "footer"},
};

struct walk {
	size_t told, told_twice, groundless;
	bool met[sizeof(facts) / sizeof(facts[0])];
};

static void check_facts(struct walk *walk, const char *name, struct text all)
{
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (strcmp(facts[i].name, name) != 0)
			continue;
		walk->met[i] = has(all, facts[i].said) && !has(all, facts[i].unsaid);
		if (!walk->met[i])
			printf("# %s: %.*s\n", name, TEXT_ARG(all));
	}
}

static void check_grounds(struct walk *walk, const char *name, struct text all, struct text out)
{
	for (size_t i = 0; i < sizeof(grounds) / sizeof(grounds[0]); i++)
		if (has(all, grounds[i].said) && !has(out, grounds[i].stands)) {
			walk->groundless++;
			printf("# %s: %s\n", name, grounds[i].said);
		}
}

/* The same error of the client's in two sentences. */
static bool tells_twice(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->remark_count; i++)
		if (verdict->remarks[i].id == MSG_ERROR_BEHIND &&
			text_eq(verdict->remarks[i].args[0], verdict->summary.args[0]))
			return true;
	return false;
}

static void look_at(void *ctx, const struct recorded_case *one)
{
	struct walk *walk = ctx;
	struct verdict verdict = {0};
	struct text all;

	CHECK(grade_step(one->arena, one->lab->grader, one->step, one->submissions, &verdict,
		      NULL) == 0);
	CHECK(diagnose_step(one->arena, one->lab->grader, one->step, one->submissions, &verdict,
		      NULL) == 0);
	all = all_sentences(one->arena, &verdict);
	walk->told++;
	walk->told_twice += tells_twice(&verdict);
	check_facts(walk, one->name, all);
	check_grounds(walk, one->name, all, one->submissions[one->step].out.bytes);
}

TEST(what_is_said_of_a_case_is_true_of_it)
{
	struct walk walk = {0};
	struct case_visitor visitor = {look_at, &walk};

	visit_cases(&visitor);
	CHECK(walk.told > 600);
	CHECK(walk.told_twice == 0);
	CHECK(walk.groundless == 0);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
		if (!walk.met[i])
			printf("# not true: %s\n", facts[i].name);
		CHECK(walk.met[i]);
	}
}

int main(void)
{
	RUN(what_is_said_of_a_case_is_true_of_it);
	return test_finish();
}
