/* parser/encoding.c, parser/encoding_width.c: what a BOM and UTF-16 become, and the client's
 * widths. */
#include "parser/encoding.h"

#include "parser/arena.h"
#include "tests/test.h"

static bool decodes_to(struct text bytes, struct text wanted, unsigned wanted_remarks)
{
	struct arena arena;
	struct text got = {0};
	unsigned remarks = 99;
	bool holds;

	arena_init(&arena, 1 << 20);
	holds = encoding_decode(&arena, bytes, &got, &remarks, NULL) == 0 && text_eq(got, wanted) &&
		remarks == wanted_remarks;
	arena_finish(&arena);
	return holds;
}

TEST(utf8_stays_and_its_bom_goes)
{
	CHECK(decodes_to(TEXT(""), TEXT(""), 0));
	CHECK(decodes_to(TEXT("a\xff\x80"), TEXT("a\xff\x80"), 0));
	CHECK(decodes_to(TEXT("\xef\xbb\xbf"
			      "ab"),
		TEXT("ab"), ENCODING_BOM));
	CHECK(decodes_to(TEXT("\xef\xbb"), TEXT("\xef\xbb"), 0));
}

TEST(utf16_is_known_by_its_bom)
{
	CHECK(decodes_to(TEXT("\xff\xfe"
			      "a\0\n\0"),
		TEXT("a\n"), ENCODING_BOM | ENCODING_UTF16));
	CHECK(decodes_to(TEXT("\xfe\xff"
			      "\0a\0\n"),
		TEXT("a\n"), ENCODING_BOM | ENCODING_UTF16));
	CHECK(decodes_to(TEXT("\xff\xfe"), TEXT(""), ENCODING_BOM | ENCODING_UTF16));
}

TEST(utf16_without_a_bom_is_known_by_its_zeros)
{
	CHECK(decodes_to(TEXT("+\0-\0-\0-\0"), TEXT("+---"), ENCODING_UTF16));
	CHECK(decodes_to(TEXT("\0+\0-\0-\0-"), TEXT("+---"), ENCODING_UTF16));
	CHECK(decodes_to(TEXT("\0\0\0\0"), TEXT("\0\0\0\0"), 0));
	CHECK(decodes_to(TEXT("nul \0 in the middle"), TEXT("nul \0 in the middle"), 0));
}

TEST(surrogates_pair_or_are_replaced)
{
	CHECK(decodes_to(TEXT("\xff\xfe\x3d\xd8\x00\xde"), TEXT("\U0001f600"), 3));
	CHECK(decodes_to(TEXT("\xff\xfe\x3d\xd8"
			      "a\0"),
		TEXT("\ufffd"
		     "a"),
		3));
	CHECK(decodes_to(TEXT("\xff\xfe\x00\xde"), TEXT("\ufffd"), 3));
	CHECK(decodes_to(TEXT("\xff\xfe\x3d\xd8"), TEXT("\ufffd"), 3));
	CHECK(decodes_to(TEXT("\xff\xfe"
			      "a\0b"),
		TEXT("a\ufffd"), 3));
}

TEST(utf8_is_strict)
{
	CHECK(utf8_valid(TEXT("a\u00e9\u65e5\U0001f600")));
	CHECK(utf8_valid(TEXT("\xf4\x8f\xbf\xbf")));
	CHECK(!utf8_valid(TEXT("\xc0\x80")));	      /* overlong */
	CHECK(!utf8_valid(TEXT("\xe0\x9f\xbf")));     /* overlong */
	CHECK(!utf8_valid(TEXT("\xf0\x8f\xbf\xbf"))); /* overlong */
	CHECK(!utf8_valid(TEXT("\xed\xa0\x80")));     /* a surrogate */
	CHECK(!utf8_valid(TEXT("\xf4\x90\x80\x80")));
	CHECK(!utf8_valid(TEXT("\xe6\x97")));
	CHECK(!utf8_valid(TEXT("\x80")));
	CHECK(utf8_length(TEXT("")) == 0);
}

TEST(a_bad_byte_is_one_replacement)
{
	size_t len = 0;

	CHECK(utf8_decode(TEXT("\xe6\x97"
			       "a"),
		      &len) == 0xfffd &&
		len == 1);
	CHECK(utf8_decode(TEXT("\u65e5"), &len) == 0x65e5 && len == 3);
	CHECK(utf8_decode(TEXT("\U0001f600"), &len) == 0x1f600 && len == 4);
}

/* Each width as the client's padding shows it; recorded: format/wide_chars_stream. */
TEST(widths_are_the_clients)
{
	CHECK(client_width(TEXT("abc")) == 3);
	CHECK(client_width(TEXT("\u3042")) == 2); /* hiragana */
	CHECK(client_width(TEXT("\uac00")) == 2); /* hangul */
	CHECK(client_width(TEXT("\u4e2d")) == 2);
	CHECK(client_width(TEXT("\uff1b")) == 2);     /* full-width semicolon */
	CHECK(client_width(TEXT("\uff71")) == 1);     /* half-width kana */
	CHECK(client_width(TEXT("\U0001f600")) == 3); /* two UTF-16 units, and wide */
	CHECK(client_width(TEXT("\U00020bb7")) == 3);
	CHECK(client_width(TEXT("\U0001f1ef\U0001f1f5")) == 4); /* a flag: not wide */
	CHECK(client_width(TEXT("e\u0301")) == 2);		/* a combining mark counts */
	CHECK(client_width(TEXT("\u200b\u2460\u2192")) == 3);
	CHECK(client_width(TEXT("\n\t\0")) == 3);
	CHECK(client_width(TEXT("\x80\xff")) == 2);
}

int main(void)
{
	RUN(utf8_stays_and_its_bom_goes);
	RUN(utf16_is_known_by_its_bom);
	RUN(utf16_without_a_bom_is_known_by_its_zeros);
	RUN(surrogates_pair_or_are_replaced);
	RUN(utf8_is_strict);
	RUN(a_bad_byte_is_one_replacement);
	RUN(widths_are_the_clients);
	return test_finish();
}
