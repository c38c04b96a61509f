/* Patterns of times: runs of one letter are parts of the time, texts in quotes and other
 * characters stand for themselves. English names, as the client's JVM has them. Recorded:
 * more_sim/scalar_time, more_sim/batch_string_start. */
#include "sim/time_pattern.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "parser/calendar.h"
#include "sim/scratch.h"
#include "sim/time_unit.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A piece of a pattern: a run of one letter, or a text that stands for itself. */
struct piece {
	char letter; /* '\0': text */
	size_t count;
	struct text text;
};

/* Cuts the next piece off; false: a quote is open, or the character has a meaning of its own. */
static bool next_piece(struct text *rest, struct piece *ret)
{
	size_t len = 1, end;

	if (rest->ptr[0] == '\'') {
		end = 1 + text_find(text_slice(*rest, 1, rest->len), TEXT("'"));
		if (end >= rest->len)
			return false;
		*ret = (struct piece){.text = text_slice(*rest, end == 1 ? 0 : 1, end)};
		*rest = text_slice(*rest, end + 1, rest->len);
		return true;
	}
	while (is_letter(rest->ptr[0]) && len < rest->len && rest->ptr[len] == rest->ptr[0])
		len++;
	*ret = (struct piece){.letter = is_letter(rest->ptr[0]) ? rest->ptr[0] : '\0',
		.count = len,
		.text = text_slice(*rest, 0, len)};
	*rest = text_slice(*rest, len, rest->len);
	return ret->letter || !memchr("[]{}#", ret->text.ptr[0], 5);
}

/* The letters that are known, and the most of each. */
static bool piece_known(const struct piece *piece)
{
	static const struct {
		char letter;
		size_t most;
	} letters[] = {{'y', 4}, {'u', 4}, {'M', 4}, {'L', 2}, {'d', 2}, {'D', 1}, {'E', 4},
		{'H', 2}, {'h', 2}, {'k', 2}, {'K', 2}, {'m', 2}, {'s', 2}, {'S', 9}, {'a', 1},
		{'Q', 2}};

	if (!piece->letter)
		return true;
	if ((piece->letter == 'y' || piece->letter == 'u') && piece->count == 3)
		return false;
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (letters[i].letter == piece->letter)
			return piece->count <= letters[i].most;
	return false;
}

bool time_pattern_known(struct text pattern)
{
	struct piece piece;

	while (pattern.len)
		if (!next_piece(&pattern, &piece) || !piece_known(&piece))
			return false;
	return true;
}

char time_pattern_unknown(struct text pattern)
{
	struct piece piece;

	while (pattern.len) {
		if (!next_piece(&pattern, &piece))
			return '\0';
		if (piece.letter && strchr("bCfIiJjloPRrTtU", piece.letter))
			return piece.letter;
		if (!piece_known(&piece))
			return '\0';
	}
	return '\0';
}

static const char *const months[] = {"January", "February", "March", "April", "May", "June", "July",
	"August", "September", "October", "November", "December"};
