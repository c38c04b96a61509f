/* Explaining the wrong numbers of a report together. Values that are each other's are exchanged;
 * one table taken for another explains all keys that read it; then each key by itself. Where
 * several kinds of mistake give the same value, all are named, and the kind that explains every
 * wrong key goes before the others. */
#include "daemon/grade/report_rules.h"

#include <errno.h>

#include "daemon/grade/report_mutate.h"
#include "parser/arena.h"
#include "parser/json.h"

struct entry {
	const struct report_key *key;
	int64_t value, asked;
	bool known; /* both are numbers */
	bool wrong; /* they differ, and no cause is named yet */
	bool hits[DIAGNOSIS_COUNT];
	bool turned;
};

struct rules {
	struct grading *grading;
	struct causes *causes;
	struct report_source truth, own;
	struct entry *entries;
	size_t count;
};

static void read_entries(struct rules *r, const struct json *root)
{
	const struct report_tables tables = {report_source_get, &r->truth};
	const struct step *step = r->grading->step;

	for (size_t i = 0; i < step->key_count; i++) {
		struct entry *e = &r->entries[r->count++];
		const struct json *member = json_get(root, step->keys[i].name);
		bool form;

		*e = (struct entry){.key = &step->keys[i]};
		e->known = member && report_value(member, &e->value, &form) == 0 &&
			   report_eval(e->key->expr, &tables, &e->asked) == 0;
		e->wrong = e->known && e->value != e->asked;
	}
}

/* ---- exchanged ---- */

static bool is_other(const struct entry *e, const struct entry *other)
{
	return other != e && other->wrong && e->value == other->asked && e->asked != other->asked;
}

/* The key whose value stands under this one. */
static struct entry *source_of(struct rules *r, const struct entry *e)
{
	for (size_t i = 0; i < r->count; i++)
		if (is_other(e, &r->entries[i]))
			return &r->entries[i];
	return NULL;
}

static void name_cycle(struct rules *r, struct entry *first)
{
	struct text names = first->key->name;
	struct entry *e = source_of(r, first);
	size_t length = 1;

	for (; e && e != first && length < r->count; e = source_of(r, e), length++)
		names = text_format(
			r->causes->arena, "%.*s/%.*s", TEXT_ARG(names), TEXT_ARG(e->key->name));
	if (e != first)
		return;
	causes_add(r->causes, DIAG_REPORT_SWAPPED, names);
	for (e = source_of(r, first); e != first;) {
		struct entry *next = source_of(r, e);

		e->wrong = false;
		e = next ? next : first;
	}
	first->wrong = false;
}

/* ---- one table for another ---- */

static size_t count_wrong(const struct rules *r)
{
	size_t wrong = 0;

	for (size_t i = 0; i < r->count; i++)
		wrong += r->entries[i].wrong;
	return wrong;
}

/* Does it explain all wrong values, and leave the right ones as they are? */
static bool explains_all(const struct rules *r, const struct report_mutation *m,
	const struct report_expr *from, const struct report_expr *to)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct entry *e = &r->entries[i];
		int64_t value = e->asked;

		if (!e->known)
			continue;
		report_instead(m, e->key->expr, from, to, &value);
		if (value != e->value)
			return false;
	}
	return true;
}

static const struct report_expr *first_leaf(const struct report_expr *expr)
{
	while (!report_is_leaf(expr) && expr->left)
		expr = expr->left;
	return report_is_leaf(expr) ? expr : NULL;
}

static bool replace_from(struct rules *r, const struct report_mutation *m, struct entry *e)
{
	const struct report_expr *from = first_leaf(e->key->expr);
	const struct lab *lab = r->grading->grader->lab;

	for (size_t i = 0; from && i < lab->step_count; i++)
		for (size_t k = 1; k <= r->grading->grader->expected[i].count; k++) {
			const struct report_expr to = {
				.op = from->op, .step = lab->steps[i].id, .table = k};

			if (text_eq(to.step, from->step) && k == from->table)
				continue;
			if (!explains_all(r, m, from, &to))
				continue;
			causes_add(r->causes, DIAG_REPORT_FROM_OTHER, e->key->name);
			return true;
		}
	return false;
}

/* A wrong number that the other keys were worked out from: it alone is to be explained. */
static void keep_root(struct rules *r, const struct report_mutation *m)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct entry *root = &r->entries[i];
		const struct report_expr to = {.op = REPORT_NUMBER, .number = root->value};

		if (!root->wrong || !report_is_leaf(root->key->expr) ||
			!explains_all(r, m, root->key->expr, &to))
			continue;
		for (size_t k = 0; k < r->count; k++)
			r->entries[k].wrong = k == i;
		return;
	}
}

static bool other_baseline(struct rules *r, const struct report_mutation *m)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->entries[i].wrong && replace_from(r, m, &r->entries[i]))
			return true;
	return false;
}

/* ---- each key ---- */

static bool lists_late(const struct rules *r, const struct report_expr *expr)
{
	const struct grader *grader = r->grading->grader;
	size_t step = expr->op == REPORT_ROWS ? lab_step(grader->lab, expr->step)
					      : grader->lab->step_count;
	const struct script_result *result;

	if (step == grader->lab->step_count || expr->table > grader->expected[step].count)
		return false;
	result = grader->expected[step].results[expr->table - 1];
	return result->has_facts && !result->facts.windowed &&
	       result->facts.late_filter != LATE_FILTER_NONE;
}

/* Another key's value. That of a key which counts late rows is a belief of its own. */
static void from_keys(struct rules *r, struct entry *e)
{
	for (size_t i = 0; i < r->count; i++) {
		const struct entry *other = &r->entries[i];

		if (other == e || !other->known || other->asked != e->value)
			continue;
		e->hits[DIAG_REPORT_FROM_OTHER] = true;
		if (e->key->expr->op == REPORT_SUB && lists_late(r, other->key->expr))
			e->hits[DIAG_REPORT_LATE_FOR_DROPPED] = true;
	}
}

