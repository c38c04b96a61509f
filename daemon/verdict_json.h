/* Verdicts as the JSON of `ewin-check --json`: after check50's form, with evidence. */
#ifndef EWIN_DAEMON_VERDICT_JSON_H
#define EWIN_DAEMON_VERDICT_JSON_H

#include "daemon/grade/grade.h"
#include "parser/json.h"

struct arena;

/* Adds the members that a verdict has in every program's JSON to an object: name, verdict, passed,
 * summary, file, sha256, remarks, evidence, diagnosis. `sha256` is empty where there is no file. */
void verdict_json(struct arena *arena, struct json *object, const struct step *step,
	const struct verdict *verdict, struct text sha256);

#endif
