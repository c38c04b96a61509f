/* Faults: see fault.h. */
#include "sim/fault.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "parser/arena.h"

int fault_set(struct arena *arena, struct text *ret, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = len < 0 ? NULL : arena_alloc(arena, (size_t)len + 1);
	if (!text)
		return -ENOMEM;
	va_start(args, format);
	vsnprintf(text, (size_t)len + 1, format, args);
	va_end(args);
	*ret = (struct text){text, (size_t)len};
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
