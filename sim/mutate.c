/* The catalogue: what learners believe about event time, each belief as a change of a query that
 * does what was asked. A mutant is a copy of the reference's syntax tree, changed, and run by the
 * planner and the operators that run everything else: a mistake's table is what Flink would print
 * for it. */
#include "sim/mutate.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "sim/ast_copy.h"
#include "sim/kept.h"
#include "sim/mistakes.h"
#include "sim/scene_run.h"

/* In order of plausibility. */
static int (*const catalogue[])(struct scene *, size_t, struct mistake *) = {make_batch_mode,
	make_streaming_mode, make_delay, make_no_watermark, make_interval_missing, make_interval,
	make_window_size, make_window_slide, make_args_swapped, make_window_kind, make_session_gap,
	make_session_partition, make_offset, make_key_missing, make_key_extra, make_filter_missing,
	make_filter_extra, make_filter_inverted, make_null_first_row, make_null_check,
	make_late_cmp, make_late_by, make_filter_place, make_topn_n, make_topn_order,
	make_topn_partition, make_topn_rows, make_topn_sums, make_topn_limit, make_agg_function,
	make_agg_column, make_rows_asked, make_aggregate_asked, make_no_window,
	make_watermark_value, make_limit, make_time_zone, make_sorted_input, make_unbounded,
	make_parallelism, make_other_data, make_doubled_value, make_key_exchanged,
	make_column_order,
	/* far from here on */
	make_lengths_exchanged, make_delay_and_other, make_delay_and_size, make_both_lengths,
	make_where_extra, make_having_extra, make_cut_data};

#define ENTRIES	    (sizeof(catalogue) / sizeof(catalogue[0]))
#define FAR_ENTRIES 7

struct reference {
	size_t statement;
	struct table table;
	bool batch;
	int64_t interval_ms, steps;
};

/* What watermarks decided in a mutant that was made. */
struct decided {
	uint64_t lateness;
	size_t number;
};

/* More delays and intervals than that are not tried. */
#define DECIDED 400

struct mutator {
	struct arena *arena;
	struct sim_files files;
	struct kept_rows kept;
	struct sql_statement *statements;
	size_t count;
	struct reference *references;
	size_t reference_count, reference_room;
	size_t query; /* under way */
	enum mutants which;
	int64_t each;
	const struct mutant_judge *judge;
	size_t entry, index, number;
	struct decided decided[DECIDED];
	size_t decided_count;
	bool counted;		   /* for the mutants under way: */
	bool counts[SCENE_COUNTS]; /* see struct scene */
};

/* ---- the reference ---- */

static int refused(const struct outcome *outcome, struct diag *reterr)
{
	return diag_set(reterr, -EINVAL, outcome->pos.line, outcome->pos.col,
		"Flink refuses this: %.*s", TEXT_ARG(outcome->error));
}

static int run_reference(
	struct mutator *mutator, struct session *session, size_t index, struct diag *reterr)
{
	const struct sql_statement *statement = &mutator->statements[index];
	struct reference reference = {.statement = index};
	struct table_sink keep;
	struct sim_sink sink = table_sink_init(&keep, mutator->arena, &reference.table);
	struct outcome outcome = {0};
	int64_t before = session_steps(session);
	int err = session_run(session, statement, &sink, &outcome, reterr);

	if (err == -ENOMEM)
		return err;
	if (err < 0)
		return -EINVAL;
	if (outcome.kind == OUTCOME_ERROR)
		return refused(&outcome, reterr);
	if (statement->kind != STMT_SELECT)
		return 0;
	reference.batch = text_ieq(
		session_get(session, "execution.runtime-mode", "streaming"), TEXT("batch"));
	reference.interval_ms = session_interval_ms(session);
	reference.steps = before - session_steps(session);
	if (arena_grow(mutator->arena, &mutator->references, mutator->reference_count,
		    &mutator->reference_room, sizeof(*mutator->references)))
		return diag_nomem(reterr);
	mutator->references[mutator->reference_count++] = reference;
	return 0;
}

