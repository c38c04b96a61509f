/* Several labs of one daemon, and labs that come, change and go while it runs. What is right on a
 * data file is known from outputs that a real Flink printed over it. */
#include "daemon/ctl.h"
#include "daemon/labs.h"
#include "daemon/limits.h"
#include "tests/daemon_run.h"

#define REF2 "tests/recorded/watermark/other_data/"

static char places[2][64]; /* of labs */
static char files[64];	   /* the data root: data files and learners' folders */

/* A lab of this name in a folder of a place, whose learner works in `folder`: the lab of the
 * recordings under another name. */
static void make_lab(const char *place, const char *dir, const char *name, const char *folder)
{
	shell("mkdir -p %s && cp -r %s/watermark %s/%s.new && sed -i -e "
	      "'3s/\"watermark\"/\"%s\"/' -e 's,\"/root/flink/watermark\",\"%s\",' "
	      "%s/%s.new/lab.json && mv %s/%s.new %s/%s",
		place, labs_dir, place, dir, name, folder, place, dir, place, dir, place, dir);
}

static void give_data(const char *set)
{
	shell("mkdir -p %s/opt/lab/fixtures/data && cp tests/recorded/%s/opt/lab/fixtures/data/"
	      "watermark_events.csv %s/opt/lab/fixtures/data",
		files, set, files);
}

/* Saves a recorded output below a learner's folder. */
static void give(const char *folder, const char *from, const char *as)
{
	shell("mkdir -p %s%s && cp %s %s%s/%s", files, folder, from, files, folder, as);
}

static void fresh_labs(void)
{
	fresh();
	shell("rm -rf %s %s %s && mkdir %s %s", places[0], places[1], files, places[0], files);
	give_data("root");
}

/* Starts the daemon, and waits for nothing. */
static void spawn_labs(void)
{
	char *argv[] = {program, "--foreground", "--labs", places[0], "--labs", places[1],
		"--data-root", files, "--run-dir", run_dir, NULL};

	spawn(argv);
}

static void start_labs(void)
{
	spawn_labs();
	CHECK(notified("READY=1"));
}

static const struct status_lab *lab_of(const struct status *status, const char *name)
{
	for (size_t i = 0; i < status->lab_count; i++)
		if (text_eq(status->labs[i].name, text_of(name)))
			return &status->labs[i];
	return NULL;
}

static bool has(struct text text, const char *part)
{
	return text_find(text, text_of(part)) < text.len;
}

/* What is waited for: of a lab and one of its steps. */
struct wish {
	const char *lab, *step;
	bool (*holds)(const struct status *status, const struct status_lab *lab,
		const struct status_step *step);
};

static bool fulfilled(const struct wish *wish, const struct status *status)
{
	const struct status_lab *lab = lab_of(status, wish->lab);
	const struct status_step *step = NULL;

	for (size_t i = 0; lab && wish->step && i < lab->step_count; i++)
		if (text_eq(lab->steps[i].name, text_of(wish->step)))
			step = &lab->steps[i];
	return (step || !wish->step) && wish->holds(status, lab, step);
}

static struct status seen; /* the status at which a wish was fulfilled */

/* Waits for it; `never` must not be seen on the way (NULL: whatever is). */
static bool comes_without(const struct wish *wish, const struct wish *never)
{
	struct pollfd poller = {.fd = inotify_fd, .events = POLLIN};
	int64_t end_ms = now_ms() + DEADLINE_MS;
	char events[4096];

	while (now_ms() < end_ms) {
		bool there = read_status(&seen);
		if (there && never && fulfilled(never, &seen))
			return false;
		if (there && fulfilled(wish, &seen))
			return true;
		if (poll(&poller, 1, (int)(end_ms - now_ms())) > 0 &&
			read(inotify_fd, events, sizeof(events)) < 0)
			break;
	}
	printf("# waited in vain for %s %s\n", wish->lab, wish->step ? wish->step : "");
	return false;
}

static bool comes(const struct wish *wish)
{
	return comes_without(wish, NULL);
}

static bool is_pass(
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	(void)status, (void)lab;
	return step->verdict.kind == VERDICT_PASS && !step->running;
}

