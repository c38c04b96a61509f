/* Writer: texts and runs of one character, until the first failure. */
#include "sim/writer.h"

#include <string.h>

static void write_out(struct writer *writer, struct text text)
{
	if (!writer->err && text.len)
		writer->err = writer->write(writer->ctx, text.ptr, text.len);
}

void writer_flush(struct writer *writer)
{
	write_out(writer, (struct text){writer->buffer, writer->len});
	writer->len = 0;
}

char *writer_reserve(struct writer *writer, size_t size)
{
	char *at;

	if (writer->room - writer->len < size)
		writer_flush(writer);
	if (writer->room < size || !size)
		return NULL;
	at = writer->buffer + writer->len;
	writer->len += size;
	return at;
}

void writer_text(struct writer *writer, struct text text)
{
	char *at = writer_reserve(writer, text.len);

	if (at)
		memcpy(at, text.ptr, text.len);
	else
		write_out(writer, text);
}

void writer_repeat(struct writer *writer, char c, size_t count)
{
	char *at = writer_reserve(writer, count), run[64];

	if (at) {
		memset(at, c, count);
		return;
	}
	memset(run, c, sizeof(run));
	while (count) {
		size_t len = count < sizeof(run) ? count : sizeof(run);

		write_out(writer, (struct text){run, len});
		count -= len;
	}
}
