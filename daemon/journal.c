/* Journal: sd_journal_sendv() of libsystemd, or a line on stderr where no journald reads.
 *
 * journald drops a field with a bad name without a word, and one with a control byte in its value
 * becomes an array of numbers in its JSON: so names are constants and values are cleaned. Values go
 * out as they are, never as a format. MESSAGE is in the language that was opened
 * (daemon/words.h), the other fields are for programs. MESSAGE_ID says the kind of record, and is
 * what a catalog entry is found by. */
#define SD_JOURNAL_SUPPRESS_LOCATION
#include "daemon/journal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>
#include <unistd.h>

#include "daemon/words.h"
#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/diag.h"

#define FIELDS 16

/* Kinds of records. An id is for ever. */
static const char *const verdict_ids[] = {
	[VERDICT_PASS] = "4b1dfcf2f1b94a2c8c8be5e8d0f6a101",
	[VERDICT_PARTIAL] = "4b1dfcf2f1b94a2c8c8be5e8d0f6a102",
	[VERDICT_FAIL] = "4b1dfcf2f1b94a2c8c8be5e8d0f6a103",
	[VERDICT_CANNOT_TELL] = "4b1dfcf2f1b94a2c8c8be5e8d0f6a104",
	[VERDICT_MISSING] = "4b1dfcf2f1b94a2c8c8be5e8d0f6a105",
};

static const char hint_id[] = "4b1dfcf2f1b94a2c8c8be5e8d0f6a106";

static const struct {
	const char *id;
	enum journal_level level;
} troubles[] = {
	[JOURNAL_LAB_BROKEN] = {"4b1dfcf2f1b94a2c8c8be5e8d0f6a107", JOURNAL_ERROR},
	[JOURNAL_CLOSED] = {"4b1dfcf2f1b94a2c8c8be5e8d0f6a108", JOURNAL_WARNING},
	[JOURNAL_POLLING] = {"4b1dfcf2f1b94a2c8c8be5e8d0f6a109", JOURNAL_WARNING},
	[JOURNAL_LOST] = {"4b1dfcf2f1b94a2c8c8be5e8d0f6a10a", JOURNAL_WARNING},
	[JOURNAL_MOVED] = {"4b1dfcf2f1b94a2c8c8be5e8d0f6a10b", JOURNAL_WARNING},
};

struct record {
	struct arena *arena;
	struct text message; /* as a line of stderr */
	struct iovec fields[FIELDS];
	int count;
};

/* $JOURNAL_STREAM names the socket that systemd connected to stderr; a program that was started
 * from such a service with stderr elsewhere inherits the variable, not the socket. */
struct journal journal_open(bool foreground)
{
	const char *stream = getenv("JOURNAL_STREAM");
	char own[64];
	struct stat st;

	if (foreground || !stream || fstat(STDERR_FILENO, &st) < 0)
		return (struct journal){.structured = false};
	snprintf(own, sizeof(own), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	return (struct journal){.structured = strcmp(own, stream) == 0};
}

static void add(struct record *record, const char *name, struct text value)
{
	struct text field = text_format(record->arena, "%s=%.*s", name, TEXT_ARG(value));

	if (!field.ptr || record->count == FIELDS)
		return;
	field.len = clean_bytes((char *)field.ptr, field.len);
	record->fields[record->count++] =
		(struct iovec){.iov_base = (char *)field.ptr, .iov_len = field.len};
}

static void add_number(struct record *record, const char *name, int64_t value)
{
	add(record, name, text_format(record->arena, "%" PRId64, value));
}

static void say_plainly(struct text message)
{
	fprintf(stderr, "ewind: %.*s\n", TEXT_ARG(message));
}

/* A parameter without the marks that part causes. */
static struct text plain_param(struct arena *arena, struct text param)
{
	struct text copy = text_copy(arena, param);

	for (size_t i = 0; copy.ptr && i < copy.len; i++)
		if (copy.ptr[i] == ',' || copy.ptr[i] == '|')
			((char *)copy.ptr)[i] = ';';
	return copy;
}

/* "delay=10s,window-size=5s": all there; "delay=10s|interval=1h": one of them. Without causes
 * what the verdict's own sentence is about. */
static struct text causes_of(struct arena *arena, const struct verdict *verdict)
{
	struct text all = TEXT("");
	bool before = false; /* the last one was an alternative */

	for (size_t i = 0; all.ptr && i < verdict->diagnosis_count; i++) {
		const struct diagnosis *d = &verdict->diagnosis[i];
		struct text param = plain_param(arena, d->param);

		all = text_format(arena, "%.*s%s%s%s%.*s", TEXT_ARG(all),
			i == 0 ? "" : (before && d->ambiguous ? "|" : ","), diagnosis_name(d->id),
			param.len ? "=" : "", TEXT_ARG(param));
		before = d->ambiguous;
	}
	return all.len ? all : text_of(message_name(verdict->summary.id));
}

/* "watermark/w5: fail: One sentence. (attempt 2; delay=10s)"; where nothing is saved there is no
 * attempt to count. */
static struct text message_of(struct arena *arena, const struct journal_verdict *v)
{
	struct text sentence = message_render(arena, &words_spoken, &v->verdict->summary);
	const char *kind = tr(verdict_name(v->verdict->kind));
	struct text causes;

