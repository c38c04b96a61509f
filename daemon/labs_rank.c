/* Labs, ranked: which of those on disk people see.
 *
 * - Of one name in two places, the one in the place that comes later: the administrator's own.
 * - Of one name in one place, the one whose folder is called so, else the first. The other one is
 *   shown under its folder's name, and cannot be graded.
 * - Of one learner's folder, the first; the other one cannot be graded.
 *
 * All of it follows from what is on disk, not from the order in which it came there. */
#include <string.h>

#include "daemon/labs.h"

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
	const char *slash = strrchr(lab->dir, '/');

	return text_eq(own_name(lab), text_of(slash ? slash + 1 : lab->dir));
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

/* Do two absolute paths say the same, whatever their slashes? */
static bool same_path(struct text a, struct text b)
{
	size_t i = 0, j = 0;

	for (;;) {
		bool slash_a = i < a.len && a.ptr[i] == '/', slash_b = j < b.len && b.ptr[j] == '/';
		while (i < a.len && a.ptr[i] == '/')
			i++;
		while (j < b.len && b.ptr[j] == '/')
			j++;
		if (i == a.len || j == b.len)
			return i == a.len && j == b.len;
		if (slash_a != slash_b || a.ptr[i++] != b.ptr[j++])
			return false;
	}
}

static void rank_by_folder(const struct labs *labs, size_t i)
{
	struct loaded_lab *lab = labs->items[i];

	for (size_t j = 0; j < i; j++) {
		const struct loaded_lab *other = labs->items[j];
		if (other->standing != LAB_STANDS || !other->parsed || !lab->parsed ||
			!same_path(lab->lab.folder, other->lab.folder))
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
