/* DECIMAL arithmetic as java.math.BigDecimal has it: numbers of up to 38 digits as scaled integers,
 * rounded half up. Each function is false, with *ret undefined, where the result has more digits
 * than 128 bits hold, which is more than 38. */
#ifndef EWIN_SIM_DECIMAL_H
#define EWIN_SIM_DECIMAL_H

#include "parser/table.h"

/* 10 to the power of 0 to 38. */
int128 decimal_power(int exponent);

/* Does the number fit into so many digits? */
bool decimal_fits(int128 n, int precision);

/* The same number with another scale, rounded half up, or cut. */
bool decimal_rescale(int128 n, int from, int to, int128 *ret);
int128 decimal_cut(int128 n, int digits);

/* a * b, with `drop` digits rounded away behind. */
bool decimal_multiply(int128 a, int128 b, int drop, int128 *ret);

/* a * 10^shift / b, rounded; shift may be below 0, b is not 0. *too_long: b has too many digits
 * for this to be told. */
bool decimal_divide(int128 a, int128 b, int shift, int128 *ret, bool *too_long);

/* The nearest DOUBLE, or FLOAT where single. */
double decimal_to_double(int128 n, int scale, bool single);

/* The number that a DOUBLE's text names, rounded to the scale; false too for NaN and Infinity. */
bool decimal_from_double(double f, int scale, int128 *ret);

#endif
