/* ewin-status. */
#include <stdio.h>

int main(void)
{
	fputs("ewin-status: not built yet\n", stderr);
	return 1;
}
