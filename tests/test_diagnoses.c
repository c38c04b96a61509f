/* The recorded learner cases: each note names the cause in the catalogue's vocabulary, and the grader
 * names it, part of it, or nothing; never another one.
 *
 *	diagnosis: ID[=param][@n][, ID...] [| alternative]      "-": a right answer
 *
 * A comma joins causes that are all there, "|" separates answers that the evidence cannot tell apart. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "daemon/grade/diagnose.h"
#include "daemon/intake.h"
#include "daemon/labs.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/limits.h"
#include "tests/test.h"

#define RECORDED "tests/recorded"

/* Causes of one alternative at most, and alternatives. */
enum { CAUSES = 8 };

enum match { EXACT, AMONG, PART, NOTHING, WRONG, OUTCOMES };

static const char *const outcome_names[] = {
	"exactly", "among several", "in part", "not at all", "wrongly"};

struct cause {
	struct text id, param;
};

struct answer {
	struct cause causes[CAUSES];
	size_t count;
};

struct walk {
	struct arena arena;
	struct labs labs;
	bool without_sql; /* the output alone is looked at */
	int outcomes[OUTCOMES], right_answers, accused;
};

static struct text read_text(struct arena *arena, int dirfd, const char *name)
{
	struct intake intake = {0};

	if (intake_read(arena, dirfd, name, LIMIT_OUT_BYTES, &intake, NULL))
		return (struct text){0};
	return intake.file.bytes;
}

/* The rest of the line of a note that starts with this. */
static struct text note_line(struct text note, const char *start)
{
	struct text line;

	while (text_next_line(&note, &line))
		if (text_starts(line, text_of(start)))
			return text_trim(text_slice(line, strlen(start), line.len));
	return (struct text){0};
}

/* Cuts off what stands before the first mark; false at the end. */
static bool next_part(struct text *rest, const char *mark, struct text *ret)
{
	size_t at = text_find(*rest, text_of(mark));

	if (!rest->ptr)
		return false;
	*ret = text_trim(text_slice(*rest, 0, at));
	*rest = at < rest->len ? text_slice(*rest, at + strlen(mark), rest->len) : (struct text){0};
	return true;
}

static struct answer parse_answer(struct text t)
{
	struct answer answer = {0};
	struct text part;

	while (answer.count < CAUSES && next_part(&t, ",", &part)) {
		size_t sign = text_find(part, TEXT("="));
		struct text id = text_slice(part, 0, sign);

		id = text_slice(id, 0, text_find(id, TEXT("@")));
		answer.causes[answer.count++] = (struct cause){id,
			sign < part.len ? text_slice(part, sign + 1, part.len) : (struct text){0}};
	}
	return answer;
}

/* Parameters of these ids are exact; those of others are for the reader. */
static bool has_exact_param(struct text id)
{
	static const char *const ids[] = {"delay", "interval", "window-size", "window-slide",
		"session-gap", "offset", "topn-n", "window-kind", "parallelism"};

	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++)
		if (text_eq(id, text_of(ids[i])))
			return true;
	return false;
}

/* Effects that a cause brings with it: who names them as well, or them alone, is less helpful, not
 * wrong. */
static bool is_effect(const struct diagnosis *given, struct text root)
{
	static const struct {
		const char *root;
		enum diagnosis_id effect;
	} effects[] = {{"set-after-query", DIAG_STREAMING_MODE},
		{"set-after-query", DIAG_INTERVAL_MISSING}, {"set-after-query", DIAG_NO_TABLEAU},
		{"set-misspelt", DIAG_STREAMING_MODE}, {"set-misspelt", DIAG_INTERVAL_MISSING},
		{"set-misspelt", DIAG_NO_TABLEAU}, {"set-lost", DIAG_STREAMING_MODE},
		{"set-lost", DIAG_INTERVAL_MISSING}, {"set-lost", DIAG_NO_TABLEAU},
		{"no-window", DIAG_CHANGELOG}, {"group-key-missing", DIAG_CHANGELOG},
		{"topn-partition", DIAG_CHANGELOG}, {"limit", DIAG_CHANGELOG},
		{"order-by", DIAG_CHANGELOG}, {"emit-options", DIAG_CHANGELOG},
		{"filter-extra", DIAG_ANOTHER_STEP}, {"aggregated", DIAG_ANOTHER_STEP},
		{"window-kind", DIAG_ANOTHER_STEP}, {"interval", DIAG_ANOTHER_STEP},
		{"other-data", DIAG_ERROR_CSV}, {"ddl-columns", DIAG_ERROR_CSV},
		{"unbounded-source", DIAG_INTERRUPTED}, {"unbounded-source", DIAG_TRUNCATED},
		{"processing-time", DIAG_NO_WATERMARK}};

	for (size_t i = 0; i < sizeof(effects) / sizeof(effects[0]); i++)
		if (effects[i].effect == given->id && text_eq(root, text_of(effects[i].root)))
			return true;
	return false;
}

