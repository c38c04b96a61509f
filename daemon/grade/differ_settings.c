/* Settings in force, and why one that is written is not: behind the query, in a comment, taken
 * back, in a hint or among the table's options, or under another key. */
#include "daemon/grade/differing.h"
#include "daemon/grade/distance.h"
#include "parser/arena.h"
#include "sim/options.h"

#define MODE	 "execution.runtime-mode"
#define INTERVAL "pipeline.auto-watermark-interval"
#define RESULT	 "sql-client.execution.result-mode"

static const char *const keys[] = {MODE, INTERVAL, RESULT};

/* Is it the value that the asked query has for this key? */
static bool is_asked(const struct differing *d, const char *key, struct text value)
{
	int64_t ms;

	value = text_trim(value);
	if (text_eq(text_of(key), TEXT(MODE)))
		return text_ieq(
			value, d->asked->settings.batch ? TEXT("batch") : TEXT("streaming"));
	if (text_eq(text_of(key), TEXT(RESULT)))
		return text_ieq(value, TEXT("tableau"));
	return duration_parse(value, &ms) == 0 && ms == d->asked->settings.interval_ms;
}

static bool is_set_of(const struct profile *p, const char *key)
{
	return p->kind == STMT_SET && !p->failed && text_eq(text_trim(p->key), text_of(key));
}

static bool set_behind(const struct differing *d, const char *key)
{
	for (size_t i = 0; i < d->script->count; i++)
		if (d->script->items[i].statement > d->mine->statement &&
			is_set_of(&d->script->items[i], key) &&
			is_asked(d, key, d->script->items[i].value))
			return true;
	return false;
}

static bool set_taken_back(const struct differing *d, const char *key)
{
	bool set = false, back = false;

	for (size_t i = 0; i < d->script->count; i++) {
		const struct profile *p = &d->script->items[i];

		if (p->statement >= d->mine->statement)
			break;
		if (is_set_of(p, key)) {
			set = is_asked(d, key, p->value);
			back = false;
		}
		back |= set && p->kind == STMT_RESET &&
			(!p->key.len || text_eq(text_trim(p->key), text_of(key)));
	}
	return back;
}

/* ---- keys that are nearly one ---- */

/* Letters alone, in lower case; their count. */
static size_t letters_of(struct text key, char *buf, size_t room)
{
	size_t count = 0;

	for (size_t i = 0; i < key.len && count < room; i++) {
		char c = key.ptr[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c >= 'a' && c <= 'z')
			buf[count++] = c;
	}
	return count;
}

/* Are the shorter one's letters all in the longer one, in order? */
static bool is_within(const char *a, size_t a_len, const char *b, size_t b_len)
{
	size_t i = 0;

	for (size_t k = 0; k < b_len && i < a_len; k++)
		i += a[i] == b[k];
	return i == a_len;
}

/* What stands behind the last dot. */
static struct text last_part(struct text key)
{
	size_t from = key.len;

	while (from && key.ptr[from - 1] != '.')
		from--;
	return text_slice(key, from, key.len);
}

static bool is_near(struct text key, struct text known)
{
	char a[64], b[64];
	size_t a_len = letters_of(key, a, sizeof(a)), b_len = letters_of(known, b, sizeof(b));
	size_t shorter = a_len < b_len ? a_len : b_len, longer = a_len < b_len ? b_len : a_len;

	if (text_eq(key, known))
		return false;
	if (text_ieq(last_part(key), last_part(known)))
		return true;
	if (2 * shorter < longer)
		return false;
	return text_distance((struct text){a, a_len}, (struct text){b, b_len}) <= 3 ||
	       is_within(a, a_len, b, b_len) || is_within(b, b_len, a, a_len);
}

static struct text set_misspelt(const struct differing *d, const char *key)
{
	for (size_t i = 0; i < d->script->count; i++) {
		const struct profile *p = &d->script->items[i];

		if (p->kind == STMT_SET && p->statement < d->mine->statement && p->key.len &&
			is_near(text_trim(p->key), text_of(key)))
			return text_trim(p->key);
	}
	return (struct text){0};
}

/* A key that has nothing of the asked one but its value. */
static struct text set_elsewhere(const struct differing *d, const char *key)
{
	for (size_t i = 0; i < d->script->count; i++) {
		const struct profile *p = &d->script->items[i];
		bool known = false;

		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			known = known || text_eq(text_trim(p->key), text_of(keys[k]));
		if (p->kind == STMT_SET && !p->failed && !known && p->key.len &&
			p->statement < d->mine->statement && is_asked(d, key, p->value))
			return text_trim(p->key);
	}
	return (struct text){0};
}

/* ---- what never reaches the query ---- */

