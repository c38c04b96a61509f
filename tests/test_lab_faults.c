/* Every key of every lab.json, spoilt in every way: missing, of another type, there twice,
 * unknown; and every element of a list, of another type. A fault must be told at its very place.
 * The keys are found by walking over the labs that ship, so that none is forgotten; what may be
 * missing is said here, and only here.
 *
 * A lab is changed as a tree and printed; places are those of the printed text when it is read
 * again. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "daemon/grade/fixture_new.h"
#include "daemon/intake.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/json.h"
#include "parser/limits.h"
#include "tests/test.h"

#define LABS  "contrib/labs"
#define DEPTH 16

struct walk {
	struct arena arena;
	struct json root;
	struct text csv;	/* of the lab's first fixture */
	size_t path[DEPTH];	/* of the member that is changed: an index at each level */
	const char *key[DEPTH]; /* its name; "" in a list */
	size_t depth;
	bool whole; /* texts in every language, and not in English alone */
	int changes, missed;
};

static struct text read_text(struct arena *arena, const char *path)
{
	struct intake intake = {0};

	CHECK(intake_read(arena, AT_FDCWD, path, LIMIT_OUT_BYTES, &intake, NULL) == 0);
	return intake.file.bytes;
}

/* ---- what may be missing ---- */

/* The key of the list or object that holds an object: "steps" of a step; "" of the root. */
static const char *holder(const struct walk *walk)
{
	for (size_t i = walk->depth - 1; i > 0; i--)
		if (walk->key[i - 1][0])
			return walk->key[i - 1];
	return "";
}

/* names: " a b c " */
static bool is_one_of(struct arena *arena, const char *name, const char *names)
{
	return text_find(text_of(names), text_format(arena, " %s ", name)) < strlen(names);
}

static bool may_miss(struct walk *walk)
{
	static const struct {
		const char *holder, *optional;
	} keys[] = {{"", " languages "}, {"fixtures", " data rowtime properties "},
		{"steps", " after asks form title hints learned links "},
		{"form", " names order extra rows mode missing types "},
		{"properties", " min max interval kept more by "}, {"title", " ja zh_CN ko "},
		{"hints", " ja zh_CN ko "}, {"learned", " ja zh_CN ko "}};
	const char *name = walk->key[walk->depth - 1];

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i].holder, holder(walk)) == 0)
			return is_one_of(&walk->arena, name, keys[i].optional);
	return strcmp(holder(walk), "keys") == 0;
}

/* ---- looking ---- */

static bool is_at(const struct json *place, int line, int col)
{
	return place && place->line == line && place->col == col;
}

static int no_reference(
	void *ctx, struct arena *arena, struct text path, struct text *ret, struct diag *reterr)
{
	(void)ctx;
	(void)arena;
	(void)path;
	(void)ret;
	return diag_set(reterr, -ENOENT, 0, 0, "there is no such file");
}

/* Is something told at this place, or nothing at all where it is NULL? */
static bool told(struct walk *walk, struct arena *arena, struct text json, const struct json *place)
{
	const struct lab_files no_files = {.read = no_reference};
	struct sim_files no_data = {0};
	struct lab_faults faults = {0};
	struct fixture_findings findings = {0};
	struct lab lab;
	int err = lab_parse_all(arena, json, &lab, &faults);
	const struct fixture_source source = {
		.lab = &lab, .lab_files = &no_files, .data = &no_data, .bytes = &walk->csv};
	bool found = false;

	for (size_t i = 0; err == -EINVAL && i < faults.count; i++)
		found = found || is_at(place, faults.items[i].line, faults.items[i].col);
	if (err == 0 && lab.fixture_count == 1)
		CHECK(fixture_lint(arena, &source, &findings) == 0);
	for (size_t i = 0; i < findings.count; i++)
		found = found || (findings.items[i].wrong && is_at(place, findings.items[i].line,
								     findings.items[i].col));
	return place ? found : err == 0;
}

