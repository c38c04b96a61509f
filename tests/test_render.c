/* Render: what people and prompts read of a status. */
#include "daemon/render.h"

#include <stdlib.h>

#include "daemon/limits.h"
#include "parser/arena.h"
#include "parser/json.h"
#include "tests/test.h"

/* TEXT() for an object of static duration. */
#define TEXT_OF(literal)                       \
	{                                      \
		(literal), sizeof(literal) - 1 \
	}

static struct evidence evidence[] = {
	{.kind = EVIDENCE_VALUE,
		.table = 1,
		.window_start = TEXT_OF("09:01:00"),
		.column = TEXT_OF("cnt")},
	{.kind = EVIDENCE_MISSING, .table = 2, .window_start = TEXT_OF("09:02:00")},
	{.kind = EVIDENCE_EXTRA, .column = TEXT_OF("late")},
};
static struct message remark = {.id = MSG_ENCODING, .args = {TEXT_OF("w5.out"), TEXT_OF("UTF-16")}};
static struct status_step steps[] = {
	{.name = TEXT_OF("ddl"),
		.out = {.name = TEXT_OF("ddl.out"), .state = FILE_THERE, .mtime_ns = 5000000000},
		.verdict = {.kind = VERDICT_PASS, .summary = {.id = MSG_PASS}},
		.seq = 7,
		.attempt = 1},
	{.name = TEXT_OF("w5"),
		.out = {.name = TEXT_OF("w5.out"), .state = FILE_THERE, .mtime_ns = 6000000000},
		.verdict = {.kind = VERDICT_FAIL,
			.summary = {.id = MSG_VALUE,
				.args = {TEXT_OF("1"), TEXT_OF("3"), TEXT_OF("cnt\033[31m\u00e9")}},
			.remarks = &remark,
			.remark_count = 1,
			.evidence = evidence,
			.evidence_count = 3},
		.seq = 9,
		.attempt = 4},
	{.name = TEXT_OF("late"),
		.out = {.name = TEXT_OF("late.out"), .state = FILE_MISSING},
		.sql = {.name = TEXT_OF("late.sql"), .state = FILE_MISSING},
		.verdict = {.kind = VERDICT_MISSING,
			.summary = {.id = MSG_MISSING, .args = {TEXT_OF("late.out")}}},
		.seq = 2},
};
static struct status_lab lab = {.name = TEXT_OF("watermark"),
	.folder = TEXT_OF("/root/flink/watermark"),
	.steps = steps,
	.step_count = 3,
	.latest = 1};
static const struct status status = {.seq = 9, .labs = &lab, .lab_count = 1};

/* Prints into memory: the caller frees the result. */
struct printed {
	struct arena arena;
	struct sheet sheet;
	char *bytes;
	size_t size;
};

static void open_sheet(struct printed *printed, bool ascii)
{
	arena_init(&printed->arena, LIMIT_STATUS_ARENA);
	printed->sheet = (struct sheet){.arena = &printed->arena,
		.file = open_memstream(&printed->bytes, &printed->size),
		.viewer = {.ascii = ascii},
		.now_ms = 8000};
}

static void close_sheet(struct printed *printed, const char *expected)
{
	fclose(printed->sheet.file);
	if (expected && strcmp(printed->bytes, expected) != 0)
		printf("# printed: %s\n", printed->bytes);
	CHECK(!expected || !strcmp(printed->bytes, expected));
	free(printed->bytes);
	arena_finish(&printed->arena);
}

TEST(every_step_with_its_evidence)
{
	struct printed printed;

	open_sheet(&printed, false);
	CHECK(render_status(&printed.sheet, &status, TEXT("")));
	close_sheet(&printed,
		"watermark 1/3  /root/flink/watermark\n"
		"  ddl        pass        Every value is right.\n"
		"  w5         fail        Table 1, the row with 3: column cnt?[31m\u00e9 is wrong. "
		"(attempt 4)\n"
		"                         w5.out is UTF-16; it was read all the same.\n"
		"  late       missing     late.out is not there yet.\n");
}

