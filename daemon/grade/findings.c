/* Findings: the gravest one becomes the verdict, the others its remarks. */
#include "daemon/grade/findings.h"

#include <errno.h>

#include "parser/arena.h"

void findings_init(struct findings *findings, struct arena *arena)
{
	*findings = (struct findings){.arena = arena};
}

void findings_add(struct findings *f, enum verdict_kind kind, enum message_id id, struct text arg0,
	struct text arg1, struct text arg2)
{
	struct finding finding = {.kind = kind};

	if (message_make(f->arena, id, arg0, arg1, arg2, &finding.message) ||
		arena_grow(f->arena, &f->items, f->count, &f->room, sizeof(finding))) {
		f->nomem = true;
		return;
	}
	f->items[f->count++] = finding;
}

void findings_evidence(struct findings *f, const struct evidence *evidence, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (arena_grow(f->arena, &f->evidence, f->evidence_count, &f->evidence_room,
			    sizeof(*evidence))) {
			f->nomem = true;
			return;
		}
		f->evidence[f->evidence_count++] = evidence[i];
	}
}

bool findings_have(const struct findings *f, enum verdict_kind kind)
{
	for (size_t i = 0; i < f->count; i++)
		if (f->items[i].kind == kind)
			return true;
	return false;
}

static enum verdict_kind gravest(const struct findings *f)
{
	static const enum verdict_kind order[] = {
		VERDICT_MISSING, VERDICT_FAIL, VERDICT_CANNOT_TELL, VERDICT_PARTIAL};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (findings_have(f, order[i]))
			return order[i];
	return VERDICT_PASS;
}

int findings_verdict(struct findings *f, enum message_id pass, struct verdict *ret)
{
	struct verdict verdict = {
		.kind = gravest(f), .evidence = f->evidence, .evidence_count = f->evidence_count};
	bool said = verdict.kind == VERDICT_PASS;

	verdict.remarks = arena_array(f->arena, f->count + 1, sizeof(*verdict.remarks));
	if (!verdict.remarks || f->nomem ||
		message_make(f->arena, pass, (struct text){0}, (struct text){0}, (struct text){0},
			&verdict.summary))
		return -ENOMEM;
	for (size_t i = 0; i < f->count; i++) {
		if (!said && f->items[i].kind == verdict.kind) {
			verdict.summary = f->items[i].message;
			said = true;
		} else {
			verdict.remarks[verdict.remark_count++] = f->items[i].message;
		}
	}
	*ret = verdict;
	return 0;
}
