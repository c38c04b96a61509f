/* For authors: their lab comes from a folder of their own, wherever that is, and its faults are
 * told with their place in lab.json. */
#include "daemon/author.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/labs.h"
#include "daemon/paths.h"
#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* What a path leads to: a symlink to another name in its folder is followed, as the daemon
 * follows one. */
static struct text followed(struct arena *arena, struct text path)
{
	char target[NAME_MAX + 1];

	if (!path.ptr || !path_link(AT_FDCWD, path.ptr, target))
		return path;
	return text_format(arena, "%.*s%s", TEXT_ARG(path_folder(path)), target);
}

static const char *why_unreadable(enum file_state state)
{
	switch (state) {
	case FILE_MISSING: return "there is no such file";
	case FILE_NOT_REGULAR:
		return "it is no regular file, nor a symlink to one in the same folder";
	default: return "reading it is not allowed, or fails";
	}
}

/* The whole file, of the size that an output may have. */
static int read_whole(struct arena *arena, struct text path, struct text *ret, struct diag *reterr)
{
	struct intake intake = {0};
	struct text file = followed(arena, path);

	if (!file.ptr || intake_read(arena, AT_FDCWD, file.ptr, LIMIT_OUT_BYTES, &intake, reterr))
		return diag_nomem(reterr);
	if (intake.file.state == FILE_TOO_LARGE)
		return diag_set(reterr, -EFBIG, 0, 0, "%.*s is larger than %u MiB", TEXT_ARG(path),
			LIMIT_OUT_BYTES >> 20);
	if (intake.file.state != FILE_THERE)
		return diag_set(reterr, -ENOENT, 0, 0, "%.*s cannot be read: %s", TEXT_ARG(path),
			why_unreadable(intake.file.state));
	*ret = intake.file.bytes;
	return 0;
}

int author_read_fixture(struct arena *arena, const struct author_lab *lab, size_t fixture,
	struct text *ret, struct diag *reterr)
{
	const struct fixture *of = &lab->lab.fixtures[fixture];
	bool ships = of->data.len > 0;

	return read_whole(arena,
		text_format(arena, "%s%s%.*s", ships ? lab->dir : lab->data.root, ships ? "/" : "",
			TEXT_ARG(ships ? of->data : of->path)),
		ret, reterr);
}

static int read_fixtures(struct arena *arena, struct author_lab *lab, struct diag *reterr)
{
	size_t count = lab->lab.fixture_count;
	int r = 0;

	lab->source.bytes = arena_array(arena, count + 1, sizeof(*lab->source.bytes));
	if (!lab->source.bytes)
		return diag_nomem(reterr);
	for (size_t i = 0; i < count && r == 0; i++)
		r = author_read_fixture(arena, lab, i, &lab->source.bytes[i], reterr);
	return r;
}

void author_init(struct author_lab *lab, const char *dir, const char *data_root)
{
	*lab = (struct author_lab){.dir = dir};
	lab->own = (struct own_files){.dir = dir};
	lab->data = (struct data_files){.root = data_root, .lab = &lab->lab};
	lab->own_reader = own_files_reader(&lab->own);
	lab->data_reader = data_files_reader(&lab->data);
	lab->source = (struct fixture_source){
		.lab = &lab->lab, .lab_files = &lab->own_reader, .data = &lab->data_reader};
}

int author_open(struct arena *arena, const char *dir, const char *data_root, struct author_lab *lab,
	struct diag *reterr)
{
	struct text json;
	int r;

	author_init(lab, dir, data_root);
	r = own_files_read(&lab->own, arena, TEXT(LAB_FILE), &json, reterr);
	if (r < 0)
		return r;
	r = lab_parse(arena, json, &lab->lab, reterr);
	if (r == 0)
		return read_fixtures(arena, lab, reterr);
	diag_file(reterr, text_format(arena, "%s/" LAB_FILE, dir));
	return r;
}

int author_fixture(const struct author_lab *lab, const char *name, size_t *ret, struct diag *reterr)
{
	size_t count = lab->lab.fixture_count;
	int64_t number;

	if (!name && count == 1)
		return *ret = 0, 0;
	if (!name)
		return diag_set(reterr, -EINVAL, 0, 0,
			"the lab has %zu fixtures: say which, with --fixture", count);
	if (text_to_int64(text_of(name), &number) == 0 && number > 0 && (size_t)number <= count)
		return *ret = (size_t)number - 1, 0;
	for (size_t i = 0; i < count; i++) {
		struct text path = lab->lab.fixtures[i].path;
		size_t rest = path.len - (strlen(name) < path.len ? strlen(name) : path.len);

		if (text_ends(path, text_of(name)) && (rest == 0 || path.ptr[rest - 1] == '/'))
			return *ret = i, 0;
	}
	return diag_set(reterr, -EINVAL, 0, 0, "the lab has no fixture %s", name);
}

/* Whether all of standard output went out is asked at the end of the program. */
static int write_csv(const char *name, struct text csv, struct diag *reterr)
{
	FILE *file = name ? fopen(name, "w") : stdout;
	int err = 0;

	if (!file || fwrite(csv.ptr, 1, csv.len, file) != csv.len)
		err = errno;
	if (file && name && fclose(file) != 0 && !err)
		err = errno;
	return name && err ? diag_set(reterr, -EIO, 0, 0, "%s: %s", name, strerror(err)) : 0;
}

int author_new_fixture(struct arena *arena, const struct new_fixture *asked, struct diag *reterr)
{
	struct author_lab lab;
	struct fixture_made made;
	size_t fixture;
	int r = author_open(arena, asked->lab, asked->data_root, &lab, reterr);

	if (r == 0)
		r = author_fixture(&lab, asked->fixture, &fixture, reterr);
	if (r < 0)
		return r;
	r = fixture_new(arena, &lab.source, fixture, asked->seed, &made, reterr);
	if (r < 0 && (reterr->line || reterr->file[0])) {
		struct text file = text_copy(arena, text_of(reterr->file));

		reterr->file[0] = '\0';
		diag_file(reterr, text_format(arena, "%s/%.*s", asked->lab,
					  TEXT_ARG(file.len ? file : TEXT(LAB_FILE))));
	}
	if (r < 0)
		return r;
	for (size_t i = 0; i < made.facts.count; i++)
		fprintf(stderr, "%.*s\n", TEXT_ARG(clean_copy(arena, made.facts.items[i].text)));
	return write_csv(asked->output, made.csv, reterr);
}
