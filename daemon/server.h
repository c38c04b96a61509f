/* Server: the labs of one daemon, watched, graded and published. */
#ifndef EWIN_DAEMON_SERVER_H
#define EWIN_DAEMON_SERVER_H

#include <stdint.h>

#include "daemon/ctl.h"
#include "daemon/journal.h"
#include "daemon/labs.h"
#include "daemon/limits.h"
#include "daemon/mounts.h"
#include "daemon/options.h"
#include "daemon/progress.h"
#include "daemon/publish.h"
#include "daemon/pulse.h"
#include "daemon/state.h"

/* The files that whoever uses the directories has locked; without a service both lie in the same
 * one. */
#define RUN_LOCK   "run.lock"
#define STATE_LOCK "lock"

/* A fault, and when it was said. */
struct said {
	struct diag diag;
	int64_t now_ms;
};

struct server {
	struct options options; /* with absolute paths */
	struct journal journal;
	struct arena arena; /* lives as long as the server */
	struct labs labs;
	struct sim_pause loading; /* of their references */
	int64_t working_ms; /* when this turn began, or the service manager was told last that they run */
	struct watch *watch; /* NULL: nothing can be watched */
	struct pulse pulse;
	struct progress *progress[LIMIT_LABS]; /* one a lab that people see, in the order of labs */
	size_t count;
	struct diag trouble;	      /* with the places of labs, as it was said last */
	struct said said[LIMIT_SAID]; /* what was said last */
	struct state state;
	int state_dirfd;
	int state_lock, run_lock; /* held as long as the directories are ours */
	struct publisher publisher;
	struct ctl *ctl;    /* NULL: not started */
	int64_t listen_ms;  /* when to listen for those who ask; INT64_MAX: it is done */
	bool unheard;	    /* that cannot be done for the time being */
	int64_t scan_ms;    /* when the next safety scan is due */
	int64_t event_ms;   /* of the last turn in which something happened */
	int64_t promise_ms; /* when the promise is to be moved on; INT64_MAX: not */
	int64_t settled_ns; /* publish_clock_ns() before the queue was emptied last */
	bool changed;	    /* labs came or went, or polling did */
	bool polling;	    /* it is said that watching rests on it */
	bool backlog;	    /* events are left from this turn */
	bool searching; /* verdicts may be left whose causes are to be found, or SQL to be run */
	size_t closer; /* index of the lab that is looked at more closely first; may be past the last */
	bool at_work;	      /* the last turn had something to do */
	bool unpublished;     /* the last attempt to publish failed */
	struct mounts mounts; /* that were below the data root at the start */
	bool moved; /* one of them is of another folder than what is there now: only another start helps */
	bool ready; /* the first scan is published */
};

/* Opens everything in the order in which it is needed. 0, or -errno with a diag: a configuration
 * that cannot work. What was opened is to be given back by server_finish() in any case. */
int server_init(struct server *server, const struct options *options, struct diag *reterr);

/* Has all published anew where the run directory, or what was put into it, is not there any
 * more. */
void server_look_at_places(struct server *server, int64_t now_ms);

/* Opens the run directory anew, since it may be another one by now. 0 or -errno. */
int server_open_again(struct server *server, struct diag *reterr);

/* Listens for who asks for hints, where that is due; where it fails it will be due again. */
void server_listen(struct server *server, int64_t now_ms);

/* Says a fault, which may last: once in a while, not each time that something is tried. */
void server_say_diag(struct server *server, const struct diag *diag, int64_t now_ms);

/* Says what labs_refresh() could not do, once, though it will be tried again; an empty diag:
 * nothing. */
void server_say_trouble(struct server *server, const struct diag *diag);

/* Takes in what labs_refresh() found: labs that came, changed or went, and says so. */
void server_sync(struct server *server, int64_t now_ms);

/* Loads the labs that changed and have settled, with `now` those that have not, too. */
void server_refresh(struct server *server, bool now, int64_t now_ms);

/* Says which labs are watched, and where. */
void server_say_labs(const struct server *server);

/* Ends the work on all labs. */
void server_end_labs(struct server *server);

/* Looks at the labs at once, changing or not, as the operator asks. */
void server_reload(void *server);

/* Gives everything back in reverse order; the status files vanish. */
void server_finish(struct server *server);

/* Takes in who asks for hints. */
void server_take_requests(struct server *server, int64_t now_ms);

/* Does what is watched rest on polling, at least in part? */
bool server_polls(const struct server *server);

/* What the daemon has to say of itself and of the labs' folders, in the arena, for the status. 0
 * or -ENOMEM. */
int server_view_notices(const struct server *server, struct arena *arena, struct status *status);

/* Is there a verdict that the journal is to be told now? */
bool server_owes_record(const struct server *server);

/* Tells the journal what is in a status that is published next: a verdict that somebody saw has
 * its record, since the bytes that it was about may be gone before the next daemon starts. */
void server_tell_journal(struct server *server, struct arena *arena, const struct status *status,
	int64_t latency_usec);

/* Tells the service manager, for `systemctl status`, what is in a status. */
void server_tell_manager(struct arena *arena, const struct status *status);

/* Tells the journal a verdict that is about to go, without the causes that it waited for
 * (progress_calls). */
void server_tell_owed(void *server, const struct progress *progress, struct progress_step *step);

/* Works off what happened. When to come again at the latest (see loop.h). */
int64_t server_turn(void *server);

/* Looks for no more causes: a verdict that waits for them is told without. */
void server_give_up(struct server *server);

/* Writes the state where it changed. */
void server_save_state(struct server *server, enum state_moment moment);

#endif
