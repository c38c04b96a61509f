/* Pulse: the change is one of the times of a file in memory that has no name, so that it takes no
 * room on any disk, no read-only file system forbids it, and nobody else can make it. inotify
 * puts the event into its queue before futimens() returns: it is read in the same turn, and wakes
 * nobody up. */
#include "daemon/pulse.h"

#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/notify.h"
#include "daemon/watch.h"

void pulse_init(struct pulse *pulse)
{
	*pulse = (struct pulse){.fd = -1, .id = -1};
}

void pulse_finish(struct pulse *pulse)
{
	if (pulse->fd >= 0)
		close(pulse->fd);
	pulse_init(pulse);
}

/* Is there a file that is watched? What fails is tried again at the next beat. */
static bool is_armed(struct pulse *pulse, struct watch *watch)
{
	if (pulse->id >= 0 || !watch)
		return watch;
	if (pulse->fd < 0)
		pulse->fd = memfd_create("ewind-pulse", MFD_CLOEXEC);
	return pulse->fd >= 0 && watch_add(watch, pulse->fd, WATCH_ITSELF, &pulse->id) >= 0;
}

void pulse_beat(struct pulse *pulse, struct watch *watch)
{
	if (notify_alive_ms() == INT64_MAX)
		return;
	pulse->owed = is_armed(pulse, watch) && futimens(pulse->fd, NULL) == 0;
	if (!pulse->owed)
		notify_alive();
}

/* Where the queue was full the pulse's own event is among those that were lost, but that they
 * were was told. */
bool pulse_event(struct pulse *pulse, const struct watch_event *event)
{
	bool overflow = event->kind == WATCH_OVERFLOW;
	bool own = !overflow && event->id == pulse->id;

	if (pulse->owed && (own || overflow)) {
		pulse->owed = false;
		notify_alive();
	}
	return own;
}
