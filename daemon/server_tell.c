/* Server, who hears of it besides the readers of the status: the journal, and `systemctl
 * status`. */
#include <errno.h>
#include <string.h>

#include "daemon/absent.h"
#include "daemon/closed.h"
#include "daemon/limits.h"
#include "daemon/notify.h"
#include "daemon/server.h"
#include "daemon/words.h"

static bool is_about(const struct said *said, const struct diag *diag)
{
	return strcmp(said->diag.text, diag->text) == 0 && strcmp(said->diag.file, diag->file) == 0;
}

/* The place of what was said last in these words, or else of what was said longest ago. */
static struct said *said_of(struct server *server, const struct diag *diag)
{
	struct said *oldest = &server->said[0];

	for (size_t i = 0; i < LIMIT_SAID; i++) {
		struct said *said = &server->said[i];
		if (is_about(said, diag))
			return said;
		if (said->now_ms < oldest->now_ms)
			oldest = said;
	}
	return oldest;
}

void server_say_diag(struct server *server, const struct diag *diag, int64_t now_ms)
{
	struct said *said = said_of(server, diag);

	if (!diag->text[0] || (is_about(said, diag) && now_ms < said->now_ms + SAID_MS))
		return;
	journal_diag(&server->journal, JOURNAL_ERROR, diag);
	*said = (struct said){*diag, now_ms};
}

/* The notices that something of a lab is closed, behind the `*count` that are there. */
static int view_closed(const struct progress *progress, struct arena *arena,
	struct message *notices, size_t *count)
{
	int r = 0;

	for (size_t i = 0; r >= 0 && i < closed_things(progress); i++) {
		r = closed_notice(progress, i, arena, &notices[*count]);
		*count += r > 0;
	}
	return r < 0 ? r : 0;
}

/* How many data files the lab has, as far as that is known. */
static size_t data_files(const struct loaded_lab *lab)
{
	return lab->parsed ? lab->lab.fixture_count : 0;
}

/* The notices that data of a lab are not there. */
static int view_absent(
	const struct loaded_lab *lab, struct arena *arena, struct message *notices, size_t *count)
{
	int r = 0;

	for (size_t i = 0; r >= 0 && i < data_files(lab); i++) {
		r = absent_notice(lab, i, arena, &notices[*count]);
		*count += r > 0;
	}
	return r < 0 ? r : 0;
}

/* At most how many notices there are. */
static size_t most_notices(const struct server *server)
{
	size_t most = 1;

	for (size_t i = 0; i < server->count; i++)
		most += 2 + closed_things(server->progress[i]) +
			data_files(server->progress[i]->lab);
	return most;
}

int server_view_notices(const struct server *server, struct arena *arena, struct status *status)
{
	struct message *notices = arena_array(arena, most_notices(server), sizeof(*notices));
	size_t count = 0;
	int r = notices ? 0 : -ENOMEM;

	if (r == 0 && server_polls(server))
		r = message_make(arena, MSG_POLLED, text_format(arena, "%d", POLL_MS / 1000),
			TEXT(""), TEXT(""), &notices[count++]);
	for (size_t i = 0; r == 0 && i < server->count; i++)
		if (server->progress[i]->changed_file.len)
			r = progress_notice(server->progress[i], arena, &notices[count++]);
	for (size_t i = 0; r == 0 && i < server->count; i++)
		if (server->progress[i]->folder.blocked)
			r = progress_blocked(server->progress[i], arena, &notices[count++]);
	for (size_t i = 0; r == 0 && i < server->count; i++)
		r = view_closed(server->progress[i], arena, notices, &count);
	for (size_t i = 0; r == 0 && i < server->count; i++)
		r = view_absent(server->progress[i]->lab, arena, notices, &count);
	status->notices = notices;
	status->notice_count = count;
	return r;
}

/* A mark of the prompt's file with its word in the daemon's language: "fail:w5". */
static struct text mark_for_people(struct arena *arena, struct text mark)
{
	size_t colon = text_find(mark, TEXT(":"));
	struct text word = text_copy(arena, text_slice(mark, 0, colon));

	return word.ptr ? text_format(arena, "%s%.*s", tr(word.ptr),
				  TEXT_ARG(text_slice(mark, colon, mark.len)))
			: mark;
}

/* Sends one record exactly once, as near as that can be had without a transaction over our file
 * and the journal: a daemon that is killed before that is saved still owes the record, and the
 * next one sends it; one that is killed between that and the system call that sends it, two or
 * three microseconds, loses it. The other order would double it instead, but in a longer time:
 * the call wakes journald, which may well run before we do. */
