/* Any bytes as a packet at the socket for hints, on either side. What is taken is in exactly its
 * one form. */
#include "daemon/ctl.h"
#include "tests/fuzz/fuzz.h"

void fuzz(struct text input)
{
	char *bytes = fuzz_copy(input), again[2 * CTL_SIZE];
	struct text packet = {bytes, input.len < CTL_SIZE ? input.len : CTL_SIZE};
	struct ctl_request request = {0};
	struct ctl_reply reply;

	if (ctl_read_request(packet, &request)) {
		snprintf(again, sizeof(again), "hint %.*s %.*s", TEXT_ARG(request.lab),
			TEXT_ARG(request.step));
		MUST(text_eq(text_of(again), packet));
	}
	if (ctl_read_reply(packet, &reply)) {
		struct ctl_reply twin;
		snprintf(again, sizeof(again), "%s %lld %lld", ctl_answer_name(reply.answer),
			(long long)reply.seq, (long long)reply.tier);
		MUST(ctl_read_reply(text_of(again), &twin));
		MUST(twin.answer == reply.answer && twin.seq == reply.seq &&
			twin.tier == reply.tier);
	}
	free(bytes);
}
