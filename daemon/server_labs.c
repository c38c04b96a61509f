/* Server, its labs: each lab that people see has a progress. Labs come, change and go while the
 * daemon runs; what a learner did is in the state, by the lab's name, and there it stays: a lab
 * that comes back has its attempts. */
#include <stdlib.h>
#include <string.h>

#include "daemon/absent.h"
#include "daemon/limits.h"
#include "daemon/loop.h"
#include "daemon/notify.h"
#include "daemon/server.h"
#include "daemon/words.h"
#include "parser/memory.h"

void server_say_trouble(struct server *server, const struct diag *diag)
{
	if (!diag->text[0] || strcmp(diag->text, server->trouble.text) == 0)
		return;
	journal_diag(&server->journal, JOURNAL_ERROR, diag);
	server->trouble = *diag;
}

/* Where the learner of this lab works, if --watch says it. */
static const struct watch_option *option_of(
	const struct server *server, const struct loaded_lab *lab)
{
	for (size_t i = 0; i < server->options.watch_count; i++)
		if (text_eq(server->options.watches[i].lab, lab->name))
			return &server->options.watches[i];
	return NULL;
}

static bool is_wanted(const struct server *server, const struct loaded_lab *lab)
{
	return lab_is_shown(lab) && (!server->options.watch_count || option_of(server, lab));
}

static struct progress *progress_of(const struct server *server, const struct loaded_lab *lab)
{
	for (size_t i = 0; i < server->count; i++)
		if (server->progress[i]->lab == lab)
			return server->progress[i];
	return NULL;
}

/* What puts data there that are not. */
static void say_absent(const struct server *server, const struct loaded_lab *lab)
{
	struct arena arena;
	struct message message;

	arena_init(&arena, LIMIT_LAB_ARENA);
	for (size_t i = 0; lab->parsed && i < lab->lab.fixture_count; i++)
		if (absent_notice(lab, i, &arena, &message) > 0)
			journal_line(&server->journal, JOURNAL_LAB_BROKEN,
				message_render(&arena, &words_spoken, &message));
	arena_finish(&arena);
}

/* Of one whose references a signal ended there is nothing to say: they run again, or the daemon
 * ends. */
static void say_problem(const struct server *server, const struct loaded_lab *lab)
{
	char problem[DIAG_LINE];

	if (lab->ended)
		return;
	journal_warn(&server->journal, JOURNAL_LAB_BROKEN, "Lab %.*s: cannot be graded: %s",
		TEXT_ARG(lab->name), diag_format(&lab->problem, problem, sizeof(problem)));
	say_absent(server, lab);
}

/* A folder that is not there may be one that was meant otherwise. */
static void say_awaited(const struct server *server, const struct progress *progress)
{
	const struct folder *folder = &progress->folder;

	if (progress->lab->grader && folder->dirfd < 0 && !folder->closed && !folder->blocked &&
		!folder->unsure)
		journal_say(&server->journal, JOURNAL_INFO,
			"Lab %.*s: waiting for its folder, %.*s, which is not there yet",
			TEXT_ARG(progress->lab->name), TEXT_ARG(progress->shown));
}

static void say_hidden(const struct server *server, const struct loaded_lab *lab)
{
	if (lab->standing == LAB_HIDDEN)
		journal_say(&server->journal, JOURNAL_INFO, "Lab %.*s: %s is used, not %s",
			TEXT_ARG(lab->name), lab->rival->dir, lab->dir);
}

static void say_change(const struct server *server, const struct progress *progress)
{
	const struct loaded_lab *lab = progress->lab;

	if (lab->grader && progress->broken)
		journal_say(&server->journal, JOURNAL_INFO, "Lab %.*s: can be graded again",
			TEXT_ARG(lab->name));
	if (!lab->grader)
		say_problem(server, lab);
	else if (lab->changed[0])
		journal_say(&server->journal, JOURNAL_INFO,
			"Lab %.*s: %s changed, steps graded again: %zu", TEXT_ARG(lab->name),
			lab->changed, progress->regraded);
	else
		journal_say(&server->journal, JOURNAL_INFO, "Lab %.*s: steps graded again: %zu",
			TEXT_ARG(lab->name), progress->regraded);
}

/* Sets a lab to work that was not there before. NULL: no memory, which the diag says. */
static struct progress *begin(
	struct server *server, struct loaded_lab *lab, int64_t now_ms, struct diag *reterr)
{
	const struct watch_option *option = option_of(server, lab);
	struct progress *progress = memory_get(sizeof(*progress));