static bool names(const struct diagnosis *given, const struct cause *cause)
{
	struct text param = text_slice(cause->param, 0, text_find(cause->param, TEXT("@")));

	if (!text_eq(text_of(diagnosis_name(given->id)), cause->id))
		return false;
	return !has_exact_param(cause->id) || !param.len || !given->param.len ||
	       text_eq(given->param, param);
}

/* Causes of the answer that are given. */
static size_t found_in(const struct verdict *verdict, const struct answer *answer)
{
	size_t found = 0;

	for (size_t i = 0; i < answer->count; i++)
		for (size_t k = 0; k < verdict->diagnosis_count; k++)
			if (names(&verdict->diagnosis[k], &answer->causes[i])) {
				found++;
				break;
			}
	return found;
}

/* Given ones, those for certain or the others, that the answer does not have. */
static size_t beside(const struct verdict *verdict, const struct answer *answer, bool ambiguous)
{
	size_t count = 0;

	for (size_t k = 0; k < verdict->diagnosis_count; k++) {
		size_t i = 0;

		if (verdict->diagnosis[k].ambiguous != ambiguous ||
			verdict->diagnosis[k].id == DIAG_UNRECOGNISED)
			continue;
		while (i < answer->count && !names(&verdict->diagnosis[k], &answer->causes[i]) &&
			!is_effect(&verdict->diagnosis[k], answer->causes[i].id))
			i++;
		count += i == answer->count;
	}
	return count;
}

/* Is an effect of the answer's among what is given? */
static bool has_effect(const struct verdict *verdict, const struct answer *answer)
{
	for (size_t k = 0; k < verdict->diagnosis_count; k++)
		for (size_t i = 0; i < answer->count; i++)
			if (is_effect(&verdict->diagnosis[k], answer->causes[i].id))
				return true;
	return false;
}

static enum match judge_answer(const struct verdict *verdict, const struct answer *answer)
{
	size_t found = found_in(verdict, answer);

	if (beside(verdict, answer, false) ||
		(found == 0 && beside(verdict, answer, true) && !has_effect(verdict, answer)))
		return WRONG;
	if (found == 0)
		return NOTHING;
	if (beside(verdict, answer, true))
		return AMONG;
	return found == answer->count ? EXACT : PART;
}

/* The best of the note's alternatives; ambiguous causes that are all among them are exact. */
static enum match judge(const struct verdict *verdict, struct text noted)
{
	enum match best = WRONG;
	struct answer all = {0};
	struct text part;

	while (next_part(&noted, "|", &part)) {
		struct answer answer = parse_answer(part);
		enum match outcome = judge_answer(verdict, &answer);

		best = outcome < best ? outcome : best;
		for (size_t i = 0; i < answer.count && all.count < CAUSES; i++)
			all.causes[all.count++] = answer.causes[i];
	}
	return best == AMONG && beside(verdict, &all, true) == 0 ? EXACT : best;
}

static void print_given(const struct verdict *verdict)
{
	for (size_t i = 0; i < verdict->diagnosis_count; i++)
		printf("%s%s%s%.*s", i == 0 ? "" : (verdict->diagnosis[i].ambiguous ? " | " : ", "),
			diagnosis_name(verdict->diagnosis[i].id),
			verdict->diagnosis[i].param.len ? "=" : "",
			TEXT_ARG(verdict->diagnosis[i].param));
}

static void take(struct walk *walk, const struct loaded_lab *lab, const char *name,
	struct text noted, const struct verdict *verdict)
{
	enum match outcome = judge(verdict, noted);

	if (text_starts(noted, TEXT("-"))) {
		walk->right_answers++;
		if (verdict->kind != VERDICT_PASS || outcome != WRONG)
			return;
		walk->accused++;
	} else {
		walk->outcomes[outcome]++;
		if (outcome == EXACT)
			return;
	}
	printf("# %.*s/%s: named %s: noted %.*s, given ", TEXT_ARG(lab->lab.name), name,
		outcome_names[outcome], TEXT_ARG(noted));
	print_given(verdict);
	printf(" (%s %s)\n", verdict_name(verdict->kind), message_name(verdict->summary.id));
}

