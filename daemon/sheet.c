/* Sheet: what a learner chose (arguments, names) is cleaned once more on its way to a terminal, and
 * columns are counted as a terminal does, where a Chinese, Japanese or Korean character takes
 * two. */
#include "daemon/sheet.h"

#include "parser/arena.h"
#include "parser/clean.h"
#include "parser/encoding.h"

void sheet_put(const struct sheet *sheet, struct text t)
{
	while (t.len) {
		size_t len;
		uint32_t c = utf8_decode(t, &len);

		if (clean_shows(c) && (c < 0x80 || !sheet->viewer.ascii))
			fwrite(t.ptr, 1, len, sheet->file);
		else
			fputc('?', sheet->file);
		t = text_slice(t, len, t.len);
	}
}

void sheet_put_padded(const struct sheet *sheet, struct text t, size_t width)
{
	sheet_put(sheet, t);
	for (size_t used = client_width(t); used < width; used++)
		fputc(' ', sheet->file);
}

struct text sheet_message(const struct sheet *sheet, const struct message *message)
{
	return message_render(sheet->arena, &words_spoken, message);
}

struct text sheet_text(const struct sheet *sheet, const struct lab_texts *texts)
{
	struct text *offered = arena_array(sheet->arena, texts->count + 1, sizeof(*offered));
	struct text language;

	for (size_t i = 0; offered && i < texts->count; i++)
		offered[i] = texts->items[i].language;
	language = viewer_choose(&sheet->viewer, offered, offered ? texts->count : 0);
	for (size_t i = 0; i < texts->count; i++)
		if (text_eq(texts->items[i].language, language))
			return texts->items[i].text;
	return TEXT("");
}

size_t sheet_width(const char *const *words)
{
	size_t widest = 0;

	for (; *words; words++) {
		size_t width = client_width(text_of(tr(*words)));
		widest = width > widest ? width : widest;
	}
	return widest;
}

void help_print(FILE *file, const struct help *lines)
{
	size_t widest = 0;

	for (const struct help *line = lines; line->text; line++) {
		size_t width = line->option ? client_width(text_of(line->option)) : 0;
		widest = width > widest ? width : widest;
	}
	for (; lines->text; lines++) {
		if (lines->option && lines->text[0])
			fprintf(file, "  %-*s  %s\n", (int)widest, lines->option, tr(lines->text));
		else if (lines->option)
			fprintf(file, "  %s\n", lines->option);
		else
			fprintf(file, "%s\n", tr(lines->text));
	}
}
