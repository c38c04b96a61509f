/* Options of the csv format. A delimiter and a quote are one character each, the delimiter after
 * Java's escapes are read. Recorded: more_sim/csv_quote_options, semantics/edge_csv_delim,
 * watermark/more/w5_delim_semicolon, semantics/edge_csv_comment_allow. */
#include "sim/csv_settings.h"

#include <errno.h>

#include "parser/diag.h"
#include "parser/encoding.h"
#include "sim/fault.h"

/* No byte of UTF-8. */
#define NO_QUOTE ((char)0xff)

static int refuse_option(const struct catalog_entry *table, struct text key, struct diag *reterr)
{
	struct sql_pos pos = {0};

	for (size_t i = 0; i < table->option_count; i++)
		if (text_eq(table->options[i].key, key))
			pos = table->options[i].pos;
	return diag_set(reterr, -ENOTSUP, pos.line, pos.col,
		"'%.*s' with this value is not simulated.", TEXT_ARG(key));
}

static bool hex_digits(struct text text, unsigned *ret)
{
	unsigned sum = 0;

	for (size_t i = 0; i < text.len; i++) {
		size_t digit = text_find(TEXT("0123456789abcdef"), text_slice(text, i, i + 1));

		if (digit == 16)
			digit = text_find(TEXT("0123456789ABCDEF"), text_slice(text, i, i + 1));
		if (digit == 16)
			return false;
		sum = sum * 16 + (unsigned)digit;
	}
	*ret = sum;
	return text.len == 4;
}

/* Cuts a character off *rest, which may be one of Java's escapes. */
static bool cut_escaped(struct text *rest, char *ret)
{
	static const char means[] = "\t\b\f\\'\"";
	size_t letter;
	unsigned code;

	*ret = rest->ptr[0];
	*rest = text_slice(*rest, 1, rest->len);
	if (*ret != '\\')
		return true;
	letter = text_find(TEXT("tbf\\'\""), text_slice(*rest, 0, 1));
	if (rest->len && letter < sizeof(means) - 1) {
		*ret = means[letter];
		*rest = text_slice(*rest, 1, rest->len);
		return true;
	}
	if (!text_cut_char(rest, 'u') || !hex_digits(text_slice(*rest, 0, 4), &code) ||
		code >= 0x80)
		return false;
	*ret = (char)code;
	*rest = text_slice(*rest, 4, rest->len);
	return true;
}

static int not_single(struct arena *arena, struct text key, struct text value, struct text *fault)
{
	return fault_set(arena, fault,
		FAULT_VALIDATION
		"Option '%.*s' must be a string with single character, but was: %.*s",
		TEXT_ARG(key), TEXT_ARG(value));
}

static bool usable(char c)
{
	return c && (unsigned char)c < 0x80 && c != '\n' && c != '\r';
}

/* Boolean.parseBoolean() would be false for anything else, but Flink refuses it. */
static int read_flag(
	const struct catalog_entry *table, struct text key, bool *ret, struct diag *reterr)
{
	struct text value = text_trim(catalog_option(table, key));

	*ret = text_ieq(value, TEXT("true"));
	if (!value.ptr || *ret || text_ieq(value, TEXT("false")))
		return 0;
	return refuse_option(table, key, reterr);
}

static int read_delimiter(struct arena *arena, const struct catalog_entry *table,
	struct csv_options *ret, struct text *fault, struct diag *reterr)
{
	const struct text key = TEXT("csv.field-delimiter");
	struct text value = catalog_option(table, key), rest = value;

	ret->delimiter = ',';
	if (!value.ptr)
		return 0;
	if (!value.len)
		return not_single(arena, key, value, fault);
	if (!cut_escaped(&rest, &ret->delimiter) || !usable(ret->delimiter) ||
		text_find(rest, TEXT("\\")) < rest.len)
		return refuse_option(table, key, reterr);
	return rest.len ? not_single(arena, key, value, fault) : 0;
}

static int read_quote(struct arena *arena, const struct catalog_entry *table,
	struct csv_options *ret, struct text *fault, struct diag *reterr)
{
	const struct text key = TEXT("csv.quote-character");
	struct text value = catalog_option(table, key);
	bool disabled;
	int err = read_flag(table, TEXT("csv.disable-quote-character"), &disabled, reterr);

	ret->quote = disabled ? NO_QUOTE : '"';
	if (err < 0 || !value.ptr)
		return err;
	if (disabled)
		return fault_set(arena, fault,
			FAULT_VALIDATION
			"Format cannot define a quote character and disabled quote "
			"character at the same time.");
	if (value.len != 1)
		return utf16_units(value) == 1 ? refuse_option(table, key, reterr)
					       : not_single(arena, key, value, fault);
	ret->quote = value.ptr[0];
	if (usable(ret->quote) && ret->quote != '#')
		return 0;
	return refuse_option(table, key, reterr);
}

int csv_settings(struct arena *arena, const struct catalog_entry *table, struct csv_options *ret,
	struct text *fault, struct diag *reterr)
{
	int err = read_quote(arena, table, ret, fault, reterr);

	if (err == 0)
		err = read_delimiter(arena, table, ret, fault, reterr);
	if (err == 0)
		err = read_flag(table, TEXT("csv.allow-comments"), &ret->comments, reterr);
	if (err == 0)
		err = read_flag(table, TEXT("csv.ignore-parse-errors"), &ret->lenient, reterr);
	if (err == 0 && ret->delimiter == ret->quote)
		err = refuse_option(table, TEXT("csv.field-delimiter"), reterr);
	return err;
}
