/* ewind: grades the outputs of Flink SQL labs the moment they are saved.
 *
 * The way of a save, and the files behind each part:
 *
 *	something happens     watch.c (inotify), folder.c (a path that comes and goes), loop.c,
 *	                      pulse.c (are we told of it still?),
 *	                      mounts.c (is what is mounted still what is there?)
 *	when to look          settle.c (is a writer still at it?), progress.c (one lab at work)
 *	what was saved        intake.c (a bounded read), sha256.c; closed.c (what may not be read)
 *	what it is worth      progress_grade.c, over grade/ (pure: lab, grader, messages), sim/ (Flink's
 *	                      rules) and parser/ (SQL, CSV, transcripts, JSON); progress_book.c (is it
 *	                      an attempt, is it news?), progress_diagnose.c (the causes)
 *	what it is held to    labs.c, labs_find.c, labs_rank.c (which labs), lab_load.c, datafiles.c (one of
 *	                      them), sources.c, lookout.c (have its files changed, and is that over?)
 *	who hears of it       progress_view.c (what may be said), status.c and status_json.c (the files),
 *	                      publish.c (when they are put in place), journal.c, notify.c; words.c (in
 *	                      which language)
 *	who asks for hints    ctl.c (the socket), server_hint.c; tiers.c (which are open)
 *	what stays            state.c (counts that outlive the daemon), keep.c (a verdict on display)
 *
 * server.c puts these together (its start and end: server_open.c; labs that come and go:
 * server_labs.c; whom it tells: server_tell.c); options.c reads the command
 * line. Only what is named here has side effects: grade/, sim/ and parser/ see bytes and give
 * values. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/ctl.h"
#include "daemon/errors.h"
#include "daemon/exits.h"
#include "daemon/loop.h"
#include "daemon/notify.h"
#include "daemon/options.h"
#include "daemon/server.h"
#include "daemon/watch.h"
#include "daemon/words.h"
#include "parser/diag.h"
#include "parser/memory.h"

/* Whatever this memory was for, a verdict without it might be a wrong one. The service manager
 * starts a new daemon, which grades what is there. */
void memory_short(void)
{
	fputs("ewind: the system has no memory left\n", stderr);
	exit(EXIT_FAULT);
}

static int complain(const struct diag *diag, int status)
{
	char buf[DIAG_LINE];

	fprintf(stderr, "ewind: %s\n", diag_format(diag, buf, sizeof(buf)));
	if (status == EXIT_USAGE)
		fputs("Try 'ewind --help'.\n", stderr);
	return status;
}

/* The loop is made first: a signal that comes while labs are loaded waits for it, and all is given
 * back as ever. */
static int run(const struct options *options, struct diag *reterr)
{
	struct server server;
	/* A terminal that closes ends what it started; from anywhere else it is the operator's
	 * word. */
	struct loop_calls calls = {.turn = server_turn,
		.hangup = isatty(STDERR_FILENO) ? NULL : server_reload,
		.ctx = &server};
	struct loop *loop;
	int status = EXIT_DONE, r;

	if (loop_new(&calls, &loop, reterr) < 0)
		return EXIT_FAULT;
	r = server_init(&server, options, reterr);
	if (r < 0) {
		/* What passes by itself is worth another start. */
		status = error_passes(-r) ? EXIT_FAULT : EXIT_CONFIGURATION;
	} else if (loop_add(loop, server.watch ? watch_fd(server.watch) : -1, reterr) < 0 ||
		   loop_add(loop, ctl_fd(server.ctl), reterr) < 0 || loop_run(loop, reterr) < 0) {
		status = EXIT_FAULT;
	} else if (server.moved) {
		/* As it has said. */
		status = EXIT_FAULT;
	}
	notify_stopping();
	loop_free(loop);
	server_finish(&server);
	return status;
}

int main(int argc, char *argv[])
{
	struct options options;
	struct diag diag = {0};
	int status;

	if (options_parse(argc, argv, &options, &diag) < 0)
		return complain(&diag, EXIT_USAGE);
	if (options.help || options.version) {
		fputs(options.help ? options_help : "ewind " EWIN_VERSION "\n", stdout);
		return exit_printed("ewind", EXIT_DONE);
	}
	/* A file that may not grow is an error of the write, which is told. */
	signal(SIGXFSZ, SIG_IGN);
	words_open(options.lang);
	status = run(&options, &diag);
	return diag.text[0] ? complain(&diag, status) : status;
}
