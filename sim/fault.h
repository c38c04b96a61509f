/* Faults: what Flink answers where it refuses or fails, word for word, as the SQL client prints it
 * behind "Reason:". Only texts that were recorded are built; where the text is not known the
 * construct is refused with -ENOTSUP instead. */
#ifndef EWIN_SIM_FAULT_H
#define EWIN_SIM_FAULT_H

#include "parser/text.h"

struct arena;

#define FAULT_VALIDATION "org.apache.flink.table.api.ValidationException: "
#define FAULT_TABLE	 "org.apache.flink.table.api.TableException: "
#define FAULT_PARSE	 "org.apache.flink.sql.parser.impl.ParseException: "
#define FAULT_CALCITE	 "org.apache.calcite.sql.validate.SqlValidatorException: "
#define FAULT_ARGUMENT	 "java.lang.IllegalArgumentException: "
#define FAULT_NUMBER	 "java.lang.NumberFormatException: "
#define FAULT_ENUM	 "Could not parse value for enum class "
#define FAULT_RUNTIME	 "java.lang.RuntimeException: "

/* Fills *ret with the text and returns -EBADMSG, the errno of a fault; -ENOMEM without memory. */
int fault_set(struct arena *arena, struct text *ret, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The first line of the message, without its class. */
struct text fault_summary(struct text fault);

/* What a syntax error's list says was expected: `, expected ")"` or `, expected one of …`, of a
 * long list its beginning. Empty where there is no list; its ptr is NULL: no memory. */
struct text fault_expected(struct arena *arena, struct text fault);

#endif