	if (!progress) {
		diag_nomem(reterr);
		return NULL;
	}
	if (progress_init(progress, lab, &server->state, server->watch, option ? option->dir : NULL,
		    reterr) < 0) {
		progress_finish(progress);
		free(progress);
		return NULL;
	}
	progress->calls = (struct progress_calls){server_tell_owed, server};
	if (server->ready)
		progress_scan(progress, now_ms);
	progress->broken = !lab->grader && !lab->ended;
	if (!lab->grader)
		say_problem(server, lab);
	else if (server->ready)
		journal_say(&server->journal, JOURNAL_INFO, "Lab %.*s: found in %s",
			TEXT_ARG(lab->name), lab->dir);
	if (server->ready)
		say_awaited(server, progress);
	return progress;
}

static void end(struct progress *progress)
{
	progress_finish(progress);
	free(progress);
}

/* Ends the work on labs that nobody is to see any more. */
static void end_unwanted(struct server *server)
{
	size_t count = 0;

	for (size_t i = 0; i < server->count; i++) {
		struct progress *progress = server->progress[i];
		struct loaded_lab *lab = progress->lab;
		if (is_wanted(server, lab)) {
			server->progress[count++] = progress;
			continue;
		}
		if (lab->standing == LAB_ABSENT)
			journal_say(&server->journal, JOURNAL_INFO, "Lab %.*s: removed from %s",
				TEXT_ARG(lab->name), lab->dir);
		end(progress);
		server->changed = true;
	}
	server->count = count;
}

static int renew(
	struct server *server, struct progress *progress, int64_t now_ms, struct diag *reterr)
{
	int r = progress_reload(progress, now_ms, reterr);

	if (r < 0)
		return r;
	say_change(server, progress);
	if (!progress->lab->ended)
		progress->broken = !progress->lab->grader;
	return 0;
}

static bool has_news(const struct labs *labs)
{
	for (size_t i = 0; i < labs->count; i++)
		if (labs->items[i]->news)
			return true;
	return labs->gone_count > 0;
}

void server_sync(struct server *server, int64_t now_ms)
{
	struct progress *progress[LIMIT_LABS];
	struct diag diag = {0};
	size_t count = 0;

	if (!has_news(&server->labs))
		return;
	end_unwanted(server);
	for (size_t i = 0; i < server->labs.count; i++) {
		struct loaded_lab *lab = server->labs.items[i];
		struct progress *there = progress_of(server, lab);
		if (!there && is_wanted(server, lab))
			there = begin(server, lab, now_ms, &diag);
		else if (there && lab->news)
			renew(server, there, now_ms, &diag);
		else if (lab->news)
			say_hidden(server, lab);
		if (there)
			progress[count++] = there;
		lab->news = false;
	}
	for (size_t i = 0; i < count; i++)
		server->progress[i] = progress[i];
	server->changed = server->changed || count != server->count;
	server->count = count;
	labs_sweep(&server->labs);
	if (diag.text[0])
		journal_diag(&server->journal, JOURNAL_ERROR, &diag);
}

void server_refresh(struct server *server, bool now, int64_t now_ms)
{
	struct diag diag = {0};

	labs_refresh(&server->labs, now, now_ms, &diag);
	server_say_trouble(server, &diag);
	server_sync(server, now_ms);
}

void server_reload(void *ctx)
{
	struct server *server = ctx;
	int64_t now_ms = loop_now_ms();

	notify_reloading();
	server->trouble = (struct diag){0};
	labs_scan(&server->labs, now_ms);
	server_refresh(server, true, now_ms);
	journal_say(&server->journal, JOURNAL_INFO, "labs looked at again: %zu", server->count);
	notify_ready();
}

void server_say_labs(const struct server *server)
{
	struct text names = TEXT("");
	struct arena arena;

	arena_init(&arena, LIMIT_LAB_ARENA);
	for (size_t i = 0; i < server->count; i++) {
		const struct progress *progress = server->progress[i];

		names = text_format(&arena, "%.*s%s%.*s", TEXT_ARG(names), i ? ", " : "",
			TEXT_ARG(progress->lab->name));
		journal_say(&server->journal, JOURNAL_DEBUG, "Lab %.*s: its folder is %.*s",
			TEXT_ARG(progress->lab->name), TEXT_ARG(progress->shown));
		say_awaited(server, progress);
	}
	if (server->count)
		journal_say(&server->journal, JOURNAL_INFO, "watching labs: %.*s", TEXT_ARG(names));
	arena_finish(&arena);
}

void server_end_labs(struct server *server)
{
	while (server->count)
		end(server->progress[--server->count]);
	labs_finish(&server->labs);
}
