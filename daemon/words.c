/* Words: gettext() of libc, over the files that daemon/po/LANG.po are compiled to.
 *
 * gettext() goes by the locale, and translates nothing in the locale "C", whatever LANGUAGE says.
 * On a small machine no locale but C.UTF-8 is generated: setlocale() fails for ja_JP.UTF-8 and
 * "C" remains. So the language is chosen here (daemon/viewer.c) and told to gettext() by
 * LANGUAGE, in any locale in which it is heeded. glibc 2.39 and later count C.UTF-8 as "C" too:
 * there the reader's own locale, or en_US, must be generated. */
#include "daemon/words.h"

#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef LOCALE_DIR
#define LOCALE_DIR "/usr/share/locale"
#endif

#define DOMAIN "ewind"

static const struct text languages[] = {
#define X(name) {name, sizeof(name) - 1},
	LANGUAGE_LIST(X)
#undef X
};
#define LANGUAGES (sizeof(languages) / sizeof(languages[0]))

bool words_know(struct text language)
{
	for (size_t i = 0; i < LANGUAGES; i++)
		if (text_eq(language, languages[i]))
			return true;
	return false;
}

/* In a build tree the translations lie beside the program, or above the tests. */
static void bind(const char *language)
{
	static const char *const beside[] = {"locale", "../locale"};
	char program[PATH_MAX / 2], dir[PATH_MAX], file[PATH_MAX + 64];
	ssize_t len = readlink("/proc/self/exe", program, sizeof(program));

	while (len > 0 && program[len - 1] != '/')
		len--;
	for (size_t i = 0; len > 0 && i < sizeof(beside) / sizeof(beside[0]); i++) {
		snprintf(dir, sizeof(dir), "%.*s%s", (int)len, program, beside[i]);
		snprintf(file, sizeof(file), "%s/%s/LC_MESSAGES/" DOMAIN ".mo", dir, language);
		if (access(file, R_OK) == 0) {
			bindtextdomain(DOMAIN, dir);
			return;
		}
	}
	bindtextdomain(DOMAIN, LOCALE_DIR);
}

/* Takes the first locale in which gettext() translates; the translation of "" is a file's
 * header. */
static void leave_c(void)
{
	static const char *const names[] = {"C.UTF-8", "", "en_US.UTF-8"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (setlocale(LC_MESSAGES, names[i]) && dgettext(DOMAIN, "")[0])
			return;
}

void words_open(struct text language)
{
	char name[16];

	if (!words_know(language) || text_eq(language, languages[0]))
		return;
	snprintf(name, sizeof(name), "%.*s", TEXT_ARG(language));
	setenv("LANGUAGE", name, 1);
	bind(name);
	bind_textdomain_codeset(DOMAIN, "UTF-8");
	/* Also strerror() is to speak UTF-8 then. */
	setlocale(LC_CTYPE, "C.UTF-8");
	leave_c();
}

struct text words_open_for(const struct viewer *viewer)
{
	struct text language = viewer_choose(viewer, languages, LANGUAGES);

	words_open(language);
	return language;
}

const char *tr(const char *english)
{
	return english[0] ? dgettext(DOMAIN, english) : english;
}

static const char *get(const void *ctx, const char *english)
{
	(void)ctx;
	return tr(english);
}

const struct words words_spoken = {.get = get};