static bool is_fail(
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	(void)status, (void)lab;
	return step->verdict.kind == VERDICT_FAIL && !step->running;
}

static bool is_gone(
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	(void)status, (void)step;
	return !lab;
}

static bool is_there(
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	(void)status, (void)step;
	return lab && !lab->problem.len;
}

static bool is_broken(
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	(void)status, (void)step;
	return lab && lab->problem.len;
}

static bool is_being_written(
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	(void)status, (void)step;
	return lab && has(lab->problem, "watermark_events.csv is being written");
}

static bool passes_in(const char *lab, const char *step)
{
	return comes(&(struct wish){lab, step, is_pass});
}

static bool fails_in(const char *lab, const char *step)
{
	return comes(&(struct wish){lab, step, is_fail});
}

/* ---- which labs there are ---- */

TEST(each_lab_is_graded_in_its_own_folder)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_lab(places[0], "b", "b", "/learn/b");
	make_lab(places[1], "c", "c", "/learn/c");
	give("/learn/a", REF "w5.out", "w5.out");
	start_labs();
	give("/learn/b", REF "batch.out", "w5.out");
	give("/learn/c", REF "late.out", "late.out");
	CHECK(passes_in("a", "w5"));
	CHECK(fails_in("b", "w5"));
	CHECK(passes_in("c", "late"));
	CHECK(seen.lab_count == 3);
	CHECK(text_eq(status_mark(&arena, lab_of(&seen, "b")), TEXT("fail:w5")));
	check_stop();
}

/* The lab in this folder of the place. */
static const struct loaded_lab *lab_in(const struct labs *labs, const char *dir)
{
	for (size_t i = 0; i < labs->count; i++)
		if (text_ends(text_of(labs->items[i]->dir), text_of(dir)))
			return labs->items[i];
	return NULL;
}

TEST(a_lab_that_is_not_wanted_is_not_loaded)
{
	const struct text wanted = TEXT("wanted");
	struct lab_places there = {.dirs = {places[0]}, .count = 1, .wanted = {&wanted, 1}};
	const struct loaded_lab *a, *b;
	struct labs labs;

	fresh_labs();
	make_lab(places[0], "a", "wanted", "/learn/a");
	make_lab(places[0], "b", "other", "/learn/b");
	CHECK(labs_load(&labs, &there, files, NULL, true, NULL) == 0 && labs.count == 2);
	a = lab_in(&labs, "/a");
	b = lab_in(&labs, "/b");
	CHECK(a && a->grader && a->lab.step_count == 8);
	CHECK(b && !b->grader && b->lab.step_count == 0 && text_eq(b->name, TEXT("other")));
	CHECK(b && !b->problem.text[0] && b->arena.used < 8192);
	labs_finish(&labs);
}

TEST(of_one_name_in_two_places_the_later_wins)
{
	fresh_labs();
	make_lab(places[0], "one", "same", "/learn/installed");
	make_lab(places[1], "two", "same", "/learn/own");
	start_labs();
	seen = status_now();
	CHECK(seen.lab_count == 1 && text_eq(seen.labs[0].folder, TEXT("/learn/own")));
	CHECK(log_says("is used, not"));
	/* Where it goes, the other one is back. */
	shell("rm -r %s/two", places[1]);
	give("/learn/installed", REF "w5.out", "w5.out");
	CHECK(passes_in("same", "w5"));
	CHECK(seen.lab_count == 1);
	/* A broken one hides the other, too: its author is to see that. */
	shell("mkdir -p %s/same && echo '{' >%s/same/lab.json", places[1], places[1]);
	CHECK(comes(&(struct wish){"same", NULL, is_broken}));
	CHECK(seen.lab_count == 1);
	check_stop();
}

TEST(of_one_name_in_one_place_one_goes_on)
{
	fresh_labs();
	make_lab(places[0], "another", "same", "/learn/another");
	make_lab(places[0], "same", "same", "/learn/same");
	start_labs();
	seen = status_now();
	CHECK(seen.lab_count == 2);
	CHECK(lab_of(&seen, "same") && !lab_of(&seen, "same")->problem.len);
	CHECK(lab_of(&seen, "another") &&
		has(lab_of(&seen, "another")->problem, "its name, same, is that of the lab in"));
	CHECK(log_says("Lab another: cannot be graded: its name, same"));
	give("/learn/same", REF "w5.out", "w5.out");
	CHECK(passes_in("same", "w5"));
	check_stop();
}

