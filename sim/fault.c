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
