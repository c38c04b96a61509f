/* Diagnostics: filling them, cleaning what outsiders put into them, printing them. */
#include "parser/diag.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "parser/clean.h"

static void clean(char *str)
{
	str[clean_bytes(str, strlen(str))] = '\0';
}

int diag_vset(struct diag *reterr, int err, int line, int col, const char *format, va_list args)
{
	if (!reterr)
		return err;
	reterr->line = line;
	reterr->col = col;
	vsnprintf(reterr->text, sizeof(reterr->text), format, args);
	clean(reterr->text);
	return err;
}

int diag_set(struct diag *reterr, int err, int line, int col, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_vset(reterr, err, line, col, format, args);
	va_end(args);
	return err;
}

void diag_file(struct diag *reterr, struct text file)
{
	if (!reterr || reterr->file[0])
		return;
	snprintf(reterr->file, sizeof(reterr->file), "%.*s", TEXT_ARG(file));
	clean(reterr->file);
}

int diag_nomem(struct diag *reterr)
{
	return diag_set(reterr, -ENOMEM, 0, 0, "there is not enough memory for this");
}

const char *diag_format(const struct diag *diag, char *buf, size_t size)
{
	char place[32] = "";

	if (diag->line && diag->col)
		snprintf(place, sizeof(place), "%d:%d: ", diag->line, diag->col);
	else if (diag->line)
		snprintf(place, sizeof(place), "%d: ", diag->line);
	snprintf(buf, size, "%s%s%s%s", diag->file, diag->file[0] ? (place[0] ? ":" : ": ") : "",
		place, diag->text);
	return buf;
}
