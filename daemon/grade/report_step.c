/* Steps of kind "report": a flat JSON object of integers. A wrong number is held against the
 * learner's own saved outputs as well, so that "consistent, but w5.out is wrong" is told apart from
 * "miscounted". */
#include <errno.h>

#include "daemon/grade/choose.h"
#include "daemon/grade/compare.h"
#include "daemon/grade/grader.h"
#include "daemon/grade/lines.h"
#include "daemon/grade/report.h"
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

/* The lab's tables, or the learner's, behind the expressions. */
struct source {
	struct grading *grading;
	const struct submission *submissions; /* NULL: the lab's own */
	struct choice *choices;		      /* an entry a step, read when first asked for */
	const struct table ***typed; /* its tables as expressions read them; NULL: not yet */
	bool *read;
	bool nomem;
};

static void read_choice(struct source *s, size_t step)
{
	struct grading *g = s->grading;
	const struct saved_file *file = &s->submissions[step].out;
	const struct expected *expected = &g->grader->expected[step];
	struct transcript transcript;

	s->read[step] = true;
	if (file->state != FILE_THERE ||
		transcript_parse(g->arena, g->grader->patterns, file->bytes, &transcript, NULL))
		return;
	if (choose_tables(
		    g->arena, &transcript, expected->tables, expected->count, &s->choices[step]))
		s->nomem = true;
}

/* The table that stands for an asked one, as it was printed; NULL: none. */
static const struct table *raw_table(struct source *s, size_t step, size_t number)
{
	if (!s->submissions)
		return s->grading->grader->expected[step].tables[number];
	if (!s->read[step])
		read_choice(s, step);
	if (!s->choices[step].tables || !s->choices[step].tables[number])
		return NULL;
	return &s->choices[step].tables[number]->table;
}

/* The asked table with the rows of another: under the asked names and types, in the order of the
 * file. NULL where a cell is no value of its type. */
static const struct table *with_rows(
	struct arena *arena, const struct table *asked, struct lines *lines)
{
	struct table *table = ARENA_NEW(arena, struct table);

	if (!table)
		return NULL;
	*table = *asked;
	table->rows = arena_array(arena, lines->count + 1, sizeof(*table->rows));
	table->row_count = lines->count;
	if (!table->rows)
		return NULL;
	lines_by_place(lines);
	for (size_t i = 0; i < lines->count; i++) {
		if (lines->items[i].unreadable)
			return NULL;
		table->rows[i] = *lines->items[i].source;
		table->rows[i].op = OP_INSERT;
		table->rows[i].cells = (struct value *)lines->items[i].cells;
	}
	return table;
}

static const struct table *typed_table(struct source *s, size_t step, size_t number)
{
	struct arena *arena = s->grading->arena;
	const struct table *asked = s->grading->grader->expected[step].tables[number];
	const struct table *raw = raw_table(s, step, number);
	struct comparison c;
	struct lines lines;

	if (!raw)
		return NULL;
	if (compare_tables(arena, asked, raw, 1, &c) ||
		lines_fold(arena, asked, raw, c.map.of, &lines)) {
		s->nomem = true;
		return NULL;
	}
	return with_rows(arena, asked, &lines);
}

static const struct table *get_table(void *ctx, struct text id, size_t number)
{
	struct source *s = ctx;
	const struct grader *grader = s->grading->grader;
	size_t step = lab_step(grader->lab, id);
	const struct table **typed;

	if (step == grader->lab->step_count || number > grader->expected[step].count)
		return NULL;
	if (!s->typed[step])
		s->typed[step] = arena_array(
			s->grading->arena, grader->expected[step].count, sizeof(**s->typed));
	typed = s->typed[step];
	if (!typed) {
		s->nomem = true;
		return NULL;
	}
	if (!typed[number - 1])
		typed[number - 1] = typed_table(s, step, number - 1);
	return typed[number - 1];
}

