/* ewin-check: grades a folder once and exits. The verdicts are those of the daemon, without one. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/author.h"
#include "daemon/author_lint.h"
#include "daemon/grade/diagnose.h"
#include "daemon/choose_lab.h"
#include "daemon/explain_step.h"
#include "daemon/intake.h"
#include "daemon/keep.h"
#include "daemon/labs.h"
#include "daemon/sheet.h"
#include "daemon/tier_words.h"
#include "daemon/tiers.h"
#include "daemon/verdict_json.h"
#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* Exit statuses, the same in all programs. */
enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_CONFIG, EXIT_UNDECIDED };

static const struct help usage[] = {
	{NULL, "Usage: ewin-check [--labs DIR] [--lab NAME] [--step NAME] [--data-root DIR] "
	       "[--json] "
	       "[DIR]\n"
	       "       ewin-check --explain STEP [--only KIND]... [--row N] [--window START]\n"
	       "                  [--select N] [--lab NAME] [--data-root DIR] [--json] [DIR]\n"
	       "       ewin-check --new-fixture LAB --seed N [--fixture FIXTURE] [--output FILE]\n"
	       "       ewin-check --lint LAB [--data-root DIR] [--json]"},
	{NULL, N_("Grades what is saved in DIR (the lab's own folder where it is left out) and "
		  "exits.")},
	{NULL, ""},
	{"--labs DIR", N_("where the labs are; may be repeated: the later one wins")},
	{"--lab NAME", N_("which of them; may be left out where the files in DIR tell")},
	{"--step NAME", N_("only this step")},
	{"--data-root DIR", N_("is put before every absolute path of the lab's data")},
	{"--json", N_("verdicts as JSON")},
	{"--help, --version", ""},
	{NULL, ""},
	{NULL, N_("What became of each row of the data in a step's own SQL, and why; options as "
		  "ewin-sim\nexplain has them.")},
	{NULL, ""},
	{"--explain STEP", N_("the .sql beside the step's output")},
	{"--only, --row, --window", N_("rows of a kind, one row, the rows of a window")},
	{"--select N", N_("of several SELECTs; the last where it is left out")},
	{NULL, ""},
	{NULL, N_("For authors: other data of the same kind for a lab, with what is in it on "
		  "standard "
		  "error.")},
	{NULL, ""},
	{"--new-fixture LAB", N_("the lab's folder, or its name")},
	{"--seed N", N_("the same number makes the same data")},
	{"--fixture FIXTURE", N_("of several: its path, its file's name, or its number from 1")},
	{"--output FILE", N_("where the data goes, instead of standard output")},
	{"--lint LAB", N_("what is wrong with a lab, and what its data cannot tell apart")},
	{NULL, ""},
	{NULL, N_("Exit status: 0 every step passes, 1 some step fails or is partial, 2 wrong "
		  "usage,\n"
		  "3 wrong configuration, 4 nothing is wrong, but a step is missing or cannot be "
		  "told.")},
	{NULL, NULL},
};

struct options {
	struct lab_places places;
	const char *lab, *step, *data_root, *dir;
	bool json;
	struct viewer viewer;
	const char *explained; /* a step */
	struct explain explain;
	const char *new_fixture, *fixture, *output, *lint;
	bool has_seed;
	int64_t seed;
};

/* One graded step. */
struct graded {
	const struct step *step;
	struct verdict verdict;
	struct text sha256;
};

struct check {
	struct arena arena;
	struct options options;
	struct labs labs;
	struct text named; /* the lab, on the command line */
	struct loaded_lab *lab;
	int dirfd; /* of the folder that is graded */
	struct graded *graded;
	size_t graded_count;
};

static int add_place(struct options *options, const char *dir)
{
	if (options->places.count == LIMIT_LAB_PLACES) {
		fprintf(stderr, tr("ewin-check: --labs: more than %d\n"), LIMIT_LAB_PLACES);
		return -1;
	}
	options->places.dirs[options->places.count++] = dir;
	return 0;
}

