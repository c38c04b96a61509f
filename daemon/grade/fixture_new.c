/* Drawing, mending, looking. Properties are in the order in which they are to hold; a change is
 * kept where as many of the first ones hold as before, and the next is not further off. When all
 * hold, the references are run: their answers should be others than on the data that ships. */
#include "daemon/grade/fixture_new.h"

#include <errno.h>
#include <inttypes.h>

#include "daemon/grade/fixture_deal.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"

/* Draws, and changes of one: a lab whose properties can be had needs one or two draws and some
 * dozens of changes. */
#define DRAWS 20
#define MENDS 1500

struct making {
	struct arena *arena;
	const struct fixture *fixture;
	struct fixture_rows old;
	struct properties properties;
	struct deal deal;
	struct random random;
	size_t wrong; /* what lint finds in the data that ships */
	struct diag *reterr;
};

/* How far rows are: the first property that does not hold. */
struct standing {
	size_t holds; /* so many of the first ones do */
	int64_t off;  /* how far the next is */
	struct property_count count;
};

static int look(const struct making *making, const struct fixture_rows *rows, struct standing *ret)
{
	struct standing standing = {0};
	struct arena scratch;
	int err = 0;

	arena_init(&scratch, LIMIT_GRADE_ARENA);
	for (; standing.holds < making->properties.count; standing.holds++) {
		const struct property *property = &making->properties.items[standing.holds];

		err = property_count(&scratch, rows, property, &standing.count);
		standing.off = err ? 0 : property_off(property, standing.count.count);
		if (err || standing.off)
			break;
	}
	arena_finish(&scratch);
	*ret = standing;
	return err;
}

static bool is_worse(const struct standing *now, const struct standing *before)
{
	if (now->holds != before->holds)
		return now->holds < before->holds;
	return now->off > before->off;
}

/* Changes what was drawn until all properties hold, or so many changes were tried. */
static int mend(struct making *making, struct fixture_rows *rows, struct standing *standing)
{
	for (int i = 0; i < MENDS && standing->holds < making->properties.count; i++) {
		struct arena scratch;
		struct fixture_rows tried;
		struct standing now;
		int err;

		arena_init(&scratch, LIMIT_GRADE_ARENA);
		err = rows_copy(&scratch, rows, &tried);
		if (!err)
			err = deal_mend(&scratch, &making->deal, &making->random,
				&making->properties.items[standing->holds], &standing->count,
				&tried);
		if (!err)
			err = look(making, &tried, &now);
		if (!err && !is_worse(&now, standing)) {
			rows_take(&tried, rows);
			*standing = now;
		}
		arena_finish(&scratch);
		if (err)
			return err;
	}
	return 0;
}

/* Rows with all properties; *standing: how far they came. 0 or -ENOMEM. */
static int draw(struct making *making, struct fixture_rows *ret, struct standing *standing)
{
	int err = deal_rows(making->arena, &making->deal, &making->random, ret);

	if (!err)
		err = look(making, ret, standing);
	if (!err)
		err = mend(making, ret, standing);
	if (!err)
		deal_beside(&making->deal, &making->random, ret);
	return err;
}

static int refuse_standing(const struct making *making, const struct fixture_rows *rows,
	const struct standing *standing, const char *whose)
{
	const struct property *property = &making->properties.items[standing->holds];
	struct properties one = {making->properties.items + standing->holds, 1};
	struct fixture_findings findings = {0};

	if (fixture_check(making->arena, rows, &one, &findings))
		return diag_nomem(making->reterr);
	return diag_set(making->reterr, -ERANGE, property->line, property->col, "%s: %.*s", whose,
		TEXT_ARG(findings.items[0].text));
}

static int start(struct making *making, struct text csv)
{
	struct arena *arena = making->arena;
	struct standing standing;
	int err = fixture_read(arena, making->fixture, csv, &making->old, making->reterr);

	if (!err)
		err = properties_parse(
			arena, making->fixture, &making->old, &making->properties, making->reterr);
	if (!err)
		err = deal_init(arena, &making->old, &making->deal, making->reterr);
	if (err)
		return err;
	if (look(making, &making->old, &standing))
		return diag_nomem(making->reterr);
	if (standing.holds < making->properties.count)
		return refuse_standing(making, &making->old, &standing, "the data that ships") ==
				       -ENOMEM
			       ? -ENOMEM
			       : -EINVAL;
	return 0;
}

/* ---- answers ---- */

/* Steps whose right answer is the same on both; which, where it is asked. */
static size_t count_same(
	const struct lab *lab, const struct grader *a, const struct grader *b, bool *same)
{
	size_t count = 0;

	for (size_t i = 0; i < lab->step_count; i++) {
		same[i] = answers_equal(a, b, i);
		count += same[i];
	}
	return count;
}

