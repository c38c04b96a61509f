/* Which digits of a FLOAT or DOUBLE are printed. */
#include "parser/double.h"
#include "tests/test.h"

/* Printed by JDK 17.0.15: toHexString() and toString() of Double, and of Float where single. */
static const struct {
	bool single;
	double f;
	const char *text;
} printed[] = {
	{false, 0x1.52d02c7e14af6p76, "9.999999999999999E22"},
	{false, 0x1.0p-44, "5.6843418860808015E-14"},
	{false, 0x1.0624dd2f1a9fcp-9, "0.002"},
	{false, 0x1.1c37937e08p53, "1.0E16"},
	{false, 0x1.0624dd2f1a9fcp-10, "0.001"},
	{false, 0x1.205bc01a36e2fp-10, "0.0011"},
	{false, 0x1.0p53, "9.007199254740992E15"},
	{false, 0x1.0p57, "1.44115188075855872E17"},
	{false, 0x1.0p62, "4.6116860184273879E18"},
	{false, 0x1.158e460913dp63, "1.0E19"},
	{false, 0x1.c7e83209e90b2p72, "8.409999999999999E21"},
	{false, 0x1.0p-1022, "2.2250738585072014E-308"},
	{false, 0x0.0000000000001p-1022, "4.9E-324"},
	{false, 0x0.0000000000002p-1022, "1.0E-323"},
	{false, 0x1.f67ea69ed3795p57, "2.82879384806159008E17"},
	{false, 0x1.340e8548b0adbp60, "1.38736413503775411E18"},
	{false, 0x1.374bc6a7ef9dbp-7, "0.0095"},
	{false, 0x1.227b0d8220a02p-9, "0.0022161916722904804"},
	{false, -0x1.ac29cfbf90b48p84, "-3.2351106256288344E25"},
	{false, 0x1.0p63, "9.223372036854776E18"},
	{false, 0x1.40662ab5c856cp69, "7.387900000000001E20"},
	{false, 0x1.52d02c7e14af6p77, "1.9999999999999998E23"},
	{false, 0x1.9999999999999p-1, "0.7999999999999999"},
	{false, 0x1.0aaaaaaaaaaabp5, "33.333333333333336"},
	{false, 0x1.2d687e3d70a3dp20, "1234567.89"},
	{false, 0x1.78c29dccccccdp23, "1.23456789E7"},
	{true, 0x1.0p31, "2.14748365E9"},
	{true, 0x1.1c3794p53, "1.00000003E16"},
	{true, 0x1.2a05f2p33, "1.0E10"},
	{true, 0x1.0p25, "3.3554432E7"},
	{true, 0x1.0p24, "1.6777216E7"},
	{true, 0x1.0p-126, "1.17549435E-38"},
	{true, 0x0.000002p-126, "1.4E-45"},
	{true, 0x1.d102p85, "7.0269993E25"},
	{true, 0x1.0p33, "8.5899346E9"},
	{true, 0x1.52d02cp76, "1.0E23"},
	{true, 0x1.0624dep-10, "0.001"},
	{true, 0x1.333334p-2, "0.3"},
	{true, 0x1.4f8b58p-17, "1.0E-5"},
	{true, 0x1.0624dep-9, "0.002"},
	{true, 0x1.0624dcp-10, "9.999999E-4"},
	{true, 0x1.0p-44, "5.684342E-14"},
	{true, 0x1.0p90, "1.23794004E27"},
	{true, 0x1.fffffep24, "3.355443E7"},
	{true, 0x1.d6f346p26, "1.23456792E8"},
};

TEST(digits_are_those_of_jdk_17)
{
	char buf[DOUBLE_SIZE];

	for (size_t i = 0; i < sizeof(printed) / sizeof(printed[0]); i++) {
		double_print(printed[i].f, printed[i].single, buf);
		if (strcmp(buf, printed[i].text) != 0)
			printf("# %s instead of %s\n", buf, printed[i].text);
		CHECK(strcmp(buf, printed[i].text) == 0);
	}
}

int main(void)
{
	RUN(digits_are_those_of_jdk_17);
	return test_finish();
}
