/* Ctl: the socket in the run directory at which somebody asks for a hint. A connection carries one
 * request and one reply, each one packet (SOCK_SEQPACKET) of printable ASCII:
 *
 *	hint LAB STEP
 *	ANSWER SEQ TIER		what came of it, and the status that it is in
 *
 * Nothing here waits: whoever says nothing is dropped after a second, and takes the place of
 * nobody who asks at once. */
#ifndef EWIN_DAEMON_CTL_H
#define EWIN_DAEMON_CTL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "parser/text.h"

struct ctl;
struct diag;

#define CTL_FILE "ctl"
#define CTL_SIZE 256 /* bytes of the longest packet */

/* Every answer with its name in the reply. */
#define CTL_LIST(X)                                                  \
	X(CTL_OPENED, "opened")	    /* the next tier is open */      \
	X(CTL_ALL_OPEN, "all-open") /* and was so before */          \
	X(CTL_NOT_WRONG, "not-wrong")                                \
	X(CTL_REFUSED, "refused") /* the lab is somebody else's */   \
	X(CTL_UNKNOWN, "unknown") /* no such lab, or no such step */ \
	X(CTL_BAD, "bad")	  /* not a request of the form above */

enum ctl_answer {
#define X(id, name) id,
	CTL_LIST(X)
#undef X
		CTL_ANSWERS
};

struct ctl_request {
	uid_t uid; /* whom the kernel names as the one who connected */
	struct text lab, step;
};

struct ctl_reply {
	enum ctl_answer answer;
	int64_t seq, tier;
};

/* Decides on one request. */
struct ctl_calls {
	enum ctl_answer (*ask)(void *ctx, const struct ctl_request *request, int64_t *ret_tier);
	void *ctx;
};

/* Nobody listens yet. 0 or -errno. */
int ctl_new(struct ctl **ret, struct diag *reterr);
void ctl_free(struct ctl *ctl);

/* Makes the socket in an open directory, in place of whatever has its name, and listens. 0 or
 * -errno. */
int ctl_listen(struct ctl *ctl, int dirfd, struct diag *reterr);

/* Takes the socket out of the directory. */
void ctl_end(int dirfd);

/* Is the socket that it listens at still the one in this directory? */
bool ctl_stands(const struct ctl *ctl, int dirfd);

/* To be polled for input. */
int ctl_fd(const struct ctl *ctl);

/* Takes in who came and what was asked, within a bound; drops who says nothing. How many requests
 * were read. Their replies are owed until ctl_reply(). */
size_t ctl_take(struct ctl *ctl, const struct ctl_calls *calls, int64_t now_ms);

/* Sends what is owed: what was asked is in the status of this SEQ. */
void ctl_reply(struct ctl *ctl, int64_t seq);

/* When there is something to do without input; INT64_MAX: never. */
int64_t ctl_deadline(const struct ctl *ctl);

/* What is asked with a packet: the texts point into it. False: it has not the form above. */
bool ctl_read_request(struct text packet, struct ctl_request *ret);

/* What a packet replies. False: it has not the form above. */
bool ctl_read_reply(struct text packet, struct ctl_reply *ret);

const char *ctl_answer_name(enum ctl_answer answer);

/* The client's side: asks, and waits for the reply, two seconds at most. 0; -ENOENT: nobody
 * listens in this run directory; -errno. */
int ctl_ask(const char *run_dir, struct text lab, struct text step, struct ctl_reply *ret,
	struct diag *reterr);

#endif
