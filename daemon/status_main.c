/* ewin-status: what the daemon says, for people, prompts and programs. The prompt hook
 * (contrib/prompt/) runs it after a save.
 *
 * main() reads the command line and runs one command; a command reads the status (await.c) and puts
 * it into words (render.c); one asks for a hint (hint_ask.c). */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

#include "daemon/await.h"
#include "daemon/exits.h"
#include "daemon/here.h"
#include "daemon/hint_ask.h"
#include "daemon/hook.h"
#include "daemon/limits.h"
#include "daemon/render.h"
#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/diag.h"

#define RUN_DIR "/run/ewind"

/* What a prompt may wait for a verdict; a person notices more. */
#define WAIT_MS 250

static const struct help help[] = {
	{NULL, "Usage: ewin-status [OPTION]... [LAB | [LAB/]STEP]\n"
	       "       ewin-status init bash|zsh|fish\n"
	       "       ewin-status [--since SEQ] wait [MS]\n"
	       "       ewin-status hint [[LAB/]STEP]"},
	{NULL, N_("Prints how far the labs are; only one LAB or STEP where it is named.")},
	{NULL, ""},
	{"--json", N_("as `ewin-check --json`, an object a lab")},
	{"--short", N_("a line a lab")},
	{"--watch", N_("again at each change, until interrupted")},
	{"--run-dir DIR",
		N_("where the daemon's status is (default: $EWIN_RUN_DIR, else /run/ewind)")},
	{"init SHELL", N_("print the prompt hook, for eval")},
	{"wait [MS]", N_("wait until each saved file is graded, at most MS (default: 250)")},
	{"hint [STEP]",
		N_("open the next hint of a step that is wrong; of the last one by itself")},
	{"--since SEQ",
		N_("with wait: print settled, behind or down, then the status and what is new")},
	{"--help, --version", ""},
	{NULL, ""},
	{NULL, N_("Exit status: 0 done, 1 a fault at run time or a wait in vain, 2 wrong usage.")},
	{NULL, NULL},
};

