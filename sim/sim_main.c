/* ewin-sim: prints what sql-client.sh -f would print for a file, without a cluster. Here are the
 * command line, the files and standard output; the client's frame is echo.c's, tables are tableau.c's
 * and what a statement does is session.h's.
 *
 * Exit status: 0 the file was run as the client runs it, be it to an error of the SQL; 1 something in
 * it is not simulated, or a file could not be read; 2 usage. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/echo.h"
#include "sim/fault.h"
#include "sim/session.h"
#include "sim/tableau.h"

enum { EXIT_RUN = 1, EXIT_USAGE = 2 };

struct run {
	struct arena *arena;
	const char *path;      /* of the script */
	const char *data_root; /* put before the paths of tables; "" for none */
	struct session *session;
	struct writer out;
};

static int write_stdout(void *ctx, const char *bytes, size_t size)
{
	(void)ctx;
	errno = EIO;
	return fwrite(bytes, 1, size, stdout) == size ? 0 : -errno;
}

/* A regular file that is open for reading, or -errno. A FIFO or a device is not waited for. */
static int open_regular(int folder, const char *path)
{
	int fd = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	int err = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) < 0)
		err = -errno;
	else if (S_ISDIR(st.st_mode))
		err = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		err = -EINVAL;
	if (!err)
		return fd;
	close(fd);
	return err;
}

/* The one file in a folder that Flink reads; hidden ones and those that begin with '_' it leaves out.
 * -EISDIR where there is not exactly one, since Flink reads several in no order that is promised. */
static int open_only_file(const char *path)
{
	char name[NAME_MAX + 1] = "";
	DIR *folder = opendir(path);
	const struct dirent *entry;
	int count = 0, fd = -EISDIR;

	if (!folder)
		return -errno;
	while ((entry = readdir(folder))) {
		if (entry->d_name[0] == '.' || entry->d_name[0] == '_')
			continue;
		memcpy(name, entry->d_name, strlen(entry->d_name) + 1);
		count++;
	}
	if (count == 1)
		fd = open_regular(dirfd(folder), name);
	closedir(folder);
	return fd;
}

struct open_file {
	int fd;
};

