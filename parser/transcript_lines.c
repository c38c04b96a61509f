/* Recognises lines of a transcript by pattern: the only file that knows PCRE2.
 *
 * It says what kind a line is, and leaves to others what that means: columns are never found by
 * pattern but cut by the border's widths (transcript_table.c), since the client escapes nothing
 * (recorded: format/border_like_stream).
 *
 * No pattern can run away: all are anchored, no repeat is nested in another over the same bytes,
 * and a match limit turns a surprise into "no match". No JIT: under MemoryDenyWriteExecute there
 * is none, and a transcript has few lines outside its tables. */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "parser/transcript_lines.h"

#include <limits.h>
#include <pcre2.h>
#include <string.h>

#include "parser/arena.h"
#include "parser/diag.h"

/* Ample for the longest border (1000 columns); a pattern gone wild stops after microseconds. */
#define MATCH_LIMIT    20000
#define HEAP_LIMIT_KIB 4096

/* "Empty set" with any time behind it is shorter. */
#define EMPTY_SET_MAX 64

#define ROWS "([0-9]{1,18}) rows?"
#define COST "( \\([0-9]+[.,][0-9]+ seconds\\))?"
#define END  "[ \\t]*$"

struct pattern {
	const char *first; /* the bytes that a match can begin with */
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
	[LINE_MARK] = {"[", "\\[(INFO|WARNING|ERROR)\\] (.*)"},
	[LINE_MARK_WHOLE] = {"[", "\\[(INFO|ERROR)\\] ([A-Z][^'\\[\\]]*[.:])(?:\\[0m)?" END},
	[LINE_EMPTY_SET] = {"E", "Empty set" COST END},
};

struct line_patterns {
	pcre2_code *code[LINE_KINDS];
	uint32_t kinds_by_first[UCHAR_MAX + 1]; /* bit k: kind k can begin with this byte */
	pcre2_match_data *data;
	pcre2_match_context *context;
};

/* PCRE2's memory is the arena's, which takes nothing back before its end. */
static void *take(PCRE2_SIZE size, void *arena)
{
	return arena_alloc(arena, size);
}

static void give_back(void *ptr, void *arena)
{
	(void)ptr;
	(void)arena;
}

static bool compile(struct line_patterns *patterns, pcre2_compile_context *context)
{
	const uint32_t options = PCRE2_ANCHORED | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY;

	for (size_t i = 0; context && i < LINE_KINDS; i++) {
		const struct pattern *pattern = &patterns_by_kind[i];
		PCRE2_SIZE offset;
		int err;

		if (!pattern->regex)
			continue;
		for (const char *first = pattern->first; *first; first++)
			patterns->kinds_by_first[(unsigned char)*first] |= 1u << i;
		patterns->code[i] = pcre2_compile((PCRE2_SPTR)pattern->regex, PCRE2_ZERO_TERMINATED,
			options, &err, &offset, context);
		if (!patterns->code[i])
			return false;
	}
	return context != NULL;
}

int line_patterns_new(struct arena *arena, const struct line_patterns *compiled,
	struct line_patterns **ret, struct diag *reterr)
{
	struct line_patterns *patterns = ARENA_NEW(arena, struct line_patterns);
	pcre2_general_context *memory = pcre2_general_context_create(take, give_back, arena);

	if (!patterns || !memory)
		return diag_nomem(reterr);
	if (compiled)
		*patterns = *compiled;
	else if (!compile(patterns, pcre2_compile_context_create(memory)))
		return diag_nomem(reterr);
	patterns->context = pcre2_match_context_create(memory);
	patterns->data = pcre2_match_data_create(LINE_PARTS + 1, memory);
	if (!patterns->context || !patterns->data)
		return diag_nomem(reterr);
	pcre2_set_match_limit(patterns->context, MATCH_LIMIT);
	pcre2_set_depth_limit(patterns->context, MATCH_LIMIT);
	pcre2_set_heap_limit(patterns->context, HEAP_LIMIT_KIB);
	*ret = patterns;
	return 0;
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

static bool begins_like(const struct line_patterns *patterns, enum line_kind kind, struct text text)
{
	return text.len && patterns->kinds_by_first[(unsigned char)text.ptr[0]] >> kind & 1;
}

bool line_is(const struct line_patterns *patterns, enum line_kind kind, struct text text,
	struct line *ret)
{
	int count;

	if (!begins_like(patterns, kind, text))
		return false;
	/* Any error, a limit that was reached among them, means that it is no such line. */
	count = pcre2_match(patterns->code[kind], (PCRE2_SPTR)text.ptr, text.len, 0, 0,
		patterns->data, patterns->context);
	if (count <= 0)
		return false;
	if (ret) {
		*ret = (struct line){.kind = kind};
		for (int i = 0; i < LINE_PARTS; i++)
			ret->part[i] = part_of(patterns, text, count, i + 1);
	}
	return true;
}

struct line line_classify(const struct line_patterns *patterns, struct text text)
{
	struct line line = {.kind = LINE_OTHER};
	uint32_t kinds = text.len ? patterns->kinds_by_first[(unsigned char)text.ptr[0]] : 0;

	kinds &= (1u << LINE_OTHER) - 1;
	for (enum line_kind kind = 0; kinds >> kind; kind++)
		if (line_is(patterns, kind, text, &line))
			break;
	return line;
}

/* Where the colour begins that ends at `end`: ESC [ digits m, also with the "^[" of cat -v, or with
 * its ESC lost (recorded: watermark/mistakes/w5_ansi_half_stripped). `end` where there is none. */
static size_t colour_before(struct text text, size_t end)
{
	size_t start = end;

	if (start == 0 || text.ptr[--start] != 'm')
		return end;
	while (start && end - start < 12 &&
		(text.ptr[start - 1] == ';' ||
			(text.ptr[start - 1] >= '0' && text.ptr[start - 1] <= '9')))
		start--;
	if (start == 0 || text.ptr[--start] != '[')
		return end;
	if (start && text.ptr[start - 1] == '\x1b')
		return start - 1;
	return text_ends(text_slice(text, 0, start), TEXT("^[")) ? start - 2 : start;
}

static bool begins_mark(struct text t)
{
	switch (t.len > 1 ? t.ptr[1] : '\0') {
	case 'I': return text_starts(t, TEXT("[INFO] "));
	case 'E': return text_starts(t, TEXT("[ERROR] "));
	case 'W': return text_starts(t, TEXT("[WARNING] "));
	default: return false;
	}
}

/* An echo may hold the words of a mark: one counts if it has its colour, begins the line, or is a
 * sentence up to the line's end. */
bool line_find_mark(const struct line_patterns *patterns, struct text text, struct line *ret)
{
	for (size_t at = 0; at < text.len; at++) {
		struct text rest;
		size_t start;

		if (text.ptr[at] != '[')
			continue;
		rest = text_slice(text, at, text.len);
		if (!begins_mark(rest))
			continue;
		start = colour_before(text, at);
		if (line_is(patterns, start < at || at == 0 ? LINE_MARK : LINE_MARK_WHOLE, rest,
			    ret)) {
			ret->start = start;
			return true;
		}
	}
	return false;
}

bool line_find_empty_set(const struct line_patterns *patterns, struct text text, struct line *ret)
{
	size_t from = text.len > EMPTY_SET_MAX ? text.len - EMPTY_SET_MAX : 0;
	struct text tail = text_slice(text, from, text.len);
	size_t at = text_find(tail, TEXT("Empty set"));

	if (!line_is(patterns, LINE_EMPTY_SET, text_slice(tail, at, tail.len), ret))
		return false;
	ret->start = from + at;
	return true;
}
