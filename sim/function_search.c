/* Functions that look into texts. A place is a number of characters, from 1; 0 is nowhere.
 * Recorded: more_sim/scalar_text. */
#include "sim/function.h"

#include "sim/letters.h"

static void apply_char_length(const struct call *call, struct value *ret)
{
	ret->i = (int64_t)characters(call->args[0].s);
}

/* The first byte, as Java has it: with a sign. */
static void apply_ascii(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s;

	ret->i = text.len ? (signed char)text.ptr[0] : 0;
}

/* The place of the needle at or behind character `from` of the text. */
static int64_t place_of(struct text text, struct text needle, size_t from)
{
	struct text rest = characters_slice(text, from, SIZE_MAX);
	size_t at = text_find(rest, needle);

	if (at == rest.len && needle.len)
		return 0;
	return (int64_t)(from + characters(text_slice(rest, 0, at))) + 1;
}

/* POSITION(needle IN text) */
static void apply_position(const struct call *call, struct value *ret)
{
	ret->i = place_of(call->args[1].s, call->args[0].s, 0);
}

/* LOCATE(needle, text [, from]) */
static void apply_locate(const struct call *call, struct value *ret)
{
	int64_t from = call->count == 3 && call->args[2].i > 0 ? call->args[2].i - 1 : 0;

	call_plain(call, call->args[1].s);
	call->eval->beyond |= from > 0 && !call->args[0].s.len;
	ret->i = place_of(call->args[1].s, call->args[0].s, (size_t)from);
}

/* The place of the needle at or before character `from`. */
static int64_t place_before(struct text text, struct text needle, int64_t from)
{
	for (; from >= 0; from--)
		if (text_starts(characters_slice(text, (size_t)from, SIZE_MAX), needle))
			return from + 1;
	return 0;
}

/* INSTR(text, needle [, from [, which]]): from below 0 looks backward from the end. */
static void apply_instr(const struct call *call, struct value *ret)
{
	struct text text = call->args[0].s, needle = call->args[1].s;
	int64_t from = call->count > 2 ? call->args[2].i : 1;
	int64_t which = call->count > 3 ? call->args[3].i : 1;

	call_plain(call, text);
	call->eval->beyond |= from == 0 || which < 1 || (from < 0 && which > 1) ||
			      (!needle.len && call->count > 2);
	if (call->eval->beyond)
		return;
	if (from < 0) {
		ret->i = place_before(text, needle, (int64_t)characters(text) + from);
		return;
	}
	for (ret->i = from - 1; which > 0; which--) {
		ret->i = place_of(text, needle, (size_t)ret->i);
		if (!ret->i)
			return;
	}
}

static void apply_startswith(const struct call *call, struct value *ret)
{
	ret->i = text_starts(call->args[0].s, call->args[1].s);
}

static void apply_endswith(const struct call *call, struct value *ret)
{
	ret->i = text_ends(call->args[0].s, call->args[1].s);
}

const struct function search_functions[] = {
	{"CHAR_LENGTH", "t", RESULT_INT, NULL_FROM_ARGS, apply_char_length, NULL, "<CHARACTER>"},
	{"CHARACTER_LENGTH", "t", RESULT_INT, NULL_FROM_ARGS, apply_char_length, NULL,
		"<CHARACTER>"},
	{"ASCII", "t", RESULT_INT, NULL_FROM_ARGS, apply_ascii, NULL, NULL},
	{"POSITION", "tt", RESULT_INT, NULL_FROM_ARGS, apply_position, NULL, NULL},
	{"LOCATE", "tt?i", RESULT_INT, NULL_FROM_ARGS, apply_locate, NULL, NULL},
	{"INSTR", "tt?ii", RESULT_INT, NULL_FROM_ARGS, apply_instr, NULL, NULL},
	{"STARTSWITH", "tt", RESULT_BOOLEAN, NULL_FROM_ARGS, apply_startswith, NULL, NULL},
	{"ENDSWITH", "tt", RESULT_BOOLEAN, NULL_FROM_ARGS, apply_endswith, NULL, NULL},
	{0},
};