static bool has_hit(const struct entry *e)
{
	for (int id = 0; id < DIAGNOSIS_COUNT; id++)
		if (e->hits[id])
			return true;
	return false;
}

static int explain_from(struct rules *r, struct entry *e, struct report_source *source)
{
	const struct report_tables tables = {report_source_get, source};
	struct report_mutation m = {.arena = r->grading->arena,
		.lab = r->grading->grader->lab,
		.grader = r->grading->grader,
		.tables = &tables,
		.wanted = e->value};

	report_mutate(&m, e->key->expr);
	if (!has_hit(e) && !report_found(&m))
		report_mutate_far(&m, e->key->expr);
	for (int id = 0; id < DIAGNOSIS_COUNT; id++)
		e->hits[id] = e->hits[id] || m.hits[id];
	e->turned = m.turned;
	return m.nomem || source->nomem ? -ENOMEM : 0;
}

/* What the key's own expression yields from the saved outputs: then those are wrong, not the
 * report. */
static bool follows_from_own(struct rules *r, const struct entry *e)
{
	const struct report_tables tables = {report_source_get, &r->own};
	int64_t value;

	return report_eval(e->key->expr, &tables, &value) == 0 && value == e->value;
}

static int explain(struct rules *r, struct entry *e)
{
	int err;

	if (follows_from_own(r, e)) {
		e->wrong = false;
		return 0;
	}
	from_keys(r, e);
	err = explain_from(r, e, &r->truth);
	if (!err && !has_hit(e))
		err = explain_from(r, e, &r->own);
	if (e->hits[DIAG_REPORT_NOT_DIFFERENCE]) /* it stands in the key's own difference */
		e->hits[DIAG_REPORT_FROM_OTHER] = e->hits[DIAG_REPORT_COUNTED_LINES] = false;
	return err;
}

static bool explains_every(const struct rules *r, int id)
{
	size_t hits = 0;

	for (size_t i = 0; i < r->count; i++)
		hits += r->entries[i].wrong && r->entries[i].hits[id];
	return hits > 1 && hits == count_wrong(r);
}

/* Kinds that explain every wrong value, where there are some, go before the others. */
static bool prefer_common(struct rules *r)
{
	bool common[DIAGNOSIS_COUNT] = {0}, any = false;

	for (int id = 0; id < DIAGNOSIS_COUNT; id++) {
		common[id] = explains_every(r, id);
		any = any || common[id];
	}
	for (size_t i = 0; any && i < r->count; i++)
		for (int id = 0; id < DIAGNOSIS_COUNT; id++)
			r->entries[i].hits[id] = r->entries[i].hits[id] && common[id];
	return any;
}

static void name_hits(struct rules *r, const struct entry *e, struct text param)
{
	size_t from = r->causes->count;

	for (int id = 0; id < DIAGNOSIS_COUNT; id++)
		if (e->hits[id])
			causes_add(r->causes, (enum diagnosis_id)id,
				e->turned && id == DIAG_REPORT_NOT_DIFFERENCE ? TEXT("sign")
									      : param);
	causes_either(r->causes, from);
}

/* One slip in every wrong value is said once. */
static void name_entries(struct rules *r)
{
	bool common = prefer_common(r), said = false;

	for (size_t i = 0; i < r->count; i++) {
		const struct entry *e = &r->entries[i];

		if (!e->wrong || (common && said))
			continue;
		said = true;
		if (has_hit(e))
			name_hits(r, e, common ? (struct text){0} : e->key->name);
		else
			causes_add(r->causes, DIAG_REPORT_WRONG, e->key->name);
	}
}

/* More numbers without an explanation than slips would leave. */
#define FOREIGN_NUMBERS 3

/* Half of all numbers are wrong, and no rule gives most of them: they were counted in other
 * data. */
static bool name_other_data(struct rules *r)
{
	size_t wrong = count_wrong(r), unexplained = 0;

	for (size_t i = 0; i < r->count; i++)
		unexplained += r->entries[i].wrong && !has_hit(&r->entries[i]);
	if (unexplained < FOREIGN_NUMBERS || 2 * wrong < r->count || 2 * unexplained < wrong)
		return false;
	causes_add(r->causes, DIAG_OTHER_DATA, (struct text){0});
	return true;
}

int report_rules(struct grading *g, const struct submission *submissions, const struct json *root,
	struct causes *causes)
{
	struct rules r = {.grading = g,
		.causes = causes,
		.entries = arena_array(g->arena, g->step->key_count + 1, sizeof(*r.entries))};
	const struct report_tables tables = {report_source_get, &r.truth};
	const struct report_mutation m = {
		.arena = g->arena, .lab = g->grader->lab, .grader = g->grader, .tables = &tables};
	int err = 0;

	if (!r.entries || report_source_init(&r.truth, g, NULL) ||
		report_source_init(&r.own, g, submissions))
		return -ENOMEM;
	read_entries(&r, root);
	for (size_t i = 0; i < r.count; i++)
		if (r.entries[i].wrong)
			name_cycle(&r, &r.entries[i]);
	if (count_wrong(&r) > 1)
		keep_root(&r, &m);
	if (count_wrong(&r) > 1 && other_baseline(&r, &m))
		return 0;
	for (size_t i = 0; !err && i < r.count; i++)
		if (r.entries[i].wrong)
			err = explain(&r, &r.entries[i]);
	if (!err && name_other_data(&r))
		return 0;
	if (!err)
		name_entries(&r);
	return err;
}
