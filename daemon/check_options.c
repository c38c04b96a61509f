/* ewin-check, its command line. */
#include <getopt.h>
#include <stdio.h>

#include "daemon/check.h"
#include "parser/clean.h"
#include "daemon/sheet.h"

static const struct help usage[] = {
	{NULL, "Usage: ewin-check [--labs DIR] [--lab NAME] [--step NAME] [--data-root DIR] "
	       "[--json] "
	       "[DIR]\n"
	       "       ewin-check --explain STEP [--only KIND]... [--row N] [--window START]\n"
	       "                  [--select N] [--lab NAME] [--data-root DIR] [--json] [DIR]\n"
	       "       ewin-check --new-fixture LAB --seed N [--fixture FIXTURE] [--output FILE]\n"
	       "       ewin-check --lint LAB [--data-root DIR] [--json]"},
	{NULL, N_("Grades what is saved in DIR and exits. Where DIR is left out: the folder here, "
		  "if its\nfiles tell which of several labs it is of, else the lab's own.")},
	{NULL, ""},
	{"--labs DIR", N_("where the labs are; may be repeated: the later one wins")},
	{"--lab NAME", N_("which of them; may be left out where the step or the files tell")},
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

static int add_place(struct check_options *options, const char *dir)
{
	if (options->places.count == LIMIT_LAB_PLACES) {
		fprintf(stderr, tr("ewin-check: --labs: more than %d\n"), LIMIT_LAB_PLACES);
		return -1;
	}
	options->places.dirs[options->places.count++] = dir;
	return 0;
}

int check_options_parse(int argc, char **argv, struct check_options *options)
{
	static const struct option longs[] = {{"labs", required_argument, NULL, 'l'},
		{"lab", required_argument, NULL, 'n'}, {"step", required_argument, NULL, 's'},
		{"data-root", required_argument, NULL, 'd'}, {"json", no_argument, NULL, 'j'},
		{"explain", required_argument, NULL, 'E'}, EXPLAIN_OPTIONS,
		{"new-fixture", required_argument, NULL, 'N'},
		{"lint", required_argument, NULL, 'L'}, {"seed", required_argument, NULL, 'S'},
		{"fixture", required_argument, NULL, 'F'}, {"output", required_argument, NULL, 'O'},
		{"help", no_argument, NULL, 'h'}, {"version", no_argument, NULL, 'V'}, {0}};
	char shown[LIMIT_DIAG_FILE];
	int c;

	options->data_root = "";
	opterr = 0; /* getopt_long() itself would say the option as it is */
	while ((c = getopt_long(argc, argv, ":h", longs, NULL)) != -1) {
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
		case ':':
			fprintf(stderr, tr("ewin-check: %s wants a value\n"),
				clean_name(argv[optind - 1], shown, sizeof(shown)));
			fputs(tr("Try 'ewin-check --help'.\n"), stderr);
			return EXIT_USAGE;
		case '?':
			fprintf(stderr, tr("ewin-check: there is no option %s\n"),
				clean_name(argv[optind - 1], shown, sizeof(shown)));
			fputs(tr("Try 'ewin-check --help'.\n"), stderr);
			return EXIT_USAGE;
		default:
			if (explain_option(&options->explain, c, optarg) > 0)
				break;
			fprintf(stderr, tr("ewin-check: '%s' is not a value of that option\n"),
				clean_name(optarg, shown, sizeof(shown)));
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
