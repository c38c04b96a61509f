/* Ctl, what the packets say. Whoever connects wrote the one, so it is taken only in exactly its
 * form. */
#include "daemon/ctl.h"

/* Letters of names of labs and steps. */
#define NAME_SET "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

bool ctl_read_request(struct text packet, struct ctl_request *ret)
{
	struct text verb = text_next_word(&packet);

	ret->lab = text_next_word(&packet);
	ret->step = packet;
	return text_eq(verb, TEXT("hint")) && text_is_of(ret->lab, NAME_SET) &&
	       text_is_of(ret->step, NAME_SET);
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
	return text_to_int64(text_next_word(rest), ret) == 0;
}

bool ctl_read_reply(struct text packet, struct ctl_reply *ret)
{
	struct text name = text_next_word(&packet);
	int answer = 0;

	while (answer < CTL_ANSWERS &&
		!text_eq(name, text_of(ctl_answer_name((enum ctl_answer)answer))))
		answer++;
	ret->answer = (enum ctl_answer)answer;
	return answer < CTL_ANSWERS && read_number(&packet, &ret->seq) &&
	       read_number(&packet, &ret->tier) && !packet.len;
}