/* What the sentence names is not said again; of many places a few are told. */
TEST(where_a_step_alone_is_off)
{
	struct evidence many[8];
	struct status_step one = steps[1];
	struct status_lab other = lab;
	const struct status some = {.seq = 9, .labs = &other, .lab_count = 1};
	struct printed printed;

	for (size_t i = 0; i < 8; i++)
		many[i] = (struct evidence){.table = 1,
			.window_start = TEXT("7"),
			.key = TEXT("event_id"),
			.column = TEXT("ts")};
	many[0].column = TEXT("wm");
	many[2].column = TEXT("");
	many[2].kind = EVIDENCE_EXTRA;
	many[3] = (struct evidence){.kind = EVIDENCE_MISSING, .table = 1};
	one.verdict.summary.args[1] = TEXT("event_id 7");
	one.verdict.summary.args[2] = TEXT("wm");
	one.verdict.evidence = many;
	one.verdict.evidence_count = 8;
	one.verdict.remark_count = 0;
	other.steps = &one;
	other.step_count = 1;
	open_sheet(&printed, false);
	CHECK(render_status(&printed.sheet, &some, TEXT("w5")));
	close_sheet(&printed,
		"watermark 0/1  /root/flink/watermark\n"
		"  w5         fail        Table 1, the row with event_id 7: column wm is wrong. "
		"(attempt 4)\n"
		"                         table 1, row with event_id 7, ts: wrong\n"
		"                         table 1, row with event_id 7: should not be there\n"
		"                         table 1, rows: missing\n"
		"                         and more\n");
}

TEST(one_step_alone)
{
	struct printed printed;

	open_sheet(&printed, false);
	CHECK(render_status(&printed.sheet, &status, TEXT("late.out")));
	CHECK(!render_status(&printed.sheet, &status, TEXT("w6")));
	close_sheet(&printed, "watermark 1/3  /root/flink/watermark\n"
			      "  late       missing     late.out is not there yet.\n");
}

TEST(a_step_alone_has_the_labs_own_words)
{
	static struct lab_text words[] = {{TEXT_OF("en"), TEXT_OF("Think."), 0, 0},
		{TEXT_OF("ja"), TEXT_OF("考える。"), 0, 0},
		{TEXT_OF("de"), TEXT_OF("Denk."), 0, 0}};
	struct lab_texts hint = {words, 3, 0, 0}, english = {words, 1, 0, 0};
	struct status_step one = steps[2];
	struct status_lab other = {.name = TEXT("l"),
		.folder = TEXT("/l"),
		.steps = &one,
		.step_count = 1,
		.title = english};
	const struct status some = {.seq = 9, .labs = &other, .lab_count = 1};
	struct printed printed;

	one.title = english;
	one.hints = &hint;
	one.hint_count = 1;
	one.hint_tier = 2;
	one.verdict.kind = VERDICT_FAIL;
	open_sheet(&printed, false);
	printed.sheet.viewer.wants = TEXT("fr_FR.UTF-8:de_AT");
	CHECK(render_status(&printed.sheet, &some, TEXT("late")));
	CHECK(render_status(&printed.sheet, &some, TEXT("")));
	printed.sheet.viewer.wants = TEXT("ko_KR.UTF-8");
	one.hint_count = 0;
	one.verdict.kind = VERDICT_PASS;
	one.learned = hint;
	CHECK(render_status(&printed.sheet, &some, TEXT("late")));
	close_sheet(&printed, "l 0/1  /l  Think.\n"
			      "  Think.\n"
			      "  late       fail        late.out is not there yet.\n"
			      "                         Hint: Denk.\n"
			      "l 0/1  /l  Think.\n"
			      "  late       fail        late.out is not there yet.\n"
			      "l 1/1  /l  Think.\n"
			      "  Think.\n"
			      "  late       pass        late.out is not there yet.\n"
			      "                         Think.\n");
}

static struct status_lab two[2];
static const struct status of_two = {.seq = 9, .labs = two, .lab_count = 2};

/* Two labs with the same steps: which is meant has to be said, and is said. */
TEST(one_lab_of_two_and_one_step_of_one)
{
	struct printed printed;

	two[0] = two[1] = lab;
	two[1].name = TEXT("other");
	two[1].folder = TEXT("/root/flink/other");
	two[1].steps = &steps[2];
	two[1].step_count = 1;
	open_sheet(&printed, false);
	CHECK(render_status(&printed.sheet, &of_two, TEXT("other")));
	CHECK(render_status(&printed.sheet, &of_two, TEXT("other/late")));
	CHECK(!render_status(&printed.sheet, &of_two, TEXT("other/ddl")));
	close_sheet(&printed, "other 0/1  /root/flink/other\n"
			      "  late       missing     late.out is not there yet.\n"
			      "other 0/1  /root/flink/other\n"
			      "  late       missing     late.out is not there yet.\n");
	open_sheet(&printed, true);
	CHECK(render_status(&printed.sheet, &of_two, TEXT("late")));
	close_sheet(&printed, "watermark 1/3  /root/flink/watermark\n"
			      "  late       missing     late.out is not there yet.\n"
			      "other 0/1  /root/flink/other\n"
			      "  late       missing     late.out is not there yet.\n");
	open_sheet(&printed, true);
	render_news(&printed.sheet, &of_two, 2);
	fclose(printed.sheet.file);
	CHECK(strncmp(printed.bytes, "ewind: watermark/w5: fail: ", 27) == 0);
	CHECK(strstr(printed.bytes, "(more: ewin-status watermark/w5)"));
	free(printed.bytes);
	arena_finish(&printed.arena);
}

