/* Faults: see fault.h. */
#include "sim/fault.h"

#include <errno.h>
#include <stdarg.h>

#include "parser/arena.h"

int fault_set(struct arena *arena, struct text *ret, const char *format, ...)
{
	struct text text;
	va_list args;

	va_start(args, format);
	text = text_vformat(arena, format, args);
	va_end(args);
	if (!text.ptr)
		return -ENOMEM;
	*ret = text;
	return -EBADMSG;
}

struct text fault_summary(struct text fault)
{
	struct text line = text_slice(fault, 0, text_find(fault, TEXT("\n")));
	size_t class = text_find(line, TEXT(": "));

	return class < line.len ? text_slice(line, class + 2, line.len) : line;
}

/* Of the hundreds of words that may stand at some places, as many as one line of a terminal
 * takes. */
#define EXPECTED_SHOWN 6

struct text fault_expected(struct arena *arena, struct text fault)
{
	size_t at = text_find(fault, TEXT("\nWas expecting"));
	struct text rest = text_slice(fault, at + 1, fault.len), list = TEXT(""), word;
	int count = 0;

	text_next_line(&rest, &word);
	while (list.ptr && text_next_line(&rest, &word)) {
		word = text_trim(word);
		if (text_ends(word, TEXT(" ...")))
			word.len -= 4;
		if (count++ < EXPECTED_SHOWN)
			list = text_format(arena, "%.*s%s%.*s", TEXT_ARG(list),
				count > 1 ? ", " : "", TEXT_ARG(word));
	}
	if (!count || !list.ptr)
		return list;
	return text_format(arena, ", expected %s%.*s%s", count > 1 ? "one of " : "", TEXT_ARG(list),
		count > EXPECTED_SHOWN ? ", ..." : "");
}
