/* Text that is put together from several lines of a transcript: an echo, an error. */
#ifndef EWIN_PARSER_TRANSCRIPT_TEXT_H
#define EWIN_PARSER_TRANSCRIPT_TEXT_H

#include "parser/text.h"

struct reader;

/* A text that grows; {0} is an empty one. */
struct builder {
	char *ptr;
	size_t len, room;
};

/* Appends t without a terminal's colours and the BEL that the client rings for a TAB. 0 or
 * -ENOMEM. */
int builder_append(struct reader *reader, struct builder *builder, struct text t);

/* What was appended, without blanks at either end; lives as long as the reader's arena. */
struct text builder_text(const struct builder *builder);

#endif
