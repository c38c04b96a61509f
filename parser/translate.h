/* Translate: how pure code is handed a language; where the words come from is none of its business
 * (daemon/words.h). */
#ifndef EWIN_PARSER_TRANSLATE_H
#define EWIN_PARSER_TRANSLATE_H

/* A language: get() gives a sentence for the English one, which is the key, or that itself where it
 * has none. What it gives outlives the call. NULL in place of a language is English. */
struct words {
	const char *(*get)(const void *ctx, const char *english);
	const void *ctx;
};

/* Marks an English text that is such a key. Each has a translation in every file of daemon/po
 * (HACKING.md, "Add a sentence"). */
#define N_(english) english

__attribute__((format_arg(2))) static inline const char *words_say(
	const struct words *words, const char *english)
{
	return words ? words->get(words->ctx, english) : english;
}

#endif