static const struct option table[] = {
	{"run-dir", required_argument, NULL, 'r'},
	{"json", no_argument, NULL, 'j'},
	{"short", no_argument, NULL, 's'},
	{"watch", no_argument, NULL, 'w'},
	{"since", required_argument, NULL, 'S'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

struct call {
	const char *run_dir;
	bool json, brief, watch, help, version;
	struct viewer viewer;
	bool since_given;
	int64_t since;
	char **words; /* behind the options */
	int word_count;
};

static int complain(int status, const struct diag *diag)
{
	char line[DIAG_LINE];

	fprintf(stderr, "ewin-status: %s\n", diag_format(diag, line, sizeof(line)));
	return status;
}

/* `text` is a key of daemon/po. */
static int usage(const char *text)
{
	fprintf(stderr, "ewin-status: %s (%s)\n", tr(text), "ewin-status --help");
	return EXIT_USAGE;
}

/* The exit status of a command that has printed all it could. */
static int printed(void)
{
	return exit_printed("ewin-status", EXIT_DONE);
}

static struct sheet sheet_of(struct arena *arena, const struct call *call)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (struct sheet){.arena = arena,
		.file = stdout,
		.viewer = call->viewer,
		.now_ms = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000};
}

static int init(const struct call *call)
{
	const char *const *line;

	if (call->word_count != 2)
		return usage(N_("init wants the name of a shell"));
	line = hook_lines(text_of(call->words[1]));
	if (!line)
		return usage(N_("there are prompt hooks for bash, zsh and fish"));
	while (*line)
		fputs(*line++, stdout);
	return printed();
}

/* What the hook reads: how it stands, the status in the form of the prompt's file, and the news. */
static void answer(const struct sheet *sheet, const struct status *status, enum coverage coverage,
	int64_t since)
{
	static const char *const names[] = {[COVERAGE_SETTLED] = "settled",
		[COVERAGE_BEHIND] = "behind",
		[COVERAGE_DOWN] = "down"};
	struct text lines;

	if (coverage == COVERAGE_SETTLED && status_pack(sheet->arena, status, &lines, NULL) < 0)
		coverage = COVERAGE_BEHIND;
	printf("%s\n", names[coverage]);
	if (coverage != COVERAGE_SETTLED)
		return;
	fwrite(lines.ptr, 1, lines.len, stdout);
	render_news(sheet, status, since);
}

static int await(struct arena *arena, const struct call *call)
{
	enum coverage coverage;
	struct status status;
	struct diag diag = {0};
	struct sheet sheet = sheet_of(arena, call);
	int64_t wait_ms = WAIT_MS;

	if (call->word_count > 2)
		return usage(N_("wait wants one number at most"));
	if (call->word_count == 2 && (text_to_int64(text_of(call->words[1]), &wait_ms) < 0 ||
					     wait_ms < 0 || wait_ms > INT32_MAX))
		return usage(N_("wait wants milliseconds"));
	if (await_verdict(arena, call->run_dir, wait_ms,
		    call->since_given ? call->since : INT64_MAX, &status, &coverage, &diag) < 0)
		return complain(EXIT_FAULT, &diag);
	if (call->since_given)
		answer(&sheet, &status, coverage, call->since);
	if (printed() != EXIT_DONE)
		return EXIT_FAULT;
	return coverage == COVERAGE_SETTLED ? EXIT_DONE : EXIT_FAULT;
}

static int show(struct arena *arena, const struct call *call)
{
	struct text step = call->word_count ? text_of(call->words[0]) : TEXT("");
	struct sheet sheet = sheet_of(arena, call);
	struct diag diag = {0};
	struct status status;
	bool found = true;

	if (await_read(arena, call->run_dir, &status, &diag) < 0)
		return complain(EXIT_FAULT, &diag);
	step = here_name(arena, &status, step);
	if (call->json)
		found = render_json(&sheet, &status, step);
	else if (call->brief)
		render_short(&sheet, &status);
	else
		found = render_status(&sheet, &status, step);
	if (!found)
		return usage(N_("no lab has this step"));
	return printed();
}

static int hint(struct arena *arena, const struct call *call)
{
	struct text step = call->word_count > 1 ? text_of(call->words[1]) : TEXT("");
	struct sheet sheet = sheet_of(arena, call);
	struct diag diag = {0};
	int r;

	if (call->word_count > 2)
		return usage(N_("hint wants one step at most"));
	r = hint_ask(&sheet, call->run_dir, step, &diag);
	if (r == -ENOENT && !diag.text[0])
		return usage(N_("no lab has this step"));
	if (r < 0)
		return complain(EXIT_FAULT, &diag);
	return printed();
}

/* Shows it again whenever a status was renamed into place or went away. */
static int watch(struct arena *arena, const struct call *call)
{
	char events[4096], shown[LIMIT_DIAG_FILE];
	int fd = inotify_init1(IN_CLOEXEC), err;

	if (fd < 0 || inotify_add_watch(fd, call->run_dir, IN_MOVED_TO | IN_DELETE) < 0) {
		err = errno;
		fprintf(stderr, tr("ewin-status: cannot watch %s: %s\n"),
			clean_name(call->run_dir, shown, sizeof(shown)), strerror(err));
		return EXIT_FAULT;
	}
	do {
		if (isatty(STDOUT_FILENO))
			fputs("\033[H\033[2J", stdout);
		show(arena, call);
		if (ferror(stdout))
			break;
		arena_finish(arena);
	} while (read(fd, events, sizeof(events)) > 0);
	close(fd);
	return EXIT_FAULT;
}

static int take(struct call *call, int letter)
{
	switch (letter) {
	case 'r': call->run_dir = optarg; return 0;
	case 'j': call->json = true; return 0;
	case 's': call->brief = true; return 0;
	case 'w': call->watch = true; return 0;
	case 'S': call->since_given = true; return text_to_int64(text_of(optarg), &call->since);
	case 'h': call->help = true; return 0;
	case 'V': call->version = true; return 0;
	default: return -EINVAL;
	}
}

/* What is wrong with an option; for `--since` with a bad number optind is behind that. */
static int misused(int letter, const char *word)
{
	char shown[LIMIT_DIAG_FILE];

	clean_name(word, shown, sizeof(shown));
	if (letter == ':')
		fprintf(stderr, tr("ewin-status: %s wants a value"), shown);
	else if (letter == '?')
		fprintf(stderr, tr("ewin-status: there is no option %s"), shown);
	else
		fprintf(stderr, tr("ewin-status: %s is no number"), shown);
	fprintf(stderr, " (%s)\n", "ewin-status --help");
	return -EINVAL;
}

static int parse(int argc, char **argv, struct call *ret)
{
	const char *run_dir = getenv("EWIN_RUN_DIR");
	struct call call = {.run_dir = run_dir && run_dir[0] ? run_dir : RUN_DIR};
	int letter;

	opterr = 0;
	while ((letter = getopt_long(argc, argv, ":", table, NULL)) != -1)
		if (take(&call, letter) < 0)
			return misused(letter, argv[optind - 1]);
	call.words = argv + optind;
	call.word_count = argc - optind;
	*ret = call;
	return 0;
}

static int run(struct arena *arena, const struct call *call)
{
	const char *word = call->word_count ? call->words[0] : "";

	if (call->help || call->version) {
		if (call->help)
			help_print(stdout, help);
		else
			puts("ewin-status " EWIN_VERSION);
		return printed();
	}
	if (!strcmp(word, "init"))
		return init(call);
	if (!strcmp(word, "wait"))
		return await(arena, call);
	if (!strcmp(word, "hint"))
		return hint(arena, call);
	if (call->word_count > 1 || call->since_given || (call->json && call->brief))
		return usage(N_("that does not go together"));
	return call->watch ? watch(arena, call) : show(arena, call);
}

int main(int argc, char **argv)
{
	struct arena arena;
	struct call call;
	struct viewer viewer = viewer_get();
	int status;

	words_open_for(&viewer);
	if (parse(argc, argv, &call) < 0)
		return EXIT_USAGE;
	call.viewer = viewer;
	arena_init(&arena, LIMIT_STATUS_ARENA);
	status = run(&arena, &call);
	arena_finish(&arena);
	return status;
}
