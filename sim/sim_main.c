/* ewin-sim. */
#include <stdio.h>

int main(void)
{
	fputs("ewin-sim: not built yet\n", stderr);
	return 1;
}
