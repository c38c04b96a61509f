/* Look: which row a learner is shown. What becomes of a row is restated here from the data: a
 * window is closed once the highest time before the row, less the delay, has reached its end - 1
 * ms. */
#include "daemon/grade/look.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "daemon/intake.h"
#include "daemon/labs.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/test.h"

#define RECORDED "tests/recorded"
#define DATA	 RECORDED "/root/opt/lab/fixtures/data/watermark_events.csv"

static struct arena arena;
static struct labs all_labs;

static struct saved_file read_file(int dirfd, struct text name)
{
	struct intake intake = {0};

	CHECK(intake_read(&arena, dirfd, text_copy(&arena, name).ptr, LIMIT_OUT_BYTES, &intake,
		      NULL) == 0);
	return intake.file;
}

/* What is shown of a step of a recorded case. */
static struct look look_of(const char *lab_name, const char *name, const char *step_id, bool sql)
{
	const struct loaded_lab *lab = labs_get(&all_labs, text_of(lab_name));
	size_t step = lab_step(&lab->lab, text_of(step_id));
	struct submission *submissions =
		arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	struct text path = text_format(&arena, RECORDED "/%s/mistakes/%s", lab_name, name);
	int dirfd = open(path.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct verdict verdict;
	struct look look = {.row = -1};

	submissions[step].out = read_file(dirfd, lab->lab.steps[step].file);
	if (sql)
		submissions[step].sql = read_file(dirfd, lab->lab.steps[step].sql);
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(look_find(&arena, lab->grader, step, submissions, &verdict, &look, NULL) == 0);
	close(dirfd);
	return look;
}

static void open_labs(void)
{
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};

	arena_init(&arena, LIMIT_GRADE_ARENA);
	CHECK(labs_load(&all_labs, &places, RECORDED "/root", NULL, true, NULL) == 0);
}

static void close_labs(void)
{
	labs_finish(&all_labs);
	arena_finish(&arena);
}

/* The first row of the first minute that one delay drops and another keeps, by the rule above. */
static int64_t first_lost(int delay_s, int kept_s)
{
	FILE *file = fopen(DATA, "r");
	char line[256];
	double highest = -1;
	int64_t number = 0, found = 0;

	while (file && !found && fgets(line, sizeof(line), file)) {
		const char *clock = strstr(line, " 09:");
		int minute;
		double second, time;

		if (!clock || sscanf(clock, " 09:%d:%lf", &minute, &second) != 2)
			continue;
		number++;
		time = minute * 60 + second;
		if (minute == 0 && highest - delay_s >= 59.999 && highest - kept_s < 59.999)
			found = number;
		highest = time > highest ? time : highest;
	}
	if (file)
		fclose(file);
	return found;
}

TEST(the_first_row_that_another_delay_loses)
{
	struct look look;

	open_labs();
	look = look_of("watermark", "w5_delay0", "w5", true);
	CHECK(look.row > 1 && look.row == first_lost(0, 5) && look.select == 0);
	close_labs();
}

/* The first row has no watermark before it: the comparison is neither true nor false. */
TEST(the_row_that_a_condition_loses)
{
	open_labs();
	CHECK(look_of("watermark", "filtered_no_is_null", "filtered", true).row == 1);
	close_labs();
}

TEST(of_several_queries_the_one_that_is_off)
{
	struct look look;

	open_labs();
	look = look_of("watermark", "sweep_order_30_0", "sweep", true);
	CHECK(look.select == 1 && look.row > 0);
	close_labs();
}

/* An output that its SQL does not yield says nothing of the SQL, and without SQL there is nothing
 * to run. */
TEST(nothing_is_shown_where_the_sql_is_no_evidence)
{
	struct look look;

	open_labs();
	look = look_of("watermark", "w5_stale_out", "w5", true);
	CHECK(!look_found(&look));
	look = look_of("watermark", "w5_delay0", "w5", false);
	CHECK(!look_found(&look));
	close_labs();
}

/* Rows of another file are not those of the lab: a row's number would mean another one. */
TEST(no_row_is_shown_of_other_data)
{
	struct look look;

	open_labs();
	look = look_of("watermark", "w5_sorted_copy", "w5", true);
	CHECK(look.row == 0 && look.window[0]);
	close_labs();
}

int main(void)
{
	RUN(the_first_row_that_another_delay_loses);
	RUN(the_row_that_a_condition_loses);
	RUN(of_several_queries_the_one_that_is_off);
	RUN(no_row_is_shown_of_other_data);
	RUN(nothing_is_shown_where_the_sql_is_no_evidence);
	return test_finish();
}