static int parse_options(int argc, char **argv, struct options *options)
{
	static const struct option longs[] = {{"labs", required_argument, NULL, 'l'},
		{"lab", required_argument, NULL, 'n'}, {"step", required_argument, NULL, 's'},
		{"data-root", required_argument, NULL, 'd'}, {"json", no_argument, NULL, 'j'},
		{"explain", required_argument, NULL, 'E'}, EXPLAIN_OPTIONS,
		{"new-fixture", required_argument, NULL, 'N'},
		{"lint", required_argument, NULL, 'L'}, {"seed", required_argument, NULL, 'S'},
		{"fixture", required_argument, NULL, 'F'}, {"output", required_argument, NULL, 'O'},
		{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {0}};
	int c;

	options->data_root = "";
	while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
		switch (c) {
		case 'l':
			if (add_place(options, optarg) < 0)
				return EXIT_USAGE;
			break;
		case 'n': options->lab = optarg; break;
		case 's': options->step = optarg; break;
		case 'd': options->data_root = optarg; break;
		case 'j': options->json = true; break;
		case 'h': help_print(stdout, usage); return EXIT_DONE;
		case 'E': options->explained = optarg; break;
		case 'N': options->new_fixture = optarg; break;
		case 'L': options->lint = optarg; break;
		case 'F': options->fixture = optarg; break;
		case 'O': options->output = optarg; break;
		case 'S':
			options->has_seed = text_to_int64(text_of(optarg), &options->seed) == 0;
			break;
		case 'V': puts("ewin-check " EWIN_VERSION); return EXIT_DONE;
		default:
			if (explain_option(&options->explain, c, optarg) > 0)
				break;
			fputs(tr("Try 'ewin-check --help'.\n"), stderr);
			return EXIT_USAGE;
		}
	}
	if (argc - optind > (options->lint ? 0 : 1)) {
		fputs(tr("ewin-check: one folder is graded at a time\n"), stderr);
		return EXIT_USAGE;
	}
	if (!options->explained && explain_narrowed(&options->explain)) {
		fputs(tr("ewin-check: --only, --row, --window and --select need --explain\n"),
			stderr);
		return EXIT_USAGE;
	}
	options->dir = argv[optind];
	if (options->new_fixture && (!options->has_seed || options->dir)) {
		fputs(tr("ewin-check: --new-fixture LAB needs --seed N, a whole number, and no "
			 "more\n"),
			stderr);
		return EXIT_USAGE;
	}
	return -1;
}

static int complain(int status, const struct diag *diag)
{
	char buf[LIMIT_DIAG_FILE + LIMIT_DIAG_TEXT + 32];

	fprintf(stderr, "ewin-check: %s\n", diag_format(diag, buf, sizeof(buf)));
	return status;
}

