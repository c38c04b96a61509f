/* Functions that make texts of texts. Lengths and places are those of characters; a place before
 * the beginning is counted from the end. Recorded: more_sim/scalar_text,
 * more_sim/batch_string_start, format/pipe_newline_stream. */
#include "sim/function.h"

#include "parser/arena.h"
#include "parser/encoding.h"
#include "sim/letters.h"

static void change_letters(const struct call *call, bool upper, struct value *ret)
{
	struct scratch *scratch = call_begin(call);

	call->eval->beyond |= !letters_append(scratch, call->args[0].s, upper);
	/* A constant is cut to its type's length. */
	call->eval->beyond |= call->expr->args[0]->is_constant &&
			      call->expr->type.kind == SQL_CHAR &&
			      characters(scratch_text(scratch)) > characters(call->args[0].s);
	call_end(call, ret);
}

static void apply_upper(const struct call *call, struct value *ret)
{
	change_letters(call, true, ret);
}

static void apply_lower(const struct call *call, struct value *ret)
{
	change_letters(call, false, ret);
}

static bool is_ascii_word(char c)
{
	return text_is_word(c) && c != '_';
}

/* Words are of ASCII; other characters lie between words. */
static void apply_initcap(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s;
	struct scratch *scratch = call_begin(call);
	bool inside = false;

	for (size_t i = 0; i < text.len; i++) {
		struct text letter = text_slice(text, i, i + 1);
		bool word = is_ascii_word(letter.ptr[0]);

		call->eval->beyond |= word ? !letters_append(scratch, letter, !inside)
					   : !scratch_append(scratch, letter);
		inside = word;
	}
	call_end(call, ret);
}

/* A length below 0 is NULL, a place before the beginning gives nothing. */
static void apply_substring(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s;
	int64_t from = call->args[1].i, count = (int64_t)characters(text);
	int64_t length = call->count == 3 ? call->args[2].i : INT32_MAX;

	ret->null = length < 0;
	ret->s = TEXT("");
	from = from > 0 ? from - 1 : from < 0 ? count + from : 0;
	if (from >= 0 && length > 0)
		ret->s = characters_slice(text, (size_t)from, (size_t)(from + length));
}

static void apply_left(const struct call *call, struct value *ret)
{
	int64_t length = call->args[1].i;

	ret->s = characters_slice(call->args[0].s, 0, length > 0 ? (size_t)length : 0);
}

static void apply_right(const struct call *call, struct value *ret)
{
	size_t count = characters(call->args[0].s);
	size_t length = call->args[1].i > 0 ? (size_t)call->args[1].i : 0;

	ret->s = characters_slice(call->args[0].s, length < count ? count - length : 0, count);
}

/* Longer texts are refused: nobody reads them. */
#define LONGEST_TEXT (1 << 20)

/* The first `length` characters of text, text, text ... */
static void append_repeated(const struct call *call, struct text text, int64_t length)
{
	int64_t count = (int64_t)characters(text);

	call->eval->beyond |= length > LONGEST_TEXT;
	for (; length > 0 && count && !call->eval->beyond; length -= count)
		call_append(call, characters_slice(text, 0, (size_t)length));
}

/* Fills up to a length with a padding; a text that is longer is cut. */
static void pad(const struct call *call, bool before, struct value *ret)
{
	struct text text = call->args[0].s, padding = call->args[2].s;
	int64_t length = call->args[1].i, missing = length - (int64_t)characters(text);

	call_plain(call, text);
	call_plain(call, padding);
	ret->null = length < 0 || !padding.len;
	if (ret->null)
		return;
	call_begin(call);
	if (before)
		append_repeated(call, padding, missing);
	call_append(call, characters_slice(text, 0, (size_t)length));
	if (!before)
		append_repeated(call, padding, missing);
	call_end(call, ret);
}

static void apply_lpad(const struct call *call, struct value *ret)
{
	pad(call, true, ret);
}

static void apply_rpad(const struct call *call, struct value *ret)
{
	pad(call, false, ret);
}

