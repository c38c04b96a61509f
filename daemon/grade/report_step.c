/* Steps of kind "report": a flat JSON object of integers. A wrong number is held against the
 * learner's own saved outputs as well, so that "consistent, but w5.out is wrong" is told apart from
 * "miscounted". */
#include <errno.h>

#include "daemon/grade/compare.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/report_source.h"
#include "parser/arena.h"
#include "parser/encoding.h"
#include "parser/json.h"

static void add(struct grading *g, enum verdict_kind kind, enum message_id id, struct text arg0,
	struct text arg1)
{
	findings_add(&g->findings, kind, id, arg0, arg1, (struct text){0});
}

static void off(struct grading *g, enum verdict_kind kind, enum message_id id, struct text key,
	struct text other)
{
	struct evidence evidence = {
		.kind = id == MSG_REPORT_KEY ? EVIDENCE_MISSING : EVIDENCE_VALUE, .column = key};

	add(g, kind, id, key, other);
	findings_evidence(&g->findings, &evidence, 1);
}

/* The first step behind an expression whose saved tables are not the asked ones. */
struct wrong_step {
	struct report_source *own;
	struct text file; /* empty while none was found */
};

static void see_step(void *ctx, struct text id)
{
	struct wrong_step *wrong = ctx;
	struct grading *g = wrong->own->grading;
	size_t step = lab_step(g->grader->lab, id);
	const struct expected *expected = &g->grader->expected[step];

	for (size_t i = 0; wrong->file.len == 0 && i < expected->count; i++) {
		const struct table *table = report_source_raw(wrong->own, step, i);
		struct comparison c = {0};

		if (table && compare_tables(g->arena, expected->tables[i], table, 1, &c))
			wrong->own->nomem = true;
		if (!c.equal)
			wrong->file = g->grader->lab->steps[step].file;
	}
}

static void explain_wrong(
	struct grading *g, const struct report_key *key, int64_t value, struct report_source *own)
{
	const struct report_tables tables = {report_source_get, own};
	struct wrong_step wrong = {.own = own};
	int64_t mine;

	if (report_eval(key->expr, &tables, &mine)) {
		off(g, VERDICT_FAIL, MSG_REPORT_WRONG, key->name, (struct text){0});
		return;
	}
	report_steps(key->expr, see_step, &wrong);
	if (mine == value && wrong.file.len)
		off(g, VERDICT_FAIL, MSG_REPORT_OUTPUT, key->name, wrong.file);
	else
		off(g, VERDICT_FAIL, MSG_REPORT_MISCOUNTED, key->name, (struct text){0});
}

static void grade_key(struct grading *g, const struct json *root, const struct report_key *key,
	const struct report_tables *truth, struct report_source *own)
{
	const struct json *member = json_get(root, key->name);
	int64_t value, asked;
	bool form;

	if (!member) {
		off(g, VERDICT_FAIL, MSG_REPORT_KEY, key->name, (struct text){0});
		return;
	}
	if (report_value(member, &value, &form)) {
		off(g, VERDICT_FAIL, MSG_REPORT_NOT_NUMBER, key->name, (struct text){0});
		return;
	}
	if (report_eval(key->expr, truth, &asked))
		findings_add(&g->findings, VERDICT_CANNOT_TELL, MSG_REPORT_UNKNOWN, key->name,
			(struct text){0}, (struct text){0});
	else if (value != asked)
		explain_wrong(g, key, value, own);
	else if (!form)
		off(g, VERDICT_PARTIAL, MSG_REPORT_FORM, key->name, (struct text){0});
}

static void remark_encoding(struct grading *g, unsigned remarks)
{
	if (remarks & ENCODING_UTF16)
		add(g, VERDICT_PASS, MSG_ENCODING, g->step->file, TEXT("UTF-16"));
	else if (remarks & ENCODING_BOM)
		add(g, VERDICT_PASS, MSG_ENCODING, g->step->file, TEXT("UTF-8 (BOM)"));
}

static void refuse_json(struct grading *g, const struct diag *diag)
{
	findings_add(&g->findings, VERDICT_FAIL, MSG_NOT_JSON, g->step->file,
		text_format(g->arena, "%d", diag->line), text_of(diag->text));
}

int grade_report(struct grading *g, const struct submission *submissions)
{
	struct report_source truth, own;
	const struct report_tables tables = {report_source_get, &truth};
	struct text bytes;
	struct json root;
	struct diag diag = {0};
	unsigned remarks = 0;
	int err = encoding_decode(g->arena, g->submission->out.bytes, &bytes, &remarks, &diag);

	if (!err)
		err = json_parse(g->arena, bytes, &root, &diag);
	if (err == -EINVAL)
		refuse_json(g, &diag);
	if (err)
		return err == -EINVAL ? 0 : err;
	if (root.kind != JSON_OBJECT) {
		add(g, VERDICT_FAIL, MSG_REPORT_SHAPE, g->step->file, (struct text){0});
		return 0;
	}
	if (report_source_init(&truth, g, NULL) || report_source_init(&own, g, submissions))
		return -ENOMEM;
	for (size_t i = 0; i < g->step->key_count; i++)
		grade_key(g, &root, &g->step->keys[i], &tables, &own);
	remark_encoding(g, remarks);
	return own.nomem || truth.nomem ? -ENOMEM : 0;
}