/* The folder that was named, or the lab's own. -1 where it could be opened. */
static int open_folder(struct check *check)
{
	struct text dir = check->options.dir
				  ? text_of(check->options.dir)
				  : text_format(&check->arena, "%s%.*s", check->options.data_root,
					    TEXT_ARG(check->lab->lab.folder));

	if (check->dirfd >= 0)
		return -1;
	check->dirfd = dir.ptr ? open(dir.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (check->dirfd >= 0)
		return -1;
	fprintf(stderr, "ewin-check: %.*s: %s\n", TEXT_ARG(dir), strerror(errno));
	return EXIT_CONFIG;
}

/* The lab could not be told: which there are. */
static int ask_for_lab(const struct check *check)
{
	fputs(tr("ewin-check: say which lab it is, with --lab NAME\n"), stderr);
	for (size_t i = 0; i < check->labs.count; i++)
		if (lab_is_shown(check->labs.items[i]))
			fprintf(stderr, "  %.*s\n", TEXT_ARG(check->labs.items[i]->name));
	return EXIT_USAGE;
}

/* The lab that was named, or the one whose work lies in the folder. */
static int find_lab(struct check *check, const char *dir)
{
	const struct options *o = &check->options;
	int status;

	if (o->lab) {
		check->lab = labs_get(&check->labs, text_of(o->lab));
		if (check->lab)
			return -1;
		fprintf(stderr, tr("ewin-check: no lab in %s is called %s\n"), dir, o->lab);
		return EXIT_CONFIG;
	}
	check->lab = choose_lab(&check->labs, -1);
	if (check->lab || !o->dir)
		return check->lab ? -1 : ask_for_lab(check);
	status = open_folder(check);
	if (status >= 0)
		return status;
	check->lab = choose_lab(&check->labs, check->dirfd);
	return check->lab ? -1 : ask_for_lab(check);
}

static int open_lab(struct check *check)
{
	const struct options *o = &check->options;
	struct lab_places places = o->places;
	struct diag diag = {0};
	int status;

	if (!places.count)
		lab_places_default(&check->arena, &places);
	check->named = text_of(o->lab ? o->lab : "");
	if (o->lab)
		places.wanted = (struct lab_names){&check->named, 1};
	if (labs_load(&check->labs, &places, o->data_root, NULL, true, &diag))
		return complain(EXIT_CONFIG, &diag);
	status = find_lab(check, places.dirs[places.count - 1]);
	if (status >= 0)
		return status;
	return check->lab->grader ? -1 : complain(EXIT_CONFIG, &check->lab->problem);
}

/* What one step is graded from, in memory of its own: a file that fills it takes none from others. */
struct work {
	struct arena arena;
	struct intake out;
	struct submission *submissions; /* an entry a step of the lab */
};

static int read_file(struct check *check, struct work *work, struct text name, size_t cap,
	struct intake *ret, struct diag *reterr)
{
	struct text path = text_copy(&work->arena, name);

	if (!path.ptr)
		return diag_nomem(reterr);
	return intake_read(&work->arena, check->dirfd, path.ptr, cap, ret, reterr);
}

static int read_out(
	struct check *check, struct work *work, size_t i, struct intake *ret, struct diag *reterr)
{
	const struct step *step = &check->lab->lab.steps[i];
	size_t cap = step->kind == STEP_REPORT ? LIMIT_JSON_BYTES : LIMIT_OUT_BYTES;

	return read_file(check, work, step->file, cap, ret, reterr);
}

/* Files of a step; a report that is checked against it does not look at its SQL. */
static int read_submission(struct check *check, struct work *work, size_t i, bool report,
	struct intake *out, struct diag *reterr)
{
	const struct step *step = &check->lab->lab.steps[i];
	struct intake sql = {0};
	int r = read_out(check, work, i, out, reterr);

	if (r == 0 && step->sql.len && !report)
		r = read_file(check, work, step->sql, LIMIT_SQL_BYTES, &sql, reterr);
	if (r == 0)
		work->submissions[i] = (struct submission){.out = out->file, .sql = sql.file};
	return r;
}

/* The step's own files, and those of the steps that it is held against. */
static int read_step(struct check *check, struct work *work, size_t i, struct diag *reterr)
{
	const struct lab *lab = &check->lab->lab;
	bool report = lab->steps[i].kind == STEP_REPORT;
	struct intake other;
	int r;

	work->submissions = arena_array(&work->arena, lab->step_count, sizeof(*work->submissions));
	if (!work->submissions)
		return diag_nomem(reterr);
	r = read_submission(check, work, i, report, &work->out, reterr);
	for (size_t j = 0; r == 0 && j < lab->step_count; j++)
		if (j != i && step_needs(lab, i, j))
			r = read_submission(check, work, j, report, &other, reterr);
	return r;
}

static int grade_one(struct check *check, size_t i)
{
	struct graded *graded = &check->graded[check->graded_count++];
	struct work work = {0};
	struct verdict verdict;
	struct diag diag = {0};
	int r;

	arena_init(&work.arena, LIMIT_GRADE_ARENA);
	r = read_step(check, &work, i, &diag);
	if (r == 0)
		r = grade_step(
			&work.arena, check->lab->grader, i, work.submissions, &verdict, &diag);
	if (r == 0)
		r = diagnose_step(
			&work.arena, check->lab->grader, i, work.submissions, &verdict, &diag);
	if (r == -ENOMEM) {
		arena_finish(&work.arena);
		r = grade_too_large(&work.arena, check->lab->grader, i, &verdict, &diag);
	}
	if (r == 0)
		r = verdict_keep(&check->arena, &verdict, &graded->verdict, &diag);
	arena_finish(&work.arena);
	graded->step = &check->lab->lab.steps[i];
	graded->sha256 = text_copy(&check->arena, text_of(work.out.identity.sha256));
	if (r == 0 && !graded->sha256.ptr)
		r = diag_nomem(&diag);
	return r < 0 ? complain(EXIT_FAILED, &diag) : -1;
}

/* Index of a step that was named; -1, or the exit status where there is none. */
static int find_step(const struct check *check, const char *name, size_t *ret)
{
	const struct lab *lab = &check->lab->lab;

	*ret = lab_step(lab, text_of(name));
	if (*ret < lab->step_count)
		return -1;
	fprintf(stderr, tr("ewin-check: the lab has no step %s\n"), name);
	return EXIT_USAGE;
}

static int grade_folder(struct check *check)
{
	const struct lab *lab = &check->lab->lab;
	size_t only = lab->step_count;
	int status = -1;

	if (check->options.step)
		status = find_step(check, check->options.step, &only);
	if (status >= 0)
		return status;
	check->graded = arena_array(&check->arena, lab->step_count + 1, sizeof(*check->graded));
	if (!check->graded)
		return EXIT_FAILED;
	for (size_t i = 0; status < 0 && i < lab->step_count; i++)
		if (only == lab->step_count || only == i)
			status = grade_one(check, i);
	return status;
}

static size_t count(const struct check *check, enum verdict_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < check->graded_count; i++)
		n += check->graded[i].verdict.kind == kind;
	return n;
}

