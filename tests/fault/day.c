/* One day of a daemon whose calls may fail: start, saves, a wrong one, a hint, other data and the
 * old ones again, a reload, stop. Each part begins when what the one before leads to is in the
 * status, in a bounded time. With EWIN_FAULT in the environment the first daemon has that fault;
 * where it ends because of it, with exit status 1 or 3 and a message, another one without it goes
 * on.
 *
 * Says what stands in the status and the state at the end, and how many descriptors were open, in
 * a line "end ...": the same line with each fault as without. A line "bad ..." says what must not
 * be, and the exit status is 1. */
#include <dirent.h>

#include "daemon/ctl.h"
#include "daemon/sha256.h"
#include "daemon/state.h"
#include "tests/daemon_run.h"

#define LAB	 "watermark"
#define WRONG	 "tests/recorded/watermark/mistakes/w5_delay0/w5."
#define DATA	 "/opt/lab/fixtures/data/watermark_events.csv"
#define RELOADED "labs looked at again"
#define TITLE	 "Another title"

/* Longer than it takes to try something again twice, and than a busy machine takes for what needs
 * no second try. */
#define PART_MS DEADLINE_MS

enum part {
	PART_START,
	PART_FOLDER,
	PART_SAVE,
	PART_WRONG,
	PART_HINT,
	PART_RIGHT,
	PART_DATA,
	PART_BACK,
	PART_RELOAD,
	PART_STOP,
	PARTS
};

static const char *const part_names[PARTS] = {
	"start", "folder", "save", "wrong", "hint", "right", "data", "back", "reload", "stop"};

static char right_sha[SHA256_HEX], wrong_sha[SHA256_HEX];
static bool bad;
static int restarts;

static void tell_bad(enum part part, const char *what)
{
	printf("bad %s, in part '%s'\n", what, part_names[part]);
	bad = true;
}

/* ---- the daemon ---- */

static void launch(void)
{
	char *argv[] = {program, "--data-root", "data", "--run-dir", run_dir, "--lang", "ja", NULL};

	drain_notifications();
	daemon_pid = fork();
	if (daemon_pid)
		return;
	unsetenv("TZ");
	setenv("JOURNAL_STREAM", "0:0", 1);
	/* Longer than a day: its signs of life are looked for all the same. */
	setenv("WATCHDOG_USEC", "120000000", 1);
	if (chdir(root) < 0)
		_exit(127);
	become_daemon(argv);
}

static void say_log(void)
{
	struct text log = slurp(log_path);

	printf("log %.*s\n", (int)log.len, log.ptr);
}

/* Where the daemon has ended: was it in order to? Then there is another one. */
static void mind_daemon(enum part part)
{
	int status;

	if (waitpid(daemon_pid, &status, WNOHANG) != daemon_pid)
		return;
	say_log();
	if (!WIFEXITED(status) || (WEXITSTATUS(status) != 1 && WEXITSTATUS(status) != 3))
		tell_bad(part, "the daemon ended in another way than with status 1 or 3");
	else if (!log_says("ewind: "))
		tell_bad(part, "the daemon ended without a message");
	else if (restarts++)
		tell_bad(part, "the daemon ended twice");
	if (bad)
		return;
	unsetenv("EWIN_FAULT");
	unsetenv("EWIN_FAULT_COUNTS");
	launch();
}

/* ---- what must never be ---- */

static bool is_about(const struct status_step *step, const char *sha)
{
	return text_eq(step->out.sha256, text_of(sha));
}

/* Verdicts of what is known, whatever fails: those of bytes with this hash. Other data may be in
 * between. */
static void check_verdicts(enum part part, const struct status *status)
{
	const struct status_step *w5 = step_of(status, "w5"), *batch = step_of(status, "batch");
	bool data = part == PART_DATA || part == PART_BACK;

	if (!w5 || !batch || data)
		return;
	if (is_about(w5, right_sha) && w5->verdict.kind != VERDICT_PASS)
		tell_bad(part, "a right output does not pass");
	if (is_about(w5, wrong_sha) && w5->verdict.kind == VERDICT_PASS)
		tell_bad(part, "a wrong output passes");
	if (part > PART_SAVE && !restarts && batch->verdict.kind != VERDICT_PASS)
		tell_bad(part, "a verdict is gone for a time");
	if (part > PART_WRONG && part < PART_RIGHT && !restarts && w5->out.state == FILE_MISSING)
		tell_bad(part, "a file is missing for a time");
}

/* ---- the parts ---- */

static void save_bytes_of(const char *from, const char *as)
{
	save(path(lab_dir, as), slurp(from));
}

static void put_right(const char *step)
{
	char from[256], name[64];
	static const char *const ends[] = {"sql", "out"};

	for (size_t i = 0; i < 2; i++) {
		snprintf(from, sizeof(from), REF "%s.%s", step, ends[i]);
		snprintf(name, sizeof(name), "%s.%s", step, ends[i]);
		save_bytes_of(from, name);
	}
}

/* With what else is read from files, a time zone and a folder of data, and with more than the
 * parser's first stack holds. */
