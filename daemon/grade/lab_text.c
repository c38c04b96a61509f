/* The texts of a lab: what a learner reads of it, in the languages that it declares. English must
 * be there, since whatever else is missing falls back to it. */
#include "daemon/grade/lab_read.h"

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

static void read_text(
	struct lab_reading *reading, const struct json *member, struct lab_texts *texts)
{
	if (!lab_is_language(member->name))
		lab_refuse(reading, member, "\"%.*s\" is no language, as \"en\" or \"zh_CN\" are",
			TEXT_ARG(member->name));
	else if (member->kind != JSON_STRING || member->string.len == 0)
		lab_refuse(reading, member, "a text is expected that is not empty");
	else
		texts->items[texts->count++] = (struct lab_text){lab_keep(reading, member->name),
			lab_keep(reading, member->string), member->line, member->col};
}

static void read_texts(
	struct lab_reading *reading, const struct json *object, struct lab_texts *ret)
{
	struct lab_texts texts = {.line = object->line, .col = object->col};

	if (object->kind != JSON_OBJECT) {
		lab_refuse(reading, object, "an object is expected: a text for each language");
		return;
	}
	texts.items = lab_array(reading, object->count, sizeof(*texts.items));
	if (!texts.items)
		return;
	for (size_t i = 0; i < object->count; i++)
		read_text(reading, object->items[i], &texts);
	if (!json_get(object, TEXT("en")))
		lab_refuse(reading, object, "the text in English is missing: \"en\"");
	*ret = texts;
}

void lab_read_texts(struct lab_reading *reading, const struct json *object, const char *name,
	struct lab_texts *ret)
{
	const struct json *member = lab_member(object, name, JSON_OBJECT);

	if (member)
		read_texts(reading, member, ret);
}

void lab_read_hints(struct lab_reading *reading, const struct json *json, struct step *step)
{
	const struct json *list = lab_member(json, "hints", JSON_ARRAY);

	step->hints = list ? lab_array(reading, list->count, sizeof(*step->hints)) : NULL;
	for (size_t i = 0; step->hints && i < list->count; i++)
		read_texts(reading, list->items[i], &step->hints[step->hint_count++]);
}

static void read_link(struct lab_reading *reading, const struct json *json, struct lab_link *link)
{
	static const struct lab_key keys[] = {
		{"title", JSON_OBJECT, false}, {"url", JSON_STRING, false}};
	const struct json *url;

	if (!LAB_CHECK_KEYS(reading, json, keys))
		return;
	link->url = lab_string(reading, json, "url");
	url = lab_member(json, "url", JSON_STRING);
	if (url && !text_starts(url->string, TEXT("https://")) &&
		!text_starts(url->string, TEXT("http://")))
		lab_refuse(reading, url, "a link begins with https:// or http://");
	lab_read_texts(reading, json, "title", &link->title);
}

void lab_read_links(struct lab_reading *reading, const struct json *json, struct step *step)
{
	const struct json *list = lab_member(json, "links", JSON_ARRAY);

	step->links = list ? lab_array(reading, list->count, sizeof(*step->links)) : NULL;
	for (size_t i = 0; step->links && i < list->count; i++)
		read_link(reading, list->items[i], &step->links[step->link_count++]);
}

bool lab_is_language(struct text name)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool fits = i < 2 ? c >= 'a' && c <= 'z' : i == 2 ? c == '_' : c >= 'A' && c <= 'Z';

		if (!fits)
			return false;
	}
	return name.len == 2 || name.len == 5;
}

static bool is_declared(const struct lab *lab, struct text language)
{
	for (size_t i = 0; i < lab->language_count; i++)
		if (text_eq(lab->languages[i], language))
			return true;
	return false;
}

static void add_language(
	struct lab_reading *reading, struct lab *lab, const struct json *json, bool first)
{
	if (json->kind != JSON_STRING || !lab_is_language(json->string))
		lab_refuse(reading, json, "a language is expected, as \"en\" or \"zh_CN\"");
	else if (first && !text_eq(json->string, TEXT("en")))
		lab_refuse(reading, json, "the first language is \"en\"");
	else if (is_declared(lab, json->string))
		lab_refuse(reading, json, "this language stands there twice");
	else
		lab->languages[lab->language_count++] = lab_keep(reading, json->string);
}

void lab_read_languages(struct lab_reading *reading, const struct json *root, struct lab *lab)
{
	const struct json *list = lab_member(root, "languages", JSON_ARRAY);

	lab->languages = lab_array(reading, list ? list->count : 1, sizeof(*lab->languages));
	if (!lab->languages)
		return;
	if (!list)
		lab->languages[lab->language_count++] = TEXT("en");
	else if (list->count == 0)
		lab_refuse(reading, list, "there is no language");
	for (size_t i = 0; list && i < list->count; i++)
		add_language(reading, lab, list->items[i], i == 0);
}
