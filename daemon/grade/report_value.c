/* A value of report.json as a whole number, also where its form is another one than asked. */
#include <errno.h>

#include "daemon/grade/report_source.h"
#include "parser/json.h"

/* Digits of a JSON number with its point taken out and its exponent put in: 6e2, 15.0. 0 where that
 * is an integer, else -EINVAL. */
static int whole_number(struct text number, int64_t *ret)
{
	char digits[64];
	size_t count = 0, exponent_at = 0;
	int64_t exponent = 0;

	while (exponent_at < number.len && (number.ptr[exponent_at] | 0x20) != 'e')
		exponent_at++;
	if (exponent_at < number.len &&
		text_to_int64(text_slice(number, exponent_at + 1, number.len), &exponent))
		return -EINVAL;
	for (size_t i = 0, point = 0; i < exponent_at; i++) {
		point += number.ptr[i] == '.';
		if (count == sizeof(digits) / 2)
			return -EINVAL;
		if (number.ptr[i] == '.')
			continue;
		digits[count++] = number.ptr[i];
		exponent -= (int64_t)point;
	}
	for (; exponent > 0 && count < sizeof(digits); exponent--)
		digits[count++] = '0';
	for (; exponent < 0 && count && digits[count - 1] == '0'; exponent++)
		count--;
	return exponent ? -EINVAL : text_to_int64((struct text){digits, count}, ret);
}

int report_value(const struct json *value, int64_t *ret, bool *form)
{
	*form = json_integer(value, ret) == 0;
	if (*form)
		return 0;
	if (value->kind == JSON_NUMBER)
		return whole_number(value->string, ret);
	if (value->kind == JSON_STRING)
		return text_to_int64(text_trim(value->string), ret);
	return -EINVAL;
}
