/* sim/: what is told of each row, against what real Flink counted in each window: over all
 * recorded scripts whose SELECT counts rows, the rows told as counted in a window are as many as
 * its recorded COUNT(*). */
#include <stdlib.h>

#include "parser/transcript.h"
#include "sim/tzdb.h"
#include "tests/explain.h"
#include "tests/scripts.h"
#include "tests/test.h"

/* The window of a recorded row, or one told, and how many rows it counts. */
struct counted {
	int64_t start_ms, end_ms, count;
};

struct counts {
	struct counted *items;
	size_t count, room;
};

static void add_count(struct arena *arena, struct counts *counts, struct counted one)
{
	for (size_t i = 0; i < counts->count; i++)
		if (counts->items[i].start_ms == one.start_ms &&
			counts->items[i].end_ms == one.end_ms) {
			counts->items[i].count += one.count;
			return;
		}
	if (arena_grow(arena, &counts->items, counts->count, &counts->room, sizeof(one)) == 0)
		counts->items[counts->count++] = one;
}

static bool includes(const struct counts *a, const struct counts *b)
{
	for (size_t i = 0; i < b->count; i++) {
		size_t j = 0;

		while (j < a->count && memcmp(&a->items[j], &b->items[i], sizeof(*b->items)) != 0)
			j++;
		if (j == a->count && b->items[i].count)
			return false;
	}
	return true;
}

static bool is_column(const struct sql_item *item, const char *name)
{
	return item->expr->kind == EXPR_COLUMN && text_ieq(item->expr->name, text_of(name));
}

static bool is_count(const struct sql_item *item)
{
	const struct sql_expr *expr = item->expr;

	return expr->kind == EXPR_CALL && text_eq(expr->name, TEXT("COUNT")) && expr->star &&
	       !expr->filter && !expr->over;
}

/* Where a query counts the rows of each window, without HAVING or another query inside: which
 * columns of its result tell start, end and count. */
struct counting {
	size_t start, end, count;
};

static bool counts_rows(const struct sql_query *query, struct counting *ret)
{
	size_t none = query->item_count;

	if (query->kind != QUERY_SELECT || !query->from || query->from->kind != REL_FUNCTION ||
		query->having || query->distinct || query->order || query->limit ||
		query->qualify || query->grouping_sets || !query->grouped || query->with)
		return false;
	*ret = (struct counting){none, none, none};
	for (size_t i = 0; i < none; i++) {
		if (is_column(&query->items[i], "window_start"))
			ret->start = i;
		if (is_column(&query->items[i], "window_end"))
			ret->end = i;
		if (is_count(&query->items[i]))
			ret->count = i;
	}
	return ret->start < none && ret->end < none && ret->count < none;
}

static bool read_recorded(
	struct arena *arena, const struct table *table, struct counting columns, struct counts *ret)
{
	for (size_t i = 0; i < table->row_count; i++) {
		const struct value *cells = table->rows[i].cells;
		struct json start = {.kind = JSON_STRING, .string = cells[columns.start].s};
		struct json end = {.kind = JSON_STRING, .string = cells[columns.end].s};
		struct counted one = {time_of(&start), time_of(&end), 0};

		if (table->rows[i].op != OP_INSERT || one.start_ms == NONE ||
			text_to_int64(text_trim(cells[columns.count].s), &one.count) < 0)
			return false;
		add_count(arena, ret, one);
	}
	return true;
}

/* False: there is more in the query than a window over the rows, and its counts are not theirs. */
static bool read_told(struct arena *arena, struct text story, struct counts *ret)
{
	struct text line;
	bool whole = false;

	while (text_next_line(&story, &line)) {
		const struct json *windows;
		struct json told;

		if (json_parse(arena, line, &told, NULL) < 0)
			return false;
		whole = is_true(&told, "whole");
		windows = json_get(&told, TEXT("windows"));
		if (!windows)
			continue;
		for (size_t i = 0; i < windows->count; i++) {
			const struct json *window = windows->items[i];

			if (is_true(window, "counted") &&
				!text_eq(json_get(&told, TEXT("kind"))->string, TEXT("filtered")))
				add_count(arena, ret,
					(struct counted){time_of(json_get(window, TEXT("start"))),
						time_of(json_get(window, TEXT("end"))), 1});
		}
	}
	return whole;
}

