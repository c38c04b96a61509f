/* status.json, read back: what is missing or of another type spoils the whole. The English
 * sentences of messages are not read. */
#include <errno.h>
#include <string.h>

#include "daemon/status.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"

#define FILE_STATES (FILE_TOO_LARGE + 1)
#define VERDICTS    (VERDICT_MISSING + 1)
#define EVIDENCES   (EVIDENCE_EXTRA + 1)

/* Reads members of one object; the first that is missing or of another type spoils the whole. */
struct members {
	struct arena *arena;
	const struct json *object;
	bool bad;
};

/* Of an object that is not there there is no member either. */
static const struct json *find(const struct members *members, const char *name)
{
	return members->object ? json_get(members->object, text_of(name)) : NULL;
}

static const struct json *get(struct members *members, const char *name, enum json_kind kind)
{
	const struct json *value = find(members, name);

	if (value && value->kind == kind)
		return value;
	members->bad = true;
	return NULL;
}

static struct text get_text(struct members *members, const char *name)
{
	const struct json *value = get(members, name, JSON_STRING);

	return value ? value->string : TEXT("");
}

static int64_t get_integer(struct members *members, const char *name)
{
	const struct json *value = get(members, name, JSON_NUMBER);
	int64_t number = 0;

	if (value && json_integer(value, &number) < 0)
		members->bad = true;
	return number;
}

static bool get_bool(struct members *members, const char *name)
{
	const struct json *value = find(members, name);

	if (!value || (value->kind != JSON_TRUE && value->kind != JSON_FALSE))
		members->bad = true;
	return value && value->kind == JSON_TRUE;
}

/* The items of a member that is an array, and room for as many of ours. */
static const struct json *get_array(
	struct members *members, const char *name, size_t size, void *ret_room, size_t *ret_count)
{
	const struct json *array = get(members, name, JSON_ARRAY);
	void **room = ret_room;

	*ret_count = 0;
	if (!array || !array->count)
		return NULL;
	*room = arena_array(members->arena, array->count, size);
	if (!*room) {
		members->bad = true;
		return NULL;
	}
	*ret_count = array->count;
	return array;
}

static struct members within(const struct members *members, const struct json *object)
{
	return (struct members){.arena = members->arena, .object = object};
}

static struct message unpack_message(struct members *members, const struct json *object)
{
	struct members m = within(members, object);
	struct message message = {.id = message_find(get_text(&m, "id"))};
	const struct json *args = get(&m, "args", JSON_ARRAY);

	for (size_t i = 0; args && i < args->count && i < MESSAGE_ARGS; i++)
		message.args[i] = args->items[i]->string;
	members->bad = members->bad || m.bad || message.id == MESSAGE_COUNT;
	return message;
}

static struct evidence unpack_evidence(struct members *members, const struct json *object)
{
	struct members m = within(members, object);
	struct evidence evidence = {.table = (int)get_integer(&m, "table"),
		.window_start = get_text(&m, "window_start"),
		.key = get_text(&m, "key"),
		.column = get_text(&m, "column")};
	struct text kind = get_text(&m, "kind");
	int i = 0;

	while (i < EVIDENCES && !text_eq(kind, text_of(evidence_name((enum evidence_kind)i))))
		i++;
	evidence.kind = (enum evidence_kind)i;
	members->bad = members->bad || m.bad || i == EVIDENCES;
	return evidence;
}

static struct diagnosis unpack_diagnosis(struct members *members, const struct json *object)
{
	struct members m = within(members, object);
	struct diagnosis diagnosis = {.id = diagnosis_find(get_text(&m, "id")),
		.param = get_text(&m, "param"),
		.table = (int)get_integer(&m, "table"),
		.ambiguous = get_bool(&m, "ambiguous"),
		.changes = get_integer(&m, "changes")};

	members->bad = members->bad || m.bad || diagnosis.id == DIAGNOSIS_COUNT;
	return diagnosis;
}

