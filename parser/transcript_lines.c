/* Recognises lines of a transcript by pattern: the only file that knows PCRE2.
 *
 * It says what kind a line is, and leaves to others what that means: columns are never found by
 * pattern but cut by the border's widths (transcript_table.c), since the client escapes nothing
 * (recorded: format/border_like_stream).
 *
 * No pattern can run away: all but two are anchored, no repeat is nested in another over the same
 * bytes, and a match limit turns a surprise into "no match". No JIT: under MemoryDenyWriteExecute
 * there is none, and a transcript has few lines outside its tables. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "parser/transcript_lines.h"

#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

#include "parser/diag.h"

/* Ample for the longest border (1000 columns); a pattern gone wild stops after microseconds. */
#define MATCH_LIMIT    20000
#define HEAP_LIMIT_KIB 4096

/* A colour: with its ESC, with the "^[" of cat -v, or with neither (recorded:
 * watermark/mistakes/w5_ansi_half_stripped). */
#define SGR  "(?:\\x1b|\\^\\[)?\\[[0-9;]{1,12}m"
#define ROWS "([0-9]{1,18}) rows?"
#define COST "( \\([0-9]+[.,][0-9]+ seconds\\))?"
#define END  "[ \\t]*$"

struct pattern {
	const char *first; /* the bytes that a match can begin with; NULL: any, and not anchored */
	const char *regex;
};

static const struct pattern patterns_by_kind[LINE_KINDS] = {
	[LINE_PROMPT] = {"F", "Flink SQL>(?: (.*)|$)"},
	[LINE_CONTINUED] = {">", ">(?: (.*)|$)"},
	[LINE_JOB] = {"J", "Job ID: ([0-9a-f]{32})" END},
	[LINE_RECEIVED] = {"R", "Received a total of " ROWS COST END},
	[LINE_TERMINATED] = {"^Q", "(?:\\^C)?Query terminated, received a total of " ROWS COST END},
	[LINE_IN_SET] = {"0123456789", ROWS " in set" COST END},
	[LINE_SHUTDOWN] = {"S", "Shutting down the session\\.\\.\\." END},
	[LINE_DONE] = {"d", "done\\." END},
	[LINE_HISTORY] = {"C", "Command history file path:"},
	[LINE_INIT_OK] = {"S", "Successfully initialized from sql script:"},
	[LINE_INIT_FAILED] = {"F", "(Failed to initialize from sql script:.*)"},
	[LINE_CRASH] = {"E", "Exception in thread \"[^\"]{0,100}\" (.*)"},
	[LINE_STDERR] = {"WSADFJMNO",
		"WARNING: |SLF4J: |.{1,60} org\\.jline\\.utils\\.Log logr" END},
	[LINE_SCRIPT] = {"S", "Script (?:started|done) on "},
	[LINE_FENCE] = {"`~", "```|~~~"},
	[LINE_BORDER] = {"+", "\\+(?:-{3,}+\\+)++$"},
	/* Behind an echo, which may hold anything: with its colour, at the start, or up to the end. */
	[LINE_MARK] = {NULL, "(?|(?:" SGR "|\\A)\\[(INFO|WARNING|ERROR)\\] (.*)"
			     "|\\[(INFO|ERROR)\\] ([A-Z][^'\\[\\]]*[.:](?:" SGR ")?)" END ")"},
	[LINE_EMPTY_SET] = {NULL, "Empty set" COST END},
};

struct line_patterns {
	pcre2_code *code[LINE_KINDS];
	pcre2_match_data *data;
	pcre2_match_context *context;
};

static bool compile(struct line_patterns *patterns)
{
	for (size_t i = 0; i < LINE_KINDS; i++) {
		const struct pattern *pattern = &patterns_by_kind[i];
		uint32_t options = PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY;
		PCRE2_SIZE offset;
		int err;

		if (!pattern->regex)
			continue;
		options |= pattern->first ? PCRE2_ANCHORED : 0;
		patterns->code[i] = pcre2_compile((PCRE2_SPTR)pattern->regex, PCRE2_ZERO_TERMINATED,
			options, &err, &offset, NULL);
		if (!patterns->code[i])
			return false;
	}
	return true;
}

int line_patterns_new(struct line_patterns **ret, struct diag *reterr)
{
	struct line_patterns *patterns = calloc(1, sizeof(*patterns));

	if (!patterns)
		return diag_nomem(reterr);
	patterns->context = pcre2_match_context_create(NULL);
	patterns->data = pcre2_match_data_create(LINE_PARTS + 1, NULL);
	if (!patterns->context || !patterns->data || !compile(patterns)) {
		line_patterns_free(patterns);
		return diag_nomem(reterr);
	}
	pcre2_set_match_limit(patterns->context, MATCH_LIMIT);
	pcre2_set_depth_limit(patterns->context, MATCH_LIMIT);
	pcre2_set_heap_limit(patterns->context, HEAP_LIMIT_KIB);
	*ret = patterns;
	return 0;
}

void line_patterns_free(struct line_patterns *patterns)
{
	if (!patterns)
		return;
	for (size_t i = 0; i < LINE_KINDS; i++)
		pcre2_code_free(patterns->code[i]);
	pcre2_match_data_free(patterns->data);
	pcre2_match_context_free(patterns->context);
	free(patterns);
}

/* The part that a group matched. Groups behind the last that took part do not count in `count`. */
static struct text part_of(
	const struct line_patterns *patterns, struct text text, int count, int group)
{
	const PCRE2_SIZE *offsets = pcre2_get_ovector_pointer(patterns->data);

	if (group >= count || offsets[2 * group] == PCRE2_UNSET)
		return TEXT("");
	return text_slice(text, offsets[2 * group], offsets[2 * group + 1]);
}

bool line_is(const struct line_patterns *patterns, enum line_kind kind, struct text text,
	struct line *ret)
{
	const char *first = patterns_by_kind[kind].first;
	int count;

	if (text.len == 0 || !patterns->code[kind])
		return false;
	if (first && !memchr(first, text.ptr[0], strlen(first)))
		return false;
	/* Any error, a limit that was reached among them, means that it is no such line. */
	count = pcre2_match(patterns->code[kind], (PCRE2_SPTR)text.ptr, text.len, 0, 0,
		patterns->data, patterns->context);
	if (count <= 0)
		return false;
	if (ret) {
		*ret = (struct line){
			.kind = kind, .start = pcre2_get_ovector_pointer(patterns->data)[0]};
		for (int i = 0; i < LINE_PARTS; i++)
			ret->part[i] = part_of(patterns, text, count, i + 1);
	}
	return true;
}

struct line line_classify(const struct line_patterns *patterns, struct text text)
{
	struct line line = {.kind = LINE_OTHER};

	for (enum line_kind kind = 0; kind < LINE_OTHER; kind++)
		if (line_is(patterns, kind, text, &line))
			break;
	return line;
}
