/* Lookout: watches the files that a lab was made from, and says when a change of them is over. */
#ifndef EWIN_DAEMON_LOOKOUT_H
#define EWIN_DAEMON_LOOKOUT_H

#include "daemon/folder.h"
#include "daemon/sources.h"
#include "parser/arena.h"

struct watch_event;

struct lookout {
	struct watch *watch;	 /* NULL: only lookout_scan() sees anything */
	struct sources *sources; /* NULL: none yet */
	struct arena arena;	 /* of the folders and their paths */
	struct folder *folders;	 /* that hold a source, or are one */
	size_t count;
	bool stirred;	  /* something happened since the lab was loaded */
	bool told;	  /* the caller has told people that it is */
	int64_t first_ms; /* while stirred: since when, and what was last */
	int64_t last_ms;
};

/* An empty one; nothing is watched. */
void lookout_init(struct lookout *lookout, struct watch *watch);
void lookout_finish(struct lookout *lookout);

/* Watches the folders of these sources, which must outlive the lookout or the next call, and of no
 * others any more. Where one of them has changed since it was noted, or just before, the lookout is
 * stirred, else it is calm. 0 or -ENOMEM. */
int lookout_set(
	struct lookout *lookout, struct sources *sources, int64_t now_ms, struct diag *reterr);

/* Takes in an event. */
void lookout_event(struct lookout *lookout, const struct watch_event *event, int64_t now_ms);

/* Looks at every file, for what no event told. */
void lookout_scan(struct lookout *lookout, int64_t now_ms);

/* Waits as if something had happened just now. */
void lookout_stir(struct lookout *lookout, int64_t now_ms);

/* Is it stirred, and is that over? */
bool lookout_over(struct lookout *lookout, int64_t now_ms);

/* Is it stirred for so long that people should hear of it, and have they not? */
bool lookout_long(const struct lookout *lookout, int64_t now_ms);

/* When the answer to one of these may change without an event; INT64_MAX: not. */
int64_t lookout_deadline(const struct lookout *lookout);

/* Are the files still those that the lab was loaded from, as far as stat() tells, and else their
 * bytes? To be asked when a verdict was found, before anybody hears of it. Where they are not,
 * the lookout is stirred. */
bool lookout_confirm(struct lookout *lookout, int64_t now_ms);

/* Are there files that can be written without an event? */
bool lookout_shares(const struct lookout *lookout);
/* Is there a folder that could not be looked at, or watched, for the moment? Then lookout_scan()
 * soon. */
bool lookout_unsure(const struct lookout *lookout);

/* Is a folder there that cannot be watched? */
bool lookout_polls(const struct lookout *lookout);

#endif
