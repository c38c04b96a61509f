/* ewind. */
#include <stdio.h>

int main(void)
{
	fputs("ewind: not built yet\n", stderr);
	return 1;
}
