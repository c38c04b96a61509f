/* What the verdict's own words tell of how a file was saved. Grading has looked at it: here its findings become causes. */
#include "daemon/grade/diagnosing.h"

static const struct {
	enum message_id message;
	enum diagnosis_id cause;
} signs[] = {
	{MSG_EMPTY_FILE, DIAG_EMPTY_FILE},
	{MSG_NOT_TEXT, DIAG_NOT_CLIENT_OUTPUT},
	{MSG_NOT_CLIENT, DIAG_NOT_CLIENT_OUTPUT},
	{MSG_EDITED, DIAG_EDITED_BY_HAND},
	{MSG_INTERRUPTED, DIAG_INTERRUPTED},
	{MSG_TRUNCATED, DIAG_TRUNCATED},
	{MSG_CUT_CELLS, DIAG_TRUNCATED},
	{MSG_WRAPPED, DIAG_TRUNCATED},
	{MSG_CLUSTER_DOWN, DIAG_CLUSTER_DOWN},
	{MSG_TABLE_REPEATED, DIAG_TABLE_REPEATED},
	{MSG_TOO_MANY_TABLES, DIAG_TABLE_EXTRA},
};

static void take_sign(const struct message *message, struct causes *causes)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++)
		if (signs[i].message == message->id)
			causes_add(causes, signs[i].cause, (struct text){0});
}

void diagnose_file(
	const struct grading *grading, const struct verdict *verdict, struct causes *causes)
{
	(void)grading;
	take_sign(&verdict->summary, causes);
	for (size_t i = 0; i < verdict->remark_count; i++)
		take_sign(&verdict->remarks[i], causes);
}
