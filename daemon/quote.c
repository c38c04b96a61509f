/* Quote: within single quotes nothing means anything to a shell but the next one. */
#include "daemon/quote.h"

#include "parser/arena.h"

/* Means nothing to a shell, wherever it stands. */
#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+:,@-"

struct text quote_word(struct arena *arena, struct text word)
{
	struct text quoted = TEXT("'");

	if (text_is_of(word, PLAIN))
		return word;
	while (quoted.ptr && word.len) {
		size_t len = text_find(word, TEXT("'"));

		quoted = text_format(arena, "%.*s%.*s%s", TEXT_ARG(quoted),
			TEXT_ARG(text_slice(word, 0, len)), len < word.len ? "'\\''" : "");
		word = text_slice(word, len + 1, word.len);
	}
	return quoted.ptr ? text_format(arena, "%.*s'", TEXT_ARG(quoted)) : quoted;
}
