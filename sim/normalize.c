/* Normalize: a recorded output and a simulated one are the same, byte for byte, behind this.
 * A time cost is one only behind a footer or "Empty set" and at the end of a line, so that cells
 * are left alone. Its separator is kept: the locale chooses it (recorded:
 * format/locale_de_de_utf8). */
#include "sim/normalize.h"

#define HISTORY "Command history file path: "
#define JOB	"Job ID: "
#define SECONDS " seconds)"

#define JOB_ID_DIGITS 32

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_job(struct text line)
{
	if (!text_starts(line, TEXT(JOB)) || line.len != sizeof(JOB) - 1 + JOB_ID_DIGITS)
		return false;
	for (size_t i = sizeof(JOB) - 1; i < line.len; i++)
		if (!is_digit(line.ptr[i]) && !(line.ptr[i] >= 'a' && line.ptr[i] <= 'f'))
			return false;
	return true;
}

static bool ends_result(struct text line)
{
	return text_ends(line, TEXT(" row")) || text_ends(line, TEXT(" rows")) ||
	       text_ends(line, TEXT(" row in set")) || text_ends(line, TEXT(" rows in set")) ||
	       text_ends(line, TEXT("Empty set"));
}

/* Offset of the '(' of a cost " (0.39 seconds)" at the line's end, or the line's length. */
static size_t find_cost(struct text line)
{
	size_t at, end;

	if (!text_ends(line, TEXT(SECONDS)) || line.len < sizeof(SECONDS) - 1 + 4)
		return line.len;
	at = line.len - (sizeof(SECONDS) - 1) - 2;
	if (!is_digit(line.ptr[at]) || !is_digit(line.ptr[at + 1]) ||
		(line.ptr[at - 1] != '.' && line.ptr[at - 1] != ','))
		return line.len;
	end = --at;
	while (at > 0 && is_digit(line.ptr[at - 1]))
		at--;
	if (at == end || at < 2 || line.ptr[at - 1] != '(' || line.ptr[at - 2] != ' ' ||
		!ends_result(text_slice(line, 0, at - 2)))
		return line.len;
	return at - 1;
}

void normalize_line(struct writer *out, struct text line)
{
	size_t newline = text_ends(line, TEXT("\n")) ? 1 : 0, cost;
	struct text end = text_slice(line, line.len - newline, line.len);

	line = text_slice(line, 0, line.len - newline);
	cost = find_cost(line);
	if (text_starts(line, TEXT(HISTORY))) {
		writer_text(out, TEXT(HISTORY "PATH"));
	} else if (is_job(line)) {
		writer_text(out, TEXT(JOB "JOB"));
	} else {
		writer_text(out, text_slice(line, 0, cost));
		if (cost < line.len)
			writer_text(out, line.ptr[line.len - sizeof(SECONDS) - 2] == ','
						 ? TEXT("(S,SS" SECONDS)
						 : TEXT("(S.SS" SECONDS));
	}
	writer_text(out, end);
}
