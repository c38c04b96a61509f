/* Words: the language that people are spoken to in, by all that this process prints for them. What
 * programs read (JSON, fields of the journal, the prompt's mark) is English and ASCII in any. */
#ifndef EWIN_DAEMON_WORDS_H
#define EWIN_DAEMON_WORDS_H

#include "daemon/grade/message.h"

/* Whoever is to read: what the environment says. */
struct viewer {
	struct text
		wants; /* languages, the best first, parted by colons: "ja_JP.UTF-8"; empty: English */
	bool ascii;    /* nothing beyond ASCII can be shown */
};

/* Reads LC_ALL, LC_CTYPE, LC_MESSAGES, LANG and LANGUAGE. Call it first in main(), once: it also
 * sets the process's LC_CTYPE. */
struct viewer viewer_get(void);

/* The language of a list that this viewer would take, as the list has it; "en" where there is none.
 * zh, zh_SG and zh_Hans are zh_CN; zh_TW and zh_HK are not. */
struct text viewer_choose(const struct viewer *viewer, const struct text *offered, size_t count);

/* The languages that sentences are there in. */
#define LANGUAGE_LIST(X) X("en") X("ja") X("zh_CN") X("ko")

/* The same as one text, " en ja ...". */
#define LANGUAGE_NAME(name) " " name
#define LANGUAGE_NAMES	    LANGUAGE_LIST(LANGUAGE_NAME)

/* Is this one of them? */
bool words_know(struct text language);

/* From now on tr() speaks this language; any other than those above is English. Call it at most
 * once. Where the translation is not installed it remains English. */
void words_open(struct text language);

/* The language that suits a viewer, opened; its name. */
struct text words_open_for(const struct viewer *viewer);

/* The sentence in the language that was opened. A literal as argument is found by tests, and must
 * be in all files of daemon/po. */
const char *tr(const char *english) __attribute__((format_arg(1)));

/* The same for messages. */
extern const struct words words_spoken;

#endif