/* The node at a path of the text. */
static const struct json *node_at(
	struct arena *arena, struct text json, const size_t *path, size_t depth)
{
	struct json *root = ARENA_NEW(arena, struct json);

	if (json_parse(arena, json, root, NULL))
		return NULL;
	for (size_t i = 0; i < depth; i++)
		root = root->items[path[i]];
	return root;
}

static void judge(struct walk *walk, const char *what, bool ok)
{
	walk->changes++;
	if (ok)
		return;
	walk->missed++;
	printf("# %s:", what);
	for (size_t i = 0; i < walk->depth; i++)
		printf(" %s[%zu]", walk->key[i], walk->path[i]);
	printf("\n");
}

/* Prints the changed tree, and asks for the fault: at the member itself, or `up` levels above
 * it. */
static void look(struct walk *walk, const char *what, size_t up, bool allowed)
{
	struct arena arena;
	struct text json;
	const struct json *place;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	CHECK(json_print(&arena, &walk->root, true, &json) == 0);
	place = node_at(&arena, json, walk->path, walk->depth - up);
	judge(walk, what, (allowed || place) && told(walk, &arena, json, allowed ? NULL : place));
	arena_finish(&arena);
}

/* ---- changes ---- */

static void retype(struct walk *walk, struct json *member)
{
	static const struct json others[] = {{.kind = JSON_NULL},
		{.kind = JSON_NUMBER, .string = {"7", 1}},
		{.kind = JSON_STRING, .string = {"?", 1}}, {.kind = JSON_ARRAY},
		{.kind = JSON_OBJECT}};
	const struct json was = *member;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (others[i].kind == was.kind)
			continue;
		*member = others[i];
		member->name = was.name;
		look(walk, "of another type", 0, false);
	}
	*member = was;
}

static void drop(struct walk *walk, struct json *object, size_t at)
{
	struct json *member = object->items[at];

	memmove(&object->items[at], &object->items[at + 1],
		(object->count - at - 1) * sizeof(*object->items));
	object->count--;
	if (object->count || !may_miss(walk))
		look(walk, "missing", 1, may_miss(walk));
	memmove(&object->items[at + 1], &object->items[at],
		(object->count - at) * sizeof(*object->items));
	object->items[at] = member;
	object->count++;
}

/* One more member behind all others. Its place is that of a member whose name is as long. */
static void add(struct walk *walk, struct json *object, struct json *more, const char *what)
{
	struct json **was = object->items;
	struct text name = more->name, json;
	struct arena arena;
	const struct json *place;
	char other[64];
	size_t end = walk->path[walk->depth - 1];

	arena_init(&arena, LIMIT_GRADE_ARENA);
	object->items = arena_array(&arena, object->count + 1, sizeof(*object->items));
	memcpy(object->items, was, object->count * sizeof(*was));
	object->items[object->count++] = more;
	walk->path[walk->depth - 1] = object->count - 1;
	CHECK(name.len < sizeof(other));
	memset(other, 'z', sizeof(other));
	more->name = (struct text){other, name.len};
	CHECK(json_print(&arena, &walk->root, true, &json) == 0);
	place = node_at(&arena, json, walk->path, walk->depth);
	more->name = name;
	CHECK(json_print(&arena, &walk->root, true, &json) == 0);
	judge(walk, what, place && told(walk, &arena, json, place));
	walk->path[walk->depth - 1] = end;
	object->items = was;
	object->count--;
	arena_finish(&arena);
}

static bool is_skipped(const struct walk *walk, const struct json *member)
{
	return !walk->whole &&
	       (text_eq(member->name, TEXT("ja")) || text_eq(member->name, TEXT("zh_CN")) ||
		       text_eq(member->name, TEXT("ko")));
}