static int print_json(struct check *check)
{
	struct arena *arena = &check->arena;
	struct json *root = json_add(arena, NULL, NULL, JSON_OBJECT), *results;
	struct text printed;

	json_add_integer(arena, root, "version", 1);
	json_add_text(arena, root, "lab", check->lab->lab.name);
	json_add_integer(arena, root, "passed", (int64_t)count(check, VERDICT_PASS));
	json_add_integer(arena, root, "total", (int64_t)check->graded_count);
	results = json_add(arena, root, "results", JSON_ARRAY);
	for (size_t i = 0; i < check->graded_count; i++) {
		const struct graded *graded = &check->graded[i];

		verdict_json(arena, json_add(arena, results, NULL, JSON_OBJECT), graded->step,
			&graded->verdict, graded->sha256);
	}
	if (!results || json_print(arena, root, true, &printed))
		return EXIT_FAILED;
	printf("%.*s\n", TEXT_ARG(printed));
	return -1;
}

/* The columns of the longest name of the lab's steps. */
static size_t name_width(const struct lab *lab)
{
	size_t widest = SHEET_NAME_WIDTH;

	for (size_t i = 0; i < lab->step_count; i++)
		if (lab->steps[i].id.len > widest)
			widest = lab->steps[i].id.len;
	return widest;
}

/* What a line says is in the third column; `names` columns are the second. */
static void put_line(const struct sheet *sheet, struct text verdict, struct text step, size_t names,
	struct text line)
{
	static const char *const words[] = {
		N_("pass"), N_("partial"), N_("fail"), N_("cannot-tell"), N_("missing"), NULL};

	sheet_put_padded(sheet, verdict, sheet_width(words) + 2);
	sheet_put_padded(sheet, step, names);
	fputs(" ", sheet->file);
	sheet_put(sheet, line);
	fputs("\n", sheet->file);
}

static void put_below(const struct sheet *sheet, size_t names, struct text line)
{
	if (line.len)
		put_line(sheet, TEXT(""), TEXT(""), names, line);
}

/* What is off, why as far as that is known, and the lab's first hint. */
static void put_graded(const struct sheet *sheet, const struct graded *graded, size_t names)
{
	const struct verdict *verdict = &graded->verdict;
	struct text hint = TEXT("");
	struct lines lines = {0};

	put_line(sheet, text_of(tr(verdict_name(verdict->kind))), graded->step->id, names,
		sheet_message(sheet, &verdict->summary));
	for (size_t i = 0; i < verdict->remark_count; i++)
		put_below(sheet, names, sheet_message(sheet, &verdict->remarks[i]));
	if (tier_applies(verdict))
		lines_add_causes(sheet, verdict, &lines);
	for (size_t i = 0; i < lines.count; i++)
		put_below(sheet, names, lines.items[i]);
	if (tier_applies(verdict) && graded->step->hint_count)
		hint = sheet_text(sheet, &graded->step->hints[0]);
	if (hint.len)
		put_below(
			sheet, names, text_format(sheet->arena, tr("Hint: %.*s"), TEXT_ARG(hint)));
}

static int print_text(struct check *check)
{
	struct sheet sheet = {
		.arena = &check->arena, .file = stdout, .viewer = check->options.viewer};

	for (size_t i = 0; i < check->graded_count; i++)
		put_graded(&sheet, &check->graded[i], name_width(&check->lab->lab));
	printf(tr("%zu of %zu steps pass\n"), count(check, VERDICT_PASS), check->graded_count);
	return -1;
}

