/* Which digits Java writes of a FLOAT or DOUBLE. */
#ifndef EWIN_PARSER_JAVA_DIGITS_H
#define EWIN_PARSER_JAVA_DIGITS_H

#include <stdbool.h>

/* Not one number needs more: 2^57 has 18, and 17 are enough for the others. */
#define JAVA_DIGITS 20

/* A number's significant digits, and the power of ten of the first of them. */
struct java_digits {
	char text[JAVA_DIGITS];
	int count, exponent;
};

/* The digits that Double.toString of JDK 17 writes of f, or Float.toString where single. f is
 * finite and above 0. */
void java_digits(double f, bool single, struct java_digits *ret);

#endif
