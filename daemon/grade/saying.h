/* What is said of a cause: its sentence, or a narrower one where the verdict tells more of the
 * case at hand. */
#ifndef EWIN_DAEMON_GRADE_SAYING_H
#define EWIN_DAEMON_GRADE_SAYING_H

#include "daemon/grade/grade.h"

/* The sentence in English of a cause of the verdict. */
const char *saying_of(const struct verdict *verdict, const struct diagnosis *cause);

#endif
