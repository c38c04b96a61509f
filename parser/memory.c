/* Memory: the one place where the system is asked for memory of ours. That an arena is at its
 * limit is another thing: somebody's input is too large then, and nobody hears of it here. */
#include "parser/memory.h"

#include <stdlib.h>

void *memory_get(size_t size)
{
	void *memory = malloc(size);

	if (!memory && memory_short)
		memory_short();
	return memory;
}
