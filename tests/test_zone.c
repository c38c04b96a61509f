/* parser/zone.c and tzif.c: what clocks show, as java.time of Java 17 tells it for the same
 * times; ids as Flink takes them; and files that are none. */
#include "parser/tzif.h"

#include <stdio.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/test.h"

#define ZONES "/usr/share/zoneinfo/"

static char bytes[LIMIT_TZIF_BYTES];
static struct arena arena;

static struct text load(const char *name)
{
	char path[128];
	size_t len = 0;
	FILE *file;

	snprintf(path, sizeof(path), ZONES "%s", name);
	file = fopen(path, "rb");
	if (file) {
		len = fread(bytes, 1, sizeof(bytes), file);
		fclose(file);
	}
	return (struct text){bytes, len};
}

static bool installed(void)
{
	return load("Europe/Berlin").len > 0;
}

/* Clocks show local_s at epoch_s. */
static bool shows(const char *name, int64_t epoch_s, int64_t local_s)
{
	struct zone zone;

	return tzif_read(&arena, load(name), &zone, NULL) == 0 &&
	       zone_local_ms(&zone, epoch_s * 1000 + 7) == local_s * 1000 + 7;
}

/* The other way. */
static bool means(const char *name, int64_t local_s, int64_t epoch_s)
{
	struct zone zone;

	return tzif_read(&arena, load(name), &zone, NULL) == 0 &&
	       zone_epoch_ms(&zone, local_s * 1000) == epoch_s * 1000;
}

TEST(clocks_show_what_java_says)
{
	/* 2026-03-29 01:00 UTC, to the second before and at it */
	CHECK(shows("Europe/Berlin", 1774745999, 1774749599));
	CHECK(shows("Europe/Berlin", 1774746000, 1774753200));
	/* 2050-07-01 and 2050-12-01: by the rules behind the last change */
	CHECK(shows("Europe/Berlin", 2540246400, 2540253600));
	CHECK(shows("Europe/Berlin", 2553465600, 2553469200));
	CHECK(shows("America/New_York", 1783328707, 1783314307));
	CHECK(shows("Asia/Tokyo", 1783328707, 1783361107));
	/* half an hour of summer time, in the south */
	CHECK(shows("Australia/Lord_Howe", 1783328707, 1783366507));
	CHECK(shows("Australia/Lord_Howe", 1767225600, 1767265200));
	/* summer time that is behind, in the database */
	CHECK(shows("Europe/Dublin", 1783328707, 1783332307));
	/* 1900-01-01: local mean time was over */
	CHECK(shows("Europe/Berlin", -2208988800, -2208985200));
}

TEST(skipped_and_repeated_times_are_javas)
{
	/* 02:30 is skipped: 03:30 in summer time */
	CHECK(means("Europe/Berlin", 1774751400, 1774747800));
	/* 02:30 comes twice on 2026-10-25: the first, in summer time */
	CHECK(means("Europe/Berlin", 1792895400, 1792888200));
	CHECK(means("America/New_York", 1793494800, 1793509200));
}

TEST(fixed_offsets_are_read_as_in_flink)
{
	static const struct {
		const char *name;
		int32_t offset_s;
	} good[] = {{"UTC", 0}, {"GMT", 0}, {"GMT0", 0}, {"GMT+8", 28800}, {"GMT+08", 28800},
		{"GMT+05:30", 19800}, {"GMT+0530", 19800}, {"GMT-3", -10800}, {"GMT+18:00", 64800}};
	static const char *const bad[] = {"UTC+8", "UTC+08:00", "+08:00", "Z", "GMT+18:01",
		"GMT+19", "GMT+8:30", "GMT+08:30:15", "GMT+023", "GMT+1:5", "gmt+8", "GMT+", ""};
	struct zone zone;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		CHECK(zone_fixed(text_of(good[i].name), &zone) &&
			zone_offset_s(&zone, 0) == good[i].offset_s);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(!zone_fixed(text_of(bad[i]), &zone));
}

TEST(names_stay_in_their_folder)
{
	CHECK(zone_name_valid(TEXT("America/Port-au-Prince")) &&
		zone_name_valid(TEXT("Etc/GMT+5")));
	CHECK(!zone_name_valid(TEXT("../etc/passwd")) && !zone_name_valid(TEXT("/etc/passwd")));
	CHECK(!zone_name_valid(TEXT("")) && !zone_name_valid(TEXT("Asia/Tokyo ")));
}

/* Each file cut at each place, and with each byte turned over. */
TEST(damaged_files_are_refused_or_harmless)
{
	struct text whole = load("America/New_York");
	struct zone zone;
	struct diag diag;

	CHECK(tzif_read(&arena, TEXT("TZif1"), &zone, &diag) < 0);
	for (size_t len = 0; len + 1 < whole.len; len++)
		CHECK(tzif_read(&arena, text_slice(whole, 0, len), &zone, &diag) < 0);
	for (size_t i = 0; i < whole.len; i++) {
		bytes[i] = (char)~bytes[i];
		if (tzif_read(&arena, whole, &zone, &diag) == 0)
			zone_epoch_ms(&zone, 1774751400000);
		bytes[i] = (char)~bytes[i];
	}
}

int main(void)
{
	arena_init(&arena, 256u << 20);
	RUN_IF(installed(), clocks_show_what_java_says, "there is no tz database");
	RUN_IF(installed(), skipped_and_repeated_times_are_javas, "there is no tz database");
	RUN(fixed_offsets_are_read_as_in_flink);
	RUN(names_stay_in_their_folder);
	RUN(damaged_files_are_refused_or_harmless);
	arena_finish(&arena);
	return test_finish();
}