static int verdict_status(const struct check *check)
{
	if (count(check, VERDICT_FAIL) || count(check, VERDICT_PARTIAL))
		return EXIT_FAILED;
	return count(check, VERDICT_PASS) == check->graded_count ? EXIT_DONE : EXIT_UNDECIDED;
}

/* A folder, or the name of one of the labs. */
static const char *author_dir(struct check *check, const char *name)
{
	struct lab_places places = check->options.places;
	const char *dir = NULL;

	if (!places.count)
		lab_places_default(&check->arena, &places);
	if (!strchr(name, '/'))
		dir = lab_places_find(&check->arena, &places, name);
	return dir ? dir : name;
}

static int make_fixture(struct check *check)
{
	const struct options *o = &check->options;
	const struct new_fixture asked = {.lab = author_dir(check, o->new_fixture),
		.data_root = o->data_root,
		.fixture = o->fixture,
		.output = o->output,
		.seed = (uint64_t)o->seed};
	struct diag diag = {0};
	int r = author_new_fixture(&check->arena, &asked, &diag);

	if (r == 0)
		return EXIT_DONE;
	return complain(r == -EINVAL || r == -ENOENT ? EXIT_CONFIG : EXIT_FAILED, &diag);
}

static int lint(struct check *check)
{
	const struct options *o = &check->options;
	const struct lint_asked asked = {
		.lab = author_dir(check, o->lint), .data_root = o->data_root, .json = o->json};
	struct diag diag = {0};
	size_t errors = 0;
	int r = author_lint(&check->arena, &asked, &errors, &diag);

	if (r == 0)
		return errors ? EXIT_FAILED : EXIT_DONE;
	return complain(r == -ENOMEM ? EXIT_FAILED : EXIT_CONFIG, &diag);
}

/* The learner's own SQL; the lab's in its place only where the step has passed. */
static int explain(struct check *check)
{
	struct explain_step asked = {.arena = &check->arena,
		.lab = check->lab,
		.dirfd = check->dirfd,
		.explain = check->options.explain};
	struct diag diag = {0};
	int status = find_step(check, check->options.explained, &asked.step), r;

	if (status >= 0)
		return status;
	asked.explain.story.json = check->options.json;
	asked.explain.story.words = &words_spoken;
	r = explain_own(&asked, &diag);
	if (r == 0)
		return EXIT_DONE;
	complain(EXIT_FAILED, &diag);
	if (r != -ENOENT && r != -ENOTSUP && r != -EINVAL)
		return EXIT_FAILED;
	check->options.step = check->options.explained;
	if (check->lab->lab.steps[asked.step].kind == STEP_REPORT || grade_folder(check) >= 0 ||
		check->graded[0].verdict.kind != VERDICT_PASS)
		return EXIT_UNDECIDED;
	fputs(tr("ewin-check: the step has passed: this is the lab's own SQL\n"), stderr);
	diag = (struct diag){0};
	return explain_reference(&asked, &diag) == 0 ? EXIT_DONE : complain(EXIT_FAILED, &diag);
}

static int grade(struct check *check)
{
	int status = grade_folder(check);

	if (status < 0)
		status = check->options.json ? print_json(check) : print_text(check);
	return status < 0 ? verdict_status(check) : status;
}

static int run(struct check *check)
{
	int status = open_lab(check);

	if (status < 0)
		status = open_folder(check);
	if (status < 0)
		status = check->options.explained ? explain(check) : grade(check);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, tr("ewin-check: standard output: %s\n"), strerror(errno));
		status = EXIT_FAILED;
	}
	return status;
}

int main(int argc, char **argv)
{
	struct check check = {.dirfd = -1};
	struct viewer viewer = viewer_get();
	int status;

	words_open_for(&viewer);
	check.options.viewer = viewer;
	status = parse_options(argc, argv, &check.options);
	if (status >= 0)
		return status;
	arena_init(&check.arena, LIMIT_GRADE_ARENA);
	if (check.options.lint)
		status = lint(&check);
	else
		status = check.options.new_fixture ? make_fixture(&check) : run(&check);
	if (check.dirfd >= 0)
		close(check.dirfd);
	labs_finish(&check.labs);
	arena_finish(&check.arena);
	return status;
}
