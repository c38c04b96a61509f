/* Echo: the client reads a file through a terminal library whose terminal is dumb. What is typed
 * gets shown only when a closing bracket makes the library redraw for its blinking match: so the
 * echo ends with the last closer, and a TAB, which is no key that inserts, rings the bell at once
 * and is dropped, before the text that waits for the next closer. Tables are tableau.c's.
 * Recorded: watermark/ref/w5, format/stmt_brackets, format/stmt_tabs,
 * format/wide_chars_stream. */
#include "sim/echo.h"

#include "parser/encoding.h"
#include "sim/zero_width.h"

#define INFO  "\x1b[34;1m[INFO] "
#define ERROR "\x1b[31;1m[ERROR] "
#define PLAIN "\x1b[0m"

#define JOB_ID_DIGITS 32

#define BEL '\a'

void echo_begin(struct writer *out, struct text history)
{
	echo_info(out, TEXT("Executing SQL from file."));
	writer_text(out, TEXT("\nCommand history file path: "));
	writer_text(out, history);
	writer_text(out, TEXT("\n"));
}

static bool is_closer(char c)
{
	return c == ')' || c == ']' || c == '}';
}

/* The text up to its first closer, inclusive; empty where there is none. */
static struct text to_closer(struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (is_closer(t.ptr[i]))
			return text_slice(t, 0, i + 1);
	return text_slice(t, 0, 0);
}

static void ring_tabs(struct writer *out, struct text t)
{
	writer_repeat(out, BEL, text_count(t, '\t'));
}

static void show_character(struct writer *out, struct text c, uint32_t code)
{
	if (code == '\t' || code == '\r' || zero_width(code))
		return;
	if (code == '\n')
		writer_text(out, TEXT("\n> "));
	else if (code == 0xfffd)
		writer_text(out, TEXT("\xef\xbf\xbd"));
	else
		writer_text(out, c);
}

static void show(struct writer *out, struct text t)
{
	while (t.len) {
		size_t len;
		uint32_t code = utf8_decode(t, &len);

		show_character(out, text_slice(t, 0, len), code);
		t = text_slice(t, len, t.len);
	}
}

void echo_statement(struct writer *out, struct text source)
{
	struct text segment;

	writer_text(out, TEXT("Flink SQL> "));
	while ((segment = to_closer(source)).len) {
		ring_tabs(out, segment);
		show(out, segment);
		source = text_slice(source, segment.len, source.len);
	}
	ring_tabs(out, source);
}

void echo_info(struct writer *out, struct text message)
{
	writer_text(out, TEXT(INFO));
	writer_text(out, message);
	writer_text(out, TEXT(PLAIN "\n"));
}

void echo_job(struct writer *out)
{
	echo_info(out, TEXT("Submitting SQL update statement to the cluster..."));
	echo_info(
		out, TEXT("SQL update statement has been successfully submitted to the cluster:"));
	writer_text(out, TEXT("Job ID: "));
	writer_repeat(out, '0', JOB_ID_DIGITS);
	writer_text(out, TEXT("\n\n"));
}

void echo_help(struct writer *out)
{
	writer_text(out,
		TEXT("The following commands are available:\n"
		     "\n"
		     "HELP               \t\tPrints the available commands.\n"
		     "QUIT/EXIT          \t\tQuits the SQL CLI client.\n"
		     "CLEAR              \t\tClears the current terminal.\n"
		     "SET                \t\tSets a session configuration property. Syntax: \"SET "
		     "'<key>'='<value>';\". Use \"SET;\" for listing all properties.\n"
		     "RESET              \t\tResets a session configuration property. Syntax: "
		     "\"RESET '<key>';\". Use \"RESET;\" for reset all session properties.\n"
		     "INSERT INTO        \t\tInserts the results of a SQL SELECT query into a "
		     "declared table sink.\n"
		     "INSERT OVERWRITE   \t\tInserts the results of a SQL SELECT query into a "
		     "declared table sink and overwrite existing data.\n"
		     "SELECT             \t\tExecutes a SQL SELECT query on the Flink cluster.\n"
		     "EXPLAIN            \t\tDescribes the execution plan of a query or table with "
		     "the given name.\n"
		     "BEGIN STATEMENT SET\t\tBegins a statement set. Syntax: \"BEGIN STATEMENT "
		     "SET;\"\n"
		     "END                \t\tEnds a statement set. Syntax: \"END;\"\n"
		     "ADD JAR            \t\tAdds the specified jar file to the submitted jobs' "
		     "classloader. Syntax: \"ADD JAR '<path_to_filename>.jar'\"\n"
		     "REMOVE JAR         \t\tRemoves the specified jar file from the submitted "
		     "jobs' classloader. Syntax: \"REMOVE JAR '<path_to_filename>.jar'\"\n"
		     "SHOW JARS          \t\tShows the list of user-specified jar dependencies. "
		     "This list is impacted by the --jar and --library startup options as well as "
		     "the ADD/REMOVE JAR commands.\n"
		     "\n"
		     "Hint: Make sure that a statement ends with \";\" for finalizing (multi-line) "
		     "statements.\n"
		     "You can also type any Flink SQL statement, please visit "
		     "https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/sql/"
		     "overview/ for more details.\n"));
}

void echo_error(struct writer *out, struct text error)
{
	writer_text(out, TEXT(ERROR "Could not execute SQL statement. Reason:\n"));
	writer_text(out, error);
	writer_text(out, TEXT(PLAIN "\n"));
}

void echo_gap(struct writer *out)
{
	writer_text(out, TEXT("\n"));
}

void echo_end(struct writer *out, struct text unfinished)
{
	echo_statement(out, unfinished);
	writer_text(out, TEXT("\n"));
	echo_abort(out);
}

void echo_abort(struct writer *out)
{
	writer_text(out, TEXT("Shutting down the session...\ndone.\n"));
}