TEST(of_one_folder_the_first_goes_on)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn//both");
	make_lab(places[0], "b", "b", "/learn/both");
	start_labs();
	give("/learn/both", REF "w5.out", "w5.out");
	CHECK(passes_in("a", "w5"));
	CHECK(seen.lab_count == 2 && lab_of(&seen, "b")->step_count == 0);
	CHECK(has(lab_of(&seen, "b")->problem, "its folder, /learn/both, is that of lab a"));
	shell("sed -i 's,/learn/both,/learn/own,' %s/b/lab.json", places[0]);
	give("/learn/own", REF "late.out", "late.out");
	CHECK(passes_in("b", "late"));
	check_stop();
}

/* The first is graded, and each of the others has the sentence that says so. */
static void check_one_of(const char *const *folders, size_t count)
{
	char name[8];

	for (size_t i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "%c", (int)('a' + i));
		make_lab(places[0], name, name, folders[i]);
	}
	start_labs();
	CHECK(passes_in("a", "w5") && seen.lab_count == count);
	for (size_t i = 1; i < count; i++) {
		snprintf(name, sizeof(name), "%c", (int)('a' + i));
		CHECK(has(lab_of(&seen, name)->problem, "is that of lab a"));
	}
	check_stop();
}

TEST(one_folder_under_several_spellings_is_one)
{
	static const char *const folders[] = {"/learn/spelled", "/learn//spelled/",
		"/learn/./spelled", "/learn/../learn/spelled", "/learn/x/.././spelled/y/.."};

	fresh_labs();
	give("/learn/spelled", REF "w5.out", "w5.out");
	check_one_of(folders, sizeof(folders) / sizeof(folders[0]));
}

TEST(one_folder_behind_a_symlink_is_one)
{
	static const char *const folders[] = {"/learn/real", "/learn/linked", "/linked/real"};

	fresh_labs();
	give("/learn/real", REF "w5.out", "w5.out");
	shell("ln -s real %s/learn/linked && ln -s learn %s/linked", files, files);
	check_one_of(folders, sizeof(folders) / sizeof(folders[0]));
}

/* ---- labs that are broken ---- */

/* The first line of the problem of a lab as ewin-status shows it, into the log's place. */
static bool shown(const char *what)
{
	char command[512];

	snprintf(command, sizeof(command), "%.200s/ewin-status --run-dir %s | grep -qF '%s'",
		getenv("BUILD") ? getenv("BUILD") : "build", run_dir, what);
	return system(command) == 0;
}

TEST(a_broken_lab_json_says_where_and_harms_no_other)
{
	static const struct {
		const char *sed, *place;
	} faults[] = {
		{"3s/\"name\"/\"nam\"/", "lab.json:3:"},
		{"s/\"version\": 1/\"version\": \"1\"/", "lab.json:2:"},
		{"3s/.*/&\\n&/", "lab.json:4:"},
		{"3s/.*/\"name\" \"x\",/", "lab.json:3:"},
		{"3s/,/, \"colour\": 1,/", "lab.json:3:"},
		{"s,ref/w5.sql,ref/none.sql,", "ref/none.sql"},
	};

	char at[256];

	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_lab(places[0], "b", "b", "/learn/b");
	start_labs();
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		shell("cp %s/a/lab.json %s/kept && sed -i '%s' %s/a/lab.json", places[0], root,
			faults[i].sed, places[0]);
		CHECK(comes(&(struct wish){"a", NULL, is_broken}));
		CHECK(has(lab_of(&seen, "a")->problem, faults[i].place));
		CHECK(shown(faults[i].place));
		CHECK(log_says(faults[i].place));
		snprintf(at, sizeof(at), "cannot be graded: %s/a/%s", places[0], faults[i].place);
		CHECK(has(lab_of(&seen, "a")->problem, at + strlen("cannot be graded: ")));
		CHECK(log_comes_to_say(at));
		give("/learn/b", REF "w5.out", i % 2 ? "late.out" : "w5.out");
		CHECK(i % 2 ? fails_in("b", "late") : passes_in("b", "w5"));
		give("/learn/b", REF "batch.out", "w5.out");
		give("/learn/b", REF "late.out", "late.out");
		CHECK(fails_in("b", "w5") && passes_in("b", "late"));
		shell("cp %s/kept %s/a/lab.json", root, places[0]);
		CHECK(comes(&(struct wish){"a", NULL, is_there}));
	}
	CHECK(log_comes_to_say("Lab a: can be graded again") && !log_says("Lab b: can be"));
	check_stop();
}

