/* Notify: tells the service manager how the daemon is. Without one, nothing happens. */
#ifndef EWIN_DAEMON_NOTIFY_H
#define EWIN_DAEMON_NOTIFY_H

#include <stdint.h>

#include "parser/text.h"

/* The first full scan is done and published. */
void notify_ready(void);

/* The configuration is being looked at again from now on; notify_ready() ends that. */
void notify_reloading(void);

/* One line for `systemctl status`; what a terminal must not see is shown as '?'. */
void notify_status(struct text sentence);

/* The loop turns and what it watches is in order: pulse.h finds that out. */
void notify_alive(void);

void notify_stopping(void);

/* Something goes on that takes long, at the start or later: neither to be waited for in vain nor
 * to be ended. */
void notify_working(void);

/* How often notify_alive() is expected at least; INT64_MAX: never. */
int64_t notify_alive_ms(void);

#endif
