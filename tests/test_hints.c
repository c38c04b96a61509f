/* Hints of the real ewind: a tier opens with a further wrong save or by asking, and a pass ends
 * them. */
#include <dirent.h>

#include "tests/daemon_run.h"

#include "daemon/ctl.h"
#include "daemon/limits.h"
#include "daemon/tiers.h"

static int64_t tier_wanted, attempt_wanted;

static bool fails_with_tier(const struct status_step *step)
{
	return fails(step) && step->attempt == attempt_wanted && step->hint_tier == tier_wanted;
}

/* Another wrong answer: a different file each time. */
static const struct status_step *save_wrong(int64_t tier)
{
	static int count;
	struct status status = status_now();

	tier_wanted = tier;
	attempt_wanted = attempt_of(&status, "w5") + 1;
	shell("{ cat " REF "batch.out; echo '-- %d'; } >%s/w5.out", count++, lab_dir);
	return wait_for("w5", fails_with_tier);
}

TEST(a_further_wrong_save_opens_the_next_tier)
{
	const struct status_step *step;

	fresh();
	start();
	step = save_wrong(TIER_WHERE);
	CHECK(step && step->hint_count == 0 && !step->learned.count);
	step = save_wrong(TIER_CONCEPT);
	CHECK(step && (step->hint_count == 1) != tier_has_cause(&step->verdict));
	step = save_wrong(TIER_ROW);
	CHECK(step && step->hint_count == 2);
	step = save_wrong(TIER_ROW);
	CHECK(step && step->attempt == 4);
	save_ref("w5.out", "w5.out");
	step = wait_for("w5", passes);
	CHECK(step && step->hint_tier == TIER_WHOLE && step->hint_count == 0 &&
		step->learned.count);
	CHECK(save_wrong(TIER_WHERE));
	check_stop();
}

TEST(tiers_outlive_the_daemon)
{
	struct status status;

	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE) && save_wrong(TIER_CONCEPT));
	check_stop();
	start();
	status = status_now();
	CHECK(step_of(&status, "w5") && step_of(&status, "w5")->hint_tier == TIER_CONCEPT);
	CHECK(save_wrong(TIER_ROW));
	check_stop();
}

/* The same bytes again are no attempt. */
TEST(a_tier_needs_another_file)
{
	struct status status;

	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	shell("cp %s/w5.out %s/copy && cat %s/copy >%s/w5.out", lab_dir, lab_dir, lab_dir, lab_dir);
	save_ref("ddl.out", "ddl.out");
	CHECK(wait_for("ddl", passes));
	status = status_now();
	CHECK(step_of(&status, "w5") && step_of(&status, "w5")->hint_tier == TIER_WHERE);
	check_stop();
}

static bool looks_at_a_row(const struct status_step *step)
{
	return step->hint_tier == TIER_ROW && step->look.row > 0;
}

TEST(the_third_tier_has_a_row_to_look_at)
{
	const struct status_step *step;

	fresh();
	start();
	shell("cp tests/recorded/watermark/mistakes/w5_delay0/w5.sql %s", lab_dir);
	for (int i = 0; i < 3; i++) {
		tier_wanted = attempt_wanted = i + 1;
		shell("{ cat tests/recorded/watermark/mistakes/w5_delay0/w5.out; echo '-- %d'; } "
		      ">%s/w5.out",
			i, lab_dir);
		step = wait_for("w5", fails_with_tier);
		CHECK(step && (i == 2 || !look_found(&step->look)));
	}
	CHECK(wait_for("w5", looks_at_a_row));
	save_ref("w5.sql", "w5.sql");
	save_ref("w5.out", "w5.out");
	step = wait_for("w5", passes);
	CHECK(step && !look_found(&step->look));
	check_stop();
}

/* Of the 600 rows of the data the reference's output has 585: but that is what the report asks
 * for. */
