/* Findings: what grading a file turned up, collected until the verdict can be said. */
#ifndef EWIN_DAEMON_GRADE_FINDINGS_H
#define EWIN_DAEMON_GRADE_FINDINGS_H

#include "daemon/grade/grade.h"

struct arena;

struct finding {
	enum verdict_kind kind; /* the verdict that this alone would give */
	struct message message;
};

struct findings {
	struct arena *arena;
	struct finding *items;
	size_t count, room;
	struct evidence *evidence;
	size_t evidence_count, evidence_room;
	bool nomem; /* something was lost for lack of memory; findings_verdict() says so */
};

void findings_init(struct findings *findings, struct arena *arena);

/* Adds a finding; arguments that are not needed are (struct text){0}. VERDICT_PASS is a mere
 * remark. */
void findings_add(struct findings *findings, enum verdict_kind kind, enum message_id id,
	struct text arg0, struct text arg1, struct text arg2);

void findings_evidence(struct findings *findings, const struct evidence *evidence, size_t count);

/* Is there a finding of this kind? */
bool findings_have(const struct findings *findings, enum verdict_kind kind);

/* The verdict: the gravest kind (fail, then cannot tell, then partial), its first finding as
 * summary, the others as remarks; `pass` is the summary where nothing was found. 0 or -ENOMEM. */
int findings_verdict(struct findings *findings, enum message_id pass, struct verdict *ret);

#endif
