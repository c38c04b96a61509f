/* Tells from a file's last lines whether the client closed its session: "Shutting down the
 * session...", "done." (recorded: watermark/ref/w5), with blank lines wherever the client or an
 * editor put them. Behind them may stand what script(1) or a Markdown fence adds. A watcher asks
 * about bytes that nobody has decoded or restored yet, so that NULs of UTF-16, bare CRs and what
 * mail, a log or an editor puts in front of each line (quote marks, numbers, times) do not
 * count. */
#include "parser/transcript_tail.h"

#include "parser/transcript.h"

/* Bytes at the end of a file that hold its closing lines. */
#define TAIL_BYTES 1024

static bool is_letter(char c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/* Cuts the last line off that is not blank; *line begins with its first letter or fence. */
static bool last_line(struct text *rest, struct text *line)
{
	size_t start;

	*rest = text_trim_right(*rest);
	start = rest->len;
	while (start && rest->ptr[start - 1] != '\n' && rest->ptr[start - 1] != '\r')
		start--;
	*line = text_slice(*rest, start, rest->len);
	while (line->len && !is_letter(line->ptr[0]) && line->ptr[0] != '`')
		*line = text_slice(*line, 1, line->len);
	*rest = text_slice(*rest, 0, start);
	return rest->len || line->len;
}

/* The same, passing over lines without a letter. */
static bool last_worded_line(struct text *rest, struct text *line)
{
	while (last_line(rest, line))
		if (line->len)
			return true;
	return false;
}

bool transcript_ends(struct text text)
{
	struct text rest =
		text_slice(text, text.len > TAIL_BYTES ? text.len - TAIL_BYTES : 0, text.len);
	struct text line;

	do {
		if (!last_worded_line(&rest, &line))
			return false;
	} while (text_starts(line, TEXT("Script done on ")) || text_eq(line, TEXT("```")));
	if (!text_ends(line, TEXT("done.")))
		return false;
	return last_worded_line(&rest, &line) &&
	       text_ends(line, TEXT("Shutting down the session..."));
}

bool transcript_tail_complete(struct text tail)
{
	char bytes[TAIL_BYTES];
	struct text rest = {bytes, 0};

	/* Without NULs the tail of UTF-16 reads as ASCII. */
	for (size_t i = tail.len > TAIL_BYTES ? tail.len - TAIL_BYTES : 0; i < tail.len; i++)
		if (tail.ptr[i] != '\0')
			bytes[rest.len++] = tail.ptr[i];
	return transcript_ends(rest);
}
