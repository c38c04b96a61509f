/* Reading lab.json: what its parts share. */
#ifndef EWIN_DAEMON_GRADE_LAB_READ_H
#define EWIN_DAEMON_GRADE_LAB_READ_H

#include "daemon/grade/lab.h"
#include "parser/json.h"

/* A key that an object has or may have. */
struct lab_key {
	const char *name;
	enum json_kind kind;
	bool optional;
};

/* -EINVAL, and the diag says this sentence with the value's place. */
int lab_refuse(const struct json *at, struct diag *reterr, const char *what);

/* Has an object each of these keys that is not optional, each of its type, and no other? */
int lab_check_keys(
	const struct json *object, const struct lab_key *keys, size_t count, struct diag *reterr);

#define LAB_CHECK_KEYS(object, keys, reterr) \
	lab_check_keys((object), (keys), sizeof(keys) / sizeof((keys)[0]), (reterr))

/* The text of a member; empty where it is not there. */
struct text lab_string(const struct json *object, const char *name);

/* Made of letters, digits and these others, of 1 to 64 bytes, not beginning with a dot? Names go
 * into status lines and file names. */
bool lab_is_plain(struct text name, const char *others);

/* A path within the lab's folder: relative, not empty, without "..". */
bool lab_is_inside(struct text path);

/* TEXTS; *ret stays empty where the object has no such member. */
int lab_read_texts(struct arena *arena, const struct json *object, const char *name,
	struct lab_texts *ret, struct diag *reterr);

/* A list of TEXTS. */
int lab_read_hints(
	struct arena *arena, const struct json *list, struct step *step, struct diag *reterr);
int lab_read_links(
	struct arena *arena, const struct json *list, struct step *step, struct diag *reterr);

int lab_read_languages(
	struct arena *arena, const struct json *root, struct lab *lab, struct diag *reterr);

int lab_read_fixtures(
	struct arena *arena, const struct json *list, struct lab *lab, struct diag *reterr);

/* The steps with what each says of the others. */
int lab_read_steps(
	struct arena *arena, const struct json *root, struct lab *lab, struct diag *reterr);

#endif