/* Each notice names its lab first, but for the one that is of all. */
TEST(a_notice_of_another_lab_is_not_shown)
{
	static struct message notices[] = {{.id = MSG_POLLED, .args = {TEXT_OF("2")}},
		{.id = MSG_NO_FOLDER, .args = {TEXT_OF("watermark"), TEXT_OF("/r/w")}},
		{.id = MSG_LAB_CHANGED,
			.args = {TEXT_OF("other"), TEXT_OF("e.csv"), TEXT_OF("1")}}};
	struct status_lab labs[2] = {lab, lab};
	const struct status some = {
		.seq = 9, .labs = labs, .lab_count = 2, .notices = notices, .notice_count = 3};
	static const char polled[] =
		"Folders cannot be watched here: they are looked at every 2 seconds.\n";
	static const char blocked[] =
		"Lab watermark: /r/w is no folder, but a file: nothing can be saved there.\n";
	static const char changed[] =
		"Lab other: e.csv has changed; saved steps that were graded again: 1.\n";
	struct {
		const char *asked;
		bool blocked, changed;
	} cases[] = {{"", true, true}, {"watermark", true, false}, {"watermark/ddl", true, false},
		{"other", false, true}, {"other/late", false, true}, {"late", false, true},
		{"w5", true, false}};

	labs[0].step_count = 2;
	labs[1].name = TEXT("other");
	labs[1].steps = &steps[2];
	labs[1].step_count = 1;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct printed printed;

		open_sheet(&printed, true);
		CHECK(render_status(&printed.sheet, &some, text_of(cases[i].asked)));
		fclose(printed.sheet.file);
		CHECK(strncmp(printed.bytes, polled, strlen(polled)) == 0);
		CHECK(!strstr(printed.bytes, blocked) == !cases[i].blocked);
		CHECK(!strstr(printed.bytes, changed) == !cases[i].changed);
		free(printed.bytes);
		arena_finish(&printed.arena);
	}
}

TEST(a_line_a_lab)
{
	struct printed printed;

	open_sheet(&printed, false);
	render_short(&printed.sheet, &status);
	close_sheet(&printed, "watermark 1/3 fail:w5\n");
}

TEST(the_newest_step_is_the_news)
{
	struct printed printed;

	open_sheet(&printed, true);
	render_news(&printed.sheet, &status, 9);
	CHECK(fflush(printed.sheet.file) == 0 && printed.size == 0);
	render_news(&printed.sheet, &status, 2);
	close_sheet(&printed, "ewind: w5: fail: Table 1, the row with 3: column cnt?[31m? is "
			      "wrong. (more: ewin-status w5)\n");
}

/* A step that builds on what was saved is graded again after it. */
TEST(a_save_is_the_news_and_not_what_followed_from_it)
{
	struct printed printed;
	struct status_lab saved = lab;

	saved.latest = 0;
	CHECK(saved.steps[0].seq < saved.steps[1].seq);
	open_sheet(&printed, true);
	render_news(&printed.sheet, &(struct status){.seq = 9, .labs = &saved, .lab_count = 1}, 2);
	close_sheet(&printed, "ewind: ddl: pass: Every value is right.\n");
}

/* No remark, and the one place is in the sentence. */
TEST(more_is_promised_only_where_there_is_more)
{
	struct printed printed;
	struct status_step step = steps[1];
	struct status_lab one = lab;
	struct status of_one = {.seq = 9, .labs = &one, .lab_count = 1};

	step.verdict.summary = (struct message){
		.id = MSG_VALUE, .args = {TEXT("1"), TEXT("09:01:00"), TEXT("cnt")}};
	step.verdict.remark_count = 0;
	step.verdict.evidence_count = 1;
	one.steps = &step;
	one.step_count = 1;
	one.latest = 0;
	open_sheet(&printed, true);
	render_news(&printed.sheet, &of_one, 2);
	close_sheet(&printed,
		"ewind: w5: fail: Table 1, the row with 09:01:00: column cnt is wrong.\n");
	step.verdict.evidence_count = 2;
	open_sheet(&printed, true);
	render_news(&printed.sheet, &of_one, 2);
	close_sheet(&printed, "ewind: w5: fail: Table 1, the row with 09:01:00: column cnt is "
			      "wrong. (more: ewin-status w5)\n");
}

TEST(a_pass_needs_no_further_reading)
{
	struct printed printed;
	struct status_lab one = lab;

	one.step_count = 1;
	open_sheet(&printed, true);
	render_news(&printed.sheet, &(struct status){.seq = 9, .labs = &one, .lab_count = 1}, 6);
	close_sheet(&printed, "ewind: ddl: pass: Every value is right.\n");
}

