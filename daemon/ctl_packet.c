/* Ctl, what the packets say. Whoever connects wrote the one, so it is taken only in exactly its
 * form. */
#include <string.h>

#include "daemon/ctl.h"

/* Letters of names of labs and steps. */
#define NAME_SET "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

static struct text next_word(struct text *rest)
{
	size_t len = text_find(*rest, TEXT(" "));
	struct text word = text_slice(*rest, 0, len);

	*rest = text_slice(*rest, len + 1, rest->len);
	return word;
}

static bool is_name(struct text word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!word.ptr[i] || !strchr(NAME_SET, word.ptr[i]))
			return false;
	return word.len > 0;
}

bool ctl_read_request(struct text packet, struct ctl_request *ret)
{
	struct text verb = next_word(&packet);

	ret->lab = next_word(&packet);
	ret->step = packet;
	return text_eq(verb, TEXT("hint")) && is_name(ret->lab) && is_name(ret->step);
}

const char *ctl_answer_name(enum ctl_answer answer)
{
	static const char *const names[] = {
#define X(id, name) name,
		CTL_LIST(X)
#undef X
	};

	return names[answer];
}

static bool read_number(struct text *rest, int64_t *ret)
{
	return text_to_int64(next_word(rest), ret) == 0;
}

bool ctl_read_reply(struct text packet, struct ctl_reply *ret)
{
	struct text name = next_word(&packet);
	int answer = 0;

	while (answer < CTL_ANSWERS &&
		!text_eq(name, text_of(ctl_answer_name((enum ctl_answer)answer))))
		answer++;
	ret->answer = (enum ctl_answer)answer;
	return answer < CTL_ANSWERS && read_number(&packet, &ret->seq) &&
	       read_number(&packet, &ret->tier) && !packet.len;
}
