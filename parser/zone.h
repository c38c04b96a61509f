/* Time zones: how far a place's clocks are from UTC, and when. Read from the files of the tz
 * database by tzif.h. */
#ifndef EWIN_PARSER_ZONE_H
#define EWIN_PARSER_ZONE_H

#include "parser/text.h"

/* From this second since the epoch on, clocks are offset_s ahead of UTC. */
struct zone_change {
	int64_t at_s;
	int32_t offset_s;
};

/* When clocks change each year, as POSIX writes it. */
enum zone_day { ZONE_MONTH_DAY, ZONE_JULIAN, ZONE_DAY_OF_YEAR };

struct zone_rule {
	enum zone_day kind;
	int month, week; /* ZONE_MONTH_DAY: 1..12; 1..5, 5 is the last */
	int day; /* the same: 0..6 from Sunday; ZONE_JULIAN: 1..365 without 29 February; else 0..365 */
	int32_t time_s;	  /* behind midnight, by the clock before the change */
	int32_t offset_s; /* from then on */
};

struct zone {
	int32_t first_offset_s;		   /* before all changes */
	const struct zone_change *changes; /* ascending */
	size_t change_count;
	bool has_rules; /* behind the last change clocks change each year */
	struct zone_rule rules[2];
};

/* How far clocks are ahead of UTC at that time. */
int32_t zone_offset_s(const struct zone *zone, int64_t epoch_s);

/* What clocks show at that time, as a time that is taken as UTC; and the other way, as Java does
 * it: what clocks show twice is the first of both, what they skip is as far behind the change.
 * NULL is UTC. */
int64_t zone_local_ms(const struct zone *zone, int64_t epoch_ms);
int64_t zone_epoch_ms(const struct zone *zone, int64_t local_ms);

/* Is this the name of a fixed offset as Flink takes it: UTC, GMT, GMT+8, GMT-03:00? */
bool zone_fixed(struct text name, struct zone *ret);

/* Could it be the name of a file of the tz database: "Europe/Berlin"? No path out of its folder
 * is. */
bool zone_name_valid(struct text name);

#endif
