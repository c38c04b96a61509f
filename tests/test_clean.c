/* parser/clean.c, and all that shows what somebody else chose: one table of hostile text, and
 * each way to a terminal, a page or a journal gives it in the same cleaned form. */
#include "parser/clean.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>

#include "daemon/grade/message.h"
#include "daemon/journal.h"
#include "daemon/notify.h"
#include "daemon/sheet.h"
#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/json.h"
#include "tests/test.h"

int sd_journal_sendv(const struct iovec *fields, int count);
int sd_notify(int unset, const char *state);

/* U+XXXX in the comments; what they are is Unicode's. */
static const struct {
	const char *hostile, *shown;
} table[] = {
	{"plain text, $(id) `id` %F{red} !!", "plain text, $(id) `id` %F{red} !!"},
	{"a\x1b[31mred\x1b[0m", "a?[31mred?[0m"}, {"\x1b]0;title\a", "?]0;title?"},
	{"\x1b]52;c;cm0gLXJm\x1b\\", "?]52;c;cm0gLXJm?\\"},
	{"\x1b]8;;http://x\x1b\\", "?]8;;http://x?\\"}, {"\x1bP1$r0m\x1b\\", "?P1$r0m?\\"},
	{"a\bb\rc\x7f", "a?b?c?"},
	{"\xc2\x80\xc2\x9b\x33\x31m\xc2\x9d\xc2\x9f", "??31m??"}, /* C1 */
	{"\x9b\x9d", "??"},					  /* C1 as bytes */
	{"\xff\xfe\xc0\xaf\xed\xa0\x80", "???????"},		  /* no UTF-8 */
	{"cut \xe3\x81", "cut ??"},
	{"\xe2\x80\xaa\xe2\x80\xab\xe2\x80\xac\xe2\x80\xad\xe2\x80\xae",
		"?????"},					      /* 202A to 202E */
	{"\xe2\x81\xa6\xe2\x81\xa7\xe2\x81\xa8\xe2\x81\xa9", "????"}, /* 2066 to 2069 */
	{"\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c", "???"},		      /* 200E, 200F, 061C */
	{"\xe2\x80\x8b\xe2\x80\x8c\xe2\x80\x8d\xe2\x81\xa0\xef\xbb\xbf", "?????"}, /* zero widths */
	{"a\xc2\xad\x62\xe1\xa0\x8e", "a?b?"},					   /* 00AD, 180E */
	{"\xe3\x85\xa4\xe1\x85\x9f\xef\xbe\xa0", "???"}, /* Hangul fillers */
	{"\xe2\x80\xa8\xe2\x80\xa9", "??"},		 /* 2028, 2029 */
	{"\xef\xbf\xb9\xef\xbf\xbb\xef\xbf\xbe\xef\xbf\xbf\xf0\x9f\xbf\xbf",
		"?????"},			    /* FFF9 ... */
	{"\xf3\xa0\x81\xa1\xf3\xa0\x80\x81", "??"}, /* tags */
	{"\xef\xbf\xbd", "?"},			    /* FFFD itself */
	{"\xe4\xb8\xad \xed\x95\x9c \xe3\x81\x82 \xc3\xa9",
		"\xe4\xb8\xad \xed\x95\x9c \xe3\x81\x82 \xc3\xa9"},
	{"\xe2\x9a\xa0\xef\xb8\x8f \xe8\xbe\xbb\xf3\xa0\x84\x80", /* with variation selectors */
		"\xe2\x9a\xa0\xef\xb8\x8f \xe8\xbe\xbb\xf3\xa0\x84\x80"},
	{"\xc2\xa0\xe3\x80\x80|", "\xc2\xa0\xe3\x80\x80|"}, /* blanks that take room */
};

#define EACH(i) for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)

static bool shown_as(struct text got, size_t i)
{
	if (text_eq(got, text_of(table[i].shown)))
		return true;
	printf("# entry %zu: %.*s\n", i, TEXT_ARG(got));
	return false;
}

TEST(a_text_is_cleaned_in_place_and_as_a_copy)
{
	struct arena arena;
	char buf[200];

	arena_init(&arena, 1 << 20);
	EACH(i)
	{
		snprintf(buf, sizeof(buf), "%s", table[i].hostile);
		CHECK(shown_as((struct text){buf, clean_bytes(buf, strlen(buf))}, i));
		CHECK(shown_as(clean_copy(&arena, text_of(table[i].hostile)), i));
		CHECK(shown_as(text_of(clean_name(table[i].hostile, buf, sizeof(buf))), i));
	}
	CHECK(text_eq(clean_copy(&arena, (struct text){"a\0b", 3}), TEXT("a?b")));
	CHECK(text_eq(
		text_of(clean_name("\xe3\x81\x82\xe3\x81\x84", buf, 6)), TEXT("\xe3\x81\x82??")));
	arena_finish(&arena);
}

TEST(a_diagnostic_is_cleaned)
{
	EACH(i)
	{
		struct diag diag = {0};

		diag_set(&diag, 0, 0, 0, "%s", table[i].hostile);
		CHECK(shown_as(text_of(diag.text), i));
		diag_file(&diag, text_of(table[i].hostile));
		CHECK(shown_as(text_of(diag.file), i));
	}
}

