/* Labs: a lab is a folder within one of the places. Which there are is found in labs_find.c, which
 * of them people see is labs_rank.c's, what is in one lab_load.c's. Here is when each is loaded
 * again. One that is broken touches no other: its problem is kept as a sentence. */
#include "daemon/labs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "daemon/loop.h"
#include "daemon/paths.h"
#include "daemon/watch.h"

bool lab_is_shown(const struct loaded_lab *lab)
{
	return lab->standing != LAB_ABSENT && lab->standing != LAB_HIDDEN;
}

struct loaded_lab *labs_get(const struct labs *labs, struct text name)
{
	for (size_t i = 0; i < labs->count; i++)
		if (lab_is_shown(labs->items[i]) && text_eq(labs->items[i]->name, name))
			return labs->items[i];
	return NULL;
}

/* The name of the file whose change is the reason for what comes now. */
static void note_change(struct loaded_lab *lab, const struct source *source)
{
	struct text name = path_name(text_of(source ? source->path : ""));

	snprintf(lab->changed, sizeof(lab->changed), "%.*s", TEXT_ARG(name));
}

/* Reads lab.json where something changed. */
static void read_again(struct loaded_lab *lab)
{
	const struct source *source = sources_changed(&lab->sources);
	bool same = !source && !lab->lookout.told && !lab->fresh && !lab->troubled;

	if (!same) {
		note_change(lab, source);
		if (source || !lab->fresh || lab->troubled)
			lab_read(lab);
		lab->read = true;
	}
	lab->lookout.stirred = lab->fresh = false;
}

static void say_rival(struct loaded_lab *lab)
{
	if (lab->standing == LAB_SAME_NAME)
		diag_set(&lab->problem, -EEXIST, 0, 0, "its name, %.*s, is that of the lab in %s",
			TEXT_ARG(lab->lab.name), lab->rival->dir);
	else
		diag_set(&lab->problem, -EEXIST, 0, 0, "its folder, %.*s, is that of lab %.*s",
			TEXT_ARG(lab->lab.folder), TEXT_ARG(lab->rival->name));
}

static void open_timed(struct loaded_lab *lab, const struct sim_pause *pause)
{
	int64_t before_ms = loop_now_ms();

	lab_open(lab, pause);
	lab->dear = loop_now_ms() - before_ms > LAB_DEAR_MS;
}

/* Makes a lab that was read, or that stands otherwise than before, what it is to be. */
static int settle(
	const struct labs *labs, struct loaded_lab *lab, int64_t now_ms, struct diag *reterr)
{
	if (!lab->read) {
		lab->changed[0] = '\0';
		lab_read(lab);
	}
	if (lab->standing == LAB_STANDS && lab->parsed)
		open_timed(lab, labs->places.pause);
	else if (lab->rival && lab->parsed && lab->standing != LAB_HIDDEN)
		say_rival(lab);
	if (lab->standing == LAB_SAME_NAME)
		lab->name = path_name(text_of(lab->dir));
	lab->read = false;
	lab->news = true;
	return lookout_set(&lab->lookout, &lab->sources, now_ms, reterr);
}

/* A change that takes long: the lab cannot be graded until it is over. */
static void shelve(struct loaded_lab *lab)
{
	const struct source *source = sources_changed(&lab->sources);

	lab->lookout.told = true;
	if (!lab->grader)
		return;
	diag_set(&lab->problem, -EBUSY, 0, 0, "%.*s is being written",
		TEXT_ARG(path_name(text_of(source ? source->path : LAB_FILE))));
	lab->changed[0] = '\0';
	lab_close(lab);
	lab->news = true;
}

/* A lab that was not there before: its files are watched first, and loaded once nothing more
 * comes. */
static int meet(struct loaded_lab *lab, int64_t now_ms, struct diag *reterr)
{
	int r;

	if (lab->lookout.sources)
		return 0;
	lab_read(lab);
	lab->fresh = true;
	r = lookout_set(&lab->lookout, &lab->sources, now_ms, reterr);
	lookout_stir(&lab->lookout, now_ms);
	return r;
}

/* Reads what is due; true where something was read. Labs that take long come one by one behind
 * the others, in turns of their own: they hold up no verdict but theirs. */
static bool read_due(struct labs *labs, bool now, int64_t now_ms)
{
	struct loaded_lab *dear = NULL;
	bool any = false;

	for (size_t i = 0; i < labs->count; i++) {
		struct loaded_lab *lab = labs->items[i];
		bool due = now ? lab->lookout.stirred : lookout_over(&lab->lookout, now_ms);
		if (due && lab->dear && !now)
			dear = lab;
		else if (due)
			read_again(lab);
		else if (lookout_long(&lab->lookout, now_ms))
			shelve(lab);
		any = any || lab->read;
	}
	if (!dear || any)
		return any;
	read_again(dear);
	return dear->read;
}