/* ---- labs that come and go ---- */

TEST(a_lab_that_is_added_is_graded_at_once)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	start_labs();
	give("/learn/b", REF "w5.out", "w5.out");
	make_lab(places[0], "b", "b", "/learn/b");
	CHECK(passes_in("b", "w5"));
	CHECK(seen.lab_count == 2 && log_says("Lab b: found in"));
	/* File by file, as cp does it, into a place that was not there. */
	give("/learn/c", REF "w5.out", "w5.out");
	shell("mkdir -p %s/c && sed -e '3s/\"watermark\"/\"c\"/' -e "
	      "'s,/root/flink/watermark,/learn/c,' %s/watermark/lab.json >%s/c/lab.json",
		places[1], labs_dir, places[1]);
	CHECK(comes(&(struct wish){"c", NULL, is_broken}));
	shell("cp -r %s/watermark/ref %s/c", labs_dir, places[1]);
	CHECK(passes_in("c", "w5"));
	CHECK(seen.lab_count == 3);
	check_stop();
}

TEST(a_lab_that_is_removed_comes_back_with_its_attempts)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_lab(places[0], "b", "b", "/learn/b");
	start_labs();
	give("/learn/b", REF "batch.out", "w5.out");
	CHECK(fails_in("b", "w5"));
	give("/learn/b", REF "w5.out", "w5.out");
	CHECK(passes_in("b", "w5") && attempt_of(&seen, "w5") == 0);
	shell("mv %s/b %s/away", places[0], root);
	CHECK(comes(&(struct wish){"b", NULL, is_gone}));
	CHECK(seen.lab_count == 1 && log_says("Lab b: removed from"));
	give("/learn/a", REF "w5.out", "w5.out");
	CHECK(passes_in("a", "w5"));
	shell("mv %s/away %s/b", root, places[0]);
	CHECK(passes_in("b", "w5"));
	CHECK(lab_of(&seen, "b")->steps[2].attempt == 2);
	shell("rm -r %s/a %s/b", places[0], places[0]);
	CHECK(comes(&(struct wish){"a", NULL, is_gone}) &&
		comes(&(struct wish){"b", NULL, is_gone}));
	check_stop();
}

TEST(without_a_lab_it_waits_for_one)
{
	fresh_labs();
	start_labs();
	CHECK(log_says("there is no lab"));
	CHECK(status_now().lab_count == 0);
	give("/learn/a", REF "w5.out", "w5.out");
	make_lab(places[1], "a", "a", "/learn/a");
	CHECK(passes_in("a", "w5"));
	check_stop();
}

TEST(a_lab_behind_a_link_is_seen_to_change)
{
	fresh_labs();
	make_lab(files, "one", "a", "/learn/a");
	shell("ln -s %s/one %s/a", files, places[0]);
	start_labs();
	give("/learn/a", REF "w5.out", "w5.out");
	CHECK(passes_in("a", "w5"));
	shell("cp %s/one/ref/batch.sql %s/one/ref/w5.sql", files, files);
	CHECK(fails_in("a", "w5"));
	make_lab(files, "two", "a", "/learn/a");
	shell("ln -sfn %s/two %s/a", files, places[0]);
	CHECK(passes_in("a", "w5"));
	check_stop();
}

/* ---- labs that change ---- */

