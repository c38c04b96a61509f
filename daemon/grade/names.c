/* Names of verdicts and evidence, as status.json and every program's JSON have them. In a file of their
 * own, so that a program that only reads verdicts holds no simulator. */
#include "daemon/grade/grade.h"

const char *verdict_name(enum verdict_kind kind)
{
	static const char *const names[] = {[VERDICT_PASS] = "pass",
		[VERDICT_PARTIAL] = "partial",
		[VERDICT_FAIL] = "fail",
		[VERDICT_CANNOT_TELL] = "cannot-tell",
		[VERDICT_MISSING] = "missing"};

	return names[kind];
}

const char *evidence_name(enum evidence_kind kind)
{
	static const char *const names[] = {[EVIDENCE_VALUE] = "value",
		[EVIDENCE_MISSING] = "missing",
		[EVIDENCE_EXTRA] = "extra"};

	return names[kind];
}
