/* ewin-sim: prints what sql-client.sh -f would print for a file, without a cluster. Here are the
 * command line and standard output; what is read is sim_files.c's, what is printed client.c's, and
 * the masking of what differs in every run normalize.c's.
 *
 * Exit status: 0 the file was run as the client runs it, be it to an error of the SQL; 1
 * something in it is not simulated, or a file could not be read; 2 usage. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "daemon/exits.h"
#include "daemon/sim_files.h"
#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/diag.h"
#include "sim/client.h"
#include "sim/explain.h"
#include "sim/normalize.h"
#include "sim/release.h"

#define WRITE_SIZE (64u << 10)

/* What the command line asks for. */
struct request {
	const char *data_root; /* put before the paths of tables; "" for none */
	enum flink_release release;
	struct explain explain;
};

struct run {
	struct arena *arena;
	const char *path; /* of the script */
	const struct request *request;
	struct writer *out;
};

static int write_stdout(void *ctx, const char *bytes, size_t size)
{
	bool *unfinished = ctx; /* the last line; NULL: nobody asks */

	if (unfinished && size)
		*unfinished = bytes[size - 1] != '\n';
	errno = EIO;
	return fwrite(bytes, 1, size, stdout) == size ? 0 : -errno;
}

static double seconds(void *ctx)
{
	struct timespec now;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* What the client keeps its history in, whether or not that file is there. */
static struct text history_file(struct arena *arena)
{
	const char *home = getenv("HOME");

	return text_format(arena, "%s/.flink-sql-history", home ? home : "");
}

/* Where an error is, and what it is about, on standard error: the client tells a line of the
 * statement at best, this tells one of the file. */
static void tell_error(void *ctx, struct sql_pos pos, struct text summary)
{
	const struct run *run = ctx;
	char message[DIAG_LINE];
	struct diag diag = {0};

	diag_set(&diag, 0, pos.line, pos.col, "%.*s", TEXT_ARG(summary));
	diag_file(&diag, text_of(run->path));
	fprintf(stderr, "%s\n", diag_format(&diag, message, sizeof(message)));
}

static int run_file(struct run *run, struct diag *reterr)
{
	struct sim_tables tables = {run->arena, run->request->data_root};
	struct sim_files files = sim_tables_reader(&tables);
	struct client client = {.arena = run->arena,
		.session = session_new(run->arena, &files),
		.out = run->out,
		.history = history_file(run->arena),
		.seconds = seconds,
		.tell = tell_error,
		.ctx = run,
		.release = run->request->release};
	struct text script;
	int r = sim_read_script(run->arena, run->path, &script, reterr);

	if (r < 0)
		return r;
	if (!client.session || !client.history.ptr)
		return diag_nomem(reterr);
	session_unbounded(client.session);
	session_release(client.session, run->request->release);
	return client_run(&client, script, reterr);
}

/* Its reasons are in the reader's language; what run prints is Flink's in any. */
static int explain_file(struct run *run, struct diag *reterr)
{
	struct sim_tables tables = {run->arena, run->request->data_root};
	struct sim_files files = sim_tables_reader(&tables);
	char buffer[WRITE_SIZE];
	struct explain explain = run->request->explain;
	struct viewer viewer = viewer_get();
	struct text script;
	int r = sim_read_script(run->arena, run->path, &script, reterr);

	if (r < 0)
		return r;
	words_open_for(&viewer);
	explain.story.words = &words_spoken;
	run->out->buffer = buffer;
	run->out->room = sizeof(buffer);
	r = explain_script(run->arena, &explain, script, &files, run->out, reterr);
	writer_flush(run->out);
	return r;
}

/* Standard output is complete, or it is told: what was in the way at first. */
static int finish_stdout(const struct writer *out)
{
	errno = -out->err;
	return exit_printed("ewin-sim", EXIT_DONE);
}

/* What the client printed last may be no whole line; in files both streams stay as they are. */
static bool on_one_terminal(void)
{
	return isatty(STDOUT_FILENO) && isatty(STDERR_FILENO);
}

/* Runs a command on a script. */
static int run_command(const struct request *request, const char *path,
	int (*command)(struct run *run, struct diag *reterr))
{
	char message[DIAG_LINE];
	bool unfinished = false;
	struct writer out = {.write = write_stdout, .ctx = &unfinished};
	struct arena arena;
	struct run run = {.arena = &arena, .path = path, .request = request, .out = &out};
	struct diag diag = {0};
	int r;

	arena_init(&arena, LIMIT_SIM_ARENA);
	r = command(&run, &diag);
	arena_finish(&arena);
	if (finish_stdout(&out) != 0)
		return EXIT_FAULT;
	if (r == 0)
		return 0;
	diag_file(&diag, text_of(path));
	fprintf(stderr, "%s%s\n", unfinished && on_one_terminal() ? "\n" : "",
		diag_format(&diag, message, sizeof(message)));
	return EXIT_FAULT;
}

static void complain_of(const char *name, int err)
{
	char shown[LIMIT_DIAG_FILE];

	fprintf(stderr, "ewin-sim: %s: %s\n", clean_name(name, shown, sizeof(shown)),
		strerror(err));
}

static int normalize_stream(FILE *in, const char *name)
{
	struct writer out = {.write = write_stdout};
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int err = 0;

	while ((len = getline(&line, &room, in)) >= 0 && !out.err)
		normalize_line(&out, (struct text){line, (size_t)len});
	if (!feof(in) && !out.err)
		err = errno;
	free(line);
	if (finish_stdout(&out) != 0)
		return EXIT_FAULT;
	if (err)
		complain_of(name, err);
	return err ? EXIT_FAULT : 0;
}

static int normalize_command(const char *path)
{
	FILE *in;
	int status;

	if (strcmp(path, "-") == 0)
		return normalize_stream(stdin, "standard input");
	in = fopen(path, "r");
	if (!in) {
		complain_of(path, errno);
		return EXIT_FAULT;
	}
	status = normalize_stream(in, path);
	fclose(in);
	return status;
}

static void print_usage(FILE *out)
{
	fputs("Usage: ewin-sim run [--data-root DIR] [--client RELEASE] FILE.sql\n"
	      "       ewin-sim explain [--data-root DIR] [--json] [--only KIND]... [--row N] "
	      "[--window START]\n"
	      "                        [--select N] FILE.sql\n"
	      "       ewin-sim normalize [FILE.out]\n"
	      "\n"
	      "run prints what Flink's sql-client.sh -f FILE.sql would print.\n"
	      "normalize masks what differs in every run of a client (time cost, Job ID, path of "
	      "the\n"
	      "history file), so that a real output and a simulated one compare with cmp; it "
	      "reads\n"
	      "standard input where no file or - is given.\n"
	      "\n"
	      "explain tells a line a row of the source: which watermark it saw, its windows, and "
	      "why it was\n"
	      "counted or dropped; last, the sum of all rows.\n"
	      "\n"
	      "  --only KIND       rows of a kind: counted, partly, dropped, filtered, outside; or "
	      "late\n"
	      "  --row N           the row that came as the Nth\n"
	      "  --window START    rows of the window that starts at '2026-07-06 09:01' or "
	      "'09:01'\n"
	      "  --select N        the Nth SELECT of the file; the last where it is left out\n"
	      "  --json            an object a row, and one with the sums\n"
	      "  --data-root DIR   look for the tables' files below DIR: /x.csv is DIR/x.csv\n"
	      "  --client RELEASE  of Flink: 1.18, 1.20, 2.0, 2.2 or 2.3 (the default)\n"
	      "  --help, --version\n"
	      "\n"
	      "Exit status: 0 done, also where Flink itself would refuse the SQL; 1 something is "
	      "not\n"
	      "simulated (stderr names it with line and column) or a file cannot be read; 2 wrong "
	      "usage.\n",
		out);
}

static int usage_error(void)
{
	fputs("Try 'ewin-sim --help'.\n", stderr);
	return EXIT_USAGE;
}

static int usage_about(const char *before, const char *name, const char *after)
{
	char shown[LIMIT_DIAG_FILE];

	fprintf(stderr, "ewin-sim: %s%s%s\n", before, clean_name(name, shown, sizeof(shown)),
		after);
	return usage_error();
}

static int bad_release(const char *name)
{
	return usage_about("unknown release '", name, "'; known are 1.18, 1.20, 2.0, 2.2 and 2.3");
}

/* Runs the command that the arguments behind the options name. */
static int run_named(const struct request *request, char *const *args, int count)
{
	if (count && strcmp(args[0], "normalize") == 0 && count <= 2)
		return normalize_command(count == 2 ? args[1] : "-");
	if (count != 2) {
		fputs("ewin-sim: a command and one file are needed\n", stderr);
		return usage_error();
	}
	if (strcmp(args[0], "run") == 0 &&
		(request->explain.story.json || explain_narrowed(&request->explain))) {
		fputs("ewin-sim: --only, --row, --window, --select and --json are explain's\n",
			stderr);
		return usage_error();
	}
	if (strcmp(args[0], "run") == 0)
		return run_command(request, args[1], run_file);
	if (strcmp(args[0], "explain") == 0)
		return run_command(request, args[1], explain_file);
	return usage_about("unknown command '", args[0], "'");
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"data-root", required_argument, NULL, 'd'},
		{"client", required_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'},
		{"version", no_argument, NULL, 'V'}, {"json", no_argument, NULL, 'j'},
		EXPLAIN_OPTIONS, {NULL, 0, NULL, 0}};
	struct request request = {
		.data_root = "", .release = FLINK_2_3, .explain = {.unbounded = true}};
	int option;

	opterr = 0; /* getopt_long() itself would say the option as it is */
	while ((option = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
		switch (option) {
		case 'd': request.data_root = optarg; break;
		case 'c':
			if (!release_find(text_of(optarg), &request.release))
				return bad_release(optarg);
			break;
		case 'h': print_usage(stdout); return exit_printed("ewin-sim", EXIT_DONE);
		case 'V':
			puts("ewin-sim " EWIN_VERSION);
			return exit_printed("ewin-sim", EXIT_DONE);
		case ':': return usage_about("", argv[optind - 1], " wants a value");
		case '?': return usage_about("there is no option ", argv[optind - 1], "");
		case 'j': request.explain.story.json = true; break;
		default:
			if (explain_option(&request.explain, option, optarg) > 0)
				break;
			return usage_about("'", optarg, "' is not a value of that option");
		}
	}
	return run_named(&request, argv + optind, argc - optind);
}