static void put_wrong_sql(void)
{
	struct text wrong = slurp(WRONG "sql");
	char sql[8192], deep[90 * 9 + 1], ends[91];

	for (size_t i = 0; i < 90; i++) {
		memcpy(deep + 9 * i, "1 + 2 * (", 9);
		ends[i] = ')';
	}
	deep[sizeof(deep) - 1] = ends[90] = '\0';
	snprintf(sql, sizeof(sql),
		"SET 'table.local-time-zone' = 'Europe/Berlin';\n%.*s\n"
		"CREATE TABLE more (a STRING) WITH ('connector' = 'filesystem', "
		"'path' = '/opt/lab/fixtures/data/more', 'format' = 'csv');\n"
		"SELECT * FROM more;\nSELECT %s1%s;\n",
		TEXT_ARG(wrong), deep, ends);
	save(path(lab_dir, "w5.sql"), text_of(sql));
}

static void begin(enum part part)
{
	switch (part) {
	case PART_START: launch(); break;
	case PART_FOLDER:
		shell("mkdir -p %s", lab_dir);
		put_right("w5");
		break;
	case PART_SAVE: put_right("batch"); break;
	case PART_WRONG:
		put_wrong_sql();
		save_bytes_of(WRONG "out", "w5.out");
		break;
	case PART_HINT: break;
	case PART_RIGHT: put_right("w5"); break;
	case PART_DATA:
		shell("sed -i '100,$d' %s" DATA, data_root);
		shell("sed -i 's/\"en\": \"[^\"]*\"/\"en\": \"" TITLE "\"/; ' %s/" LAB "/lab.json",
			labs_dir);
		break;
	case PART_BACK: shell("cp tests/recorded/root" DATA " %s" DATA, data_root); break;
	case PART_RELOAD: kill(daemon_pid, SIGHUP); break;
	case PART_STOP:
	case PARTS: break;
	}
}

static bool passes_step(const struct status *status, const char *name)
{
	const struct status_step *step = step_of(status, name);

	return step && passes(step);
}

static bool is_told(const struct status_step *step)
{
	return step && fails(step) && step->verdict.diagnosis_count > 0 && !step->searching;
}

/* Asks for a hint; before that as somebody who gets none, where we can be somebody else. */
static void ask(enum part part)
{
	struct ctl_reply reply;
	struct diag diag;
	int r;

	if (geteuid() == 0 && seteuid(65534) == 0) {
		r = ctl_ask(run_dir, text_of(LAB), TEXT("w5"), &reply, &diag);
		if (seteuid(0) < 0 || (r == 0 && reply.answer < CTL_REFUSED))
			tell_bad(part, "a stranger gets a hint");
	}
	ctl_ask(run_dir, text_of(LAB), TEXT("w5"), &reply, &diag);
}

static bool is_over(enum part part, const struct status *status)
{
	const struct status_step *w5 = step_of(status, "w5");

	switch (part) {
	case PART_START: return true;
	case PART_SAVE: return passes_step(status, "batch");
	case PART_WRONG: return is_told(w5) && is_about(w5, wrong_sha);
	case PART_HINT:
		if (is_told(w5) && w5->hint_tier < 2)
			ask(part);
		return is_told(w5) && w5->hint_tier >= 2;
	case PART_DATA:
		return w5 && w5->out.state == FILE_THERE && w5->verdict.kind == VERDICT_FAIL;
	case PART_BACK: return passes_step(status, "w5") && passes_step(status, "batch");
	case PART_RELOAD:
		if (restarts && !log_says(RELOADED))
			kill(daemon_pid, SIGHUP);
		return log_says(RELOADED) && passes_step(status, "w5") &&
		       passes_step(status, "batch");
	default: return passes_step(status, "w5") && is_about(w5, right_sha);
	}
}

/* Waits for what the part leads to. */
static bool await_part(enum part part)
{
	struct pollfd pollers[] = {
		{.fd = inotify_fd, .events = POLLIN}, {.fd = notify_fd, .events = POLLIN}};
	int64_t end_ms = now_ms() + (getenv("DAY_UNDER") ? 10 * PART_MS : PART_MS);
	struct status status;
	char events[4096];

	while (!bad && now_ms() < end_ms) {
		mind_daemon(part);
		drain_notifications();
		if (access(path(run_dir, STATUS_JSON), F_OK) == 0 && read_status(&status)) {
			check_verdicts(part, &status);
			if (is_over(part, &status))
				return true;
		}
		poll(pollers, 2, 20);
		while (read(inotify_fd, events, sizeof(events)) > 0)
			;
	}
	if (!bad)
		tell_bad(part, "it is not done in time");
	return false;
}

/* ---- the end ---- */

static int count_descriptors(void)
{
	char name[64];
	struct dirent **names;
	int count;

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)daemon_pid);
	count = scandir(name, &names, NULL, NULL);
	for (int i = 0; i < count; i++)
		free(names[i]);
	if (count >= 0)
		free(names);
	return count;
}