/* Says again how each lab stands, and settles those for which that is news. */
static int stand(struct labs *labs, int64_t now_ms, struct diag *reterr)
{
	enum lab_standing standing[LIMIT_LABS];
	const struct loaded_lab *rivals[LIMIT_LABS];
	int result = 0;

	for (size_t i = 0; i < labs->count; i++) {
		standing[i] = labs->items[i]->standing;
		rivals[i] = labs->items[i]->rival;
	}
	labs_rank(labs);
	for (size_t i = 0; i < labs->count; i++) {
		struct loaded_lab *lab = labs->items[i];
		bool other = lab->standing != standing[i] || lab->rival != rivals[i];
		int r = other || lab->read ? settle(labs, lab, now_ms, reterr) : 0;
		result = r < 0 ? r : result;
	}
	return result;
}

int labs_refresh(struct labs *labs, bool now, int64_t now_ms, struct diag *reterr)
{
	bool looked = labs->stirred;
	int result = 0;

	if (looked)
		result = labs_find(labs, reterr);
	for (size_t i = 0; looked && i < labs->count; i++) {
		int r = meet(labs->items[i], now_ms, reterr);
		result = r < 0 ? r : result;
	}
	if (read_due(labs, now, now_ms) || looked) {
		int r = stand(labs, now_ms, reterr);
		result = r < 0 ? r : result;
	}
	return result;
}

void labs_sweep(struct labs *labs)
{
	while (labs->gone_count)
		lab_free(labs->gone[--labs->gone_count]);
}

int labs_load(struct labs *labs, const struct lab_places *places, const char *data_root,
	struct watch *watch, bool shared_folders, struct diag *reterr)
{
	bool any = false;
	int err = 0;

	*labs = (struct labs){.places = *places,
		.data_root = data_root,
		.watch = watch,
		.shared_folders = shared_folders,
		.stirred = true};
	for (size_t i = 0; i < places->count; i++) {
		any = any || access(places->dirs[i], F_OK) == 0;
		err = any || err ? err : errno;
		folder_init(&labs->folders[i], places->dirs[i], watch, false);
	}
	if (!any)
		return diag_set(reterr, -err, 0, 0, "%s: %s", places->dirs[0], strerror(err));
	for (size_t i = 0; watch && i < places->count; i++)
		folder_arm(&labs->folders[i]);
	return labs_refresh(labs, true, 0, reterr);
}

void labs_finish(struct labs *labs)
{
	labs_sweep(labs);
	for (size_t i = 0; i < labs->count; i++)
		lab_free(labs->items[i]);
	labs->count = 0;
	for (size_t i = 0; i < labs->places.count; i++)
		folder_finish(&labs->folders[i]);
}

void labs_event(struct labs *labs, const struct watch_event *event, int64_t now_ms)
{
	for (size_t i = 0; i < labs->places.count; i++) {
		struct folder *folder = &labs->folders[i];
		if (folder_concerned(folder, event)) {
			folder_arm(folder);
			labs->stirred = true;
		} else if (event->id == folder->id && event->kind != WATCH_WRITTEN) {
			labs->stirred = true;
		}
	}
	for (size_t i = 0; i < labs->count; i++)
		lookout_event(&labs->items[i]->lookout, event, now_ms);
}

void labs_scan(struct labs *labs, int64_t now_ms)
{
	for (size_t i = 0; i < labs->places.count; i++)
		folder_arm(&labs->folders[i]);
	for (size_t i = 0; i < labs->count; i++) {
		lookout_scan(&labs->items[i]->lookout, now_ms);
		if (labs->items[i]->troubled)
			lookout_stir(&labs->items[i]->lookout, now_ms);
	}
	labs->stirred = true;
}

int64_t labs_deadline(const struct labs *labs)
{
	int64_t next = labs->stirred ? 0 : INT64_MAX;

	for (size_t i = 0; i < labs->count; i++) {
		int64_t deadline = lookout_deadline(&labs->items[i]->lookout);
		next = deadline < next ? deadline : next;
	}
	return next;
}

bool labs_poll(const struct labs *labs)
{
	for (size_t i = 0; i < labs->places.count; i++)
		if (labs->folders[i].polled)
			return true;
	for (size_t i = 0; i < labs->count; i++)
		if (lookout_polls(&labs->items[i]->lookout))
			return true;
	return !labs->watch;
}

bool labs_unsure(const struct labs *labs)
{
	if (labs->unsure)
		return true;
	for (size_t i = 0; i < labs->places.count; i++)
		if (labs->folders[i].unsure)
			return true;
	for (size_t i = 0; i < labs->count; i++)
		if (labs->items[i]->troubled || lookout_unsure(&labs->items[i]->lookout))
			return true;
	return false;
}
