/* Reading lab.json: what its parts share. Each part goes on behind a fault, so that an author
 * sees all of them at once. */
#ifndef EWIN_DAEMON_GRADE_LAB_READ_H
#define EWIN_DAEMON_GRADE_LAB_READ_H

#include "daemon/grade/lab.h"
#include "parser/json.h"

struct lab_reading {
	struct arena *arena; /* of the lab; the JSON is gone afterwards */
	struct lab_faults faults;
	bool nomem;
};

/* A key that an object has or may have. */
struct lab_key {
	const char *name;
	enum json_kind kind;
	bool optional;
};

/* One more fault: this sentence, with the value's place. */
void lab_refuse(struct lab_reading *reading, const struct json *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* An array in the reading's arena, of one element at least; NULL: nomem is set. */
void *lab_array(struct lab_reading *reading, size_t count, size_t size);

/* Has an object each of these keys that is not optional, each of its type, and no other? False
 * where it is no object at all. */
bool lab_check_keys(struct lab_reading *reading, const struct json *object,
	const struct lab_key *keys, size_t count);

#define LAB_CHECK_KEYS(reading, object, keys) \
	lab_check_keys((reading), (object), (keys), sizeof(keys) / sizeof((keys)[0]))

/* A member of this kind, or NULL: one of another kind was told by lab_check_keys(). */
const struct json *lab_member(const struct json *object, const char *name, enum json_kind kind);

/* A copy in the reading's arena. */
struct text lab_keep(struct lab_reading *reading, struct text text);

/* A copy of the text of a member; empty where there is no such text. */
struct text lab_string(struct lab_reading *reading, const struct json *object, const char *name);

/* Made of letters, digits and these others, of 1 to 64 bytes, not beginning with a dot? Names go
 * into status lines and file names. */
bool lab_is_plain(struct text name, const char *others);

/* A path within the lab's folder: relative, not empty, without "..". */
bool lab_is_inside(struct text path);

/* "en", or "zh_CN": the names that a locale begins with. */
bool lab_is_language(struct text name);

/* TEXTS; *ret stays empty where the object has no such member. */
void lab_read_texts(struct lab_reading *reading, const struct json *object, const char *name,
	struct lab_texts *ret);

/* The step's list of TEXTS, and of links, should they be there. */
void lab_read_hints(struct lab_reading *reading, const struct json *json, struct step *step);
void lab_read_links(struct lab_reading *reading, const struct json *json, struct step *step);

void lab_read_languages(struct lab_reading *reading, const struct json *root, struct lab *lab);

void lab_read_fixtures(struct lab_reading *reading, const struct json *root, struct lab *lab);

/* The steps with what each says of the others. */
void lab_read_steps(struct lab_reading *reading, const struct json *root, struct lab *lab);

#endif