struct tally {
	int agree, differ;
};

/* One SELECT of a script, which gave this table. */
static void compare_select(struct arena *arena, struct tally *tally, struct text sql, int number,
	const struct table *table, struct counting columns, const char *name)
{
	struct explain explain = {.story.json = true, .select = number};
	struct counts recorded = {0}, told = {0};
	struct text story;
	int descriptor = -1;
	struct sim_files files = {.open = open_in_root, .ctx = &descriptor, .open_zone = tzdb_open};

	if (!read_recorded(arena, table, columns, &recorded) ||
		explain_text(arena, &explain, sql, &files, &story) < 0 ||
		!read_told(arena, story, &told))
		return;
	if (includes(&recorded, &told) && includes(&told, &recorded)) {
		tally->agree++;
		return;
	}
	tally->differ++;
	printf("# %s: SELECT %d differs\n", name, number);
}

static const struct result *next_table(const struct transcript *transcript, size_t *at)
{
	while (*at < transcript->count) {
		const struct result *result = &transcript->results[(*at)++];

		if (result->kind != RESULT_MESSAGE)
			return result->kind == RESULT_TABLE ? result : NULL;
	}
	return NULL;
}

static void compare_script(struct tally *tally, const char *path)
{
	struct arena arena;
	struct transcript transcript;
	struct sql_script script;
	char out[4096];
	struct text sql;
	size_t at = 0;
	int number = 0;

	arena_init(&arena, MEMORY);
	snprintf(out, sizeof(out), "%.*s.out", (int)strlen(path) - 4, path);
	sql = slurp(&arena, path);
	if (transcript_parse(&arena, NULL, slurp(&arena, out), &transcript, NULL) < 0 ||
		sql_split(&arena, sql, &script, NULL) < 0)
		script.count = 0;
	for (size_t i = 0; i < script.count && script.pieces[i].run; i++) {
		struct sql_statement statement;
		const struct result *result = NULL;
		struct counting columns;

		if (sql_parse(&arena, &script.pieces[i], &statement, NULL) < 0)
			break;
		if (statement.kind == STMT_SELECT || statement.kind == STMT_DESCRIBE ||
			statement.kind == STMT_SHOW || statement.kind == STMT_EXPLAIN)
			result = next_table(&transcript, &at);
		if (statement.kind != STMT_SELECT)
			continue;
		number++;
		if (result && counts_rows(statement.query, &columns) && !result->cut_cells)
			compare_select(&arena, tally, sql, number, &result->table, columns, path);
	}
	arena_finish(&arena);
}

static struct tally compare_folder(const char *folder)
{
	struct tally tally = {0};
	struct dirent **entries;
	int count = scandir(folder, &entries, is_sql, alphasort);

	for (int i = 0; i < count; i++) {
		char path[4096];

		snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
		compare_script(&tally, path);
		free(entries[i]);
	}
	free(count < 0 ? NULL : entries);
	printf("# %s: %d agree, %d differ\n", folder, tally.agree, tally.differ);
	return tally;
}

TEST(each_window_has_the_rows_that_flink_counted)
{
	static const char *const folders[] = {"tests/recorded/watermark/ref",
		"tests/recorded/window/ref", "tests/recorded/semantics", "tests/recorded/more_sim"};
	int agree = 0;

	for (int i = 0; i < 4; i++) {
		struct tally tally = compare_folder(folders[i]);

		CHECK(tally.differ == 0);
		agree += tally.agree;
	}
	CHECK(agree > 50);
}

int main(void)
{
	RUN(each_window_has_the_rows_that_flink_counted);
	return test_finish();
}
