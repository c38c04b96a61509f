/* FLOAT and DOUBLE as Java writes and reads them. */
#ifndef EWIN_PARSER_DOUBLE_H
#define EWIN_PARSER_DOUBLE_H

#include "parser/text.h"

/* Room for what double_print() writes. */
#define DOUBLE_SIZE 32

/* Longer numbers are none that anybody prints: double_parse() takes them for none. */
#define DOUBLE_TEXT 400

/* Java's Double.toString, or Float.toString where single: "1.0E7", "0.001", "NaN", "-Infinity".
 * Returns the length. Digit for digit what JDK 17 gives, also where it gives more than the
 * fewest. */
int double_print(double f, bool single, char buf[DOUBLE_SIZE]);

/* Reads all of t: a decimal number with optional sign, point and exponent, NaN or Infinity; no
 * blanks, no hexadecimal. Rounded to a float where single. 0 or -EINVAL, *ret untouched then. */
int double_parse(struct text t, bool single, double *ret);

#endif