static void apply_repeat(const struct call *call, struct value *ret)
{
	call_begin(call);
	call->eval->beyond |= call->args[1].i > LONGEST_TEXT;
	if (!call->eval->beyond)
		append_repeated(call, call->args[0].s,
			call->args[1].i * (int64_t)characters(call->args[0].s));
	call_end(call, ret);
}

static void apply_reverse(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s;

	call_begin(call);
	for (size_t end = text.len, i = text.len; i-- > 0;)
		if (((unsigned char)text.ptr[i] & 0xc0) != 0x80) {
			call_append(call, text_slice(text, i, end));
			end = i;
		}
	call_end(call, ret);
}

/* An empty text is found before every character and behind the last one. */
static void apply_replace(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s, search = call->args[1].s;
	size_t len, at;

	call_begin(call);
	if (!search.len)
		call_plain(call, text);
	while (text.len) {
		at = search.len ? text_find(text, search) : 0;
		len = search.len;
		call_append(call, text_slice(text, 0, at));
		if (at < text.len)
			call_append(call, call->args[2].s);
		if (!len) {
			utf8_decode(text, &len);
			call_append(call, text_slice(text, 0, len));
		}
		text = text_slice(text, at + len, text.len);
	}
	if (!search.len)
		call_append(call, call->args[2].s);
	call_end(call, ret);
}

/* Puts a text in the place of some characters from a place on. */
static void apply_overlay(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s, put = call->args[1].s;
	int64_t from = call->args[2].i, count = (int64_t)characters(text);
	int64_t length = call->count == 4 ? call->args[3].i : (int64_t)characters(put);

	call_plain(call, text);
	call_plain(call, put);
	ret->s = text;
	if (from <= 0 || from > count)
		return;
	call->eval->beyond |= length < 0;
	call_begin(call);
	call_append(call, characters_slice(text, 0, (size_t)from - 1));
	call_append(call, put);
	call_append(call, characters_slice(text, (size_t)(from - 1 + length), (size_t)count));
	call_end(call, ret);
}

enum side { SIDE_LEFT = 1, SIDE_RIGHT = 2, SIDE_BOTH = 3 };

static bool is_one_of(struct text set, struct text letter)
{
	return text_find(set, letter) < set.len;
}

/* Removes characters of a set (blanks where none is given) at the ends. */
static void trim(const struct call *call, enum side sides, struct value *ret)
{
	struct text text = call->args[0].s, set = call->count > 1 ? call->args[1].s : TEXT(" ");
	size_t len = 0, from;

	while ((sides & SIDE_LEFT) && text.len && set.len) {
		utf8_decode(text, &len);
		if (!is_one_of(set, text_slice(text, 0, len)))
			break;
		text = text_slice(text, len, text.len);
	}
	while ((sides & SIDE_RIGHT) && text.len && set.len) {
		for (from = text.len - 1; from && ((unsigned char)text.ptr[from] & 0xc0) == 0x80;)
			from--;
		if (!is_one_of(set, text_slice(text, from, text.len)))
			break;
		text = text_slice(text, 0, from);
	}
	ret->s = text;
}

static void apply_trim(const struct call *call, struct value *ret)
{
	trim(call, SIDE_BOTH, ret);
}

static void apply_ltrim(const struct call *call, struct value *ret)
{
	trim(call, SIDE_LEFT, ret);
}

static void apply_rtrim(const struct call *call, struct value *ret)
{
	trim(call, SIDE_RIGHT, ret);
}

/* Each character of the first set becomes the one at its place in the second, or goes. */
static void apply_translate(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s, from = call->args[1].s, to = call->args[2].s;
	size_t len = 0;

	call_begin(call);
	call_plain(call, text);
	for (; text.len; text = text_slice(text, len, text.len)) {
		struct text letter = text;
		size_t at;

		utf8_decode(text, &len);
		letter = text_slice(text, 0, len);
		at = text_find(from, letter);
		if (at < from.len) {
			at = characters(text_slice(from, 0, at));
			letter = characters_slice(to, at, at + 1);
		}
		call_append(call, letter);
	}
	call_end(call, ret);
}

