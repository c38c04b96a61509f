/* report.json: is it JSON, is it one flat object, are its values whole numbers, are its keys
 * there? The numbers are report_rules.c's. */
#include <errno.h>

#include "daemon/grade/diagnosing.h"
#include "daemon/grade/report_rules.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/json.h"

struct reading {
	struct grading *grading;
	const struct json *root;
	struct causes *causes;
};

/* ---- text that is no JSON ---- */

/* What stands outside of strings, as far as it tells. */
struct outline {
	int depth;	    /* brackets that are open at the end */
	bool in_string;	    /* a string is open at the end */
	bool several;	    /* a value behind the end of the first */
	bool closed;	    /* the first bracket was closed */
	const char *oddity; /* what is no JSON */
};

static const char *word_oddity(struct text rest)
{
	static const struct {
		const char *start, *name;
	} words[] = {{"//", "comment"}, {"/*", "comment"}, {"#", "comment"}, {"'", "quotes"},
		{"\xe2\x80\x9c", "quotes"}, {"\xe2\x80\x9d", "quotes"}, {"\xe2\x80\x98", "quotes"},
		{"\xe2\x80\x99", "quotes"}, {"\xef\xbc\x82", "quotes"}, {"\xef\xbc\x87", "quotes"},
		{"NaN", "NaN"}, {"nan", "NaN"}, {"Infinity", "NaN"}, {"-Infinity", "NaN"},
		{"None", "word"}, {"True", "word"}, {"False", "word"}, {"undefined", "word"},
		{"\xef\xbc\x90", "full-width-digits"}, {"+", "plus-sign"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (text_starts(rest, text_of(words[i].start)))
			return words[i].name;
	if (rest.len > 2 && text_starts(rest, TEXT("\xef\xbc")))
		return (unsigned char)rest.ptr[2] >= 0x90 && (unsigned char)rest.ptr[2] <= 0x99
			       ? "full-width-digits"
			       : "full-width";
	return NULL;
}

static bool is_digit(struct text t, size_t i)
{
	return i < t.len && t.ptr[i] >= '0' && t.ptr[i] <= '9';
}

static const char *oddity(struct text t, size_t i)
{
	const char *word = word_oddity(text_slice(t, i, t.len));
	unsigned char c = (unsigned char)t.ptr[i];
	size_t next = i + 1;

	if (word)
		return word;
	if (c == '0' && is_digit(t, i + 1) &&
		(i == 0 || !(text_is_word(t.ptr[i - 1]) || t.ptr[i - 1] == '.')))
		return "leading-zero";
	if (c < ' ' && c != '\n' && c != '\r' && c != '\t')
		return "stray-byte";
	while (next < t.len && (unsigned char)t.ptr[next] <= ' ')
		next++;
	if (c == ',' && next < t.len && (t.ptr[next] == '}' || t.ptr[next] == ']'))
		return "comma";
	return NULL;
}

static void see(struct outline *o, struct text t, size_t i)
{
	char c = t.ptr[i];
	bool opens = c == '{' || c == '[', closes = c == '}' || c == ']';

	if (o->closed && o->depth == 0 && (opens || c == '"'))
		o->several = true;
	o->depth += opens - (closes && o->depth > 0);
	o->closed = o->closed || (closes && o->depth == 0);
	if (!o->oddity)
		o->oddity = oddity(t, i);
}

static struct outline outline(struct text t)
{
	struct outline o = {0};

	for (size_t i = 0; i < t.len; i++) {
		if (o.in_string && t.ptr[i] == '\\')
			i++;
		else if (t.ptr[i] == '"')
			o.in_string = !o.in_string;
		else if (!o.in_string)
			see(&o, t, i);
	}
	return o;
}

static void not_json(struct reading *r, struct text bytes, const struct diag *diag)
{
	struct text t = text_trim(bytes);
	struct outline o = outline(t);
	bool object = text_starts(t, TEXT("{"));

	if (t.len == 0)
		causes_add(r->causes, DIAG_EMPTY_FILE, (struct text){0});
	else if (text_find(text_of(diag->text), TEXT("twice")) < text_of(diag->text).len)
		causes_add(r->causes, DIAG_REPORT_SHAPE, TEXT("key-twice"));
	else if (text_starts(t, TEXT("[")))
		causes_add(r->causes, DIAG_REPORT_SHAPE, TEXT("array"));
	else if (object && o.several && !o.oddity)
		causes_add(r->causes, DIAG_REPORT_SHAPE, TEXT("several-objects"));
	else if (object && !o.oddity && (o.depth > 0 || o.in_string))
		causes_add(r->causes, DIAG_TRUNCATED, (struct text){0});
	else
		causes_add(r->causes, DIAG_REPORT_NOT_JSON,
			object ? (o.oddity ? text_of(o.oddity) : (struct text){0})
			       : TEXT("braces"));
}

/* ---- keys that are not there ---- */

static bool is_letter_or_digit(char c)
{
	return text_is_word(c) && c != '_';
}

/* The same but for case, and for what stands between words. */
static bool same_words(struct text a, struct text b)
{
	size_t i = 0, k = 0;

	while (i < a.len || k < b.len) {
		while (i < a.len && !is_letter_or_digit(a.ptr[i]))
			i++;
		while (k < b.len && !is_letter_or_digit(b.ptr[k]))
			k++;
		if (i == a.len || k == b.len)
			return i == a.len && k == b.len;
		if ((a.ptr[i++] | 0x20) != (b.ptr[k++] | 0x20))
			return false;
	}
	return true;
}

/* Is the key, or its end behind the name of what is around it, a member further inside? */
static bool is_inside(const struct json *json, struct text key, bool root)
{
	for (size_t i = 0; i < json->count; i++) {
		const struct json *item = json->items[i];
		struct text rest = key;

		if (!root && same_words(item->name, key))
			return true;
		if (item->kind != JSON_OBJECT && item->kind != JSON_ARRAY)
			continue;
		if (item->name.len && item->name.len < key.len &&
			text_ieq(text_slice(key, 0, item->name.len), item->name))
			rest = text_slice(key, item->name.len, key.len);
		if (is_inside(item, key, false) ||
			(rest.len < key.len && item->count && is_inside(item, rest, false)) ||
			(rest.len < key.len && item->kind == JSON_ARRAY && item->count))
			return true;
	}
	return false;
}

static bool is_spelt_otherwise(const struct json *root, struct text key)
{
	for (size_t i = 0; i < root->count; i++)
		if (same_words(root->items[i]->name, key))
			return true;
	return false;
}

static void missing_keys(struct reading *r)
{
	const struct step *step = r->grading->step;
	size_t missing = 0, inside = 0, spelt = 0;

	for (size_t i = 0; i < step->key_count; i++) {
		struct text key = step->keys[i].name;

		if (json_get(r->root, key))
			continue;
		missing++;
		inside += is_inside(r->root, key, true);
	}
	if (inside) {
		causes_add(r->causes, DIAG_REPORT_SHAPE, TEXT("nested"));
		return;
	}
	for (size_t i = 0; i < step->key_count; i++)
		spelt += !json_get(r->root, step->keys[i].name) &&
			 is_spelt_otherwise(r->root, step->keys[i].name);
	if (missing == step->key_count && !spelt) {
		causes_add(r->causes, DIAG_REPORT_MISSING_KEY, TEXT("all"));
		return;
	}
	for (size_t i = 0; i < step->key_count; i++) {
		struct text key = step->keys[i].name;

		if (!json_get(r->root, key))
			causes_add(r->causes, DIAG_REPORT_MISSING_KEY,
				is_spelt_otherwise(r->root, key) ? TEXT("case") : key);
	}
}

/* ---- values that are no whole numbers ---- */

static const char *kind_name(const struct json *value)
{
	switch (value->kind) {
	case JSON_NULL: return "null";
	case JSON_FALSE:
	case JSON_TRUE: return "boolean";
	case JSON_NUMBER: return "fraction";
	case JSON_STRING: return "string";
	case JSON_ARRAY:
	case JSON_OBJECT: break;
	}
	return "";
}

static void value_type(struct reading *r, struct text key)
{
	const struct json *value = json_get(r->root, key);
	int64_t number;
	bool form;

	if (!value)
		return;
	if (value->kind == JSON_OBJECT || value->kind == JSON_ARRAY)
		causes_add(r->causes, DIAG_REPORT_SHAPE, TEXT("nested"));
	else if (report_value(value, &number, &form))
		causes_add(r->causes, DIAG_REPORT_TYPE,
			text_format(r->causes->arena, "%.*s:%s", TEXT_ARG(key), kind_name(value)));
	else if (!form)
		causes_add(r->causes, DIAG_REPORT_TYPE,
			value->kind == JSON_STRING ? TEXT("string") : TEXT("float"));
}

int diagnose_report(struct grading *g, const struct submission *submissions, struct causes *causes)
{
	struct reading r = {.grading = g, .causes = causes};
	struct text bytes;
	struct json root;
	struct diag diag = {0};
	unsigned remarks = 0;
	int err = encoding_decode(g->arena, g->submission->out.bytes, &bytes, &remarks, &diag);

	if (g->submission->out.state != FILE_THERE || causes->count)
		return 0;
	if (!err)
		err = json_parse(g->arena, bytes, &root, &diag);
	if (err == -EINVAL)
		not_json(&r, bytes, &diag);
	if (err)
		return err == -ENOMEM ? err : 0;
	if (root.kind != JSON_OBJECT) {
		causes_add(causes, DIAG_REPORT_SHAPE,
			root.kind == JSON_ARRAY ? TEXT("array") : (struct text){0});
		return 0;
	}
	r.root = &root;
	missing_keys(&r);
	for (size_t i = 0; i < g->step->key_count; i++)
		value_type(&r, g->step->keys[i].name);
	return report_rules(g, submissions, &root, causes);
}