static long read_file(void *ctx, char *buf, size_t size)
{
	const struct open_file *file = ctx;
	ssize_t got;

	do
		got = read(file->fd, buf, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static void close_file(void *ctx)
{
	const struct open_file *file = ctx;

	close(file->fd);
}

static int open_table(void *ctx, struct text path, struct reader *ret, struct diag *reterr)
{
	const struct run *run = ctx;
	struct text full = text_format(run->arena, "%s%.*s", run->data_root, TEXT_ARG(path));
	struct open_file *file = ARENA_NEW(run->arena, struct open_file);

	if (!full.ptr || !file)
		return diag_nomem(reterr);
	file->fd = open_regular(AT_FDCWD, full.ptr);
	if (file->fd == -EISDIR)
		file->fd = open_only_file(full.ptr);
	if (file->fd < 0)
		return diag_set(reterr, file->fd, 0, 0, "The table's file %s: %s.", full.ptr,
			strerror(-file->fd));
	*ret = (struct reader){.read = read_file, .close = close_file, .ctx = file};
	return 0;
}

/* All bytes of the script. */
static int read_script(struct arena *arena, const char *path, struct text *ret, struct diag *reterr)
{
	struct open_file file = {.fd = open_regular(AT_FDCWD, path)};
	char *bytes = arena_alloc(arena, LIMIT_SQL_BYTES + 1);
	size_t len = 0;
	long got = 1;

	if (file.fd < 0)
		return diag_set(reterr, file.fd, 0, 0, "%s", strerror(-file.fd));
	while (bytes && got > 0 && len <= LIMIT_SQL_BYTES) {
		got = read_file(&file, bytes + len, LIMIT_SQL_BYTES + 1 - len);
		len += got > 0 ? (size_t)got : 0;
	}
	close(file.fd);
	if (!bytes)
		return diag_nomem(reterr);
	if (got < 0)
		return diag_set(reterr, (int)got, 0, 0, "%s", strerror((int)-got));
	if (len > LIMIT_SQL_BYTES)
		return diag_set(
			reterr, -EFBIG, 0, 0, "The file is larger than %u bytes.", LIMIT_SQL_BYTES);
	*ret = (struct text){bytes, len};
	return 0;
}

static double seconds_since(const struct timespec *start)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/* Where an error is, and what it is about, on standard error: the client tells a line of the statement at
 * best, this tells one of the file. */
static void tell_error(const struct run *run, struct sql_pos pos, struct text summary)
{
	char message[LIMIT_DIAG_FILE + LIMIT_DIAG_TEXT + 32];
	struct diag diag = {0};

	diag_set(&diag, 0, pos.line, pos.col, "%.*s", TEXT_ARG(summary));
	diag_file(&diag, text_of(run->path));
	fprintf(stderr, "%s\n", diag_format(&diag, message, sizeof(message)));
}

/* Prints a statement's result; *ended: the client reads no further. */
static int print_outcome(struct run *run, const struct outcome *outcome, struct tableau *tableau,
	double cost, bool *ended)
{
	*ended = false;
	switch (outcome->kind) {
	case OUTCOME_DONE: echo_info(&run->out, TEXT("Execute statement succeeded.")); break;
	case OUTCOME_ROWS: return tableau_finish(tableau, cost);
	case OUTCOME_ERROR:
		*ended = true;
		echo_error(&run->out, outcome->error);
		tell_error(run, outcome->pos, fault_summary(outcome->error));
		break;
	case OUTCOME_JOB: echo_job(&run->out); break;
	case OUTCOME_QUIT:
		*ended = true;
		echo_info(&run->out, TEXT("Exiting Flink SQL CLI Client..."));
		break;
	}
	return run->out.err;
}

/* The client's own bound on widths; only a SELECT looks at it. */
static int read_max_width(const struct run *run, const struct sql_statement *statement,
	int64_t *ret, struct diag *reterr)
{
	struct text set = session_get(run->session, "table.display.max-column-width", "");

	*ret = TABLEAU_MAX_WIDTH;
	if (!set.len || statement->kind != STMT_SELECT || text_to_int64(text_trim(set), ret) == 0)
		return 0;
	return diag_set(reterr, -ENOTSUP, statement->pos.line, statement->pos.col,
		"table.display.max-column-width = '%.*s' is not simulated", TEXT_ARG(set));
}

/* Runs a statement with the rows going to the tableau. */
static int run_printing(struct run *run, const struct sql_statement *statement,
	struct tableau *tableau, struct outcome *ret, struct diag *reterr)
{
	struct sim_sink sink = tableau_sink(tableau);
	int64_t max_width;
	int r = read_max_width(run, statement, &max_width, reterr);

	if (r < 0)
		return r;
	if (max_width <= 0) {
		*ret = (struct outcome){.kind = OUTCOME_ERROR,
			.pos = statement->pos,
			.error =
				TEXT("java.lang.IllegalArgumentException: maxColumnWidth should be "
				     "greater than 0")};
		return 0;
	}
	tableau->max_width = (size_t)max_width;
	return session_run(run->session, statement, &sink, ret, reterr);
}

/* What a session answers, but which nobody can print as the client would: rows that depend on which
 * subtask reads the file, and stack traces. */
static int check_printable(const struct run *run, const struct sql_statement *statement,
	const struct outcome *outcome, struct diag *reterr)
{
	struct text verbose = session_get(run->session, "sql-client.verbose", "false");
	const char *what = NULL;

	if (outcome->kind == OUTCOME_ROWS && statement->kind == STMT_SELECT &&
		outcome->facts.parallelism > 1 && outcome->facts.has_source)
		what = "A parallelism above 1";
	if (outcome->kind == OUTCOME_ERROR && text_ieq(text_trim(verbose), TEXT("true")))
		what = "An error with sql-client.verbose";
	if (!what)
		return 0;
	return diag_set(reterr, -ENOTSUP, statement->pos.line, statement->pos.col,
		"%s is not simulated.", what);
}

static bool prints_cost(const struct run *run)
{
	return text_ieq(session_get(run->session, "sql-client.display.print-time-cost", "true"),
		TEXT("true"));
}

static int run_statement(
	struct run *run, const struct sql_piece *piece, bool *ended, struct diag *reterr)
{
	struct tableau tableau = {.arena = run->arena, .out = &run->out};
	struct outcome outcome = {0};
	struct sql_statement statement;
	struct timespec start;
	int r = sql_parse(run->arena, piece, &statement, reterr);

	if (r < 0)
		return r;
	echo_statement(&run->out, piece->source);
	clock_gettime(CLOCK_MONOTONIC, &start);
	r = run_printing(run, &statement, &tableau, &outcome, reterr);
	if (r == 0)
		r = check_printable(run, &statement, &outcome, reterr);
	if (r < 0)
		return r;
	r = print_outcome(
		run, &outcome, &tableau, prints_cost(run) ? seconds_since(&start) : -1, ended);
	echo_gap(&run->out);
	return r;
}

static int run_script(struct run *run, const struct sql_script *script, struct diag *reterr)
{
	struct text unfinished = TEXT("");
	bool ended = false;

	for (size_t i = 0; i < script->count && !ended; i++) {
		const struct sql_piece *piece = &script->pieces[i];
		int r;

		if (!piece->run) {
			unfinished = piece->source;
			break;
		}
		r = run_statement(run, piece, &ended, reterr);
		if (r < 0)
			return r;
	}
	if (ended)
		echo_abort(&run->out);
	else
		echo_end(&run->out, unfinished);
	return run->out.err;
}

/* What the client keeps its history in, whether or not that file is there. */
static struct text history_file(struct arena *arena)
{
	const char *home = getenv("HOME");

	return text_format(arena, "%s/.flink-sql-history", home ? home : "");
}

static int run_file(struct run *run, const char *path, struct diag *reterr)
{
	struct sim_files files = {.open = open_table, .ctx = run};
	struct text history = history_file(run->arena), bytes;
	struct sql_script script;
	int r = read_script(run->arena, path, &bytes, reterr);

	if (r == 0)
		r = sql_split(run->arena, bytes, &script, reterr);
	if (r < 0)
		return r;
	run->session = session_new(run->arena, &files);
	if (!run->session || !history.ptr)
		return diag_nomem(reterr);
	session_unbounded(run->session);
	echo_begin(&run->out, history);
	return run_script(run, &script, reterr);
}

static int run_command(const char *data_root, const char *path)
{
	char message[LIMIT_DIAG_FILE + LIMIT_DIAG_TEXT + 32];
	struct arena arena;
	struct run run = {.arena = &arena,
		.path = path,
		.data_root = data_root,
		.out = {.write = write_stdout}};
	struct diag diag = {0};
	int r;

	arena_init(&arena, LIMIT_SIM_ARENA);
	r = run_file(&run, path, &diag);
	arena_finish(&arena);
	if (fflush(stdout) != 0 || run.out.err) {
		fprintf(stderr, "ewin-sim: standard output: %s\n",
			strerror(run.out.err ? -run.out.err : errno));
		return EXIT_RUN;
	}
	if (r == 0)
		return 0;
	diag_file(&diag, text_of(path));
	fprintf(stderr, "%s\n", diag_format(&diag, message, sizeof(message)));
	return EXIT_RUN;
}

static void print_usage(FILE *out)
{
	fputs("Usage: ewin-sim run [--data-root DIR] FILE.sql\n"
	      "Prints what Flink's sql-client.sh -f FILE.sql would print.\n"
	      "\n"
	      "  --data-root DIR  look for the tables' files below DIR: /x.csv is DIR/x.csv\n"
	      "  --help, --version\n"
	      "\n"
	      "Exit status: 0 done, 1 a fault at run time, 2 wrong usage.\n",
		out);
}

static int usage_error(void)
{
	fputs("Try 'ewin-sim --help'.\n", stderr);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {{"data-root", required_argument, NULL, 'd'},
		{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'},
		{NULL, 0, NULL, 0}};
	const char *data_root = "";
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case 'd': data_root = optarg; break;
		case 'h': print_usage(stdout); return fflush(stdout) ? EXIT_RUN : 0;
		case 'V': puts("ewin-sim " EWIN_VERSION); return fflush(stdout) ? EXIT_RUN : 0;
		default: return usage_error();
		}
	}
	if (argc - optind != 2) {
		fputs("ewin-sim: a command and one file are needed\n", stderr);
		return usage_error();
	}
	if (strcmp(argv[optind], "run") != 0) {
		fprintf(stderr, "ewin-sim: unknown command '%s'\n", argv[optind]);
		return usage_error();
	}
	return run_command(data_root, argv[optind + 1]);
}