static int parse(struct mutator *mutator, struct text sql, struct diag *reterr)
{
	struct sql_script script;
	int err = sql_split(mutator->arena, sql, &script, reterr);

	if (err < 0)
		return err == -ENOMEM ? err : -EINVAL;
	mutator->statements =
		arena_array(mutator->arena, script.count + 1, sizeof(*mutator->statements));
	if (!mutator->statements)
		return diag_nomem(reterr);
	for (size_t i = 0; i < script.count && script.pieces[i].run; i++) {
		err = sql_parse(mutator->arena, &script.pieces[i],
			&mutator->statements[mutator->count], reterr);
		if (err < 0)
			return err == -ENOMEM ? err : -EINVAL;
		mutator->count++;
	}
	return 0;
}

int mutator_new(struct arena *arena, struct text sql, const struct sim_files *files,
	struct mutator **ret, struct diag *reterr)
{
	struct mutator *mutator = ARENA_NEW(arena, struct mutator);
	struct session *session;
	int err;

	if (!mutator)
		return diag_nomem(reterr);
	*mutator = (struct mutator){.arena = arena, .files = *files, .kept = {.arena = arena}};
	mutator->files.kept = &mutator->kept;
	session = scene_session(arena, &mutator->files, NULL);
	if (!session)
		return diag_nomem(reterr);
	err = parse(mutator, sql, reterr);
	for (size_t i = 0; i < mutator->count && err == 0; i++)
		err = run_reference(mutator, session, i, reterr);
	if (err == 0)
		*ret = mutator;
	return err;
}

size_t mutator_count(const struct mutator *mutator)
{
	return mutator->reference_count;
}

const struct table *mutator_table(const struct mutator *mutator, size_t query)
{
	return &mutator->references[query].table;
}

int64_t mutator_steps(const struct mutator *mutator, size_t query)
{
	return mutator->references[query].steps;
}

/* ---- mutants ---- */

void mutator_begin(struct mutator *mutator, size_t query, enum mutants which, int64_t each,
	const struct mutant_judge *judge)
{
	mutator->judge = judge;
	mutator->which = which;
	mutator->query = query;
	mutator->each = each;
	mutator->entry = which == MUTANTS_FAR ? ENTRIES - FAR_ENTRIES : 0;
	mutator->index = mutator->number = mutator->decided_count = 0;
	mutator->counted = false;
}

/* The mode is a cause of its own; whatever follows is made in that mode. */
static void switch_mode(struct scene *scene, struct mistake *mistake)
{
	if (scene->batch)
		make_streaming_mode(scene, 0, mistake);
	else
		make_batch_mode(scene, 0, mistake);
	scene->batch = !scene->batch;
}

/* A fresh copy of the reference up to the query, in the mode that is under way. */
static int set_scene(const struct mutator *mutator, struct arena *arena, struct scene *ret,
	struct mistake *mistake)
{
	const struct reference *reference = &mutator->references[mutator->query];

	*mistake = (struct mistake){0};
	*ret = (struct scene){
		.arena = arena,
		.statements =
			ast_copy_statements(arena, mutator->statements, reference->statement + 1),
		.target = reference->statement,
		.batch = reference->batch,
		.interval_ms = reference->interval_ms,
		.asked = &reference->table,
		.counts = mutator->counts,
	};
	if (!ret->statements)
		return -ENOMEM;
	scene_find(ret);
	ret->file = kept_of(&mutator->kept, ret->table);
	if (mutator->which == MUTANTS_SWITCHED)
		switch_mode(ret, mistake);
	return 0;
}

static int run_scene(const struct mutator *mutator, const struct scene *scene,
	const struct mutant_judge *judge, struct mutant *ret)
{
	const struct scene_run run = {&mutator->files, mutator->each, judge};

	return scene->nomem ? -ENOMEM : scene_run(&run, scene, ret);
}

/* ---- how many rows groups have ---- */

static bool judge_any(void *ctx, const struct table *shape)
{
	(void)ctx;
	(void)shape;
	return true;
}

static bool note_count(void *ctx, enum row_op op, const struct value *cells)
{
	bool *counts = ctx;

	(void)op;
	if (cells[0].i < SCENE_COUNTS)
		counts[cells[0].i] = true;
	return true;
}

/* Finds out how many rows the reference's groups have, once for the mutants under way: in their
 * mode. Where that cannot be known, any number of rows may be. */
