/* Labs, ranked: which of those on disk people see.
 *
 * - Of one name in two places, the one in the place that comes later: the administrator's own.
 * - Of one name in one place, the one whose folder is called so, else the first. The other one is
 *   shown under its folder's name, and cannot be graded.
 * - Of one learner's folder, however it is spelled, the first; the other one cannot be graded.
 *
 * All of it follows from what is on disk, not from the order in which it came there. */
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

#include "daemon/labs.h"
#include "daemon/paths.h"

static bool has_json(const struct loaded_lab *lab)
{
	return !lab->fresh && lab->sources.count && lab->sources.items[0].look.there;
}

static struct text own_name(const struct loaded_lab *lab)
{
	return lab->parsed ? lab->lab.name : lab->name;
}

static bool is_called_as_its_folder(const struct loaded_lab *lab)
{
	return text_eq(own_name(lab), path_name(text_of(lab->dir)));
}

/* Of two labs of one place with one name, does the first, `a`, keep it? */
static bool keeps_name(const struct loaded_lab *a, const struct loaded_lab *b)
{
	return is_called_as_its_folder(a) || !is_called_as_its_folder(b);
}

static void rank_by_name(const struct labs *labs, size_t i)
{
	struct loaded_lab *lab = labs->items[i];

	for (size_t j = 0; j < labs->count; j++) {
		const struct loaded_lab *other = labs->items[j];
		if (i == j || !has_json(other) || !text_eq(own_name(lab), own_name(other)))
			continue;
		if (other->place > lab->place) {
			lab->standing = LAB_HIDDEN;
			lab->rival = other;
			return;
		}
		if (other->place == lab->place && lab->parsed && other->parsed &&
			!(i < j ? keeps_name(lab, other) : !keeps_name(other, lab))) {
			lab->standing = LAB_SAME_NAME;
			lab->rival = other;
		}
	}
}

/* The names of an absolute path from the last one on, without "." and what ".." takes back. */
struct names {
	struct text rest;
};

/* The name before those that were taken; empty: there is none. */
static struct text last_name(struct names *names)
{
	size_t above = 0;

	for (;;) {
		struct text *rest = &names->rest, name;
		size_t at;

		while (rest->len && rest->ptr[rest->len - 1] == '/')
			rest->len--;
		at = rest->len;
		while (at && rest->ptr[at - 1] != '/')
			at--;
		name = text_slice(*rest, at, rest->len);
		rest->len = at;
		if (!name.len)
			return name;
		if (text_eq(name, TEXT("..")))
			above++;
		else if (!text_eq(name, TEXT(".")) && above == 0)
			return name;
		else if (!text_eq(name, TEXT(".")))
			above--;
	}
}

/* Do two absolute paths say the same? */
static bool same_path(struct text a, struct text b)
{
	struct names names[] = {{a}, {b}};
	struct text last[2];

	do {
		last[0] = last_name(&names[0]);
		last[1] = last_name(&names[1]);
	} while (last[0].len && text_eq(last[0], last[1]));
	return text_eq(last[0], last[1]);
}

static bool find_folder(const struct loaded_lab *lab, struct stat *ret)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%s%.*s", lab->data_root, TEXT_ARG(lab->lab.folder));

	return len > 0 && (size_t)len < sizeof(path) && stat(path, ret) == 0;
}

/* Where both are there the disk says it: a name may be a symlink. */
static bool same_folder(const struct loaded_lab *a, const struct loaded_lab *b)
{
	struct stat of_a, of_b;

	if (find_folder(a, &of_a) && find_folder(b, &of_b))
		return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
	return same_path(a->lab.folder, b->lab.folder);
}

static void rank_by_folder(const struct labs *labs, size_t i)
{
	struct loaded_lab *lab = labs->items[i];

	for (size_t j = 0; j < i; j++) {
		const struct loaded_lab *other = labs->items[j];
		if (other->standing != LAB_STANDS || !other->parsed || !lab->parsed ||
			!same_folder(lab, other))
			continue;
		lab->standing = LAB_SAME_FOLDER;
		lab->rival = other;
		return;
	}
}

void labs_rank(const struct labs *labs)
{
	for (size_t i = 0; i < labs->count; i++) {
		struct loaded_lab *lab = labs->items[i];
		lab->rival = NULL;
		lab->standing = has_json(lab) ? LAB_STANDS : LAB_ABSENT;
		if (lab->standing == LAB_STANDS)
			rank_by_name(labs, i);
	}
	for (size_t i = 0; i < labs->count && !labs->shared_folders; i++)
		if (labs->items[i]->standing == LAB_STANDS)
			rank_by_folder(labs, i);
}
