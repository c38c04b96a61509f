/* The status files: packed and read back, whole or cut, and put into place. */
#include "daemon/status.h"

#include "daemon/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "tests/test.h"

static struct arena arena;

#define HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/* Three steps: one that passes, one that fails, one that nobody saved yet. */
static struct status_step steps[] = {
	{
		.name = {"w5", 2},
		.out = {{"w5.out", 6}, FILE_THERE, 1479, 1764459451123456789, {HASH, 64}},
		.sql = {{"w5.sql", 6}, FILE_THERE, 700, 1764459440000000001, {HASH, 64}},
		.verdict = {.kind = VERDICT_PASS, .summary = {.id = MSG_PASS}},
		.seq = 41,
		.attempt = 2,
		.hint_tier = 1,
	},
	{
		.name = {"late", 4},
		.out = {{"late.out", 8}, FILE_THERE, 9007199254740993, 1764459451123456790,
			{HASH, 64}},
		.sql = {{"late.sql", 8}, FILE_MISSING, 0, 0, {"", 0}},
		.seq = 42,
		.searching = true,
		.attempt = 1,
		.look = {.row = 51, .window = "2026-03-02 10:00", .select = 2},
	},
	{
		.name = {"report", 6},
		.out = {{"report.json", 11}, FILE_MISSING, 0, 0, {"", 0}},
		.sql = {{"", 0}, FILE_MISSING, 0, 0, {"", 0}},
		.verdict = {.kind = VERDICT_MISSING},
		.seq = 1,
	},
};

static struct evidence evidence[] = {
	{EVIDENCE_VALUE, 1, {"7", 1}, {"event_id", 8}, {"cnt", 3}, false},
	{EVIDENCE_EXTRA, 0, {"", 0}, {"", 0}, {"", 0}, false},
};
static struct diagnosis causes[] = {
	{DIAG_DELAY, {"10s", 3}, 2, true, 7}, {DIAG_BATCH_MODE, {"", 0}, 0, false, -1}};
static struct message remarks[] = {{MSG_MISSING, {{"a \"b\" \\ \xc3\xa9", 10}, {"", 0}, {"", 0}}}};

static struct status_lab lab = {
	{"watermark", 9}, {"/root/flink/watermark", 21}, {"", 0}, steps, 3, 1, {0}};
static struct lab_text said[] = {
	{{"en", 2}, {"One.", 4}, 0, 0}, {{"ja", 2}, {"\xe4\xb8\x80\xe3\x80\x82", 6}, 0, 0}};
static struct lab_texts hints[] = {{said, 2, 0, 0}, {said, 1, 0, 0}};
static struct lesson_run runs[] = {
	{.windowed = true, .rows = {true, 600}, .filtered = {true, 0}, .dropped = {.told = false}},
	{.batch = true, .rows = {true, 600}, .filtered = {true, 9}, .dropped = {true, 0}},
};
static struct lab_link links[] = {{.url = {"https://example.org/", 20}}};
static struct message notice = {MSG_POLLED, {{"2", 1}, {"", 0}, {"", 0}}};
static struct status status = {42, 123, &notice, 1, &lab, 1};

static void set_up(void)
{
	arena_init(&arena, 16u << 20);
	lab.title = hints[1];
	steps[0].learned = hints[0];
	steps[0].lesson = (struct lesson){runs, 2};
	links[0].title = hints[0];
	steps[0].links = links;
	steps[0].link_count = 1;
	steps[1].hints = hints;
	steps[1].hint_count = 2;
	steps[1].verdict =
		(struct verdict){VERDICT_FAIL, {MSG_MISSING, {{"late.out", 8}, {"", 0}, {"", 0}}},
			remarks, 1, evidence, 2, causes, 2};
}

static struct text packed(void)
{
	struct text text = {0};

	CHECK(status_pack(&arena, &status, &text, NULL) == 0);
	return text;
}

TEST(prompt_file_has_the_documented_form)
{
	set_up();
	CHECK(text_eq(packed(), TEXT("ewind 1 42\n"
				     "lab watermark 1/3 fail:late 1764459451123456790 "
				     "w5.out,late.out,report.json /root/flink/watermark\n"
				     "end\n")));
	arena_finish(&arena);
}

TEST(prompt_file_round_trip)
{
	struct status_lines lines;
	struct diag diag;

	set_up();
	CHECK(status_unpack(&arena, packed(), &lines, &diag) == 0);
	CHECK(lines.seq == 42 && lines.lab_count == 1);
	CHECK(lines.labs[0].passed == 1 && lines.labs[0].total == 3);
	CHECK(text_eq(lines.labs[0].name, TEXT("watermark")));
	CHECK(text_eq(lines.labs[0].mark, TEXT("fail:late")));
	CHECK(text_eq(lines.labs[0].folder, TEXT("/root/flink/watermark")));
	CHECK(lines.labs[0].mtime_ns == 1764459451123456790);
	arena_finish(&arena);
}