	if (v->verdict->kind == VERDICT_MISSING)
		return text_format(arena, tr("%.*s/%.*s: %s: %.*s"), TEXT_ARG(v->lab),
			TEXT_ARG(v->step), kind, TEXT_ARG(sentence));
	if (!v->verdict->diagnosis_count)
		return text_format(arena, tr("%.*s/%.*s: %s: %.*s (attempt %lld)"),
			TEXT_ARG(v->lab), TEXT_ARG(v->step), kind, TEXT_ARG(sentence),
			(long long)v->attempt);
	causes = causes_of(arena, v->verdict);
	return text_format(arena, tr("%.*s/%.*s: %s: %.*s (attempt %lld; %.*s)"), TEXT_ARG(v->lab),
		TEXT_ARG(v->step), kind, TEXT_ARG(sentence), (long long)v->attempt,
		TEXT_ARG(causes));
}

struct record *journal_verdict(struct arena *arena, const struct journal_verdict *v)
{
	struct record *record = arena_alloc(arena, sizeof(*record));
	struct text message = message_of(arena, v);

	if (!record || !message.ptr)
		return NULL;
	*record = (struct record){.arena = arena, .message = clean_copy(arena, message)};
	add(record, "MESSAGE", message);
	add(record, "MESSAGE_ID", text_of(verdict_ids[v->verdict->kind]));
	add_number(record, "PRIORITY", JOURNAL_NOTICE);
	add(record, "EWIN_LAB", v->lab);
	add(record, "EWIN_STEP", v->step);
	add(record, "EWIN_VERDICT", text_of(verdict_name(v->verdict->kind)));
	add(record, "EWIN_DIAG", causes_of(arena, v->verdict));
	add_number(record, "EWIN_ATTEMPT", v->attempt);
	add_number(record, "EWIN_HINT_TIER", v->hint_tier);
	add_number(record, "EWIN_SEQ", v->seq);
	add(record, "EWIN_FILE", v->file);
	add(record, "EWIN_SHA256", v->sha256);
	add_number(record, "EWIN_LATENCY_USEC", v->latency_usec);
	return record;
}

void journal_send(const struct journal *journal, const struct record *record)
{
	if (journal->structured)
		sd_journal_sendv(record->fields, record->count);
	else
		say_plainly(record->message);
}

void journal_hint(const struct journal *journal, const struct journal_hint *hint)
{
	struct record record;
	struct text message;
	struct arena arena;

	arena_init(&arena, 1u << 20);
	record = (struct record){.arena = &arena};
	message = text_format(&arena, tr("%.*s/%.*s: hint %lld was asked for (attempt %lld)"),
		TEXT_ARG(hint->lab), TEXT_ARG(hint->step), (long long)hint->hint_tier,
		(long long)hint->attempt);
	if (message.ptr && !journal->structured) {
		say_plainly(clean_copy(&arena, message));
	} else if (message.ptr) {
		add(&record, "MESSAGE", message);
		add(&record, "MESSAGE_ID", text_of(hint_id));
		add_number(&record, "PRIORITY", JOURNAL_INFO);
		add(&record, "EWIN_LAB", hint->lab);
		add(&record, "EWIN_STEP", hint->step);
		add_number(&record, "EWIN_ATTEMPT", hint->attempt);
		add_number(&record, "EWIN_HINT_TIER", hint->hint_tier);
		sd_journal_sendv(record.fields, record.count);
	}
	arena_finish(&arena);
}

/* A line that is no verdict, cleaned. `id`: of its kind; NULL: none. */
static void say(
	const struct journal *journal, enum journal_level level, const char *id, const char *line)
{
	struct diag cleaned; /* for its rule about what may be shown */
	struct record record;
	struct arena arena;

	diag_set(&cleaned, 0, 0, 0, "%s", line);
	if (!journal->structured) {
		if (level < JOURNAL_DEBUG)
			say_plainly(text_of(cleaned.text));
		return;
	}
	arena_init(&arena, 1u << 20);
	record = (struct record){.arena = &arena};
	add(&record, "MESSAGE", text_of(cleaned.text));
	if (id)
		add(&record, "MESSAGE_ID", text_of(id));
	add_number(&record, "PRIORITY", level);
	sd_journal_sendv(record.fields, record.count);
	arena_finish(&arena);
}

void journal_say(const struct journal *journal, enum journal_level level, const char *format, ...)
{
	char line[LIMIT_DIAG_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), tr(format), args);
	va_end(args);
	say(journal, level, NULL, line);
}

void journal_warn(
	const struct journal *journal, enum journal_trouble trouble, const char *format, ...)
{
	char line[LIMIT_DIAG_TEXT];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), tr(format), args);
	va_end(args);
	journal_line(journal, trouble, text_of(line));
}

void journal_line(const struct journal *journal, enum journal_trouble trouble, struct text sentence)
{
	char line[LIMIT_DIAG_TEXT];

	snprintf(line, sizeof(line), "%.*s", TEXT_ARG(sentence));
	say(journal, troubles[trouble].level, troubles[trouble].id, line);
}

void journal_diag(const struct journal *journal, enum journal_level level, const struct diag *diag)
{
	char buf[DIAG_LINE];

	say(journal, level, NULL, diag_format(diag, buf, sizeof(buf)));
}
