/* Diagnoses: their names and sentences. */
#include "daemon/grade/diagnosis.h"

#include <inttypes.h>

#include "parser/arena.h"

static const struct {
	const char *name, *english;
} diagnoses[] = {
#define X(id, name, english) {name, english},
	DIAGNOSIS_LIST(X)
#undef X
};

const char *diagnosis_name(enum diagnosis_id id)
{
	return diagnoses[id].name;
}

enum diagnosis_id diagnosis_find(struct text name)
{
	int id = 0;

	while (id < DIAGNOSIS_COUNT && !text_eq(name, text_of(diagnoses[id].name)))
		id++;
	return (enum diagnosis_id)id;
}

const char *diagnosis_sentence(enum diagnosis_id id)
{
	return diagnoses[id].english;
}

struct text diagnosis_duration(struct arena *arena, int64_t ms)
{
	static const struct {
		int64_t ms;
		const char *name;
	} units[] = {{86400000, "d"}, {3600000, "h"}, {60000, "min"}, {1000, "s"}, {1, "ms"}};
	size_t i = 0;

	if (ms == 0)
		return text_copy(arena, TEXT("0s"));
	while (ms % units[i].ms)
		i++;
	return text_format(arena, "%" PRId64 "%s", ms / units[i].ms, units[i].name);
}