TEST(a_cut_or_foreign_prompt_file_is_refused)
{
	struct status_lines lines;
	struct text whole, foreign = TEXT("ewind 2 42\nend\n"),
			   rubbish = TEXT("ewind 1 4\033\nend\n");

	set_up();
	whole = packed();
	for (size_t len = 0; len < whole.len; len++)
		CHECK(status_unpack(&arena, text_slice(whole, 0, len), &lines, NULL) == -EINVAL);
	CHECK(status_unpack(&arena, foreign, &lines, NULL) == -EINVAL);
	CHECK(status_unpack(&arena, rubbish, &lines, NULL) == -EINVAL);
	arena_finish(&arena);
}

/* A learner chooses folders; nothing in the file may mean something to a shell or a terminal. */
TEST(what_a_shell_must_not_see_is_left_out)
{
	static const char *const hostile[] = {"/lab/$(id)", "/lab/`id`", "/lab/\033[31m",
		"/lab\nlab x", "/lab/%F{red}", "/lab/a\\w", "/lab/!!", "/lab/\xe2\x80\xae",
		"/lab/a'b", ""};
	struct status_lab bad = lab;
	struct status all = status;
	struct text text;

	set_up();
	all.labs = &bad;
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		bad.folder = text_of(hostile[i]);
		CHECK(status_pack(&arena, &all, &text, NULL) == 0);
		CHECK(text_ends(text, TEXT("report.json ?\nend\n")));
	}
	bad.folder = TEXT("/home/kim lee/my_lab");
	CHECK(status_pack(&arena, &all, &text, NULL) == 0);
	CHECK(text_ends(text, TEXT(" /home/kim lee/my_lab\nend\n")));
	arena_finish(&arena);
}

static bool mark_is(const char *expected)
{
	return text_eq(status_mark(&arena, &lab), text_of(expected));
}

TEST(mark_says_the_most_urgent)
{
	set_up();
	CHECK(mark_is("fail:late"));
	steps[1].running = true;
	steps[1].rows = 12;
	CHECK(mark_is("running:late:12"));
	steps[1].running = false;
	steps[1].stale = true;
	CHECK(mark_is("stale:late"));
	steps[1].stale = false;
	steps[1].verdict.kind = VERDICT_CANNOT_TELL;
	CHECK(mark_is("cannot-tell:late"));
	steps[1].verdict.kind = VERDICT_PASS;
	CHECK(mark_is("missing:report"));
	steps[2].verdict.kind = VERDICT_PASS;
	CHECK(mark_is("ok") && status_passed(&lab) == 3);
	steps[0].stale = true;
	CHECK(mark_is("stale:w5") && status_passed(&lab) == 2);
	lab.problem = TEXT("The fixture is missing.");
	CHECK(mark_is("broken"));
	lab.problem = TEXT("");
	steps[0].stale = false;
	steps[2].verdict.kind = VERDICT_MISSING;
	arena_finish(&arena);
}

static bool same_file(const struct status_file *a, const struct status_file *b)
{
	return text_eq(a->name, b->name) && a->state == b->state && a->size == b->size &&
	       a->mtime_ns == b->mtime_ns && text_eq(a->sha256, b->sha256);
}

TEST(json_round_trip)
{
	struct status back;
	struct text json;
	struct diag diag;

	set_up();
	CHECK(status_pack_json(&arena, &status, &json, &diag) == 0);
	CHECK(status_unpack_json(&arena, json, &back, &diag) == 0);
	CHECK(back.seq == 42 && back.pid == 123 && back.lab_count == 1);
	CHECK(back.labs[0].title.count == 1 &&
		text_eq(back.labs[0].title.items[0].text, TEXT("One.")));
	CHECK(back.labs[0].steps[1].hint_count == 2 && back.labs[0].steps[1].hints[0].count == 2);
	CHECK(text_eq(back.labs[0].steps[1].hints[0].items[1].language, TEXT("ja")) &&
		text_eq(back.labs[0].steps[1].hints[0].items[1].text, said[1].text));
	CHECK(back.labs[0].steps[0].learned.count == 2 && back.labs[0].steps[1].learned.count == 0);
	CHECK(back.notice_count == 1 && back.notices[0].id == MSG_POLLED);
	CHECK(back.labs[0].step_count == 3 && back.labs[0].latest == 1);
	for (size_t i = 0; i < 3; i++) {
		const struct status_step *a = &steps[i], *b = &back.labs[0].steps[i];
		CHECK(text_eq(a->name, b->name) && a->seq == b->seq && a->attempt == b->attempt);
		CHECK(a->hint_tier == b->hint_tier && a->verdict.kind == b->verdict.kind);
		CHECK(a->verdict.summary.id == b->verdict.summary.id);
		CHECK(same_file(&a->out, &b->out) && same_file(&a->sql, &b->sql));
		CHECK(a->searching == b->searching && a->look.row == b->look.row);
		CHECK(a->look.select == b->look.select && !strcmp(a->look.window, b->look.window));
	}
	CHECK(back.labs[0].steps[0].lesson.count == 2 && back.labs[0].steps[1].lesson.count == 0);
	CHECK(back.labs[0].steps[0].link_count == 1 && back.labs[0].steps[1].link_count == 0);
	CHECK(text_eq(back.labs[0].steps[0].links[0].url, links[0].url));
	CHECK(back.labs[0].steps[0].links[0].title.count == 2);
	for (size_t i = 0; i < 2; i++) {
		const struct lesson_run *run = &back.labs[0].steps[0].lesson.runs[i];
		CHECK(run->windowed == runs[i].windowed && run->batch == runs[i].batch);
		CHECK(run->rows.number == 600 && run->filtered.number == runs[i].filtered.number);
		CHECK(run->dropped.told == runs[i].dropped.told && run->rows.told);
	}
	CHECK(text_eq(back.labs[0].steps[1].verdict.remarks[0].args[0], remarks[0].args[0]));
	CHECK(back.labs[0].steps[1].verdict.evidence_count == 2);
	CHECK(text_eq(back.labs[0].steps[1].verdict.evidence[0].column, TEXT("cnt")));
	CHECK(text_eq(back.labs[0].steps[1].verdict.evidence[0].key, TEXT("event_id")));
	CHECK(back.labs[0].steps[1].verdict.evidence[1].kind == EVIDENCE_EXTRA);
	CHECK(verdict_same(&back.labs[0].steps[1].verdict, &steps[1].verdict));
	arena_finish(&arena);
}