static struct lab_texts unpack_texts(struct members *members, const struct json *object)
{
	struct lab_texts texts = {0};
	size_t count = object && object->kind == JSON_OBJECT ? object->count : 0;

	members->bad = members->bad || !object || object->kind != JSON_OBJECT;
	texts.items = arena_array(members->arena, count, sizeof(*texts.items));
	for (size_t i = 0; texts.items && i < count; i++)
		texts.items[texts.count++] = (struct lab_text){
			.language = object->items[i]->name, .text = object->items[i]->string};
	return texts;
}

static struct status_file unpack_file(struct members *members, const char *name)
{
	struct members m = within(members, get(members, name, JSON_OBJECT));
	struct status_file file = {.name = get_text(&m, "name"),
		.size = get_integer(&m, "size"),
		.mtime_ns = get_integer(&m, "mtime_ns"),
		.sha256 = get_text(&m, "sha256")};
	struct text state = get_text(&m, "state");
	int i = 0;

	while (i < FILE_STATES && !text_eq(state, text_of(status_file_state((enum file_state)i))))
		i++;
	file.state = (enum file_state)i;
	members->bad = members->bad || m.bad || i == FILE_STATES;
	return file;
}

static struct verdict unpack_verdict(struct members *m)
{
	struct text kind = get_text(m, "verdict");
	struct verdict verdict = {.summary = unpack_message(m, get(m, "summary", JSON_OBJECT))};
	const struct json *array;
	int i = 0;

	while (i < VERDICTS && !text_eq(kind, text_of(verdict_name((enum verdict_kind)i))))
		i++;
	verdict.kind = (enum verdict_kind)i;
	m->bad = m->bad || i == VERDICTS;
	array = get_array(
		m, "remarks", sizeof(*verdict.remarks), &verdict.remarks, &verdict.remark_count);
	for (size_t r = 0; r < verdict.remark_count; r++)
		verdict.remarks[r] = unpack_message(m, array->items[r]);
	array = get_array(m, "evidence", sizeof(*verdict.evidence), &verdict.evidence,
		&verdict.evidence_count);
	for (size_t e = 0; e < verdict.evidence_count; e++)
		verdict.evidence[e] = unpack_evidence(m, array->items[e]);
	array = get_array(m, "diagnosis", sizeof(*verdict.diagnosis), &verdict.diagnosis,
		&verdict.diagnosis_count);
	for (size_t d = 0; d < verdict.diagnosis_count; d++)
		verdict.diagnosis[d] = unpack_diagnosis(m, array->items[d]);
	return verdict;
}

static struct look unpack_look(struct members *members)
{
	struct members m = within(members, get(members, "look", JSON_OBJECT));
	struct look look = {.row = get_integer(&m, "row"), .select = get_integer(&m, "select")};
	struct text window = get_text(&m, "window");

	m.bad = m.bad || window.len >= sizeof(look.window);
	if (!m.bad)
		memcpy(look.window, window.ptr, window.len);
	members->bad = members->bad || m.bad;
	return look;
}

static struct lesson_count unpack_count(struct members *members, const char *name)
{
	const struct json *value = find(members, name);
	struct lesson_count count = {.told = true};

	if (value && value->kind == JSON_NULL)
		return (struct lesson_count){0};
	count.number = get_integer(members, name);
	return count;
}

static struct lesson_run unpack_run(struct members *members, const struct json *object)
{
	struct members m = within(members, object);
	struct lesson_run run = {.batch = get_bool(&m, "batch"),
		.windowed = get_bool(&m, "windowed"),
		.rows = unpack_count(&m, "rows"),
		.filtered = unpack_count(&m, "filtered"),
		.dropped = unpack_count(&m, "dropped")};

	members->bad = members->bad || m.bad;
	return run;
}

