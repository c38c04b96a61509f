/* A script cut into statements, as the SQL client cuts it.
 *
 * The text is trimmed and gets a ';' unless it ends in one. Lines are added to a buffer; it is a
 * statement when a line ends, but for blanks, in a ';' that is a token of its own, not part of a
 * quoted text or a comment. A ';' within a line ends nothing (recorded:
 * format/stmt_two_one_line), nor does one behind which a comment follows (recorded:
 * format/stmt_set_comment_same_line). EXECUTE STATEMENT SET BEGIN goes on until END; (recorded:
 * format/stmt_statement_set). The last buffer that never became a statement is silently not run
 * (recorded: format/stmt_unclosed_string). */
#include "parser/sql.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/diag.h"

enum state { PLAIN, LINE_COMMENT, BLOCK_COMMENT, QUOTED, BACK_QUOTED };

/* The walk through the file, from one byte to the next. */
struct splitter {
	struct text file;
	size_t at;
	enum state state;
	size_t begin; /* of the buffer */
	struct sql_pos begin_pos;
	int line;
	size_t semicolon; /* offset behind the last ';' that was a token, 0: none in this buffer */
	size_t solid;	  /* offset behind the buffer's last character that is no blank */
};

/* Asked of each character: the first one tells mostly. */
static bool at_text(const struct splitter *split, struct text what)
{
	return split->file.ptr[split->at] == what.ptr[0] &&
	       text_starts(text_slice(split->file, split->at, split->file.len), what);
}

/* Where the state changes, steps over what changes it. */
static void step(struct splitter *split)
{
	char c = split->file.ptr[split->at];
	size_t width = 1;

	switch (split->state) {
	case PLAIN:
		if (at_text(split, TEXT("--")) || at_text(split, TEXT("//")))
			split->state = LINE_COMMENT;
		else if (at_text(split, TEXT("/*")) && !at_text(split, TEXT("/*+"))) {
			split->state = BLOCK_COMMENT;
			width = 2;
		} else if (c == '\'')
			split->state = QUOTED;
		else if (c == '`')
			split->state = BACK_QUOTED;
		else if (c == ';')
			split->semicolon = split->at + 1;
		break;
	case LINE_COMMENT:
		if (c == '\n')
			split->state = PLAIN;
		break;
	case BLOCK_COMMENT:
		if (at_text(split, TEXT("*/"))) {
			split->state = PLAIN;
			width = 2;
		}
		break;
	case QUOTED:
		if (c == '\'')
			split->state = PLAIN;
		break;
	case BACK_QUOTED:
		if (c == '`' || c == '\n')
			split->state = PLAIN;
		break;
	}
	if ((unsigned char)c > ' ')
		split->solid = split->at + width;
	split->at += width;
}

/* Cuts the next word off *rest, over blanks and comments in front of it; empty where none
 * follows. */
static struct text next_word(struct text *rest)
{
	size_t len = 0;

	for (;;) {
		struct text end = TEXT("\n");

		*rest = text_trim_left(*rest);
		if (text_starts(*rest, TEXT("/*")))
			end = TEXT("*/");
		else if (!text_starts(*rest, TEXT("--")))
			break;
		*rest = text_slice(*rest, text_find(*rest, end) + end.len, rest->len);
	}
	while (len < rest->len &&
		((rest->ptr[len] | 0x20) >= 'a' && (rest->ptr[len] | 0x20) <= 'z'))
		len++;
	*rest = text_slice(*rest, len, rest->len);
	return (struct text){rest->ptr - len, len};
}

/* True for a statement set whose END has not come yet: its ';' are no end. */
static bool is_open_set(struct text source)
{
	static const char *const opening[] = {"EXECUTE", "STATEMENT", "SET", "BEGIN"};
	struct text rest = source;

	for (size_t i = 0; i < sizeof(opening) / sizeof(opening[0]); i++)
		if (!text_ieq(next_word(&rest), text_of(opening[i])))
			return false;
	rest = text_trim_right(rest);
	return rest.len < 4 || (unsigned char)rest.ptr[rest.len - 4] > ' ' ||
	       !text_ieq(text_slice(rest, rest.len - 3, rest.len), TEXT("END"));
}

/* True where the line that just ended makes the buffer a statement; *source is what it says. */
static bool is_complete(const struct splitter *split, struct text *source)
{
	if (!split->semicolon || split->semicolon != split->solid)
		return false;
	*source = text_slice(split->file, split->begin, split->semicolon - 1);
	return !is_open_set(*source);
}

static int add_piece(struct arena *arena, struct sql_script *script, size_t *room,
	struct sql_piece piece, struct diag *reterr)
{
	if (arena_grow(arena, &script->pieces, script->count, room, sizeof(piece)))
		return diag_nomem(reterr);
	script->pieces[script->count++] = piece;
	return 0;
}

/* The file without the blanks at its ends, with a ';' at its end; where it begins in *pos. */
static struct text prepare(struct arena *arena, struct text file, struct sql_pos *pos)
{
	struct text trimmed = text_trim(file);
	size_t before = (size_t)(trimmed.ptr - file.ptr);

	*pos = (struct sql_pos){1, 1};
	for (size_t i = 0; i < before; i++)
		*pos = file.ptr[i] == '\n' ? (struct sql_pos){pos->line + 1, 1}
					   : (struct sql_pos){pos->line, pos->col + 1};
	if (!trimmed.len || text_ends(trimmed, TEXT(";")))
		return trimmed;
	return text_format(arena, "%.*s;", TEXT_ARG(trimmed));
}

int sql_split(struct arena *arena, struct text file, struct sql_script *ret, struct diag *reterr)
{
	struct sql_script script = {0};
	struct splitter split = {0};
	struct text source;
	size_t room = 0;
	int err;

	if (file.len > LIMIT_SQL_BYTES)
		return diag_set(reterr, -EFBIG, 0, 0, "the SQL is larger than %u KiB",
			LIMIT_SQL_BYTES >> 10);
	split.file = prepare(arena, file, &split.begin_pos);
	if (!split.file.ptr && file.len)
		return diag_nomem(reterr);
	split.line = split.begin_pos.line;
	while (split.at < split.file.len) {
		bool line_ends = split.file.ptr[split.at] == '\n';

		step(&split);
		split.line += line_ends;
		if (!line_ends && split.at < split.file.len)
			continue;
		if (!is_complete(&split, &source))
			continue;
		err = add_piece(arena, &script, &room,
			(struct sql_piece){source, split.begin_pos.line, split.begin_pos.col, true},
			reterr);
		if (err)
			return err;
		split.begin = split.at;
		split.begin_pos = (struct sql_pos){split.line, 1};
		split.semicolon = 0;
	}
	if (split.begin < split.file.len) {
		source = text_slice(split.file, split.begin, split.file.len);
		err = add_piece(arena, &script, &room,
			(struct sql_piece){
				source, split.begin_pos.line, split.begin_pos.col, false},
			reterr);
		if (err)
			return err;
	}
	*ret = script;
	return 0;
}