/* The lowest eight bits are a character of Latin-1; a number below 0 is an empty text. */
static void apply_chr(const struct call *call, struct value *ret)
{
	unsigned code = (unsigned)call->args[0].i & 0xff;
	char bytes[2] = {(char)(0xc0 | code >> 6), (char)(0x80 | (code & 0x3f))};

	call_begin(call);
	if (code < 0x80)
		bytes[0] = (char)code;
	if (call->args[0].i >= 0)
		call_append(call, (struct text){bytes, code < 0x80 ? 1 : 2});
	call_end(call, ret);
}

/* The part with this number, from 0, between separators; NULL where there is none. */
static void apply_split_index(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s, separator = call->args[1].s;
	int64_t n = call->args[2].i;
	size_t at = text_find(text, separator);

	call->eval->beyond |= !separator.len;
	ret->null = n < 0 || !text.len || !separator.len;
	for (; n > 0 && !ret->null; n--) {
		ret->null = at >= text.len;
		text = text_slice(text, at + separator.len, text.len);
		at = text_find(text, separator);
	}
	ret->s = text_slice(text, 0, at);
}

static const char hex_digits[] = "0123456789ABCDEF";

static void apply_hex(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s;

	call_begin(call);
	for (size_t i = 0; i < text.len; i++) {
		unsigned byte = (unsigned char)text.ptr[i];
		char digits[2] = {hex_digits[byte >> 4], hex_digits[byte & 15]};

		call_append(call, (struct text){digits, 2});
	}
	call_end(call, ret);
}

const struct function text_functions[] = {
	{"UPPER", "t", RESULT_FIRST, NULL_FROM_ARGS, apply_upper, NULL, "<CHARACTER>"},
	{"LOWER", "t", RESULT_FIRST, NULL_FROM_ARGS, apply_lower, NULL, "<CHARACTER>"},
	{"INITCAP", "t", RESULT_FIRST, NULL_FROM_ARGS, apply_initcap, NULL, "<CHARACTER>"},
	{"SUBSTRING", "ti?i", RESULT_VARYING, NULL_ALWAYS, apply_substring, NULL,
		"<CHARACTER>, <INTEGER>|<CHARACTER>, <INTEGER>, <INTEGER>"},
	{"SUBSTR", "ti?i", RESULT_VARYING, NULL_ALWAYS, apply_substring, NULL, NULL},
	{"LEFT", "ti", RESULT_VARYING, NULL_ALWAYS, apply_left, NULL, NULL},
	{"RIGHT", "ti", RESULT_VARYING, NULL_ALWAYS, apply_right, NULL, NULL},
	{"LPAD", "tit", RESULT_STRING, NULL_FROM_ARGS, apply_lpad, NULL, NULL},
	{"RPAD", "tit", RESULT_STRING, NULL_FROM_ARGS, apply_rpad, NULL, NULL},
	{"REPEAT", "ti", RESULT_STRING, NULL_FROM_ARGS, apply_repeat, NULL, NULL},
	{"REVERSE", "t", RESULT_STRING, NULL_ALWAYS, apply_reverse, NULL, NULL},
	{"REPLACE", "ttt", RESULT_STRING, NULL_FROM_ARGS, apply_replace, NULL, NULL},
	{"OVERLAY", "tti?i", RESULT_JOINED, NULL_FROM_ARGS, apply_overlay, NULL, NULL},
	{"TRIM", "t?t", RESULT_VARYING, NULL_FROM_ARGS, apply_trim, NULL, NULL},
	{"LTRIM", "t?t", RESULT_VARYING, NULL_FROM_ARGS, apply_ltrim, NULL, NULL},
	{"RTRIM", "t?t", RESULT_VARYING, NULL_FROM_ARGS, apply_rtrim, NULL, NULL},
	{"BTRIM", "t?t", RESULT_STRING, NULL_FROM_ARGS, apply_trim, NULL, NULL},
	{"TRANSLATE", "ttt", RESULT_STRING, NULL_FROM_ARGS, apply_translate, NULL, NULL},
	{"CHR", "l", RESULT_STRING, NULL_ALWAYS, apply_chr, NULL, NULL},
	{"SPLIT_INDEX", "tti", RESULT_STRING, NULL_ALWAYS, apply_split_index, NULL, NULL},
	{"HEX", "t", RESULT_STRING, NULL_FROM_ARGS, apply_hex, NULL, NULL},
	{0},
};
