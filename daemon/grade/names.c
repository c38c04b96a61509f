/* Names of verdicts and evidence, as status.json and every program's JSON have them. In a file of
 * their own, so that a program that only reads verdicts holds no simulator. Those of verdicts are
 * also shown to people, in their language. */
#include "daemon/grade/grade.h"

const char *verdict_name(enum verdict_kind kind)
{
	static const char *const names[] = {[VERDICT_PASS] = N_("pass"),
		[VERDICT_PARTIAL] = N_("partial"),
		[VERDICT_FAIL] = N_("fail"),
		[VERDICT_CANNOT_TELL] = N_("cannot-tell"),
		[VERDICT_MISSING] = N_("missing")};

	return names[kind];
}

const char *evidence_name(enum evidence_kind kind)
{
	static const char *const names[] = {[EVIDENCE_VALUE] = "value",
		[EVIDENCE_MISSING] = "missing",
		[EVIDENCE_EXTRA] = "extra"};

	return names[kind];
}

struct text evidence_row(struct arena *arena, const struct evidence *evidence)
{
	if (!evidence->key.len)
		return evidence->window_start;
	return text_format(
		arena, "%.*s %.*s", TEXT_ARG(evidence->key), TEXT_ARG(evidence->window_start));
}
