/* Options: one table for getopt_long(); what the values mean is decided where they are used. */
#include "daemon/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/words.h"
#include "parser/diag.h"

#define RUN_DIR "/run/ewind"

const char options_help[] =
	"Usage: ewind [OPTION]...\n"
	"Watches the folders of Flink SQL labs and grades each output the moment it is saved.\n"
	"\n"
	"  --watch LAB=DIR   watch DIR for this lab; may be repeated, others are left alone then\n"
	"                    (default: every lab, in the folder that its lab.json names)\n"
	"  --labs DIR        where the labs are; may be repeated: of two labs of one name that in\n"
	"                    the later DIR is used (default: " LABS_DIR ", " LABS_DIR_OWN ")\n"
	"  --data-root DIR   put DIR before each absolute path that a lab or a table names\n"
	"  --run-dir DIR     where the status goes (default: $RUNTIME_DIRECTORY, else " RUN_DIR
	")\n"
	"  --lang LANG       language of what is logged, one of" LANGUAGE_NAMES " (default: en)\n"
	"  --foreground      log to stderr even where a journal is there\n"
	"  --help, --version\n"
	"\n"
	"SIGHUP: looks at the labs again, though it sees most changes by itself.\n"
	"What must outlive it is kept in $STATE_DIRECTORY, else beside the status.\n"
	"Exit status: 0 ended by a signal, 1 a fault at run time, 2 wrong usage, 3 wrong "
	"configuration.\n";

static const struct option table[] = {
	{"foreground", no_argument, NULL, 'f'},
	{"labs", required_argument, NULL, 'l'},
	{"watch", required_argument, NULL, 'w'},
	{"data-root", required_argument, NULL, 'd'},
	{"run-dir", required_argument, NULL, 'r'},
	{"lang", required_argument, NULL, 'L'},
	{"help", no_argument, NULL, 'h'},
	{"version", no_argument, NULL, 'V'},
	{NULL, 0, NULL, 0},
};

static int add_watch(struct options *options, const char *value, struct diag *reterr)
{
	const char *sign = strchr(value, '=');

	if (!sign || sign == value || !sign[1])
		return diag_set(reterr, -EINVAL, 0, 0, "--watch wants LAB=DIR, not '%s'", value);
	for (size_t i = 0; i < options->watch_count; i++)
		if (text_eq(options->watches[i].lab,
			    (struct text){value, (size_t)(sign - value)}) ||
			strcmp(options->watches[i].dir, sign + 1) == 0)
			return diag_set(reterr, -EINVAL, 0, 0,
				"--watch %s: each lab has one folder, and each folder one lab",
				value);
	if (options->watch_count == LIMIT_LABS)
		return diag_set(reterr, -EINVAL, 0, 0, "--watch: more than %d", LIMIT_LABS);
	options->watches[options->watch_count++] =
		(struct watch_option){.lab = {value, (size_t)(sign - value)}, .dir = sign + 1};
	return 0;
}

static int add_place(struct options *options, const char *value, struct diag *reterr)
{
	struct lab_places *places = &options->places;

	if (!value[0])
		return diag_set(reterr, -EINVAL, 0, 0, "--labs wants a folder");
	if (places->count == LIMIT_LAB_PLACES)
		return diag_set(reterr, -EINVAL, 0, 0, "--labs: more than %d", LIMIT_LAB_PLACES);
	places->dirs[places->count++] = value;
	return 0;
}

static int take_lang(struct options *options, const char *value, struct diag *reterr)
{
	if (!words_know(text_of(value)))
		return diag_set(reterr, -EINVAL, 0, 0,
			"--lang wants one of" LANGUAGE_NAMES ", not '%s'", value);
	options->lang = text_of(value);
	return 0;
}

static int take(struct options *options, int letter, char *argv[], struct diag *reterr)
{
	switch (letter) {
	case 'f': options->foreground = true; return 0;
	case 'l': return add_place(options, optarg, reterr);
	case 'w': return add_watch(options, optarg, reterr);
	case 'd': options->data_root = optarg; return 0;
	case 'r': options->run_dir = optarg; return 0;
	case 'L': return take_lang(options, optarg, reterr);
	case 'h': options->help = true; return 0;
	case 'V': options->version = true; return 0;
	case ':': return diag_set(reterr, -EINVAL, 0, 0, "%s wants a value", argv[optind - 1]);
	default: return diag_set(reterr, -EINVAL, 0, 0, "unknown option %s", argv[optind - 1]);
	}
}

static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] == '/' ? value : NULL;
}

int options_parse(int argc, char *argv[], struct options *ret, struct diag *reterr)
{
	struct options options = {
		.run_dir = environment("RUNTIME_DIRECTORY"), .data_root = "", .lang = TEXT("en")};
	int letter;

	opterr = 0;
	optind = 1;
	while ((letter = getopt_long(argc, argv, ":", table, NULL)) != -1) {
		int r = take(&options, letter, argv, reterr);
		if (r < 0)
			return r;
	}
	if (optind < argc)
		return diag_set(reterr, -EINVAL, 0, 0, "unexpected '%s'", argv[optind]);
	if (!options.run_dir)
		options.run_dir = RUN_DIR;
	options.state_dir = environment("STATE_DIRECTORY");
	if (!options.state_dir)
		options.state_dir = options.run_dir;
	*ret = options;
	return 0;
}