static void spoil(struct walk *walk, struct json *parent)
{
	size_t level = walk->depth++;
	bool object = parent->kind == JSON_OBJECT;

	CHECK(walk->depth < DEPTH);
	for (size_t i = 0; i < parent->count; i++) {
		struct json *member = parent->items[i], copy = *member;

		if (is_skipped(walk, member))
			continue;
		walk->path[level] = i;
		walk->key[level] = object ? text_copy(&walk->arena, member->name).ptr : "";
		retype(walk, member);
		if (object) {
			drop(walk, parent, i);
			add(walk, parent, &copy, "twice");
		}
		spoil(walk, member);
	}
	if (object) {
		struct json more = {.kind = JSON_NULL, .name = TEXT("nope")};

		walk->path[level] = parent->count;
		walk->key[level] = "nope";
		add(walk, parent, &more, "unknown");
	}
	walk->depth--;
}

static void spoil_lab(const char *name, bool whole)
{
	struct walk walk = {.whole = whole};
	struct lab lab;
	struct text json, path;

	arena_init(&walk.arena, LIMIT_GRADE_ARENA);
	path = text_format(&walk.arena, LABS "/%s/lab.json", name);
	json = read_text(&walk.arena, path.ptr);
	CHECK(json_parse(&walk.arena, json, &walk.root, NULL) == 0);
	CHECK(lab_parse(&walk.arena, json, &lab, NULL) == 0 && lab.fixture_count == 1);
	path = text_format(&walk.arena, LABS "/%s/%.*s", name, TEXT_ARG(lab.fixtures[0].data));
	walk.csv = read_text(&walk.arena, path.ptr);
	spoil(&walk, &walk.root);
	printf("# %s: %d changes, %d are not told\n", name, walk.changes, walk.missed);
	CHECK(walk.changes > 500 && walk.missed == 0);
	arena_finish(&walk.arena);
}

TEST(each_key_that_is_spoilt_is_told_at_its_place)
{
	struct dirent **names = NULL;
	int count = scandir(LABS, &names, NULL, alphasort), labs = 0;

	for (int i = 0; i < count; i++) {
		if (names[i]->d_type == DT_DIR && names[i]->d_name[0] != '.') {
			spoil_lab(names[i]->d_name, labs == 0);
			labs++;
		}
		free(names[i]);
	}
	free(names);
	CHECK(labs >= 3);
}

/* ---- many at once, and what is no JSON ---- */

static size_t count_faults(const char *json)
{
	struct lab_faults faults = {0};
	struct arena arena;
	struct lab lab;
	int err;

	arena_init(&arena, 1 << 20);
	err = lab_parse_all(&arena, text_of(json), &lab, &faults);
	CHECK((err == -EINVAL) == (faults.count > 0) && (err == 0 || err == -EINVAL));
	arena_finish(&arena);
	return faults.count;
}

TEST(all_faults_are_told_at_once)
{
	/* version, name, title, languages and a fixture's path; "form" is missing; "steps" holds
	 * no step */
	CHECK(count_faults("{\"version\": 2, \"name\": \"a b\", \"title\": {\"ja\": \"x\"}, "
			   "\"folder\": \"/f\", \"languages\": [\"ja\"], \"steps\": [], "
			   "\"fixtures\": [{\"path\": \"x\", \"columns\": [{\"name\": \"a\", "
			   "\"type\": \"INT\"}]}]}") == 7);
	CHECK(count_faults("{}") == 7);
	CHECK(count_faults("") == 1 && count_faults("{") == 1 && count_faults("[]") == 1);
	/* one key twice, and six that are missing */
	CHECK(count_faults("{\"name\": \"a\", \"name\": \"a\"}") == 7);
}

TEST(deep_nesting_is_a_fault_like_any_other)
{
	static char deep[20000];

	memset(deep, '[', sizeof(deep) - 1);
	CHECK(count_faults(deep) == 1);
	for (size_t i = 0; i + 5 < sizeof(deep); i += 5)
		memcpy(deep + i, "{\"a\":", 5);
	CHECK(count_faults(deep) == 1);
}

int main(void)
{
	RUN(each_key_that_is_spoilt_is_told_at_its_place);
	RUN(all_faults_are_told_at_once);
	RUN(deep_nesting_is_a_fault_like_any_other);
	return test_finish();
}
