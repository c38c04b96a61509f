/* Messages: what a verdict says, as an id and arguments, so that each reader renders it in its own
 * language. The English sentences are in message.c; {0}, {1} ... stand for the arguments. */
#ifndef EWIN_DAEMON_GRADE_MESSAGE_H
#define EWIN_DAEMON_GRADE_MESSAGE_H

#include "parser/text.h"

struct arena;

#define MESSAGE_ARGS 3

/* Every id with its English sentence. An id is part of status.json: never reuse one. */
#define MESSAGE_LIST(X) \
	X(MSG_PASS, "pass", "Every value is right.") \
	X(MSG_MISSING, "missing", "{0} is not there yet.")

enum message_id {
#define X(id, name, english) id,
	MESSAGE_LIST(X)
#undef X
	MESSAGE_COUNT
};

struct message {
	enum message_id id;
	struct text args[MESSAGE_ARGS]; /* cleaned: printable UTF-8, no control characters */
};

/* "pass", "missing" ...: the id as status.json has it. */
const char *message_name(enum message_id id);

/* The id of a name, or MESSAGE_COUNT. */
enum message_id message_find(struct text name);

/* The sentence in English, in the arena. On lack of memory its ptr is NULL. */
struct text message_render(struct arena *arena, const struct message *message);

#endif