TEST(json_that_is_cut_or_lacks_a_member_is_refused)
{
	struct status back;
	struct text json;

	set_up();
	CHECK(status_pack_json(&arena, &status, &json, NULL) == 0);
	for (size_t len = 0; len + 1 < json.len; len += 7)
		CHECK(status_unpack_json(&arena, text_slice(json, 0, len), &back, NULL) == -EINVAL);
	CHECK(status_unpack_json(&arena, TEXT("{\"version\": 1}"), &back, NULL) == -EINVAL);
	CHECK(status_unpack_json(&arena, TEXT("{\"version\": 2, \"seq\": 1}"), &back, NULL) ==
		-EINVAL);
	arena_finish(&arena);
}

/* A key's last letter is another one: the member of that name is missing, whatever it holds. */
TEST(json_without_any_one_of_its_members_is_refused)
{
	struct status back;
	struct text json;
	int refused = 0;

	set_up();
	CHECK(status_pack_json(&arena, &status, &json, NULL) == 0);
	for (size_t i = 1; i + 2 < json.len; i++) {
		char *letter = (char *)json.ptr + i, before = *letter;
		int err;
		if (memcmp(letter + 1, "\":", 2) != 0)
			continue;
		*letter = '~';
		err = status_unpack_json(&arena, json, &back, NULL);
		CHECK(err == 0 || err == -EINVAL);
		refused += err == -EINVAL;
		*letter = before;
	}
	CHECK(refused > 50);
	arena_finish(&arena);
}

TEST(written_aside_and_renamed_with_its_stamp)
{
	char dir[] = "/tmp/ewin-status-XXXXXX";
	mode_t mask = umask(0077);
	struct stat st;
	int fd = -1;

	CHECK(mkdtemp(dir) && (fd = open(dir, O_RDONLY | O_DIRECTORY)) >= 0);
	CHECK(status_write(fd, STATUS_FILE, TEXT("one\n"), 1764459451123456789, NULL) == 0);
	CHECK(fstatat(fd, STATUS_FILE, &st, 0) == 0 && st.st_size == 4);
	CHECK((st.st_mode & 0777) == 0644);
	CHECK(st.st_mtim.tv_sec == 1764459451 && st.st_mtim.tv_nsec == 123456789);
	CHECK(status_stamp(fd, 1764459452000000001, NULL) == 0);
	CHECK(fstatat(fd, STATUS_FILE, &st, 0) == 0 && st.st_mtim.tv_nsec == 1);
	CHECK(faccessat(fd, ".status.tmp", F_OK, 0) < 0);
	CHECK(unlinkat(fd, STATUS_FILE, 0) == 0);
	CHECK(rmdir(dir) == 0);
	CHECK(status_write(fd, STATUS_FILE, TEXT("one\n"), 0, NULL) == -ENOENT);
	umask(mask);
	close(fd);
}

int main(void)
{
	RUN(prompt_file_has_the_documented_form);
	RUN(prompt_file_round_trip);
	RUN(a_cut_or_foreign_prompt_file_is_refused);
	RUN(what_a_shell_must_not_see_is_left_out);
	RUN(mark_says_the_most_urgent);
	RUN(json_round_trip);
	RUN(json_that_is_cut_or_lacks_a_member_is_refused);
	RUN(json_without_any_one_of_its_members_is_refused);
	RUN(written_aside_and_renamed_with_its_stamp);
	return test_finish();
}
