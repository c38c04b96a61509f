/* The table of a profile, and the names that the lab's file has for its columns. */
#include "daemon/grade/lab.h"
#include "daemon/grade/profile.h"
#include "parser/arena.h"
#include "sim/source.h"

static const struct fixture *fixture_of(const struct lab *lab, const struct catalog_entry *entry)
{
	struct text path = source_path(entry);

	for (size_t i = 0; i < lab->fixture_count; i++)
		if (text_eq(lab->fixtures[i].path, path))
			return &lab->fixtures[i];
	return lab->fixture_count == 1 ? &lab->fixtures[0] : NULL;
}

/* Are the declared columns the file's, but in another order? Then a name tells what was meant. */
static bool is_other_order(const struct catalog_entry *entry, const struct fixture *fixture)
{
	bool moved = false;

	for (size_t i = 0; i < fixture->column_count; i++) {
		size_t k = 0;

		while (k < entry->column_count &&
			(entry->columns[k].kind != COLUMN_PHYSICAL ||
				!text_ieq(entry->columns[k].name, fixture->columns[i].name)))
			k++;
		if (k == entry->column_count)
			return false;
		moved |= k != i && entry->column_count == fixture->column_count;
	}
	return moved;
}

static size_t physical_count(const struct catalog_entry *entry)
{
	size_t count = 0;

	for (size_t i = 0; i < entry->column_count; i++)
		count += entry->columns[i].kind == COLUMN_PHYSICAL;
	return count;
}

/* Names as the lab's file has them: by place where so many columns are declared, and the time
 * attribute's by its role. */
static void name_columns(struct profile_builder *builder, struct profile *p)
{
	const struct fixture *fixture = fixture_of(builder->lab, &p->table);
	size_t n = 0;

	p->columns = arena_array(builder->arena, p->table.column_count + 1, sizeof(*p->columns));
	if (!p->columns) {
		builder->nomem = true;
		return;
	}
	p->as_in_lab = fixture && physical_count(&p->table) == fixture->column_count &&
		       !is_other_order(&p->table, fixture);
	for (size_t i = 0; i < p->table.column_count; i++) {
		const struct sql_column *column = &p->table.columns[i];
		bool physical = column->kind == COLUMN_PHYSICAL;

		p->columns[i] = column->name;
		if (p->as_in_lab && physical)
			p->columns[i] = fixture->columns[n++].name;
		else if (p->as_in_lab && fixture->rowtime < fixture->column_count &&
			 p->table.has_watermark && text_eq(column->name, p->table.watermark_column))
			p->columns[i] = fixture->columns[fixture->rowtime].name;
	}
}

void profile_table(
	struct profile_builder *builder, const struct catalog_entry *entry, struct profile *profile)
{
	if (!entry) {
		profile->known = false;
		return;
	}
	profile->sources++;
	if (profile->has_table) {
		profile->known &= profile->origin == entry;
		return;
	}
	profile->has_table = true;
	profile->origin = entry;
	profile->table = *entry;
	profile->conflict = builder->repeated.len && text_eq(builder->repeated, entry->name);
	name_columns(builder, profile);
}
