/* Server, what is asked at the socket: the next hints of a step. They are given to whom the lab's
 * folder belongs, and to root; who that is, says the folder that is open here, not its name. */
#include <sys/stat.h>

#include "daemon/server.h"
#include "daemon/tiers.h"

static struct progress *find_lab(const struct server *server, struct text name)
{
	for (size_t i = 0; i < server->count; i++)
		if (text_eq(server->progress[i]->lab->name, name))
			return server->progress[i];
	return NULL;
}

static bool may_ask(const struct progress *progress, uid_t uid)
{
	struct stat st;

	if (uid == 0)
		return true;
	return progress->folder.dirfd >= 0 && fstat(progress->folder.dirfd, &st) == 0 &&
	       st.st_uid == uid;
}

/* The next tier of a step that is wrong. */
static enum ctl_answer open_next(struct server *server, struct progress *progress,
	const struct progress_step *step, int64_t *ret_tier)
{
	struct state_step *entry = state_step(&server->state, progress->lab->name, step->id);

	if (!tier_applies(&step->verdict) || !entry)
		return CTL_NOT_WRONG;
	*ret_tier = entry->hint_tier;
	if (entry->hint_tier >= TIER_ROW)
		return CTL_ALL_OPEN;
	/* What was opened last is still to be seen, once the status can be written again. */
	if (server->unpublished)
		return CTL_OPENED;
	*ret_tier = ++entry->hint_tier;
	state_touch(&server->state, entry);
	progress->changed = true;
	journal_hint(&server->journal, &(struct journal_hint){.lab = progress->lab->name,
					       .step = step->id,
					       .hint_tier = entry->hint_tier,
					       .attempt = entry->attempt});
	return CTL_OPENED;
}

static enum ctl_answer ask(void *ctx, const struct ctl_request *request, int64_t *ret_tier)
{
	struct server *server = ctx;
	struct progress *progress = find_lab(server, request->lab);

	if (!progress)
		return CTL_UNKNOWN;
	if (!may_ask(progress, request->uid))
		return CTL_REFUSED;
	for (size_t i = 0; i < progress->count; i++)
		if (text_eq(progress->steps[i].id, request->step))
			return open_next(server, progress, &progress->steps[i], ret_tier);
	return CTL_UNKNOWN;
}

void server_take_requests(struct server *server, int64_t now_ms)
{
	const struct ctl_calls calls = {ask, server};

	ctl_take(server->ctl, &calls, now_ms);
}
