/* ewin-check, its verdicts for people: a line a step, and below it what else is worth saying. */
#include <stdio.h>

#include "daemon/check.h"
#include "daemon/sheet.h"
#include "daemon/tier_words.h"
#include "daemon/tiers.h"
#include "parser/diag.h"

int check_complain(int status, const struct diag *diag)
{
	char buf[DIAG_LINE];

	fprintf(stderr, "ewin-check: %s\n", diag_format(diag, buf, sizeof(buf)));
	return status;
}

/* The columns of the longest name of the lab's steps. */
static size_t name_width(const struct lab *lab)
{
	size_t widest = SHEET_NAME_WIDTH;

	for (size_t i = 0; i < lab->step_count; i++)
		if (lab->steps[i].id.len > widest)
			widest = lab->steps[i].id.len;
	return widest;
}

/* What a line says is in the third column; `names` columns are the second. */
static void put_line(const struct sheet *sheet, struct text verdict, struct text step, size_t names,
	struct text line)
{
	static const char *const words[] = {
		N_("pass"), N_("partial"), N_("fail"), N_("cannot-tell"), N_("missing"), NULL};

	sheet_put_padded(sheet, verdict, sheet_width(words) + 2);
	sheet_put_padded(sheet, step, names);
	fputs(" ", sheet->file);
	sheet_put(sheet, line);
	fputs("\n", sheet->file);
}

static void put_below(const struct sheet *sheet, size_t names, struct text line)
{
	if (line.len)
		put_line(sheet, TEXT(""), TEXT(""), names, line);
}

/* What is off, why as far as that is known, and the lab's first hint. */
static void put_graded(const struct sheet *sheet, const struct graded *graded, size_t names)
{
	const struct verdict *verdict = &graded->verdict;
	struct text hint = TEXT("");
	struct lines lines = {0};

	put_line(sheet, text_of(tr(verdict_name(verdict->kind))), graded->step->id, names,
		sheet_message(sheet, &verdict->summary));
	for (size_t i = 0; i < verdict->remark_count; i++)
		put_below(sheet, names, sheet_message(sheet, &verdict->remarks[i]));
	if (tier_applies(verdict))
		lines_add_causes(sheet, verdict, BESIDE_VERDICT, &lines);
	for (size_t i = 0; i < lines.count; i++)
		put_below(sheet, names, lines.items[i]);
	if (tier_applies(verdict) && graded->step->hint_count)
		hint = sheet_text(sheet, &graded->step->hints[0]);
	if (hint.len)
		put_below(
			sheet, names, text_format(sheet->arena, tr("Hint: %.*s"), TEXT_ARG(hint)));
}

int check_print_text(struct check *check)
{
	struct sheet sheet = {
		.arena = &check->arena, .file = stdout, .viewer = check->options.viewer};

	for (size_t i = 0; i < check->graded_count; i++)
		put_graded(&sheet, &check->graded[i], name_width(&check->lab->lab));
	sheet_put(&sheet, text_format(&check->arena, tr("%zu of %zu steps pass in %.*s"),
				  check_count(check, VERDICT_PASS), check->graded_count,
				  TEXT_ARG(check_folder(check))));
	fputs("\n", stdout);
	return -1;
}