/* Without those of a moment: the fewest in a second, or as soon as there are no more than usual. */
static int open_descriptors(void)
{
	const char *text = getenv("DAY_DESCRIPTORS");
	int usual = text ? atoi(text) : 0, least = count_descriptors();

	for (int64_t end_ms = now_ms() + 1300; least > usual && now_ms() < end_ms;
		poll(NULL, 0, 20)) {
		int count = count_descriptors();
		least = count < least ? count : least;
	}
	return least;
}

static void say_end(void)
{
	struct status status = status_now();
	static const char *const names[] = {"w5", "batch"};

	printf("end");
	for (size_t i = 0; i < 2; i++) {
		const struct status_step *step = step_of(&status, names[i]);
		if (step)
			printf(" %s:%s:%d:%d%s%s", names[i], verdict_name(step->verdict.kind),
				(int)step->attempt, (int)step->hint_tier,
				step->stale ? ":stale" : "", step->running ? ":running" : "");
	}
	for (size_t i = 0; i < status.lab_count; i++)
		printf(" '%.*s'", TEXT_ARG(lab_text_get(&status.labs[i].title, TEXT("en"))));
}

/* Labs come into the state in the order in which they could be graded. */
static int by_name(const void *a, const void *b)
{
	const struct state_step *x = a, *y = b;
	int order = text_cmp(x->lab, y->lab);

	return order ? order : text_cmp(x->step, y->step);
}

/* What the next daemon would go on from. */
static void say_state(void)
{
	int fd = open(state_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct state state = {0};
	struct arena scratch;

	arena_init(&scratch, 16u << 20);
	CHECK(state_load(&scratch, fd, &state, NULL) == 0);
	qsort(state.steps, state.count, sizeof(state.steps[0]), by_name);
	for (size_t i = 0; i < state.count; i++)
		printf(" %.*s:%d:%d:%.8s:%.8s:%s", TEXT_ARG(state.steps[i].step),
			(int)state.steps[i].attempt, (int)state.steps[i].hint_tier,
			state.steps[i].out, state.steps[i].sql,
			state.steps[i].told ? state.steps[i].told : "?");
	arena_finish(&scratch);
	close(fd);
}

static void end_day(void)
{
	int count = open_descriptors(), status;

	say_end();
	status = stop();
	/* A fault may come so late that it ends with that instead. */
	if (status != 0 && !(WIFEXITED(status) && WEXITSTATUS(status) == 1) && !getenv("DAY_UNDER"))
		tell_bad(PART_STOP, "it does not stop as it should");
	say_state();
	printf("\ndescriptors %d\n", count);
	if (restarts)
		printf("restarted\n");
}

/* The daemon, or a command that runs it: DAY_UNDER="valgrind --option". */
static void put_program(void)
{
	const char *build = getenv("BUILD") ? getenv("BUILD") : "build",
		   *under = getenv("DAY_UNDER");
	char script[1024];

	shell("mkdir %s/bin && cp %s/tests/fault/ewind %s/bin", root, build, root);
	snprintf(program, sizeof(program), "%s/bin/ewind", root);
	if (!under)
		return;
	snprintf(script, sizeof(script), "#!/bin/sh\nexec %s %s/bin/ewind \"$@\"\n", under, root);
	snprintf(program, sizeof(program), "%s/bin/under", root);
	save(program, text_of(script));
	CHECK(chmod(program, 0755) == 0);
}

static void prepare(void)
{
	struct text bytes = slurp(REF "w5.out");

	sha256_hex(bytes, right_sha);
	bytes = slurp(WRONG "out");
	sha256_hex(bytes, wrong_sha);
	fresh();
	shell("mkdir -p %s/contrib/labs %s/data/opt/lab/fixtures/data && cp -r contrib/labs/" LAB
	      " contrib/labs/first %s/contrib/labs/ && cp tests/recorded/root" DATA
	      " contrib/labs/first/data/greenhouse.csv %s/data/opt/lab/fixtures/data",
		root, root, root, root);
	shell("mkdir %s/data/opt/lab/fixtures/data/more && echo a > "
	      "%s/data/opt/lab/fixtures/data/more/a.csv",
		root, root);
	put_program();
	/* All levels of it are missing at the start. */
	snprintf(lab_dir, sizeof(lab_dir), "%s/data/root/flink/" LAB, root);
	snprintf(labs_dir, sizeof(labs_dir), "%s/contrib/labs", root);
	snprintf(data_root, sizeof(data_root), "%s/data", root);
	save(path(state_dir, STATE_FILE), TEXT("something else\n"));
	CHECK(chmod(root, 0755) == 0);
}

int main(void)
{
	enum part part;

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!set_up())
		return 1;
	prepare();
	for (part = PART_START; part < PART_STOP && !bad; part++) {
		int64_t start_ms = now_ms();
		begin(part);
		if (!await_part(part))
			break;
		if (getenv("DAY_TIMES"))
			printf("took %s %d\n", part_names[part], (int)(now_ms() - start_ms));
	}
	if (!bad)
		end_day();
	if (daemon_pid > 0) {
		kill(daemon_pid, SIGKILL);
		waitpid(daemon_pid, NULL, 0);
	}
	say_log();
	shell("rm -rf %s", root);
	return bad || test_state.current_failed;
}