TEST(arguments_of_messages_are_cleaned)
{
	struct arena arena;

	arena_init(&arena, 1 << 20);
	EACH(i)
	{
		struct message m;

		CHECK(message_make(&arena, MSG_MISSING, text_of(table[i].hostile), TEXT(""),
			      TEXT(""), &m) == 0);
		CHECK(shown_as(m.args[0], i));
	}
	arena_finish(&arena);
}

TEST(what_is_printed_for_people_is_cleaned)
{
	EACH(i)
	{
		struct sheet sheet = {0};
		char *printed = NULL;
		size_t len = 0;

		sheet.file = open_memstream(&printed, &len);
		CHECK(sheet.file != NULL);
		sheet_put(&sheet, text_of(table[i].hostile));
		fclose(sheet.file);
		CHECK(shown_as((struct text){printed, len}, i));
		free(printed);
	}
}

/* JSON keeps the text, in escapes: only a bad byte is lost. */
TEST(json_shows_nothing_hidden_and_loses_nothing)
{
	struct arena arena;

	arena_init(&arena, 1 << 20);
	EACH(i)
	{
		struct json *root = json_add(&arena, NULL, NULL, JSON_ARRAY), back;
		struct text hostile = text_of(table[i].hostile), printed;
		struct diag diag;
		size_t len;

		json_add_text(&arena, root, NULL, hostile);
		CHECK(json_print(&arena, root, false, &printed) == 0);
		CHECK(json_parse(&arena, printed, &back, &diag) == 0);
		CHECK(!utf8_valid(hostile) || text_eq(back.items[0]->string, hostile));
		for (; printed.len; printed = text_slice(printed, len, printed.len)) {
			uint32_t c = utf8_decode(printed, &len);

			CHECK(clean_shows(c) || c == 0xfffd);
		}
	}
	arena_finish(&arena);
}

/* ---- what leaves for journald and systemd: libsystemd's functions are these here ---- */

static struct sent {
	char fields[16][LIMIT_DIAG_TEXT];
	int count;
} sent;

static void keep(struct text field)
{
	snprintf(sent.fields[sent.count++ % 16], LIMIT_DIAG_TEXT, "%.*s", TEXT_ARG(field));
}

int sd_journal_sendv(const struct iovec *fields, int count)
{
	for (int i = 0; i < count; i++)
		keep((struct text){fields[i].iov_base, fields[i].iov_len});
	return 0;
}

int sd_notify(int unset, const char *state)
{
	(void)unset;
	keep(text_of(state));
	return 0;
}

/* All that was sent may be shown; each field is NAME=value, and one has the text of the table. */
static bool all_clean(const char *name, size_t i)
{
	bool found = false;

	for (int f = 0; f < sent.count; f++) {
		struct text field = text_of(sent.fields[f]), rest = field;
		size_t len;

		if (text_find(field, TEXT("=")) == field.len)
			return false;
		for (; rest.len; rest = text_slice(rest, len, rest.len))
			if (!clean_shows(utf8_decode(rest, &len)))
				return false;
		if (text_starts(field, text_of(name)))
			found |= text_ends(field, text_of(table[i].shown));
	}
	sent.count = 0;
	return found;
}

TEST(what_the_journal_gets_is_cleaned)
{
	struct journal journal = {.structured = true};
	struct arena arena;

	arena_init(&arena, 1 << 20);
	EACH(i)
	{
		struct text hostile = text_of(table[i].hostile);
		struct diagnosis cause = {.id = 0, .param = hostile};
		struct verdict verdict = {.kind = VERDICT_FAIL,
			.summary = {.id = MSG_MISSING, .args = {hostile}},
			.diagnosis = &cause,
			.diagnosis_count = 1};
		struct diag diag = {0};

		journal_send(
			&journal, journal_verdict(&arena, &(struct journal_verdict){.lab = hostile,
								  .step = hostile,
								  .verdict = &verdict,
								  .file = hostile,
								  .sha256 = hostile}));
		CHECK(all_clean("EWIN_FILE=", i));
		journal_hint(&journal, &(struct journal_hint){.lab = hostile, .step = hostile});
		CHECK(all_clean("EWIN_STEP=", i));
		journal_say(&journal, JOURNAL_INFO, "%s", table[i].hostile);
		CHECK(all_clean("MESSAGE=", i));
		snprintf(diag.text, sizeof(diag.text), "%s", table[i].hostile);
		journal_diag(&journal, JOURNAL_INFO, &diag);
		CHECK(all_clean("MESSAGE=", i));
	}
	arena_finish(&arena);
}

TEST(what_systemctl_shows_is_cleaned)
{
	EACH(i)
	{
		notify_status(text_of(table[i].hostile));
		CHECK(all_clean("STATUS=", i));
	}
}

int main(void)
{
	RUN(a_text_is_cleaned_in_place_and_as_a_copy);
	RUN(a_diagnostic_is_cleaned);
	RUN(arguments_of_messages_are_cleaned);
	RUN(what_is_printed_for_people_is_cleaned);
	RUN(json_shows_nothing_hidden_and_loses_nothing);
	RUN(what_the_journal_gets_is_cleaned);
	RUN(what_systemctl_shows_is_cleaned);
	return test_finish();
}