TEST(other_data_have_everything_graded_again)
{
	static const char *const steps[] = {"batch", "late", "filtered", "slow", "sweep", "w5"};

	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		shell("mkdir -p %s/learn/a && cp " REF2 "%s_reference/%s.* %s/learn/a", files,
			steps[i], steps[i], files);
	start_labs();
	CHECK(fails_in("a", "w5") && fails_in("a", "batch"));
	/* Renamed into place, as rsync and editors do it. */
	shell("cp tests/recorded/root2/opt/lab/fixtures/data/watermark_events.csv %s/new && mv "
	      "%s/new "
	      "%s/opt/lab/fixtures/data/watermark_events.csv",
		files, files, files);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		CHECK(passes_in("a", steps[i]));
	CHECK(log_says("Lab a: watermark_events.csv changed, steps graded again: 6"));
	CHECK(seen.notice_count == 1 && seen.notices[0].id == MSG_LAB_CHANGED);
	CHECK(shown("watermark_events.csv has changed"));
	for (size_t i = 0; i < lab_of(&seen, "a")->step_count; i++)
		CHECK(lab_of(&seen, "a")->steps[i].attempt <= 1);
	/* Written over, as cp does it. */
	give_data("root");
	CHECK(fails_in("a", "w5") && fails_in("a", "batch"));
	give("/learn/a", REF "w5.out", "w5.out");
	CHECK(passes_in("a", "w5"));
	CHECK(seen.notice_count == 0);
	check_stop();
}

static int64_t seq_before;

static bool is_graded_anew(
	const struct status *status, const struct status_lab *lab, const struct status_step *step)
{
	(void)lab, (void)step;
	return status->seq > seq_before &&
	       log_says("Lab a: watermark_events.csv changed, steps graded again: 0");
}

/* Who has saved nothing has no other verdict to wonder at. */
TEST(other_data_are_no_notice_where_nothing_is_saved)
{
	struct wish anew = {"a", NULL, is_graded_anew};

	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	start_labs();
	seq_before = status_now().seq;
	give_data("root2");
	CHECK(comes(&anew));
	CHECK(seen.notice_count == 0 && lab_of(&seen, "a")->problem.len == 0);
	check_stop();
}

/* Other rows are missing from an output that is cut, by other data; what is said of it is the
 * same. */
TEST(other_data_give_no_second_record_of_the_same_verdict)
{
	struct text whole = slurp(REF "w5.out");

	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	shell("mkdir -p %s/learn/a", files);
	save(path(files, "learn/a/w5.out"), text_slice(whole, 0, 2000));
	shell("touch -d '2 minutes ago' %s/learn/a/w5.out", files);
	start_labs();
	CHECK(fails_in("a", "w5"));
	give_data("root2");
	CHECK(notified("watermark_events.csv has changed"));
	check_stop();
	CHECK(log_says("steps graded again: 1"));
	CHECK(log_count("a/w5: fail: w5.out is incomplete") == 1);
}

/* A writer that holds the data file and has written half of it: no right answer is wrong
 * meanwhile. */
TEST(half_a_data_file_makes_no_right_answer_wrong)
{
	struct wish late_fails = {"a", "late", is_fail}, w5_fails = {"a", "w5", is_fail};
	struct text whole;
	char *kept;
	int fd;

	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	give("/learn/a", REF "w5.out", "w5.out");
	start_labs();
	CHECK(passes_in("a", "w5"));
	whole = slurp("tests/recorded/root/opt/lab/fixtures/data/watermark_events.csv");
	kept = malloc(whole.len);
	memcpy(kept, whole.ptr, whole.len);
	fd = open(path(files, "opt/lab/fixtures/data/watermark_events.csv"),
		O_WRONLY | O_TRUNC | O_CLOEXEC);
	CHECK(fd >= 0 && write(fd, kept, whole.len / 2) == (ssize_t)whole.len / 2);
	give("/learn/a", REF "late.out", "late.out");
	CHECK(comes_without(&(struct wish){"a", NULL, is_being_written}, &w5_fails));
	CHECK(log_says("watermark_events.csv is being written"));
	CHECK(write(fd, kept + whole.len / 2, whole.len - whole.len / 2) ==
		(ssize_t)(whole.len - whole.len / 2));
	close(fd);
	CHECK(comes_without(&(struct wish){"a", "late", is_pass}, &late_fails));
	CHECK(passes_in("a", "w5"));
	free(kept);
	check_stop();
}