/* What was drawn and is the best so far. */
struct best {
	struct fixture_rows rows;
	struct text csv;
	bool *same;
	size_t same_count;
	bool found;
};

/* Something that lint would find in the data, as far as the steps go. 0 or -ENOMEM. */
static int count_wrong(struct arena *arena, const struct fixture_source *source,
	const struct text *bytes, const struct grader *grader, size_t *ret)
{
	struct fixture_findings findings = {0};
	int err = fixture_check_steps(arena, source, bytes, grader, &findings);

	*ret = findings.count;
	return err;
}

static int judge(struct making *making, const struct fixture_source *source, size_t fixture,
	const struct grader *old, const struct fixture_rows *rows, struct best *best)
{
	const struct lab *lab = source->lab;
	struct text *bytes = arena_array(making->arena, lab->fixture_count, sizeof(*bytes));
	bool *same = arena_array(making->arena, lab->step_count + 1, sizeof(*same));
	struct grader *now;
	struct arena scratch;
	size_t count, wrong = 0;
	int err;

	if (!bytes || !same)
		return diag_nomem(making->reterr);
	for (size_t i = 0; i < lab->fixture_count; i++)
		bytes[i] = source->bytes[i];
	if (fixture_write(making->arena, rows, &bytes[fixture]))
		return diag_nomem(making->reterr);
	arena_init(&scratch, LIMIT_GRADE_ARENA);
	err = fixture_answers(&scratch, source, bytes, &now, making->reterr);
	if (!err && count_wrong(&scratch, source, bytes, now, &wrong))
		err = diag_nomem(making->reterr);
	count = err ? 0 : count_same(lab, old, now, same);
	arena_finish(&scratch);
	if (!err && wrong <= making->wrong && (!best->found || count < best->same_count))
		*best = (struct best){*rows, bytes[fixture], same, count, true};
	return err;
}

static int add_same(struct arena *arena, const struct lab *lab, const struct best *best,
	struct fixture_findings *facts)
{
	for (size_t i = 0; i < lab->step_count; i++) {
		struct text text;

		if (!best->same[i])
			continue;
		text = text_format(arena,
			"the right answer of step %.*s is the same as on the data that ships",
			TEXT_ARG(lab->steps[i].id));
		if (!text.ptr || arena_grow(arena, &facts->items, facts->count, &facts->room,
					 sizeof(*facts->items)))
			return -ENOMEM;
		facts->items[facts->count++] = (struct fixture_finding){
			.text = text, .line = lab->steps[i].line, .col = lab->steps[i].col};
	}
	return 0;
}

static int search(struct making *making, const struct fixture_source *source, size_t fixture,
	const struct grader *old, struct best *best)
{
	struct fixture_rows rows;
	struct standing standing = {0};

	for (int i = 0; i < DRAWS && !(best->found && best->same_count == 0); i++) {
		int err = draw(making, &rows, &standing);

		if (err)
			return diag_nomem(making->reterr);
		if (standing.holds < making->properties.count)
			continue;
		err = judge(making, source, fixture, old, &rows, best);
		if (err)
			return err;
	}
	if (best->found)
		return 0;
	if (standing.holds < making->properties.count)
		return refuse_standing(making, &rows, &standing,
			"no other data with all properties was found, the last with");
	return diag_set(making->reterr, -ERANGE, making->fixture->line, making->fixture->col,
		"no other data was found that is the same on each run and without ties in a "
		"step's ranks");
}

int fixture_new(struct arena *arena, const struct fixture_source *source, size_t fixture,
	uint64_t seed, struct fixture_made *ret, struct diag *reterr)
{
	struct making making = {.arena = arena,
		.fixture = &source->lab->fixtures[fixture],
		.random = {seed},
		.reterr = reterr};
	struct fixture_made made = {0};
	struct best best = {0};
	struct grader *old;
	int err = start(&making, source->bytes[fixture]);

	if (!err)
		err = fixture_answers(arena, source, source->bytes, &old, reterr);
	if (!err && count_wrong(arena, source, source->bytes, old, &making.wrong))
		err = diag_nomem(reterr);
	if (!err)
		err = search(&making, source, fixture, old, &best);
	if (err)
		return err;
	made.csv = best.csv;
	if (fixture_check(arena, &best.rows, &making.properties, &made.facts) ||
		add_same(arena, source->lab, &best, &made.facts))
		return diag_nomem(reterr);
	*ret = made;
	return 0;
}
