/* Tiers: the rules. The lab's first hint is the concept, so it stands in for a cause that is not
 * known; where one is, it comes with the others. */
#include "daemon/tiers.h"

bool tier_applies(const struct verdict *verdict)
{
	return verdict->kind == VERDICT_FAIL || verdict->kind == VERDICT_PARTIAL;
}

int64_t tier_after(int64_t tier, const struct verdict *verdict, bool attempt)
{
	bool opened = tier >= TIER_WHERE && tier < TIER_WHOLE;

	if (verdict->kind == VERDICT_PASS)
		return TIER_WHOLE;
	if (!tier_applies(verdict))
		return opened ? tier : TIER_NONE;
	if (!opened)
		return TIER_WHERE;
	return attempt && tier < TIER_ROW ? tier + 1 : tier;
}

bool tier_has_cause(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		if (verdict->diagnosis[i].id != DIAG_UNRECOGNISED &&
			verdict->diagnosis[i].id != DIAG_REPORT_WRONG)
			return true;
	return false;
}

size_t tier_hints(int64_t tier, const struct verdict *verdict, size_t count)
{
	if (!tier_applies(verdict) || tier < TIER_CONCEPT || !count)
		return 0;
	if (tier >= TIER_ROW)
		return count;
	return tier_has_cause(verdict) ? 0 : 1;
}
