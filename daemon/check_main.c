/* ewin-check. */
#include <stdio.h>

int main(void)
{
	fputs("ewin-check: not built yet\n", stderr);
	return 1;
}