TEST(a_number_is_told_once_no_report_asks_for_it)
{
	const struct status_step *step;

	fresh();
	start();
	save_ref("w5.sql", "w5.sql");
	save_ref("w5.out", "w5.out");
	step = wait_for("w5", passes);
	CHECK(step && step->lesson.count == 1 && !step->lesson.runs[0].dropped.told);
	CHECK(step && !step->lesson.runs[0].rows.told && step->lesson.runs[0].windowed);
	shell("cp " REF "* %s", lab_dir);
	CHECK(wait_for("report", passes));
	step = wait_for("w5", passes);
	CHECK(step && step->lesson.runs[0].dropped.told);
	CHECK(step && step->lesson.runs[0].dropped.number == 15);
	check_stop();
}

/* ---- asking ---- */

static struct ctl_reply ask_for(const char *lab, const char *step)
{
	struct ctl_reply reply = {.answer = CTL_ANSWERS};
	struct diag diag = {0};

	if (ctl_ask(run_dir, text_of(lab), text_of(step), &reply, &diag) < 0)
		printf("# %s\n", diag.text);
	return reply;
}

static bool answers(const char *lab, const char *step, enum ctl_answer answer)
{
	return ask_for(lab, step).answer == answer;
}

TEST(asking_opens_the_next_tier_and_a_restart_keeps_it)
{
	struct ctl_reply reply;
	struct status status;

	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	reply = ask_for("watermark", "w5");
	CHECK(reply.answer == CTL_OPENED && reply.tier == TIER_CONCEPT);
	status = status_now();
	CHECK(status.seq >= reply.seq);
	CHECK(step_of(&status, "w5")->hint_tier == TIER_CONCEPT);
	CHECK(step_of(&status, "w5")->attempt == 1);
	CHECK(log_says("hint 2 was asked for"));
	check_stop();
	start();
	reply = ask_for("watermark", "w5");
	CHECK(reply.answer == CTL_OPENED && reply.tier == TIER_ROW);
	reply = ask_for("watermark", "w5");
	CHECK(reply.answer == CTL_ALL_OPEN && reply.tier == TIER_ROW);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(answers("watermark", "w5", CTL_NOT_WRONG));
	CHECK(save_wrong(TIER_WHERE));
	check_stop();
}

/* A hint that nobody could be shown is the one that whoever asks again gets. */
TEST(no_hint_is_passed_over_while_the_status_cannot_be_written)
{
	struct ctl_reply reply = {0};
	int64_t tier, end_ms;

	if (!modes_hold_back())
		return;
	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	CHECK(chmod(run_dir, 0555) == 0);
	ask_for("watermark", "w5");
	tier = ask_for("watermark", "w5").tier;
	CHECK(tier <= TIER_CONCEPT && ask_for("watermark", "w5").tier == tier);
	CHECK(chmod(run_dir, 0755) == 0);
	for (end_ms = now_ms() + DEADLINE_MS; now_ms() < end_ms; poll(NULL, 0, 20)) {
		reply = ask_for("watermark", "w5");
		if (reply.tier != tier)
			break;
	}
	CHECK(reply.answer == CTL_OPENED && reply.tier == tier + 1);
	check_stop();
}

TEST(what_is_not_known_or_not_wrong_is_said)
{
	struct ctl_reply reply;
	struct diag diag = {0};

	fresh();
	start();
	CHECK(answers("watermark", "w5", CTL_NOT_WRONG));
	CHECK(answers("watermark", "w6", CTL_UNKNOWN));
	CHECK(answers("w", "w5", CTL_UNKNOWN));
	CHECK(answers("../watermark", "w5", CTL_BAD));
	CHECK(answers("watermark", "w5 w5", CTL_BAD));
	check_stop();
	CHECK(access(path(run_dir, CTL_FILE), F_OK) < 0);
	CHECK(ctl_ask(run_dir, TEXT("watermark"), TEXT("w5"), &reply, &diag) == -ENOENT);
}

