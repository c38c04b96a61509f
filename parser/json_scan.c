/* A scan over JSON's tokens: numbers, strings and words are checked to the letter of RFC 8259.
 * cJSON itself accepts 01, 1., a raw newline in a string and "a\u0000b", and cuts the last one. */
#include "parser/json_scan.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"
#include "parser/encoding.h"
#include "parser/limits.h"

struct scan {
	struct arena *arena;
	struct text source;
	size_t at;
	int line;
	size_t line_start;
	size_t counted; /* up to here columns are counted: `col` is that of this place */
	int col;
	int depth;
	struct json_scan *out;
	struct diag *reterr;
};

/* Goes on from where it was asked last: a file that is one long line is not read over and over. */
static int column(struct scan *s)
{
	if (s->counted < s->line_start || s->counted > s->at || !s->col) {
		s->counted = s->line_start;
		s->col = 1;
	}
	while (s->counted < s->at) {
		size_t len;

		utf8_decode(text_slice(s->source, s->counted, s->at), &len);
		s->counted += len;
		s->col++;
	}
	return s->col;
}

static int refuse(struct scan *s, const char *what)
{
	return diag_set(s->reterr, -EINVAL, s->line, column(s), "%s", what);
}

static int peek(const struct scan *s)
{
	return s->at < s->source.len ? (unsigned char)s->source.ptr[s->at] : -1;
}

static int mark(struct scan *s, struct text number)
{
	struct json_scan *out = s->out;

	if (arena_grow(s->arena, &out->marks, out->count, &out->room, sizeof(*out->marks)))
		return diag_nomem(s->reterr);
	out->marks[out->count++] = (struct json_mark){s->line, column(s), number};
	return 0;
}

static bool digits(struct scan *s)
{
	size_t from = s->at;

	while (peek(s) >= '0' && peek(s) <= '9')
		s->at++;
	return s->at > from;
}

static bool is_number(struct scan *s)
{
	if (peek(s) == '-')
		s->at++;
	if (peek(s) == '0')
		s->at++;
	else if (!digits(s))
		return false;
	if (peek(s) == '.') {
		s->at++;
		if (!digits(s))
			return false;
	}
	if (peek(s) != 'e' && peek(s) != 'E')
		return true;
	s->at++;
	if (peek(s) == '+' || peek(s) == '-')
		s->at++;
	return digits(s);
}

static int scan_number(struct scan *s)
{
	size_t from = s->at;
	struct text number;
	bool well_formed = is_number(s) && !(peek(s) >= '0' && peek(s) <= '9') && peek(s) != '.';

	number = text_slice(s->source, from, s->at);
	s->at = from;
	if (!well_formed)
		return refuse(s, "a number is not written as JSON writes it");
	if (mark(s, number))
		return -ENOMEM;
	s->at = from + number.len;
	return 0;
}

static bool is_hex(int c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* One escape; the backslash is at s->at. */
static int scan_escape(struct scan *s)
{
	bool zero = true;

	s->at++;
	if (peek(s) != 'u') {
		if (peek(s) <= 0 ||
			text_find(TEXT("\"\\/bfnrt"), text_slice(s->source, s->at, s->at + 1)) == 8)
			return refuse(s, "a string holds an escape that JSON does not know");
		s->at++;
		return 0;
	}
	s->at++;
	for (int i = 0; i < 4; i++, s->at++) {
		if (!is_hex(peek(s)))
			return refuse(s, "an escape \\u needs four hexadecimal digits");
		zero = zero && peek(s) == '0';
	}
	return zero ? refuse(s, "a string holds the character \\u0000") : 0;
}

/* A string, which is a key where a colon follows, else a value. */
static int scan_string(struct scan *s)
{
	size_t from = s->at, end;
	struct text rest;

	s->at++;
	while (peek(s) != '"') {
		int c = peek(s);

		if (c == -1)
			return refuse(s, "a string is not closed");
		if (c < 0x20)
			return refuse(s, "a string holds a raw line break or control character");
		if (c != '\\')
			s->at++;
		else if (scan_escape(s))
			return -EINVAL;
	}
	end = s->at + 1;
	rest = text_trim_left(text_slice(s->source, end, s->source.len));
	s->at = from;
	if (!text_starts(rest, TEXT(":")) && mark(s, (struct text){0}))
		return -ENOMEM;
	s->at = end;
	return 0;
}

static int scan_word(struct scan *s)
{
	static const struct text words[] = {{"true", 4}, {"false", 5}, {"null", 4}};
	struct text rest = text_slice(s->source, s->at, s->source.len);

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (text_starts(rest, words[i])) {
			if (mark(s, (struct text){0}))
				return -ENOMEM;
			s->at += words[i].len;
			return 0;
		}
	return refuse(s, "unexpected text; look for a wrong quote, comma or bracket");
}

static int scan_bracket(struct scan *s, int c)
{
	bool opens = c == '{' || c == '[';

	s->depth += opens ? 1 : -1;
	if (s->depth > LIMIT_NESTING)
		return refuse(s, "it is nested too deeply");
	if (opens && mark(s, (struct text){0}))
		return -ENOMEM;
	s->at++;
	return 0;
}

static int scan_token(struct scan *s)
{
	int c = peek(s);

	switch (c) {
	case '\n':
		s->line++;
		s->line_start = ++s->at;
		return 0;
	case ' ':
	case '\t':
	case '\r':
	case ',':
	case ':': s->at++; return 0;
	case '{':
	case '[':
	case '}':
	case ']': return scan_bracket(s, c);
	case '"': return scan_string(s);
	default: return c == '-' || (c >= '0' && c <= '9') ? scan_number(s) : scan_word(s);
	}
}

/* The first line that is no UTF-8; no character goes beyond its line. */
static int bad_line(struct text source)
{
	struct text line;
	int number = 0;

	do
		number++;
	while (text_next_line(&source, &line) && utf8_valid(line));
	return number;
}

int json_scan(struct arena *arena, struct text source, struct json_scan *ret, struct diag *reterr)
{
	struct json_scan out = {0};
	struct scan s = {
		.arena = arena, .source = source, .line = 1, .out = &out, .reterr = reterr};

	if (!utf8_valid(source)) {
		s.line = bad_line(source);
		return refuse(&s, "it is not UTF-8 text");
	}
	while (s.at < source.len) {
		int err = scan_token(&s);

		if (err)
			return err;
	}
	out.open = s.depth > 0 || out.count == 0;
	*ret = out;
	return 0;
}
