/* Viewer: which language, and which characters, by the rules of POSIX and of gettext.
 *
 * LC_ALL is before LC_MESSAGES (or LC_CTYPE), which is before LANG; the first that is not empty
 * counts. Where that is unset, "C" or "POSIX", the language is English; else LANGUAGE, a list, is
 * before it.
 *
 * What is translated is not ASCII, so it is shown in UTF-8 or not at all. A locale that is
 * generated says its encoding. One that is not has only its name: ".UTF-8" means that, another
 * encoding is none of ours, and no encoding at all ("ja", "ko_KR") is taken for UTF-8, as
 * terminals are today. */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "daemon/words.h"

/* The name of the locale of a category; empty where it is "C". */
static struct text locale_name(const char *category)
{
	const char *const names[] = {"LC_ALL", category, "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		if (!value || !value[0])
			continue;
		return strcmp(value, "C") && strcmp(value, "POSIX") ? text_of(value) : TEXT("");
	}
	return TEXT("");
}

static bool is_utf8(void)
{
	struct text name = locale_name("LC_CTYPE"), codeset;
	size_t dot;

	if (setlocale(LC_CTYPE, ""))
		return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	dot = text_find(name, TEXT("."));
	codeset = text_slice(name, dot + 1, name.len);
	codeset = text_slice(codeset, 0, text_find(codeset, TEXT("@")));
	return dot >= name.len || (codeset.len == 5 && !strncasecmp(codeset.ptr, "UTF-8", 5)) ||
	       (codeset.len == 4 && !strncasecmp(codeset.ptr, "utf8", 4));
}

struct viewer viewer_get(void)
{
	struct viewer viewer = {.wants = locale_name("LC_MESSAGES"), .ascii = !is_utf8()};
	const char *list = getenv("LANGUAGE");

	if (viewer.wants.len && list && list[0])
		viewer.wants = text_of(list);
	if (viewer.ascii)
		viewer.wants = TEXT("");
	return viewer;
}

/* Is `name` this word, or does it begin with it and go on with a country or a script? Both ways to
 * part them are met: zh_CN, zh-Hans. */
static bool begins(struct text name, const char *word)
{
	size_t len = strlen(word);

	if (name.len < len || strncasecmp(name.ptr, word, len) != 0)
		return false;
	return name.len == len || name.ptr[len] == '_' || name.ptr[len] == '-';
}

static bool is_zh_cn(struct text name)
{
	static const char *const own[] = {"zh_CN", "zh-CN", "zh_SG", "zh-SG", "zh_Hans", "zh-Hans"};

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (begins(name, own[i]))
			return true;
	return name.len == 2 && begins(name, "zh");
}

/* Would somebody who wants `name` take `language`? */
static bool suits(struct text name, struct text language)
{
	char word[32];

	if (text_eq(language, TEXT("zh_CN")))
		return is_zh_cn(name);
	if (language.len >= sizeof(word))
		return false;
	memcpy(word, language.ptr, language.len);
	word[language.len] = '\0';
	return begins(name, word);
}

/* Without encoding and variant: "ja_JP.UTF-8@x" is "ja_JP". */
static struct text bare(struct text name)
{
	name = text_slice(name, 0, text_find(name, TEXT("@")));
	return text_slice(name, 0, text_find(name, TEXT(".")));
}

struct text viewer_choose(const struct viewer *viewer, const struct text *offered, size_t count)
{
	struct text rest = viewer->wants;

	while (rest.len) {
		size_t len = text_find(rest, TEXT(":"));
		struct text name = bare(text_slice(rest, 0, len));

		rest = text_slice(rest, len + 1, rest.len);
		if (text_eq(name, TEXT("C")) || text_eq(name, TEXT("POSIX")))
			break;
		for (size_t i = 0; i < count; i++)
			if (suits(name, offered[i]))
				return offered[i];
	}
	return TEXT("en");
}
