/* Notify: sd_notify() of libsystemd. It does nothing without $NOTIFY_SOCKET, and a message that
 * gets lost is none of the daemon's troubles: errors are ignored.
 *
 * A newline in STATUS= would start another assignment, and systemctl shows escape bytes raw: so
 * only cleaned text goes out, in whole characters: what is not UTF-8 is dropped. */
#include "daemon/notify.h"

#include <inttypes.h>
#include <stdio.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "daemon/limits.h"
#include "parser/clean.h"
#include "parser/encoding.h"

void notify_ready(void)
{
	sd_notify(0, "READY=1");
}

/* To the microsecond: a service manager that sent the signal takes no time before it. */
void notify_reloading(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
		(int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000);
}

void notify_status(struct text sentence)
{
	char line[1024] = "STATUS=";
	size_t len = sizeof("STATUS=") - 1;

	while (sentence.len && len < sizeof(line) - 5) {
		size_t bytes;
		uint32_t c = utf8_decode(sentence, &bytes);

		len += utf8_encode(clean_shows(c) ? c : '?', line + len);
		sentence = text_slice(sentence, bytes, sentence.len);
	}
	line[len] = '\0';
	sd_notify(0, line);
}

void notify_alive(void)
{
	sd_notify(0, "WATCHDOG=1");
}

void notify_working(void)
{
	sd_notifyf(0, "EXTEND_TIMEOUT_USEC=%d\nWATCHDOG=1", WORKING_PATIENCE_MS * 1000);
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
