/* Edit distance (Levenshtein), one row of the table at a time. */
#include "daemon/grade/distance.h"

size_t text_distance(struct text a, struct text b)
{
	enum { LONGEST = 64 };
	size_t row[LONGEST + 1];

	if (a.len > LONGEST || b.len > LONGEST)
		return LONGEST;
	for (size_t k = 0; k <= b.len; k++)
		row[k] = k;
	for (size_t i = 1; i <= a.len; i++) {
		size_t before = row[0];

		row[0] = i;
		for (size_t k = 1; k <= b.len; k++) {
			size_t change = before + ((a.ptr[i - 1] | 0x20) != (b.ptr[k - 1] | 0x20));
			size_t least = (row[k] < row[k - 1] ? row[k] : row[k - 1]) + 1;

			before = row[k];
			row[k] = change < least ? change : least;
		}
	}
	return row[b.len];
}
