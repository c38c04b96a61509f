/* The waist of the program: a table of typed values. The transcript, the CSV and the simulator make
 * tables, the comparison reads two of them, the printer writes one. There is no second table
 * type. */
#ifndef EWIN_PARSER_TABLE_H
#define EWIN_PARSER_TABLE_H

#include "parser/text.h"

/* The one typedef of ours: ISO C has no name for 128 bits, which DECIMAL(38) needs. */
__extension__ typedef __int128 int128;

/* SQL types, after Flink's names. SQL_ANY is a cell of a transcript: text whose type the client
 * does not print; table_cell_as() reads it as the type that is expected there. */
enum sql_kind {
	SQL_ANY,
	SQL_NULL, /* the type of a bare NULL */
	SQL_BOOLEAN,
	SQL_TINYINT,
	SQL_SMALLINT,
	SQL_INT,
	SQL_BIGINT,
	SQL_DECIMAL,
	SQL_FLOAT,
	SQL_DOUBLE,
	SQL_CHAR,
	SQL_VARCHAR, /* STRING is VARCHAR(2147483647) */
	SQL_BINARY,
	SQL_VARBINARY, /* BYTES is VARBINARY(2147483647) */
	SQL_DATE,
	SQL_TIME,
	SQL_TIMESTAMP,
	SQL_TIMESTAMP_LTZ,
	SQL_INTERVAL_DAY,   /* milliseconds */
	SQL_INTERVAL_MONTH, /* months */
	SQL_OTHER	    /* ARRAY, MAP, ROW ...: parsed, never simulated */
};

#define SQL_MAX_LENGTH 2147483647

/* What makes a column a time attribute. */
enum time_attribute { TIME_NONE, TIME_ROWTIME, TIME_PROCTIME };

struct sql_type {
	enum sql_kind kind;
	int32_t precision; /* DECIMAL digits, TIME and TIMESTAMP fraction digits, CHAR length */
	int32_t scale;	   /* DECIMAL */
	bool not_null;
	enum time_attribute attribute;
	struct text spelled; /* SQL_OTHER: as DESCRIBE prints it, or empty; else unused */
};

/* A value. Its meaning comes from the sql_type beside it:
 * i     BOOLEAN 0 or 1; integers; DATE in days, TIME in ms of the day, TIMESTAMP and TIMESTAMP_LTZ
 *       in ms since the epoch (wall-clock text taken as UTC), INTERVAL in ms or months
 * nanos TIMESTAMP, TIMESTAMP_LTZ: nanoseconds within the millisecond, 0..999999
 * dec   DECIMAL: the number times 10^scale
 * f     FLOAT, DOUBLE
 * s     CHAR, VARCHAR, ANY and OTHER as they are; BINARY, VARBINARY as printed: x'00ff' */
struct value {
	bool null;
	int32_t nanos;
	union {
		int64_t i;
		double f;
		struct text s;
		int128 dec;
	};
};

enum row_op { OP_INSERT, OP_UPDATE_BEFORE, OP_UPDATE_AFTER, OP_DELETE };

/* "+I", "-U", "+U", "-D" */
struct text row_op_text(enum row_op op);

struct column {
	struct text name;
	struct sql_type type;
};

struct row {
	enum row_op op; /* OP_INSERT throughout in a batch table */
	int line;	/* line of the file that it was read from, from 1; else 0 */
	struct value *cells;
};

/* How the client lays a table out, which also says what kind of run it came from. */
enum table_form {
	TABLE_CHANGELOG, /* streaming: an op column, widths from types */
	TABLE_BATCH,	 /* batch: widths from cells, NULL is <NULL> */
	TABLE_CATALOG /* DESCRIBE, SHOW, EXPLAIN: as batch, NULL is blank, widths without a cap */
};

struct table {
	enum table_form form;
	struct column *columns;
	size_t column_count;
	struct row *rows;
	size_t row_count;
};

struct arena;

/* Index of the column with exactly this name, or column_count. */
size_t table_column(const struct table *table, struct text name);

/* The text that the client prints for a value of this type, in the arena; NULL is "<NULL>".
 * On lack of memory its ptr is NULL. The rules: Flink's CAST to STRING as the SQL client uses
 * it. */
struct text value_print(
	struct arena *arena, const struct sql_type *type, const struct value *value);

/* Room for the text of a value that is no text itself. */
#define VALUE_TEXT 64

/* As value_print(), without memory: in buf, or where the value's own text lies. */
struct text value_text(
	const struct sql_type *type, const struct value *value, char buf[VALUE_TEXT]);

/* Reads printed text (as value_print() writes it, and spellings that mean the same) as a value of
 * this type. 0, or -EINVAL where it is none; *ret is untouched then. No allocation: text stays. */
int value_parse(struct text printed, const struct sql_type *type, struct value *ret);

/* Order of two values of one type, NULL lowest: <0, 0, >0. */
int value_cmp(const struct sql_type *type, const struct value *a, const struct value *b);

/* The type as DESCRIBE prints it: "BIGINT", "TIMESTAMP(3) *ROWTIME*", "STRING". */
struct text sql_type_print(struct arena *arena, const struct sql_type *type);

#endif