TEST(a_verdict_that_changed_while_the_lab_was_broken_is_told)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	give("/learn/a", REF "w5.out", "w5.out");
	start_labs();
	CHECK(passes_in("a", "w5"));
	shell("truncate -s 0 %s/opt/lab/fixtures/data/*.csv", files);
	CHECK(comes(&(struct wish){"a", NULL, is_broken}));
	CHECK(lab_of(&seen, "a")->step_count == 0 && !log_says("a/w5: fail"));
	/* Saved while nobody can grade it. */
	give("/learn/a", REF2 "late_reference/late.out", "late.out");
	give_data("root2");
	CHECK(fails_in("a", "w5") && passes_in("a", "late"));
	CHECK(log_comes_to_say("a/w5: fail"));
	CHECK(log_says("Lab a: watermark_events.csv changed, steps graded again: 2"));
	for (size_t i = 0; i < lab_of(&seen, "a")->step_count; i++)
		CHECK(lab_of(&seen, "a")->steps[i].attempt <= 1);
	check_stop();
}

/* Writes the data file anew in ten pieces, each closed. The longest time from one to the next. */
static int64_t write_in_pieces(void)
{
	const char *name = path(files, "opt/lab/fixtures/data/watermark_events.csv");
	struct text whole = slurp("tests/recorded/root/opt/lab/fixtures/data/watermark_events.csv");
	int64_t longest_ms = 0, last_ms = now_ms();

	for (size_t i = 0; i < 10; i++) {
		struct text piece = text_slice(whole, whole.len * i / 10, whole.len * (i + 1) / 10);
		int fd = open(name, O_WRONLY | (i ? O_APPEND : O_TRUNC) | O_CLOEXEC);
		CHECK(fd >= 0 && write(fd, piece.ptr, piece.len) == (ssize_t)piece.len);
		close(fd);
		if (now_ms() - last_ms > longest_ms)
			longest_ms = now_ms() - last_ms;
		last_ms = now_ms();
		poll(NULL, 0, 5);
	}
	return longest_ms;
}

/* The same in small pieces: the lab waits until no more comes. A round counts where this process
 * was not kept from writing for so long that the lab may take what is there for all of it. */
TEST(a_data_file_written_piece_by_piece_is_waited_for)
{
	struct wish w5_fails = {"a", "w5", is_fail};
	int counted = 0;

	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	give("/learn/a", REF "w5.out", "w5.out");
	start_labs();
	CHECK(passes_in("a", "w5"));
	for (int round = 0; round < 100 && counted < 5; round++) {
		bool counts = write_in_pieces() < LAB_QUIET_MS * 3 / 4, right = round % 2;
		/* Graded once the lab has settled. */
		give("/learn/a", right ? REF "late.out" : REF "batch.out", "late.out");
		CHECK(comes_without(&(struct wish){"a", "late", right ? is_pass : is_fail},
			counts ? &w5_fails : NULL));
		CHECK(passes_in("a", "w5"));
		counted += counts;
	}
	CHECK(counted == 5);
	check_stop();
}

TEST(another_reference_or_another_list_of_steps_counts_at_once)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	give("/learn/a", REF "w5.out", "w5.out");
	start_labs();
	CHECK(passes_in("a", "w5"));
	shell("cp %s/a/ref/batch.sql %s/a/ref/w5.sql", places[0], places[0]);
	CHECK(fails_in("a", "w5"));
	CHECK(log_says("w5.sql changed, steps graded again: 1"));
	shell("cp %s/watermark/ref/w5.sql %s/a/ref/w5.sql", labs_dir, places[0]);
	CHECK(passes_in("a", "w5"));
	shell("sed -i 's/\"w5.out\"/\"five.out\"/' %s/a/lab.json", places[0]);
	give("/learn/a", REF "w5.out", "five.out");
	CHECK(passes_in("a", "w5"));
	CHECK(lab_of(&seen, "a")->steps[2].attempt == 1);
	check_stop();
}

/* Gives a lab references that take some seconds, which is less than all of a lab's may take. */
static void make_dear(const char *dir)
{
	shell("cd %s/%s/ref && sed -i \"s/TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL '1' "
	      "MINUTE)/HOP(TABLE events, "
	      "DESCRIPTOR(ts), INTERVAL '1' SECOND, INTERVAL '6' HOUR)/\" slow.sql && "
	      "for s in w5 late sweep filtered batch; do cp slow.sql $s.sql; done",
		places[0], dir);
}

