/* Messages: names, English sentences, and arguments that are safe to show. A language may have the
 * arguments in another order. */
#include "daemon/grade/message.h"

#include <errno.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/encoding.h"

/* An argument quotes what a learner wrote; the reader needs its beginning. */
#define ARG_BYTES 200

static const struct {
	const char *name, *english;
} messages[] = {
#define X(id, name, english) {name, english},
	MESSAGE_LIST(X)
#undef X
};

const char *message_name(enum message_id id)
{
	return messages[id].name;
}

enum message_id message_find(struct text name)
{
	int id = 0;

	while (id < MESSAGE_COUNT && !text_eq(name, text_of(messages[id].name)))
		id++;
	return (enum message_id)id;
}

/* A line break or tab becomes a blank; the rest is cleaned as everywhere. */
static struct text clean(struct arena *arena, struct text t)
{
	char *buf = arena_alloc(arena, ARG_BYTES + 8);
	size_t used = 0;

	while (buf && t.len && used < ARG_BYTES) {
		size_t len;
		uint32_t c = utf8_decode(t, &len);

		if (clean_shows(c)) {
			memcpy(buf + used, t.ptr, len);
			used += len;
		} else {
			buf[used++] = c == '\n' || c == '\t' ? ' ' : '?';
		}
		t = text_slice(t, len, t.len);
	}
	if (buf && t.len) {
		memcpy(buf + used, "...", 3);
		used += 3;
	}
	return (struct text){buf, buf ? used : 0};
}

int message_make(struct arena *arena, enum message_id id, struct text arg0, struct text arg1,
	struct text arg2, struct message *ret)
{
	struct message made = {
		.id = id, .args = {clean(arena, arg0), clean(arena, arg1), clean(arena, arg2)}};

	for (int i = 0; i < MESSAGE_ARGS; i++)
		if (!made.args[i].ptr)
			return -ENOMEM;
	*ret = made;
	return 0;
}

/* Appends to buf where there is one; counts in any case. */
static size_t put(char *buf, size_t at, struct text t)
{
	if (buf && t.len)
		memcpy(buf + at, t.ptr, t.len);
	return at + t.len;
}

/* What is wrong with JSON is an argument, and a sentence of ours all the same. */
static struct message with_words(
	struct arena *arena, const struct words *words, const struct message *message)
{
	struct message said = *message;
	struct text why = text_copy(arena, message->args[2]);

	if (message->id == MSG_NOT_JSON && why.ptr)
		said.args[2] = text_of(words_say(words, why.ptr));
	return said;
}

static size_t fill(const char *c, const struct message *message, char *buf)
{
	size_t at = 0;

	while (*c) {
		if (c[0] == '{' && c[1] >= '0' && c[1] < '0' + MESSAGE_ARGS && c[2] == '}') {
			at = put(buf, at, message->args[c[1] - '0']);
			c += 3;
		} else {
			at = put(buf, at, (struct text){c++, 1});
		}
	}
	return at;
}

struct text message_render(
	struct arena *arena, const struct words *words, const struct message *message)
{
	const char *sentence = words_say(words, messages[message->id].english);
	struct message said = with_words(arena, words, message);
	size_t len = fill(sentence, &said, NULL);
	char *buf = arena_alloc(arena, len + 1);

	if (buf)
		fill(sentence, &said, buf);
	return (struct text){buf, buf ? len : 0};
}
