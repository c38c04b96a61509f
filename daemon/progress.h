/* Progress: one lab at work. Keeps for each step what was saved, what it is worth and what is still
 * to be looked at; turns events into verdicts. */
#ifndef EWIN_DAEMON_PROGRESS_H
#define EWIN_DAEMON_PROGRESS_H

#include "daemon/folder.h"
#include "daemon/grade/look.h"
#include "daemon/intake.h"
#include "daemon/labs.h"
#include "daemon/rehearsal.h"
#include "daemon/settle.h"
#include "daemon/state.h"
#include "daemon/status.h"

struct progress;
struct progress_step;
struct watch;
struct watch_event;

/* The bytes that a close left without an end. */
struct piece {
	size_t size; /* 0: none */
	char sha256[SHA256_HEX];
};

struct progress_step {
	struct text id;
	enum step_kind kind;
	const char *out_name, *sql_name; /* sql_name: NULL where there is none */
	struct settle settle;
	bool graded;			/* as it is, not as what is still running */
	bool again;			/* to be graded again though its bytes are the same */
	struct identity seen, seen_sql; /* as read last */
	struct piece piece;		/* of the output */
	struct identity out, sql;	/* as graded last */
	struct rehearsal rehearsal;	/* of the .sql */
	bool rehearse;			/* that is still to be run */
	struct arena arena;		/* of the verdict */
	struct verdict verdict;
	struct look look; /* of the verdict, once its causes are known */
	bool running, stale;
	int64_t rows; /* while running */
	int64_t seq;
	bool changed;		 /* for people, since the flag was cleared */
	bool announce;		 /* a verdict for the journal, since the flag was cleared */
	bool told_out, told_sql; /* to the journal: that it may not be read */
	bool failed; /* what was to be done could not be done for the moment; after the next scan */
	bool diagnose; /* its causes are still to be found */
	int64_t put_off_ms; /* since when that, or a rehearsal, gives way to something else; 0: not yet */
	int64_t latency_usec; /* of a verdict that waits for them: until the status has it */
};

/* Who is told. */
struct progress_calls {
	/* Of a verdict that is owed to the journal, before another one takes its place, or none. */
	void (*owed)(void *ctx, const struct progress *progress, struct progress_step *step);
	void *ctx;
};

struct progress {
	struct loaded_lab *lab;
	struct state *state;
	struct progress_calls calls; /* set by the caller, behind progress_init() */
	const char *dir;	     /* where it was told to watch; NULL: the lab's own folder */
	struct folder folder;
	struct text shown;  /* the folder as the learner knows it */
	struct arena arena; /* of the list of steps and the folder's path */
	struct progress_step *steps;
	size_t count;
	size_t latest;	  /* index of the step graded last; count: none */
	bool broken;	  /* it could not be graded when last it was told */
	bool told_folder; /* to the journal: that it is closed */
	bool unsure;  /* something could not be looked at for the moment: another scan is to come */
	bool changed; /* the lab itself: another problem, another list of steps, SQL looked at */
	/* Of the last progress_reload(), until something new is saved: */
	struct text
		changed_file; /* the lab's file that changed; empty: none, or no step hangs on it */
	size_t regraded;      /* steps with a saved output, which are graded again */
};

/* Sets a lab up to be watched at `dir`, an absolute path that must outlive it; NULL: at the folder
 * that lab.json names, below the lab's data root. The watch may be NULL. 0 or -ENOMEM. */
int progress_init(struct progress *progress, struct loaded_lab *lab, struct state *state,
	struct watch *watch, const char *dir, struct diag *reterr);
void progress_finish(struct progress *progress);

/* Has it told what the journal is owed of this step. */
void progress_tell_owed(const struct progress *progress, struct progress_step *step);

/* Does its work wait, since the lab's own files are changing, or it cannot be graded? What was
 * graded before is kept, so that a change of verdict is told afterwards. */
bool progress_waits(const struct progress *progress);

/* Takes in an event; works nothing off yet. */
void progress_event(struct progress *progress, const struct watch_event *event, int64_t now_ms);

/* Looks at every file, for what no event told. Arms the folder again where it is another one by
 * now. */
void progress_scan(struct progress *progress, int64_t now_ms);

/* Reads and grades what is to be read and graded now. 0 or -ENOMEM; the rest is done all the
 * same. */
int progress_work(struct progress *progress, int64_t now_ms, struct diag *reterr);

/* Grades again what hangs on another step's verdict, or on SQL that came after its output: less
 * urgent, and so not part of progress_work(). 0 or -ENOMEM. */
int progress_follow_up(struct progress *progress, int64_t now_ms, struct diag *reterr);

/* Finds the causes behind one verdict that is published already. Where the pause asks for it the
 * search ends at once, and is begun anew by a later call. 1; 0: there is none to look at;
 * -ENOMEM. */
int progress_diagnose(struct progress *progress, int64_t now_ms, const struct sim_pause *pause,
	struct diag *reterr);

/* Runs SQL that was saved and has no output yet, as progress_diagnose() does its search. 1; 0:
 * there is none; -ENOMEM. */
int progress_rehearse(struct progress *progress, int64_t now_ms, const struct sim_pause *pause,
	struct diag *reterr);

/* Gives back memory that is of use only right after a save. */
void progress_rest(struct progress *progress);

/* When there is work next; INT64_MAX: only after an event. */
int64_t progress_deadline(const struct progress *progress);

/* Can a file of a step be written without an event? */
bool progress_shares(const struct progress *progress);
/* Is there something that could not be done, or looked at, for the moment (daemon/errors.h)? Then
 * progress_scan() soon. */
bool progress_unsure(const struct progress *progress);

/* Is a verdict owed for something that was closed? */
bool progress_pending(const struct progress *progress);

/* The lab was loaded again: everything is to be graded again, by progress_follow_up() where the
 * steps are the same as before, else by progress_work(). 0 or -ENOMEM. */
int progress_reload(struct progress *progress, int64_t now_ms, struct diag *reterr);

/* The notice that a file of the lab changed, in the arena. 0 or -ENOMEM. */
int progress_notice(const struct progress *progress, struct arena *arena, struct message *ret);

/* The notice that its folder is none, where progress->folder.blocked. As above. */
int progress_blocked(const struct progress *progress, struct arena *arena, struct message *ret);

/* The view for the status: pointers into the progress, the list of steps in the arena. 0 or
 * -ENOMEM. */
int progress_view(const struct progress *progress, struct arena *arena, struct status_lab *ret,
	struct diag *reterr);

/* Between the parts of the module: reads a file of the lab's folder; missing where the folder
 * is, or where name is NULL, and unreadable where the folder is closed. 0 or -ENOMEM. */
int progress_read(const struct progress *progress, struct arena *arena, const char *name,
	size_t cap, struct intake *ret, struct diag *reterr);

/* Says of which step it is that something failed. r. */
int progress_failed(const struct progress *progress, size_t step, int r, struct diag *reterr);

/* Is the verdict about other SQL than what lies there now? SQL that came together with its output
 * belongs to it: then the step is graded again. */
void progress_compare_sql(struct progress_step *step);

/* Is the SQL newer than its output by more than a copy of both would make it? */
bool progress_is_newer(const struct identity *sql, const struct identity *out);

#endif