static const char *const weekdays[] = {
	"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};

struct clock {
	int64_t day;
	struct civil_day civil;
	int hour, minute, second, nanos;
};

static struct clock clock_of(const struct value *time)
{
	struct clock clock;
	int64_t ms;

	clock.day = calendar_split_ms(time->i, &ms);
	clock.civil = calendar_civil(clock.day);
	clock.hour = (int)(ms / MS_PER_HOUR);
	clock.minute = (int)(ms / MS_PER_MINUTE % 60);
	clock.second = (int)(ms / MS_PER_SECOND % 60);
	clock.nanos = (int)(ms % MS_PER_SECOND) * NANOS_PER_MS + time->nanos;
	return clock;
}

/* The number that a letter stands for. */
static int number_of(const struct clock *clock, const struct piece *piece)
{
	switch (piece->letter) {
	case 'y':
	case 'u': return (int)(piece->count == 2 ? clock->civil.year % 100 : clock->civil.year);
	case 'M':
	case 'L': return clock->civil.month;
	case 'Q': return (clock->civil.month + 2) / 3;
	case 'd': return clock->civil.day;
	case 'D': return (int)time_unit_of_day(UNIT_DOY, clock->day);
	case 'H': return clock->hour;
	case 'k': return clock->hour ? clock->hour : 24;
	case 'K': return clock->hour % 12;
	case 'h': return clock->hour % 12 ? clock->hour % 12 : 12;
	case 'm': return clock->minute;
	default: return clock->second;
	}
}

static struct text name_of(const struct clock *clock, const struct piece *piece)
{
	struct text name;

	if (piece->letter == 'a')
		return clock->hour < 12 ? TEXT("AM") : TEXT("PM");
	if (piece->letter == 'E')
		name = text_of(weekdays[time_unit_of_day(UNIT_DOW, clock->day) - 1]);
	else
		name = text_of(months[clock->civil.month - 1]);
	return piece->count == 4 ? name : text_slice(name, 0, 3);
}

static bool is_name(const struct piece *piece)
{
	return piece->letter == 'a' || piece->letter == 'E' ||
	       (piece->letter == 'M' && piece->count > 2);
}

static bool append_piece(
	struct scratch *scratch, const struct clock *clock, const struct piece *piece)
{
	char buf[VALUE_TEXT];
	int len;

	if (!piece->letter)
		return scratch_append(scratch, piece->text);
	if (is_name(piece))
		return scratch_append(scratch, name_of(clock, piece));
	if (piece->letter == 'S') {
		snprintf(buf, sizeof(buf), "%09d", clock->nanos);
		return scratch_append(scratch, (struct text){buf, piece->count});
	}
	len = snprintf(buf, sizeof(buf), "%0*d", (int)piece->count, number_of(clock, piece));
	return scratch_append(scratch, (struct text){buf, (size_t)len});
}

bool time_pattern_format(struct scratch *scratch, struct text pattern, const struct value *time)
{
	struct clock clock = clock_of(time);
	struct piece piece;

	if (clock.civil.year < 1 || clock.civil.year > 9999)
		return false;
	while (pattern.len && next_piece(&pattern, &piece))
		if (!append_piece(scratch, &clock, &piece))
			return false;
	return true;
}

/* Reads one piece. Widths other than those that stand apart in any text are not read here. */
static int parse_piece(const struct piece *piece, struct text *text, struct clock *clock)
{
	int *const parts[] = {['M'] = &clock->civil.month,
		['d'] = &clock->civil.day,
		['H'] = &clock->hour,
		['m'] = &clock->minute,
		['s'] = &clock->second};
	int year;

	if (!piece->letter) {
		if (!text_starts(*text, piece->text))
			return -EINVAL;
		*text = text_slice(*text, piece->text.len, text->len);
		return 0;
	}
	if ((piece->letter == 'y' || piece->letter == 'u') && piece->count == 4) {
		if (!calendar_digits(text, 4, &year))
			return -EINVAL;
		clock->civil.year = year;
		return 0;
	}
	if (piece->letter == 'S' && piece->count == 3) {
		if (!calendar_digits(text, 3, &clock->nanos))
			return -ENOTSUP;
		clock->nanos *= NANOS_PER_MS;
		return 0;
	}
	if (piece->count != 2 || !strchr("MdHms", piece->letter))
		return -ENOTSUP;
	return calendar_digits(text, 2, parts[(size_t)piece->letter]) ? 0 : -EINVAL;
}

int time_pattern_parse(struct text pattern, struct text text, int64_t *time_ms)
{
	struct clock clock = {.civil = {.year = 1970, .month = 1, .day = 1}};
	struct piece piece;
	int most, err = 0;

	while (pattern.len && err == 0) {
		if (!next_piece(&pattern, &piece))
			return -ENOTSUP;
		err = parse_piece(&piece, &text, &clock);
	}
	if (err < 0)
		return err;
	if (text.len || clock.civil.month < 1 || clock.civil.month > 12 || clock.civil.day < 1 ||
		clock.civil.day > 31 || clock.hour > 23 || clock.minute > 59 || clock.second > 59)
		return -EINVAL;
	most = calendar_month_days(clock.civil.year, clock.civil.month);
	if (clock.civil.day > most)
		clock.civil.day = most;
	*time_ms = calendar_days(clock.civil) * MS_PER_DAY + clock.hour * MS_PER_HOUR +
		   clock.minute * MS_PER_MINUTE + clock.second * MS_PER_SECOND +
		   clock.nanos / NANOS_PER_MS;
	return 0;
}