static int count_groups(struct mutator *mutator, struct arena *arena)
{
	const struct mutant_judge noting = {
		.begin = judge_any, .row = note_count, .ctx = mutator->counts};
	struct mutant counted = {0};
	struct scene scene;
	int err;

	if (mutator->counted)
		return 0;
	mutator->counted = true;
	memset(mutator->counts, false, sizeof(mutator->counts));
	err = set_scene(mutator, arena, &scene, &counted.mistake);
	if (err < 0 || !scene.agg)
		return err;
	scene_count_groups(&scene);
	err = run_scene(mutator, &scene, &noting, &counted);
	if (counted.refused || counted.unknown)
		memset(mutator->counts, true, sizeof(mutator->counts));
	return err;
}

/* ---- making ---- */

/* The mutant of this lateness that was made before, or the number of the one under way. */
static size_t find_decided(const struct mutator *mutator, uint64_t lateness)
{
	for (size_t i = 0; lateness && i < mutator->decided_count; i++)
		if (mutator->decided[i].lateness == lateness)
			return mutator->decided[i].number;
	return mutator->number;
}

/* Up to where it was ended a mutant has counted the ties of each window that it printed rows of. */
static void note_decided(
	struct mutator *mutator, const struct scene *scene, const struct mutant *mutant)
{
	if (scene->lateness && !(scene->untied && mutant->rows_tied) &&
		mutator->decided_count < DECIDED)
		mutator->decided[mutator->decided_count++] =
			(struct decided){scene->lateness, mutant->number};
}

/* Is it a part of the reference's table, and no part is looked for? */
static bool is_idle_part(const struct mutator *mutator, const struct scene *scene)
{
	return scene->part && mutator->which != MUTANTS_SWITCHED && mutator->judge &&
	       mutator->judge->no_part;
}

/* Makes the mutant in a fresh scene. */
static int make(struct mutator *mutator, struct arena *arena, struct scene *scene, bool anew,
	struct mutant *mutant)
{
	int err = catalogue[mutant->entry] == make_having_extra ? count_groups(mutator, arena) : 0;

	if (err < 0)
		return err;
	scene->part = false; /* of the last one that did not apply */
	err = catalogue[mutant->entry](scene, mutant->index, &mutant->mistake);
	mutant->mistake.far = mutant->mistake.far || mutator->which != MUTANTS_NEAR;
	if (scene->nomem)
		return -ENOMEM;
	if (err < 0)
		return err;
	mutant->number = mutator->number;
	mutant->same_as = anew ? mutator->number : find_decided(mutator, scene->lateness);
	if (mutant->same_as != mutator->number)
		return 0;
	mutant->ended = is_idle_part(mutator, scene);
	if (mutant->ended)
		return 0;
	err = run_scene(mutator, scene, mutator->judge, mutant);
	if (err == 0 && !anew)
		note_decided(mutator, scene, mutant);
	return err;
}

int mutator_again(struct mutator *mutator, struct arena *arena, size_t entry, size_t index,
	struct mutant *ret)
{
	struct mutant mutant = {.entry = entry, .index = index};
	struct scene scene;
	int err = set_scene(mutator, arena, &scene, &mutant.mistake);

	if (err == 0)
		err = make(mutator, arena, &scene, true, &mutant);
	if (err == 0)
		*ret = mutant;
	return err;
}

/* What does not apply leaves the scene as it is, as a rule: then the next may have it. */
int mutator_next(struct mutator *mutator, struct arena *arena, struct mutant *ret)
{
	size_t end = mutator->which == MUTANTS_NEAR ? ENTRIES - FAR_ENTRIES : ENTRIES;
	struct scene scene = {.touched = true};
	struct mistake base;

	while (mutator->entry < end) {
		struct mutant mutant = {.entry = mutator->entry, .index = mutator->index++};
		int err = 0;

		if (scene.touched)
			err = set_scene(mutator, arena, &scene, &base);
		mutant.mistake = base;
		if (err == 0)
			err = make(mutator, arena, &scene, false, &mutant);
		if (err == -ENOENT) {
			mutator->entry++;
			mutator->index = 0;
		} else if (err != -EAGAIN) {
			mutator->number++;
			*ret = mutant;
			return err;
		}
	}
	return -ENOENT;
}