static int read_submission(
	struct arena *arena, int dirfd, const struct step *step, struct submission *ret)
{
	struct intake out = {0}, sql = {0};
	struct text name = text_copy(arena, step->file);
	int err = intake_read(arena, dirfd, name.ptr, LIMIT_OUT_BYTES, &out, NULL);

	name = text_copy(arena, step->sql);
	if (!err && step->sql.len)
		err = intake_read(arena, dirfd, name.ptr, LIMIT_SQL_BYTES, &sql, NULL);
	*ret = (struct submission){.out = out.file, .sql = sql.file};
	return err;
}

static void diagnose_case(
	struct walk *walk, const struct loaded_lab *lab, int parent, const char *name)
{
	struct arena arena;
	int dirfd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct submission *submissions;
	struct verdict verdict = {0};
	struct text note;
	size_t step;

	arena_init(&arena, LIMIT_GRADE_ARENA);
	submissions = arena_array(&arena, lab->lab.step_count, sizeof(*submissions));
	note = read_text(&arena, dirfd, "note.txt");
	step = lab_step(&lab->lab, note_line(note, "step:"));
	CHECK(dirfd >= 0 && submissions && step < lab->lab.step_count);
	for (size_t i = 0; i < lab->lab.step_count; i++)
		CHECK(read_submission(&arena, dirfd, &lab->lab.steps[i], &submissions[i]) == 0);
	for (size_t i = 0; walk->without_sql && i < lab->lab.step_count; i++)
		submissions[i].sql = (struct saved_file){.state = FILE_MISSING};
	CHECK(grade_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	CHECK(diagnose_step(&arena, lab->grader, step, submissions, &verdict, NULL) == 0);
	if (!walk->without_sql || lab->lab.steps[step].kind == STEP_TABLES)
		take(walk, lab, name, note_line(note, "diagnosis:"), &verdict);
	close(dirfd);
	arena_finish(&arena);
}

static void diagnose_lab(struct walk *walk, const struct loaded_lab *lab, const char *folder)
{
	struct text path =
		text_format(&walk->arena, RECORDED "/%.*s/%s", TEXT_ARG(lab->lab.name), folder);
	struct dirent **names = NULL;
	int parent = open(path.ptr, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int count = scandir(path.ptr, &names, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		if (lab->grader && names[i]->d_name[0] != '.')
			diagnose_case(walk, lab, parent, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	if (parent >= 0)
		close(parent);
}

/* Walks through the cases of a folder, over the data of this root. */
static void diagnose_cases(struct walk *walk, const char *folder, const char *root)
{
	struct lab_places places = {.dirs = {"contrib/labs"}, .count = 1};
	struct diag diag = {0};

	CHECK(labs_load(&walk->labs, &places, root, NULL, true, &diag) == 0);
	for (size_t i = 0; i < walk->labs.count; i++)
		diagnose_lab(walk, walk->labs.items[i], folder);
	labs_finish(&walk->labs);
}

static void walk_labs(struct walk *walk, const char *what)
{
	arena_init(&walk->arena, LIMIT_GRADE_ARENA);
	diagnose_cases(walk, "mistakes", RECORDED "/root");
	diagnose_cases(walk, "more", RECORDED "/root");
	diagnose_cases(walk, "other_data", RECORDED "/root2");
	printf("## recorded causes%s:", what);
	for (int i = 0; i < OUTCOMES; i++)
		printf(" %d named %s%s", walk->outcomes[i], outcome_names[i],
			i + 1 < OUTCOMES ? "," : "\n");
	CHECK(walk->right_answers > 60 && walk->accused == 0);
	CHECK(walk->outcomes[WRONG] == 0);
	arena_finish(&walk->arena);
}

TEST(no_recorded_case_gets_a_cause_that_is_not_its_own)
{
	struct walk walk = {0};

	walk_labs(&walk, "");
}

TEST(nor_does_it_without_the_sql)
{
	struct walk walk = {.without_sql = true};

	walk_labs(&walk, " from the output alone");
}

int main(void)
{
	RUN(no_recorded_case_gets_a_cause_that_is_not_its_own);
	RUN(nor_does_it_without_the_sql);
	return test_finish();
}
