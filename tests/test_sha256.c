/* SHA-256 against the examples of FIPS 180-4 and NIST's published values. */
#include "daemon/sha256.h"

#include <stdlib.h>

#include "tests/test.h"

static bool digest_is(struct text bytes, const char *expected)
{
	char hex[SHA256_HEX];

	sha256_hex(bytes, hex);
	return strcmp(hex, expected) == 0;
}

TEST(published_examples)
{
	CHECK(digest_is(
		TEXT(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
	CHECK(digest_is(
		TEXT("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
	CHECK(digest_is(TEXT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
		"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
}

TEST(a_million_times_a)
{
	size_t size = 1000000;
	char *bytes = malloc(size);

	if (bytes)
		memset(bytes, 'a', size);
	CHECK(bytes && digest_is((struct text){bytes, size},
			       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
	free(bytes);
}

/* Every length around the places where the padding needs another block, against sha256sum(1). */
TEST(lengths_around_the_padding)
{
	static const struct {
		size_t len;
		const char *expected;
	} cases[] = {
		{1, "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"},
		{54, "45f316e10b2c99abf374b22bda893cf3300d77263f1e272349ed414680522952"},
		{55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
		{56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
		{57, "ae14a2563ccf969d99aca69ce6bb74981f734bbf9f655f73b8f06db68cab5217"},
		{63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"},
		{64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
		{65, "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9"},
		{119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"},
		{120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"},
		{121, "79072a47bfaa54e6057a9ee21e0dea64b9edbfd160c4ccadbb657e64b6d22ee4"},
		{127, "70156a14adbabf98cff3a71c7084b417abf057a8efd27329ca36b7202c87d81f"},
		{128, "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464"},
		{129, "0ec9eb33e74510bcdd1f2ea55206e82f21649c5c2becbf2b433eb475b34c01bd"},
	};
	char bytes[200];

	memset(bytes, 'x', sizeof(bytes));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK(digest_is((struct text){bytes, cases[i].len}, cases[i].expected));
}

int main(void)
{
	RUN(published_examples);
	RUN(a_million_times_a);
	RUN(lengths_around_the_padding);
	return test_finish();
}