/* Where the log says it; where it ends: it does not. */
static size_t place_in_log(const char *what)
{
	return text_find(slurp(log_path), text_of(what));
}

/* A record comes once its causes are found, so the log has them in the order of looking. */
TEST(labs_take_turns_in_looking_for_causes)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_lab(places[0], "b", "b", "/learn/b");
	give("/learn/a", REF "batch.out", "w5.out");
	give("/learn/a", REF "batch.out", "late.out");
	give("/learn/a", REF "w5.out", "batch.out");
	give("/learn/b", REF "batch.out", "w5.out");
	start_labs();
	CHECK(log_comes_to_say("a/batch: fail") && log_comes_to_say("a/late: fail") &&
		log_comes_to_say("b/w5: fail"));
	CHECK(place_in_log("b/w5: fail") < place_in_log("a/late: fail"));
	check_stop();
}

static void change_data(const char *set)
{
	shell("cp tests/recorded/%s/opt/lab/fixtures/data/watermark_events.csv %s/new && mv %s/new "
	      "%s/opt/lab/fixtures/data/watermark_events.csv",
		set, files, files, files);
}

TEST(a_lab_that_takes_long_holds_up_no_other)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_lab(places[0], "b", "b", "/learn/b");
	make_dear("a");
	give("/learn/a", REF "w5.out", "w5.out");
	give("/learn/b", REF2 "w5_reference/w5.out", "w5.out");
	start_labs();
	CHECK(fails_in("b", "w5"));
	drain_notifications();
	change_data("root2");
	CHECK(passes_in("b", "w5"));
	CHECK(!log_says("Lab a: watermark_events.csv changed"));
	CHECK(notified("EXTEND_TIMEOUT_USEC=60000000\nWATCHDOG=1"));
	check_stop();
}

TEST(what_is_too_much_work_for_a_lab_is_told_with_its_dearest_reference)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_dear("a");
	shell("cd %s/a/ref && sed -n '/^SELECT/,$p' slow.sql >query && for s in w5 late slow sweep "
	      "filtered batch slow; "
	      "do cat query >>$s.sql; done",
		places[0]);
	start_labs();
	CHECK(log_says(
		"a/ref/slow.sql: the reference of step slow: it takes the most of what is too "
		"much work"));
	check_stop();
}

/* The service manager is told that references run, and then ends the daemon in the middle of
 * them. */
TEST(a_stop_waits_for_no_reference)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_dear("a");
	start_labs();
	drain_notifications();
	change_data("root2");
	CHECK(notified("EXTEND_TIMEOUT_USEC=60000000\nWATCHDOG=1"));
	check_stop();
	CHECK(!log_says("Lab a: watermark_events.csv changed"));
	CHECK(!log_says("cannot be graded"));
}

/* Those of the first load are run before anybody is told that the daemon is ready. */
TEST(a_stop_at_the_start_waits_for_no_reference)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_dear("a");
	spawn_labs();
	CHECK(notified("EXTEND_TIMEOUT_USEC=60000000\nWATCHDOG=1"));
	check_stop();
	CHECK(access(path(run_dir, CTL_FILE), F_OK) < 0);
	CHECK(!log_says("cannot be graded"));
}

/* What is told of a lab whose references a SIGHUP ended is told once they have run. */
TEST(a_reload_while_references_run_begins_them_anew)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	make_dear("a");
	start_labs();
	drain_notifications();
	change_data("root2");
	CHECK(notified("EXTEND_TIMEOUT_USEC=60000000\nWATCHDOG=1"));
	kill(daemon_pid, SIGHUP);
	CHECK(notified("READY=1"));
	CHECK(log_says("steps graded again: 0"));
	CHECK(!log_says("cannot be graded") && !log_says("can be graded again"));
	check_stop();
}

