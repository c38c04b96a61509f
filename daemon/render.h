/* Render: a status as people, prompts and programs read it. People read it in the language that was
 * opened (daemon/words.h), programs in English. */
#ifndef EWIN_DAEMON_RENDER_H
#define EWIN_DAEMON_RENDER_H

#include "daemon/sheet.h"
#include "daemon/status.h"

/* One line about what is new since a SEQ: the step that changed last. Nothing where nothing is. */
void render_news(const struct sheet *sheet, const struct status *status, int64_t since);

/* Each lab with its steps; `step` alone where it is not empty. False where no lab has that step. */
bool render_status(const struct sheet *sheet, const struct status *status, struct text step);

/* Does the name mean this step: w5, w5.out, watermark/w5, or its whole lab: watermark? An empty
 * one does. */
bool render_means(const struct status_lab *lab, const struct status_step *step, struct text name);

/* Does it mean the lab, or one of its steps? */
bool render_has_step(const struct status_lab *lab, struct text name);

/* One line a lab: name, passed/total, mark. */
void render_short(const struct sheet *sheet, const struct status *status);

/* One JSON object a lab, in the form of `ewin-check --json`, each step with attempt, hint_tier,
 * running, stale and age_ms (null where there is no file); `step` alone where it is not empty. */
bool render_json(const struct sheet *sheet, const struct status *status, struct text step);

#endif
