/* The time zone of a session: table.local-time-zone, or where that is 'default' the caller's. A
 * zone that Java does not know is a fault of the query that comes next, in Flink's words; one
 * whose file the caller cannot open is not simulated. Recorded: more_sim/ltz_bad_zone. */
#include "sim/session_zone.h"

#include <errno.h>

#include "parser/diag.h"
#include "parser/limits.h"
#include "parser/tzif.h"
#include "sim/fault.h"

/* Files of the tz database that are no zones of Java's. */
static bool unknown_to_java(struct text name)
{
	static const struct text names[] = {{"EST", 3}, {"HST", 3}, {"MST", 3}, {"ROC", 3},
		{"Factory", 7}, {"localtime", 9}, {"posixrules", 10}};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (text_eq(name, names[i]))
			return true;
	return text_starts(name, TEXT("posix/")) || text_starts(name, TEXT("right/")) ||
	       text_starts(name, TEXT("Etc/Unknown"));
}

static int invalid_zone(struct statement_run *run)
{
	return statement_fail(run, FAULT_VALIDATION,
		"Invalid time zone. The value should be a Time Zone Database (TZDB) ID such as "
		"'America/Los_Angeles' to include daylight saving time. Fixed offsets are "
		"supported "
		"using 'GMT-03:00' or 'GMT+03:00'. Or use 'UTC' without time zone and daylight "
		"saving time.",
		TEXT(""));
}

static int read_zone(
	struct session *session, const struct reader *file, struct zone *ret, struct diag *reterr)
{
	char *bytes = arena_alloc(session->arena, LIMIT_TZIF_BYTES);
	size_t len = 0;
	long got = 1;

	while (bytes && got > 0 && len < LIMIT_TZIF_BYTES) {
		got = file->read(file->ctx, bytes + len, LIMIT_TZIF_BYTES - len);
		len += got > 0 ? (size_t)got : 0;
	}
	if (file->close)
		file->close(file->ctx);
	if (!bytes)
		return diag_nomem(reterr);
	if (got < 0)
		return diag_set(
			reterr, (int)got, 0, 0, "The file of the time zone cannot be read.");
	return tzif_read(session->arena, (struct text){bytes, len}, ret, reterr);
}

static int open_zone(struct statement_run *run, struct text name, struct zone *ret)
{
	const struct sim_files *files = run->session->files;
	struct reader file;
	int err;

	if (zone_fixed(name, ret))
		return 0;
	if (!zone_name_valid(name) || unknown_to_java(name))
		return invalid_zone(run);
	if (!files || !files->open_zone || text_starts(name, TEXT("SystemV/")))
		return refuse(&run->planner, run->statement->pos, "This time zone");
	err = files->open_zone(files->ctx, name, &file, run->diag);
	if (err == -ENOENT)
		return invalid_zone(run);
	return err ? err : read_zone(run->session, &file, ret, run->diag);
}

/* What 'default' means. */
static struct text caller_zone(const struct sim_files *files)
{
	return files && files->default_zone.len ? files->default_zone : TEXT("UTC");
}

static bool is_utc(const struct zone *zone)
{
	return !zone->first_offset_s && !zone->change_count && !zone->has_rules;
}

int session_zone(struct statement_run *run)
{
	struct session *session = run->session;
	struct text name = options_get(&session->options, "table.local-time-zone", "default");
	struct zone zone = {0}, *kept;
	int err = 0;

	if (text_eq(name, TEXT("default")))
		name = caller_zone(session->files);
	if (!session->zone_name.ptr || !text_eq(name, session->zone_name)) {
		err = open_zone(run, name, &zone);
		if (err < 0)
			return err;
		kept = ARENA_NEW(session->arena, struct zone);
		session->zone_name = text_copy(session->arena, name);
		if (!kept || !session->zone_name.ptr)
			return diag_nomem(run->diag);
		*kept = zone;
		session->zone = is_utc(&zone) ? NULL : kept;
	}
	run->planner.zone = session->zone;
	return 0;
}
