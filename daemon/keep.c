/* Keep: a verdict is made in the arena of the graded file, which holds megabytes; what is shown
 * until the next save is a few sentences. */
#include "daemon/keep.h"

#include "parser/arena.h"
#include "parser/diag.h"

static bool keep_text(struct arena *arena, struct text *text)
{
	*text = text->len ? text_copy(arena, *text) : TEXT("");
	return text->ptr;
}

static bool keep_message(struct arena *arena, struct message *message)
{
	for (size_t i = 0; i < MESSAGE_ARGS; i++)
		if (!keep_text(arena, &message->args[i]))
			return false;
	return true;
}

static bool keep_remarks(struct arena *arena, struct verdict *verdict)
{
	struct message *remarks =
		arena_array(arena, verdict->remark_count, sizeof(*verdict->remarks));

	if (!remarks)
		return false;
	for (size_t i = 0; i < verdict->remark_count; i++) {
		remarks[i] = verdict->remarks[i];
		if (!keep_message(arena, &remarks[i]))
			return false;
	}
	verdict->remarks = remarks;
	return true;
}

static bool keep_evidence(struct arena *arena, struct verdict *verdict)
{
	struct evidence *evidence =
		arena_array(arena, verdict->evidence_count, sizeof(*verdict->evidence));

	if (!evidence)
		return false;
	for (size_t i = 0; i < verdict->evidence_count; i++) {
		evidence[i] = verdict->evidence[i];
		if (!keep_text(arena, &evidence[i].window_start) ||
			!keep_text(arena, &evidence[i].key) ||
			!keep_text(arena, &evidence[i].column))
			return false;
	}
	verdict->evidence = evidence;
	return true;
}

static bool keep_diagnosis(struct arena *arena, struct verdict *verdict)
{
	struct diagnosis *diagnosis =
		arena_array(arena, verdict->diagnosis_count, sizeof(*verdict->diagnosis));

	if (!diagnosis)
		return false;
	for (size_t i = 0; i < verdict->diagnosis_count; i++) {
		diagnosis[i] = verdict->diagnosis[i];
		if (!keep_text(arena, &diagnosis[i].param))
			return false;
	}
	verdict->diagnosis = diagnosis;
	return true;
}

int verdict_keep(struct arena *arena, const struct verdict *verdict, struct verdict *ret,
	struct diag *reterr)
{
	struct verdict kept = *verdict;

	if (!keep_message(arena, &kept.summary) || !keep_remarks(arena, &kept) ||
		!keep_evidence(arena, &kept) || !keep_diagnosis(arena, &kept))
		return diag_nomem(reterr);
	*ret = kept;
	return 0;
}

static bool same_message(const struct message *a, const struct message *b)
{
	for (size_t i = 0; i < MESSAGE_ARGS; i++)
		if (!text_eq(a->args[i], b->args[i]))
			return false;
	return a->id == b->id;
}

static bool same_evidence(const struct evidence *a, const struct evidence *b)
{
	return a->kind == b->kind && a->table == b->table &&
	       text_eq(a->window_start, b->window_start) && text_eq(a->column, b->column);
}

static bool same_diagnosis(const struct diagnosis *a, const struct diagnosis *b)
{
	return a->id == b->id && a->table == b->table && a->ambiguous == b->ambiguous &&
	       a->changes == b->changes && text_eq(a->param, b->param);
}

/* Remarks without the one of the diagnosis, which is the last. */
static size_t graded_remarks(const struct verdict *v)
{
	bool cut = v->remark_count && v->remarks[v->remark_count - 1].id == MSG_DIAGNOSIS_CUT;

	return v->remark_count - cut;
}

bool verdict_same_sentence(const struct verdict *a, const struct verdict *b)
{
	return a->kind == b->kind && same_message(&a->summary, &b->summary);
}

bool verdict_same_grade(const struct verdict *a, const struct verdict *b)
{
	size_t remarks = graded_remarks(a);

	if (!verdict_same_sentence(a, b) || remarks != graded_remarks(b) ||
		a->evidence_count != b->evidence_count)
		return false;
	for (size_t i = 0; i < remarks; i++)
		if (!same_message(&a->remarks[i], &b->remarks[i]))
			return false;
	for (size_t i = 0; i < a->evidence_count; i++)
		if (!same_evidence(&a->evidence[i], &b->evidence[i]))
			return false;
	return true;
}

bool verdict_same(const struct verdict *a, const struct verdict *b)
{
	if (!verdict_same_grade(a, b) || a->diagnosis_count != b->diagnosis_count ||
		a->remark_count != b->remark_count)
		return false;
	for (size_t i = 0; i < a->diagnosis_count; i++)
		if (!same_diagnosis(&a->diagnosis[i], &b->diagnosis[i]))
			return false;
	return true;
}