static void announce_step(struct server *server, struct arena *arena,
	const struct progress *progress, const struct progress_step *step)
{
	struct state_step *entry = state_step(&server->state, progress->lab->name, step->id);
	struct verdict shown = step->verdict;
	struct journal_verdict verdict = {
		.lab = progress->lab->name,
		.step = step->id,
		.verdict = &shown,
		.sha256 = text_of(step->out.sha256),
		.attempt = entry ? entry->attempt : 0,
		.hint_tier = entry ? entry->hint_tier : 0,
		.seq = step->seq,
		.latency_usec = step->latency_usec,
	};
	struct record *record;

	/* Those of before may be of other SQL. */
	if (step->diagnose)
		shown.diagnosis_count = 0;
	verdict.file = text_format(arena, "%.*s/%s", TEXT_ARG(progress->shown), step->out_name);
	record = verdict.file.ptr ? journal_verdict(arena, &verdict) : NULL;
	if (!entry || !record)
		return;
	state_tell(&server->state, entry, verdict_name(step->verdict.kind));
	server_save_state(server, STATE_AT_WORK);
	journal_send(&server->journal, record);
}

/* One record a verdict, with its causes: where these are still looked for, it waits for them. */
static void announce(struct server *server, struct arena *arena, const struct status *status,
	int64_t latency_usec)
{
	for (size_t i = 0; i < server->count; i++) {
		struct progress *progress = server->progress[i];
		for (size_t j = 0; j < status->labs[i].step_count; j++) {
			struct progress_step *step = &progress->steps[j];

			if (step->announce && !step->latency_usec)
				step->latency_usec = latency_usec;
			if (step->announce && !step->diagnose)
				announce_step(server, arena, progress, step);
			step->announce = step->announce && step->diagnose;
		}
	}
}

void server_tell_owed(void *ctx, const struct progress *progress, struct progress_step *step)
{
	struct arena arena;

	arena_init(&arena, LIMIT_LAB_ARENA);
	announce_step(ctx, &arena, progress, step);
	arena_finish(&arena);
}

bool server_owes_record(const struct server *server)
{
	for (size_t i = 0; i < server->count; i++)
		for (size_t j = 0;
			server->progress[i]->lab->grader && j < server->progress[i]->count; j++)
			if (server->progress[i]->steps[j].announce &&
				!server->progress[i]->steps[j].diagnose)
				return true;
	return false;
}

/* A record for what is closed since the last time, with what opens it. */
static void announce_closed(struct server *server, struct arena *arena, struct progress *progress)
{
	for (size_t i = 0; i < closed_things(progress); i++) {
		bool *told = closed_told(progress, i);
		struct message message;
		struct text sentence;
		int r = closed_notice(progress, i, arena, &message);

		if (r > 0 && !*told) {
			sentence = message_render(arena, &words_spoken, &message);
			journal_line(&server->journal, JOURNAL_CLOSED, sentence);
		}
		*told = r != 0;
	}
}

void server_tell_journal(struct server *server, struct arena *arena, const struct status *status,
	int64_t latency_usec)
{
	/* An attempt that is shown is counted, whatever comes. */
	server_save_state(server, STATE_AT_WORK);
	announce(server, arena, status, latency_usec);
	for (size_t i = 0; i < server->count; i++)
		announce_closed(server, arena, server->progress[i]);
}

/* The lines of the prompt's file, without what only a shell needs, and the notices. */
void server_tell_manager(struct arena *arena, const struct status *status)
{
	struct text summary = TEXT("");

	for (size_t i = 0; summary.ptr && i < status->lab_count; i++) {
		const struct status_lab *lab = &status->labs[i];
		struct text mark = mark_for_people(arena, status_mark(arena, lab));
		summary = text_format(arena, "%.*s%s%.*s %zu/%zu %.*s", TEXT_ARG(summary),
			i ? ", " : "", TEXT_ARG(lab->name), status_passed(lab), lab->step_count,
			TEXT_ARG(mark));
	}
	for (size_t i = 0; summary.ptr && i < status->notice_count; i++)
		summary = text_format(arena, "%.*s%s%.*s", TEXT_ARG(summary), i ? " " : ". ",
			TEXT_ARG(message_render(arena, &words_spoken, &status->notices[i])));
	if (summary.ptr)
		notify_status(summary);
}