TEST(sighup_is_a_reload)
{
	fresh_labs();
	make_lab(places[0], "a", "a", "/learn/a");
	start_labs();
	give("/learn/a", REF "w5.out", "w5.out");
	CHECK(passes_in("a", "w5"));
	drain_notifications();
	kill(daemon_pid, SIGHUP);
	CHECK(notified("RELOADING=1\nMONOTONIC_USEC="));
	CHECK(notified("READY=1"));
	CHECK(log_says("labs looked at again: 1"));
	give("/learn/a", REF "batch.out", "w5.out");
	CHECK(fails_in("a", "w5"));
	check_stop();
}

/* ---- many ---- */

/* Processor time of the daemon so far. */
static int64_t cpu_ms(void)
{
	struct text stat = slurp(path("/proc", "self/stat")), word;
	char name[64];
	int64_t ticks[2] = {0, 0};

	snprintf(name, sizeof(name), "/proc/%d/stat", (int)daemon_pid);
	stat = slurp(name);
	for (int i = 0; i < 15; i++) {
		size_t len = text_find(stat, TEXT(" "));
		word = text_slice(stat, 0, len);
		stat = text_slice(stat, len + 1, stat.len);
		if (i >= 13)
			CHECK(text_to_int64(word, &ticks[i - 13]) == 0);
	}
	return (ticks[0] + ticks[1]) * 1000 / sysconf(_SC_CLK_TCK);
}

/* Forty labs whose learners' folders are not there, nor the one above. */
TEST(many_labs_wait_for_their_folders)
{
	char name[32], folder[64];
	int64_t before_ms;

	fresh_labs();
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "lab%d", i);
		snprintf(folder, sizeof(folder), "/learn/%s", name);
		make_lab(places[0], name, name, folder);
	}
	start_labs();
	CHECK(status_now().lab_count == 40);
	before_ms = cpu_ms();
	for (int i = 0; i < 40; i++) {
		snprintf(folder, sizeof(folder), "/learn/lab%d", i);
		give(folder, REF "w5.out", "w5.out");
	}
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "lab%d", i);
		CHECK(passes_in(name, "w5"));
	}
	printf("# 40 folders made, 40 outputs graded: %d ms of processor time\n",
		(int)(cpu_ms() - before_ms));
	check_stop();
}

int main(void)
{
	if (!set_up())
		return 1;
	snprintf(places[0], sizeof(places[0]), "%s/installed", root);
	snprintf(places[1], sizeof(places[1]), "%s/own/labs", root);
	snprintf(files, sizeof(files), "%s/files", root);
	RUN(each_lab_is_graded_in_its_own_folder);
	RUN(a_lab_that_is_not_wanted_is_not_loaded);
	RUN(of_one_name_in_two_places_the_later_wins);
	RUN(of_one_name_in_one_place_one_goes_on);
	RUN(of_one_folder_the_first_goes_on);
	RUN(one_folder_under_several_spellings_is_one);
	RUN(one_folder_behind_a_symlink_is_one);
	RUN(a_broken_lab_json_says_where_and_harms_no_other);
	RUN(a_lab_that_is_added_is_graded_at_once);
	RUN(a_lab_that_is_removed_comes_back_with_its_attempts);
	RUN(without_a_lab_it_waits_for_one);
	RUN(a_lab_behind_a_link_is_seen_to_change);
	RUN(other_data_have_everything_graded_again);
	RUN(other_data_are_no_notice_where_nothing_is_saved);
	RUN(other_data_give_no_second_record_of_the_same_verdict);
	RUN(half_a_data_file_makes_no_right_answer_wrong);
	RUN(a_verdict_that_changed_while_the_lab_was_broken_is_told);
	RUN(a_data_file_written_piece_by_piece_is_waited_for);
	RUN(another_reference_or_another_list_of_steps_counts_at_once);
	RUN(labs_take_turns_in_looking_for_causes);
	RUN(a_lab_that_takes_long_holds_up_no_other);
	RUN(a_stop_waits_for_no_reference);
	RUN(a_stop_at_the_start_waits_for_no_reference);
	RUN(a_reload_while_references_run_begins_them_anew);
	RUN(what_is_too_much_work_for_a_lab_is_told_with_its_dearest_reference);
	RUN(sighup_is_a_reload);
	RUN(many_labs_wait_for_their_folders);
	arena_finish(&arena);
	shell("rm -rf %s", root);
	return test_finish();
}