/* Cuts the next comment out of *rest, with its marks; strings are passed over. False at the end. */
static bool next_comment(struct text *rest, struct text *comment)
{
	char quote = 0;

	for (size_t i = 0; i + 1 < rest->len; i++) {
		struct text here = text_slice(*rest, i, rest->len);
		bool line = text_starts(here, TEXT("--")), block = text_starts(here, TEXT("/*"));
		size_t end;

		if (quote || (!line && !block)) {
			if (quote ? here.ptr[0] == quote
				  : here.ptr[0] == '\'' || here.ptr[0] == '`')
				quote = quote ? 0 : here.ptr[0];
			continue;
		}
		end = text_find(here, line ? TEXT("\n") : TEXT("*/"));
		*comment = text_slice(here, 0, end);
		*rest = text_slice(here, end, here.len);
		return true;
	}
	return false;
}

static bool is_in_comment(struct text sql, const char *key, bool hint)
{
	struct text comment;

	while (next_comment(&sql, &comment))
		if (text_has(comment, key) && text_starts(comment, TEXT("/*+")) == hint &&
			(hint || text_has(comment, "SET")))
			return true;
	return false;
}

static bool is_table_option(const struct profile *p, const char *key)
{
	return p->has_table && catalog_option(&p->table, text_of(key)).ptr;
}

static bool say_lost(struct differing *d, const char *key)
{
	struct text sql = d->grading->submission->sql.bytes;

	if (set_taken_back(d, key))
		differ_say(d, DIAG_SET_LOST, TEXT("reset"));
	else if (is_table_option(d->mine, key))
		differ_say(d, DIAG_SET_LOST, TEXT("table-option"));
	else if (is_in_comment(sql, key, true))
		differ_say(d, DIAG_SET_LOST, TEXT("hint"));
	else if (is_in_comment(sql, key, false))
		differ_say(d, DIAG_SET_LOST, TEXT("commented"));
	else
		return false;
	return true;
}

/* Why is the asked value not in force, though it is written? False: it is not written. */
static bool say_root(struct differing *d, const char *key)
{
	struct text misspelt = set_misspelt(d, key);

	if (!misspelt.len && !set_behind(d, key))
		misspelt = set_elsewhere(d, key);
	if (set_behind(d, key))
		differ_say(d, DIAG_SET_AFTER_QUERY, text_of(key));
	else if (misspelt.len)
		differ_say(d, DIAG_SET_MISSPELT,
			text_format(d->arena, "key:%.*s", TEXT_ARG(misspelt)));
	else
		return say_lost(d, key);
	return true;
}

/* ---- the settings ---- */

void differ_mode(struct differing *d)
{
	bool batch = d->mine->settings.batch;

	if (batch == d->asked->settings.batch || say_root(d, MODE))
		return;
	differ_say(d, batch ? DIAG_BATCH_MODE : DIAG_STREAMING_MODE, (struct text){0});
}

void differ_tableau(struct differing *d)
{
	if (text_has(d->error, "it only supports to use TABLEAU")) {
		if (!say_root(d, RESULT))
			differ_say(d, DIAG_NO_TABLEAU, (struct text){0});
	} else if (text_has(d->error, "config.ResultMode")) {
		differ_say(d, DIAG_SET_MISSPELT, TEXT("value:" RESULT));
	}
}

void differ_interval(struct differing *d)
{
	const struct profile_settings *asked = &d->asked->settings, *mine = &d->mine->settings;

	if (asked->interval_ms == mine->interval_ms ||
		(asked->interval_set && say_root(d, INTERVAL)))
		return;
	if (asked->interval_set && !mine->interval_set)
		differ_say(d, DIAG_INTERVAL_MISSING, (struct text){0});
	else
		differ_say(d, DIAG_INTERVAL,
			mine->interval_ms ? text_duration(d->arena, mine->interval_ms, "")
					  : TEXT("0"));
}

void differ_emit(struct differing *d)
{
	if (d->mine->settings.emit.len && !d->asked->settings.emit.len)
		differ_say(d, DIAG_EMIT_OPTIONS, d->mine->settings.emit);
}

void differ_parallelism(struct differing *d)
{
	int64_t parallelism = d->mine->settings.parallelism;

	if (parallelism > 1 && parallelism != d->asked->settings.parallelism)
		differ_say(
			d, DIAG_PARALLELISM, text_format(d->arena, "%lld", (long long)parallelism));
}

void differ_set(struct differing *d)
{
	struct text key = text_trim(d->mine->key);

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (text_eq(key, text_of(keys[i])))
			differ_say(
				d, DIAG_SET_MISSPELT, text_format(d->arena, "value:%s", keys[i]));
}
