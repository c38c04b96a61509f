/* Memory: malloc(), for a program that may have its own opinion of what to do where there is
 * none. */
#ifndef EWIN_PARSER_MEMORY_H
#define EWIN_PARSER_MEMORY_H

#include <stddef.h>

/* Memory for free(), not zeroed. NULL where the system has none: the caller returns
 * diag_nomem(). */
void *memory_get(size_t size);

/* Called before that NULL, in a program that defines it. One that is started again by somebody
 * had rather end here than go on with half of what it knows. */
__attribute__((weak)) void memory_short(void);

#endif