/* A connection of one's own, as another user where uid is not that of this test. */
static int connect_as(uid_t uid)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	uid_t own = geteuid();

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path(run_dir, CTL_FILE));
	CHECK(uid == own || seteuid(uid) == 0);
	if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
		close(fd);
		fd = -1;
	}
	CHECK(uid == own || seteuid(own) == 0);
	return fd;
}

/* The reply to a packet on that connection, within the deadline; "" for none. */
static const char *converse(int fd, const void *packet, size_t len)
{
	struct pollfd poller = {.fd = fd, .events = POLLIN};
	static char reply[CTL_SIZE + 1];
	ssize_t got = 0;

	reply[0] = '\0';
	if (fd >= 0 && send(fd, packet, len, MSG_NOSIGNAL) == (ssize_t)len &&
		poll(&poller, 1, DEADLINE_MS) > 0)
		got = recv(fd, reply, CTL_SIZE, 0);
	reply[got > 0 ? got : 0] = '\0';
	close(fd);
	return reply;
}

#define REQUEST "hint watermark w5"

TEST(hints_are_for_the_owner_of_the_folder_and_for_root)
{
	const uid_t somebody = 54321, another = 54322;

	if (geteuid() != 0) {
		puts("# only root can be somebody else: not tried");
		return;
	}
	fresh();
	shell("chmod 755 %s && chown %u %s", root, (unsigned)somebody, lab_dir);
	start();
	CHECK(save_wrong(TIER_WHERE));
	CHECK(strstr(converse(connect_as(another), REQUEST, strlen(REQUEST)), "refused") != NULL);
	CHECK(strstr(converse(connect_as(somebody), REQUEST, strlen(REQUEST)), "opened") != NULL);
	CHECK(strstr(converse(connect_as(0), REQUEST, strlen(REQUEST)), "opened") != NULL);
	CHECK(strstr(converse(connect_as(another), REQUEST, strlen(REQUEST)), "refused") != NULL);
	check_stop();
}

TEST(garbage_is_answered_and_changes_nothing)
{
	static const struct text packets[] = {{"hint", 4}, {" ", 1}, {"\0", 1}, {"hint  w5", 8},
		{"hint watermark w5\n", 18}, {"hint watermark w5\0", 18}, {"HINT watermark w5", 17},
		{"hint watermark ../w5", 20}, {"hint watermark w5 3", 19}, {"\xff\xfe\x80", 3},
		{"hint watermark %n%n%s", 21}};
	static char large[4096];
	struct status status;

	memset(large, 'a', sizeof(large));
	memcpy(large, "hint watermark ", 15);
	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	for (size_t i = 0; i < sizeof(packets) / sizeof(packets[0]); i++)
		CHECK(strncmp(converse(connect_as(geteuid()), packets[i].ptr, packets[i].len),
			      "bad ", 4) == 0);
	CHECK(strncmp(converse(connect_as(geteuid()), large, sizeof(large)), "bad ", 4) == 0);
	CHECK(answers("watermark", "w5", CTL_OPENED));
	status = status_now();
	CHECK(step_of(&status, "w5")->hint_tier == TIER_CONCEPT);
	check_stop();
}

static int count_descriptors(void)
{
	char name[64];
	DIR *dir;
	int count = 0;

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)daemon_pid);
	dir = opendir(name);
	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

/* A reply is there a moment before its connection is closed. */
static bool descriptors_become(int most)
{
	int64_t end_ms = now_ms() + DEADLINE_MS;

	while (count_descriptors() > most && now_ms() < end_ms)
		poll(NULL, 0, 10);
	return count_descriptors() <= most;
}

/* Who says nothing holds a place for a second, and is in nobody's way. */
TEST(silent_ones_are_dropped_and_keep_nobody_out)
{
	int fds[5 * LIMIT_CTL], before;
	struct pollfd poller = {.events = POLLIN};

	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	before = count_descriptors();
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		fds[i] = connect_as(geteuid());
	CHECK(answers("watermark", "w5", CTL_OPENED));
	CHECK(descriptors_become(before + LIMIT_CTL));
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	poller.fd = fds[sizeof(fds) / sizeof(fds[0]) - 1];
	CHECK(poll(&poller, 1, DEADLINE_MS) == 1);
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		close(fds[i]);
	CHECK(answers("watermark", "w5", CTL_NOT_WRONG));
	CHECK(descriptors_become(before));
	check_stop();
}

