/* The texts of a lab: what a learner reads of it, in the languages that it declares. English must be
 * there, since whatever else is missing falls back to it. */
#include <errno.h>

#include "daemon/grade/lab_read.h"
#include "parser/arena.h"
#include "parser/diag.h"

struct text lab_text_get(const struct lab_texts *texts, struct text language)
{
	struct text english = {0};

	for (size_t i = 0; i < texts->count; i++) {
		if (text_eq(texts->items[i].language, language))
			return texts->items[i].text;
		if (text_eq(texts->items[i].language, TEXT("en")))
			english = texts->items[i].text;
	}
	return english;
}

void lab_texts_each(
	const struct lab *lab, void (*see)(void *ctx, const struct lab_texts *texts), void *ctx)
{
	see(ctx, &lab->title);
	for (size_t i = 0; i < lab->step_count; i++) {
		const struct step *step = &lab->steps[i];

		if (step->title.count)
			see(ctx, &step->title);
		for (size_t k = 0; k < step->hint_count; k++)
			see(ctx, &step->hints[k]);
		if (step->learned.count)
			see(ctx, &step->learned);
		for (size_t k = 0; k < step->link_count; k++)
			see(ctx, &step->links[k].title);
	}
}

static int read_texts(
	struct arena *arena, const struct json *object, struct lab_texts *ret, struct diag *reterr)
{
	struct lab_texts texts = {.line = object->line, .col = object->col};

	if (object->kind != JSON_OBJECT)
		return lab_refuse(
			object, reterr, "an object is expected: a text for each language");
	texts.items = arena_array(arena, object->count + 1, sizeof(*texts.items));
	if (!texts.items)
		return diag_nomem(reterr);
	for (size_t i = 0; i < object->count; i++) {
		const struct json *member = object->items[i];

		if (member->kind != JSON_STRING || member->string.len == 0)
			return lab_refuse(member, reterr, "a text is expected that is not empty");
		texts.items[texts.count++] =
			(struct lab_text){member->name, member->string, member->line, member->col};
	}
	if (lab_text_get(&texts, TEXT("en")).len == 0)
		return lab_refuse(object, reterr, "the text in English is missing: \"en\"");
	*ret = texts;
	return 0;
}

int lab_read_texts(struct arena *arena, const struct json *object, const char *name,
	struct lab_texts *ret, struct diag *reterr)
{
	const struct json *member = json_get(object, text_of(name));

	return member ? read_texts(arena, member, ret, reterr) : 0;
}

int lab_read_hints(
	struct arena *arena, const struct json *list, struct step *step, struct diag *reterr)
{
	int err = 0;

	step->hints = arena_array(arena, list->count + 1, sizeof(*step->hints));
	if (!step->hints)
		return diag_nomem(reterr);
	for (size_t i = 0; !err && i < list->count; i++)
		err = read_texts(arena, list->items[i], &step->hints[step->hint_count++], reterr);
	return err;
}

static int read_link(
	struct arena *arena, const struct json *json, struct lab_link *link, struct diag *reterr)
{
	static const struct lab_key keys[] = {
		{"title", JSON_OBJECT, false}, {"url", JSON_STRING, false}};
	int err = LAB_CHECK_KEYS(json, keys, reterr);

	if (err)
		return err;
	link->url = lab_string(json, "url");
	if (!text_starts(link->url, TEXT("https://")) && !text_starts(link->url, TEXT("http://")))
		return lab_refuse(json_get(json, TEXT("url")), reterr,
			"a link begins with https:// or http://");
	return lab_read_texts(arena, json, "title", &link->title, reterr);
}

int lab_read_links(
	struct arena *arena, const struct json *list, struct step *step, struct diag *reterr)
{
	int err = 0;

	step->links = arena_array(arena, list->count + 1, sizeof(*step->links));
	if (!step->links)
		return diag_nomem(reterr);
	for (size_t i = 0; !err && i < list->count; i++)
		err = read_link(arena, list->items[i], &step->links[step->link_count++], reterr);
	return err;
}

/* "en", or "zh_CN": the names that a locale begins with. */
static bool is_language(struct text name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool fits = i < 2 ? c >= 'a' && c <= 'z' : i == 2 ? c == '_' : c >= 'A' && c <= 'Z';

		if (!fits)
			return false;
	}
	return name.len == 2 || name.len == 5;
}

static int add_language(struct lab *lab, const struct json *json, struct diag *reterr)
{
	if (json->kind != JSON_STRING || !is_language(json->string))
		return lab_refuse(json, reterr, "a language is expected, as \"en\" or \"zh_CN\"");
	if (lab->language_count == 0 && !text_eq(json->string, TEXT("en")))
		return lab_refuse(json, reterr, "the first language is \"en\"");
	for (size_t i = 0; i < lab->language_count; i++)
		if (text_eq(lab->languages[i], json->string))
			return lab_refuse(json, reterr, "this language stands there twice");
	lab->languages[lab->language_count++] = json->string;
	return 0;
}

int lab_read_languages(
	struct arena *arena, const struct json *root, struct lab *lab, struct diag *reterr)
{
	const struct json *list = json_get(root, TEXT("languages"));
	int err = 0;

	lab->languages = arena_array(arena, list ? list->count + 1 : 1, sizeof(*lab->languages));
	if (!lab->languages)
		return diag_nomem(reterr);
	if (!list)
		lab->languages[lab->language_count++] = TEXT("en");
	else if (list->count == 0)
		return lab_refuse(list, reterr, "there is no language");
	for (size_t i = 0; list && !err && i < list->count; i++)
		err = add_language(lab, list->items[i], reterr);
	return err;
}
