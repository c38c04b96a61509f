/* Diagnoses: their names and sentences. */
#include "daemon/grade/diagnosis.h"

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