static struct lab_link unpack_link(struct members *members, const struct json *object)
{
	struct members m = within(members, object);
	struct lab_link link = {.title = unpack_texts(&m, get(&m, "title", JSON_OBJECT)),
		.url = get_text(&m, "url")};

	members->bad = members->bad || m.bad;
	return link;
}

static struct status_step unpack_step(struct members *members, const struct json *object)
{
	struct members m = within(members, object);
	struct status_step step = {
		.name = get_text(&m, "name"),
		.seq = get_integer(&m, "seq"),
		.running = get_bool(&m, "running"),
		.rows = get_integer(&m, "rows"),
		.stale = get_bool(&m, "stale"),
		.searching = get_bool(&m, "searching"),
		.attempt = get_integer(&m, "attempt"),
		.hint_tier = get_integer(&m, "hint_tier"),
		.title = unpack_texts(&m, get(&m, "title", JSON_OBJECT)),
		.learned = unpack_texts(&m, get(&m, "learned", JSON_OBJECT)),
		.verdict = unpack_verdict(&m),
		.look = unpack_look(&m),
		.out = unpack_file(&m, "out"),
		.sql = unpack_file(&m, "sql"),
	};
	const struct json *array;

	array = get_array(&m, "hints", sizeof(*step.hints), &step.hints, &step.hint_count);
	for (size_t i = 0; i < step.hint_count; i++)
		step.hints[i] = unpack_texts(&m, array->items[i]);
	array = get_array(&m, "links", sizeof(*step.links), &step.links, &step.link_count);
	for (size_t i = 0; i < step.link_count; i++)
		step.links[i] = unpack_link(&m, array->items[i]);
	array = get_array(
		&m, "runs", sizeof(*step.lesson.runs), &step.lesson.runs, &step.lesson.count);
	for (size_t i = 0; i < step.lesson.count; i++)
		step.lesson.runs[i] = unpack_run(&m, array->items[i]);
	members->bad = members->bad || m.bad;
	return step;
}

static struct status_lab unpack_lab(struct members *members, const struct json *object)
{
	struct members m = within(members, object);
	struct status_lab lab = {.name = get_text(&m, "name"),
		.folder = get_text(&m, "folder"),
		.problem = get_text(&m, "problem"),
		.latest = (size_t)get_integer(&m, "latest"),
		.title = unpack_texts(&m, get(&m, "title", JSON_OBJECT))};
	const struct json *array;

	array = get_array(&m, "steps", sizeof(*lab.steps), &lab.steps, &lab.step_count);
	for (size_t i = 0; i < lab.step_count; i++)
		lab.steps[i] = unpack_step(&m, array->items[i]);
	members->bad = members->bad || m.bad;
	return lab;
}

int status_unpack_json(
	struct arena *arena, struct text bytes, struct status *ret, struct diag *reterr)
{
	struct members m = {.arena = arena};
	struct status status;
	const struct json *array;
	struct json root;
	int r;

	r = json_parse(arena, bytes, &root, reterr);
	if (r < 0)
		return r;
	m.object = &root;
	if (get_integer(&m, "version") != STATUS_VERSION || m.bad)
		return diag_set(
			reterr, -EINVAL, 0, 0, "not a status of version %d", STATUS_VERSION);
	status = (struct status){.seq = get_integer(&m, "seq"), .pid = get_integer(&m, "pid")};
	array = get_array(
		&m, "notices", sizeof(*status.notices), &status.notices, &status.notice_count);
	for (size_t i = 0; i < status.notice_count; i++)
		status.notices[i] = unpack_message(&m, array->items[i]);
	array = get_array(&m, "labs", sizeof(*status.labs), &status.labs, &status.lab_count);
	for (size_t i = 0; i < status.lab_count; i++)
		status.labs[i] = unpack_lab(&m, array->items[i]);
	if (m.bad)
		return diag_set(reterr, -EINVAL, 0, 0, "a member is missing or of another type");
	*ret = status;
	return 0;
}