static int source_init(struct source *s, struct grading *g, const struct submission *submissions)
{
	size_t count = g->grader->lab->step_count + 1;

	*s = (struct source){.grading = g,
		.submissions = submissions,
		.choices = arena_array(g->arena, count, sizeof(*s->choices)),
		.typed = arena_array(g->arena, count, sizeof(*s->typed)),
		.read = arena_array(g->arena, count, sizeof(*s->read))};
	return s->choices && s->typed && s->read ? 0 : -ENOMEM;
}

/* The first step behind an expression whose saved tables are not the asked ones. */
struct wrong_step {
	struct source *own;
	struct text file; /* empty while none was found */
};

static void see_step(void *ctx, struct text id)
{
	struct wrong_step *wrong = ctx;
	struct grading *g = wrong->own->grading;
	size_t step = lab_step(g->grader->lab, id);
	const struct expected *expected = &g->grader->expected[step];

	for (size_t i = 0; wrong->file.len == 0 && i < expected->count; i++) {
		const struct table *table = raw_table(wrong->own, step, i);
		struct comparison c = {0};

		if (table && compare_tables(g->arena, expected->tables[i], table, 1, &c))
			wrong->own->nomem = true;
		if (!c.equal)
			wrong->file = g->grader->lab->steps[step].file;
	}
}

static void explain_wrong(
	struct grading *g, const struct report_key *key, int64_t value, struct source *own)
{
	const struct report_tables tables = {get_table, own};
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

/* Digits of a JSON number with its point taken out and its exponent put in: 6e2, 15.0. 0 where that
 * is an integer, else -EINVAL. */
static int whole_number(struct text number, int64_t *ret)
{
	char digits[64];
	size_t count = 0, exponent_at = 0;
	int64_t exponent = 0;

	while (exponent_at < number.len && (number.ptr[exponent_at] | 0x20) != 'e')
		exponent_at++;
	if (exponent_at < number.len &&
		text_to_int64(text_slice(number, exponent_at + 1, number.len), &exponent))
		return -EINVAL;
	for (size_t i = 0, point = 0; i < exponent_at; i++) {
		point += number.ptr[i] == '.';
		if (count == sizeof(digits) / 2)
			return -EINVAL;
		if (number.ptr[i] == '.')
			continue;
		digits[count++] = number.ptr[i];
		exponent -= (int64_t)point;
	}
	for (; exponent > 0 && count < sizeof(digits); exponent--)
		digits[count++] = '0';
	for (; exponent < 0 && count && digits[count - 1] == '0'; exponent++)
		count--;
	return exponent ? -EINVAL : text_to_int64((struct text){digits, count}, ret);
}

static int read_value(const struct json *value, int64_t *ret, bool *form)
{
	*form = json_integer(value, ret) == 0;
	if (*form)
		return 0;
	if (value->kind == JSON_NUMBER)
		return whole_number(value->string, ret);
	if (value->kind == JSON_STRING)
		return text_to_int64(text_trim(value->string), ret);
	return -EINVAL;
}

static void grade_key(struct grading *g, const struct json *root, const struct report_key *key,
	const struct report_tables *truth, struct source *own)
{
	const struct json *member = json_get(root, key->name);
	int64_t value, asked;
	bool form;

	if (!member) {
		off(g, VERDICT_FAIL, MSG_REPORT_KEY, key->name, (struct text){0});
		return;
	}
	if (read_value(member, &value, &form)) {
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
	struct source truth, own;
	const struct report_tables tables = {get_table, &truth};
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
	if (source_init(&truth, g, NULL) || source_init(&own, g, submissions))
		return -ENOMEM;
	for (size_t i = 0; i < g->step->key_count; i++)
		grade_key(g, &root, &g->step->keys[i], &tables, &own);
	remark_encoding(g, remarks);
	return own.nomem || truth.nomem ? -ENOMEM : 0;
}
