/* Writer: texts and runs of one character, until the first failure. */
#include "sim/writer.h"

#include <string.h>

void writer_text(struct writer *writer, struct text text)
{
	if (!writer->err && text.len)
		writer->err = writer->write(writer->ctx, text.ptr, text.len);
}

void writer_repeat(struct writer *writer, char c, size_t count)
{
	char run[64];

	memset(run, c, sizeof(run));
	while (count) {
		size_t len = count < sizeof(run) ? count : sizeof(run);

		writer_text(writer, (struct text){run, len});
		count -= len;
	}
}
