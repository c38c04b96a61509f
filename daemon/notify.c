/* Notify: sd_notify() of libsystemd. It does nothing without $NOTIFY_SOCKET, and a message that
 * gets lost is none of the daemon's troubles: errors are ignored.
 *
 * A newline in STATUS= would start another assignment, and systemctl shows escape bytes raw: so
 * only printable ASCII goes out. */
#include "daemon/notify.h"

#include <stdio.h>
#include <systemd/sd-daemon.h>

void notify_ready(void)
{
	sd_notify(0, "READY=1");
}

void notify_status(struct text sentence)
{
	char line[256] = "STATUS=";
	size_t len = sizeof("STATUS=") - 1;

	for (size_t i = 0; i < sentence.len && len < sizeof(line) - 1; i++) {
		char c = sentence.ptr[i];
		line[len++] = c >= ' ' && c <= '~' ? c : '?';
	}
	line[len] = '\0';
	sd_notify(0, line);
}

void notify_alive(void)
{
	sd_notify(0, "WATCHDOG=1");
}

void notify_stopping(void)
{
	sd_notify(0, "STOPPING=1");
}

int64_t notify_alive_ms(void)
{
	uint64_t usec;

	return sd_watchdog_enabled(0, &usec) > 0 ? (int64_t)(usec / 2000) : INT64_MAX;
}