/* Where the service may not read what was saved, the news is the command that opens it: the
 * file's own, or that of a folder in which nothing is known of any file. */
TEST(what_is_closed_is_opened_by_a_command)
{
	struct message closed[] = {
		{.id = MSG_CLOSED, .args = {TEXT("other"), TEXT("chmod a+rx /o")}},
		{.id = MSG_CLOSED, .args = {TEXT("l"), TEXT("chmod a+r /l/ww5.out")}},
		{.id = MSG_CLOSED, .args = {TEXT("l"), TEXT("chmod a+r '/l m/w5.out'")}}};
	struct status_step step = {.name = TEXT("w5"),
		.out = {.name = TEXT("w5.out"), .state = FILE_UNREADABLE, .mtime_ns = 7},
		.verdict = {.kind = VERDICT_CANNOT_TELL, .summary = {.id = MSG_UNREADABLE}},
		.seq = 9};
	struct status_lab one = {
		.name = TEXT("l"), .folder = TEXT("/l m"), .steps = &step, .step_count = 1};
	const struct status some = {
		.seq = 9, .labs = &one, .lab_count = 1, .notices = closed, .notice_count = 3};
	struct printed printed;

	open_sheet(&printed, true);
	render_news(&printed.sheet, &some, 0);
	step.out.mtime_ns = 0;
	closed[1].args[1] = TEXT("chmod a+rx '/l m'");
	render_news(&printed.sheet, &some, 0);
	close_sheet(&printed, "ewind: w5: cannot-tell: Lab l: the service may not read what is "
			      "saved. To open it: "
			      "chmod a+r '/l m/w5.out' (more: ewin-status w5)\n"
			      "ewind: w5: cannot-tell: Lab l: the service may not read what is "
			      "saved. To open it: "
			      "chmod a+rx '/l m' (more: ewin-status w5)\n");
}

TEST(running_and_stale_are_said_first)
{
	struct status_step now[2] = {steps[1], steps[2]};
	struct status_lab other = {.name = TEXT("l"),
		.folder = TEXT("/l"),
		.steps = now,
		.step_count = 2,
		.latest = 1};
	const struct status some = {.seq = 9, .labs = &other, .lab_count = 1};
	struct printed printed;

	now[0].running = true;
	now[0].rows = 12;
	now[1].stale = true;
	now[1].seq = 8;
	open_sheet(&printed, true);
	render_status(&printed.sheet, &some, TEXT(""));
	render_news(&printed.sheet, &some, 0);
	close_sheet(&printed,
		"l 0/2  /l\n"
		"  w5         running     w5.out is still being written, 12 rows so far. (attempt "
		"4)\n"
		"  late       stale       late.sql is newer than late.out: run it again.\n"
		"                         before: missing\n"
		"ewind: late: stale: late.sql is newer than late.out: run it again.\n");
}

TEST(json_is_one_object_a_lab)
{
	struct printed printed;
	struct json root;
	const struct json *results, *step;
	int64_t number;

	open_sheet(&printed, false);
	render_json(&printed.sheet, &status, TEXT(""));
	CHECK(fflush(printed.sheet.file) == 0);
	CHECK(json_parse(&printed.arena, text_of(printed.bytes), &root, NULL) == 0);
	CHECK(text_eq(json_get(&root, TEXT("lab"))->string, TEXT("watermark")));
	results = json_get(&root, TEXT("results"));
	CHECK(results->count == 3);
	step = results->items[1];
	CHECK(text_eq(json_get(step, TEXT("verdict"))->string, TEXT("fail")));
	CHECK(json_get(step, TEXT("passed"))->kind == JSON_FALSE);
	CHECK(json_integer(json_get(step, TEXT("attempt")), &number) == 0 && number == 4);
	CHECK(json_integer(json_get(step, TEXT("age_ms")), &number) == 0 && number == 2000);
	CHECK(json_get(step, TEXT("evidence"))->count == 3);
	CHECK(json_get(results->items[2], TEXT("age_ms"))->kind == JSON_NULL);
	close_sheet(&printed, NULL);
}

int main(void)
{
	RUN(every_step_with_its_evidence);
	RUN(where_a_step_alone_is_off);
	RUN(one_step_alone);
	RUN(a_step_alone_has_the_labs_own_words);
	RUN(one_lab_of_two_and_one_step_of_one);
	RUN(a_notice_of_another_lab_is_not_shown);
	RUN(a_line_a_lab);
	RUN(the_newest_step_is_the_news);
	RUN(a_save_is_the_news_and_not_what_followed_from_it);
	RUN(more_is_promised_only_where_there_is_more);
	RUN(a_pass_needs_no_further_reading);
	RUN(what_is_closed_is_opened_by_a_command);
	RUN(running_and_stale_are_said_first);
	RUN(json_is_one_object_a_lab);
	return test_finish();
}