/* Connections as fast as they come, while a save is graded. */
TEST(a_flood_does_not_keep_a_verdict_back)
{
	pid_t flood;

	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	flood = fork();
	if (flood == 0) {
		for (;;) {
			int fd = connect_as(geteuid());
			if (fd >= 0 && send(fd, "x", 1, MSG_NOSIGNAL) < 0)
				(void)errno;
			close(fd);
		}
	}
	for (int i = 0; i < 5; i++) {
		save_ref("w5.out", "w5.out");
		CHECK(wait_for("w5", passes));
		CHECK(save_wrong(TIER_WHERE));
	}
	CHECK(answers("watermark", "w5", CTL_OPENED));
	kill(flood, SIGKILL);
	waitpid(flood, NULL, 0);
	check_stop();
}

/* In place of the daemon: drops the first who connect, as one drops who says nothing for long,
 * and answers the next. */
static pid_t answer_after(int dropped)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	char packet[CTL_SIZE];
	pid_t child;

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/" CTL_FILE, run_dir);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) < 0 ||
		listen(listener, 5) < 0)
		return -1;
	child = fork();
	if (child == 0) {
		for (int i = 0; i < dropped; i++)
			close(accept(listener, NULL, NULL));
		dropped = accept(listener, NULL, NULL);
		_exit(recv(dropped, packet, sizeof(packet), 0) <= 0 ||
			send(dropped, "opened 1 2", 10, 0) != 10);
	}
	close(listener);
	return child;
}

TEST(who_is_dropped_on_a_busy_machine_asks_again)
{
	struct ctl_reply reply;
	pid_t child;

	fresh();
	child = answer_after(1);
	reply = ask_for("watermark", "w5");
	CHECK(reply.answer == CTL_OPENED && reply.seq == 1 && reply.tier == 2);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

TEST(a_run_directory_made_again_has_a_socket_again)
{
	fresh();
	start();
	CHECK(save_wrong(TIER_WHERE));
	shell("mv %s %s/gone && mkdir %s && until rm -rf %s/gone; do :; done", run_dir, root,
		run_dir, root);
	close(inotify_fd);
	inotify_fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	CHECK(inotify_add_watch(inotify_fd, run_dir, IN_MOVED_TO | IN_DELETE | IN_ATTRIB) >= 0);
	save_ref("w5.out", "w5.out");
	CHECK(wait_for("w5", passes));
	CHECK(answers("watermark", "w5", CTL_NOT_WRONG));
	check_stop();
}

int main(void)
{
	if (!set_up())
		return 1;
	RUN(a_further_wrong_save_opens_the_next_tier);
	RUN(tiers_outlive_the_daemon);
	RUN(a_tier_needs_another_file);
	RUN(the_third_tier_has_a_row_to_look_at);
	RUN(a_number_is_told_once_no_report_asks_for_it);
	RUN(asking_opens_the_next_tier_and_a_restart_keeps_it);
	RUN(no_hint_is_passed_over_while_the_status_cannot_be_written);
	RUN(what_is_not_known_or_not_wrong_is_said);
	RUN(hints_are_for_the_owner_of_the_folder_and_for_root);
	RUN(garbage_is_answered_and_changes_nothing);
	RUN(silent_ones_are_dropped_and_keep_nobody_out);
	RUN(a_flood_does_not_keep_a_verdict_back);
	RUN(who_is_dropped_on_a_busy_machine_asks_again);
	RUN(a_run_directory_made_again_has_a_socket_again);
	if (daemon_pid)
		kill(daemon_pid, SIGKILL);
	shell("rm -rf %s", root);
	return test_finish();
}
