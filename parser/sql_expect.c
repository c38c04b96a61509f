/* What Flink's parser expects at a place.
 *
 * Behind an expression the list is put together: what may follow whatever is around it, and the
 * operators; behind an operator, that operator with each beginning of an expression. All else
 * stands in tables (sql_expected.c), as beginnings of statements: the place is looked for among
 * theirs.
 *
 * Recorded: semantics/errors_sql_double_quotes, semantics/errors_tumble_in_quotes,
 * watermark/mistakes/ddl_trailing_comma. */
#include "parser/sql_expected.h"

#include <errno.h>

#include "parser/arena.h"
#include "parser/limits.h"
#include "parser/sql_node.h"

/* What may follow one kind of operand, besides what may follow all. */
struct operand {
	const char *last; /* the kind of its last token */
	const char *list;
	bool dot;
	const char *item_end, *end; /* the end of the list, of an item of SELECT and elsewhere */
};

#define UNITS_ITEM "YEAR QUARTERS MONTH WEEKS DAY HOUR MINUTE SECOND"
#define UNITS                                                                                     \
	"YEAR YEARS QUARTER QUARTERS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES " \
	"SECOND SECONDS"

static const struct operand operands[] = {
	{"name", "", true, "(", "("},
	{"number", "", true, "", ""},
	{"text", "UESCAPE <QUOTED_STRING>", true, "", ""},
	{"time", "", true, "", ""},
	{"constant", "", true, "", ""},
	{"is", "", false, "", ""},
	{"()", "FILTER OVER WITHIN", true, "", "IGNORE RESPECT"},
	{"-()", "", true, UNITS_ITEM, UNITS},
	{"-(SELECT)", "", true, UNITS_ITEM, UNITS},
	{"IN()", "", false, "", ""},
	{"IN(SELECT)", "", false, "", ""},
	{"CAST()", "", true, "", ""},
	{"TRY_CAST()", "", true, "", ""},
	{"OVER()", "", true, "", ""},
	{"SUBSTRING()", "", true, "", ""},
	{"TRIM()", "", true, "", ""},
	{"EXTRACT()", "", true, "", ""},
	{"TUMBLE()", "", true, "", ""},
	{"HOP()", "", true, "", ""},
	{"TIMESTAMPDIFF()", "", true, "", ""},
	{"TIMESTAMPADD()", "", true, "", ""},
	{"FLOOR()", "OVER", true, "", ""},
	{"CEIL()", "OVER", true, "", ""},
	{"END", "", true, "", ""},
};

static const struct operand units[] = {
	{"DAY", "(", true, "TO", "TO"},
	{"HOUR", "(", true, "TO", "TO"},
	{"MINUTE", "(", true, "TO", "TO"},
	{"SECOND", "(", true, "", ""},
	{"MINUTES", "(", true, "TO", "TO"},
};

/* The operators, and what is listed behind each of them; IMMEDIATELY not in an item of SELECT. */
struct operator
{
	const char *text, *list;
};

#define COMPARED   "BETWEEN LIKE ILIKE RLIKE SIMILAR"
#define BEFORE_SUM "NOT IN < <= > >= = <> != " COMPARED
#define BEFORE_AND BEFORE_SUM " + - * / % ||"
#define BEHIND_IS \
	"MEMBER SUBMULTISET CONTAINS OVERLAPS EQUALS PRECEDES SUCCEEDS IMMEDIATELY MULTISET ["
#define INDEX "[ IS"

static const struct operator operators[] = {
	{"", BEFORE_AND " AND OR IS " BEHIND_IS},
	{"<", "NOT IN <~SOME <~ANY <~ALL " COMPARED " = > <~$C " INDEX},
	{"<=", "NOT IN < <=~SOME <=~ANY <=~ALL " COMPARED " = > <=~$C " INDEX},
	{">", "NOT IN < <= >~SOME >~ANY >~ALL " COMPARED " = >~$C " INDEX},
	{">=", "NOT IN < <= > >=~SOME >=~ANY >=~ALL " COMPARED " = >=~$C " INDEX},
	{"=", "NOT IN < <= > >= =~SOME =~ANY =~ALL " COMPARED " =~$C " INDEX},
	{"<>", "NOT IN < <= > >= = <>~SOME <>~ANY <>~ALL " COMPARED " <>~$C " INDEX},
	{"!=", "NOT IN < <= > >= = <> !=~SOME !=~ANY !=~ALL " COMPARED " !=~$C " INDEX},
	{"LIKE", "NOT IN < <= > >= = <> != BETWEEN LIKE~$E + - * / % || AND OR IS " BEHIND_IS},
	{"+", BEFORE_SUM " +~$E " INDEX},
	{"-", BEFORE_SUM " + -~$E " INDEX},
	{"*", BEFORE_SUM " + - *~$E " INDEX},
	{"/", BEFORE_SUM " + - * /~$E " INDEX},
	{"%", BEFORE_SUM " + - * / %~$E " INDEX},
	{"||", BEFORE_SUM " + - * / % ||~$E " INDEX},
	{"AND", BEFORE_AND " AND~$E " INDEX},
	{"OR", BEFORE_AND " AND OR~$E " INDEX},
	{"IS", BEFORE_AND " AND OR IS~DISTINCT IS~NOT " BEHIND_IS
			  " IS~A IS~NULL IS~TRUE IS~FALSE IS~UNKNOWN IS~EMPTY IS~JSON"},
	{"IN", "NOT IN~( " COMPARED " = > < <= >= <> != + - * / % || AND OR IS " BEHIND_IS},
};

/* ---- lists ---- */

/* Cuts the next word off *rest. */
static struct text next_word(struct text *rest)
{
	struct text word;

	*rest = text_trim_left(*rest);
	word = text_slice(*rest, 0, text_find(*rest, TEXT(" ")));
	*rest = text_slice(*rest, word.len, rest->len);
	return word;
}

static int add(struct sql_entries *list, struct text prefix, struct text word)
{
	if (arena_grow(list->arena, &list->items, list->count, &list->room, sizeof(word)))
		return -ENOMEM;
	if (prefix.len)
		word = text_format(list->arena, "%.*s%.*s", TEXT_ARG(prefix), TEXT_ARG(word));
	if (!word.ptr)
		return -ENOMEM;
	list->items[list->count++] = word;
	return 0;
}

static int add_list(struct sql_entries *list, struct text prefix, struct text words);

/* The list behind '$', each entry behind the prefix. */
static int add_part(struct sql_entries *list, struct text prefix, struct text name)
{
	for (size_t i = 0; i < sql_part_count; i++)
		if (text_eq(name, text_of(sql_parts[i].name)))
			return add_list(list, prefix, text_of(sql_parts[i].list));
	return -EINVAL;
}

static int add_list(struct sql_entries *list, struct text prefix, struct text words)
{
	struct text word;
	int err = 0;

	while ((word = next_word(&words)).len && err == 0) {
		size_t part = text_find(word, TEXT("$"));
		struct text before = text_slice(word, 0, part);

		if (part == word.len)
			err = add(list, prefix, word);
		else if (!before.len)
			err = add_part(list, prefix, text_slice(word, 1, word.len));
		else
			err = add_part(list, before, text_slice(word, part + 1, word.len));
	}
	return err;
}

int sql_add_list(struct sql_entries *list, struct text words)
{
	return add_list(list, TEXT(""), words);
}

static bool has(const struct sql_entries *list, struct text word)
{
	for (size_t i = 0; i < list->count; i++)
		if (text_eq(list->items[i], word))
			return true;
	return false;
}

/* The entries of the set in the order of Flink's numbers. */
static int add_sorted(struct sql_entries *list, const struct sql_entries *set)
{
	struct text order = text_of(sql_token_order), word;
	int err = 0;

	while ((word = next_word(&order)).len && err == 0)
		if (has(set, word))
			err = add(list, TEXT(""), word);
	return err;
}

/* ---- places ---- */

/* The place behind this beginning of a statement. -EINVAL where it has none. */
static int place_of(struct arena *arena, struct text example, struct sql_place *ret)
{
	struct sql_statement statement = {0};
	struct sql_parser parser = {.arena = arena, .scratch = arena, .statement = &statement};
	struct sql_piece piece = {.line = 1, .col = 1, .run = true};

	piece.source = text_format(arena, "%.*s \"", TEXT_ARG(example));
	if (!piece.source.ptr)
		return -ENOMEM;
	sql_read_piece(&parser, &piece);
	if (parser.err != -EINVAL || !parser.tokens.count)
		return parser.err ? parser.err : -EINVAL;
	*ret = sql_place(&parser);
	return ret->around.ptr && ret->ending.ptr && ret->last.ptr && ret->before.ptr ? 0 : -ENOMEM;
}

static bool same_around(const struct sql_place *a, const struct sql_place *b)
{
	return text_eq(a->around, b->around) && text_ieq(a->special, b->special);
}

static bool same_spot(const struct sql_place *a, const struct sql_place *b, bool exact)
{
	return same_around(a, b) && text_eq(a->ending, b->ending) &&
	       text_ieq(a->operator, b->operator) && text_ieq(a->last, b->last) &&
	       a->like == b->like && (!exact || text_ieq(a->before, b->before));
}

/* Is one of the examples, a line each, at this place? 1, 0 or -ENOMEM. */
static int is_example(const char *examples, const struct sql_place *place, bool whole, bool exact)
{
	struct text rest = text_of(examples);
	struct arena arena;
	int found = 0;

	while (rest.len && found == 0) {
		size_t end = text_find(rest, TEXT("\n"));
		struct sql_place other;

		arena_init(&arena, LIMIT_EXAMPLE_BYTES);
		found = place_of(&arena, text_slice(rest, 0, end), &other);
		if (found == 0)
			found = whole ? same_spot(&other, place, exact)
				      : same_around(&other, place);
		else if (found != -ENOMEM)
			found = 0;
		arena_finish(&arena);
		rest = text_slice(rest, end + 1, rest.len);
	}
	return found;
}

/* Are all words of the ending among these? */
static bool ends_only_in(struct text ending, const char *words)
{
	struct text word;

	while ((word = next_word(&ending)).len) {
		struct text rest = text_of(words), other;

		while ((other = next_word(&rest)).len && !text_eq(other, word))
			;
		if (!other.len)
			return false;
	}
	return true;
}

static const struct operand *find_operand(
	const struct operand *table, size_t count, struct text last)
{
	for (size_t i = 0; i < count; i++)
		if (text_ieq(last, text_of(table[i].last)))
			return &table[i];
	return NULL;
}

static const struct operator* find_operator(struct text text)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (text_ieq(text, text_of(operators[i].text)))
			return &operators[i];
	return NULL;
}

/* The operand in front of the place, or NULL where none is known. The first argument of a table
 * function may be a table with a list of columns as well: nothing is said of that. */
static const struct operand *operand_of(const struct sql_place *place)
{
	const struct operand *unit =
		find_operand(units, sizeof(units) / sizeof(*units), place->last);

	if (!place->operator.len && text_eq(place->ending, TEXT("name ")) &&
		text_ends(place->around, TEXT("path '(' ")))
		return NULL;
	if (unit && text_find(place->ending, TEXT("NOT")) == place->ending.len &&
		(place->operator.len ||
			text_eq(place->ending, TEXT("INTERVAL sign STRING unit_word "))))
		return unit;
	if (!place->operator.len && !ends_only_in(
		    place->ending, "path primary operand expr plain_call name"))
		return NULL;
	if (place->operator.len &&(text_find(place->ending, TEXT("INTERVAL")) < place->ending.len ||
				   text_find(place->ending, TEXT("NOT")) < place->ending.len))
		return NULL;
	return find_operand(operands, sizeof(operands) / sizeof(*operands), place->last);
}

/* "=>" may follow a bare name only. */
static bool is_named(const struct sql_place *place)
{
	return !place->operator.len && text_ieq(place->last, TEXT("name")) &&
	       ends_only_in(place->ending, "path name");
}

/* The head of the list: what may follow the expression, sorted. */
static int add_head(struct sql_entries *list, const struct sql_place *place, const char *around,
	const struct operand *operand)
{
	struct sql_entries all = {.arena = list->arena}, set = {.arena = list->arena};
	int err = add_list(&all, TEXT(""), text_of(around));

	if (err == 0)
		err = add_list(&all, TEXT(""), text_of(operand->list));
	for (size_t i = 0; i < all.count && err == 0; i++)
		if (!text_eq(all.items[i], TEXT("=>")) || is_named(place))
			err = add(&set, TEXT(""), all.items[i]);
	return err ? err : add_sorted(list, &set);
}

/* The list behind an expression, or behind an operator in one. */
static int build(struct sql_entries *list, const struct sql_place *place,
	const struct sql_around *around, const struct operand *operand)
{
	const struct operator* operator= find_operator(place->operator);
	struct sql_entries tail = {.arena = list->arena};
	int err = add_head(list, place, around->list, operand);

	if (err == 0 && operand->dot)
		err = add(list, TEXT(""), TEXT("."));
	if (err == 0 && place->like && !text_ieq(place->operator, TEXT("LIKE")))
		err = add(list, TEXT(""), TEXT("ESCAPE"));
	if (err == 0)
		err = add_list(&tail, TEXT(""), text_of(operator->list));
	for (size_t i = 0; i < tail.count && err == 0; i++)
		if (!around->item || !text_eq(tail.items[i], TEXT("IMMEDIATELY")))
			err = add(list, TEXT(""), tail.items[i]);
	if (err == 0 && !around->item)
		err = add(list, TEXT(""), TEXT("FORMAT"));
	if (err == 0)
		err = add_list(
			list, TEXT(""), text_of(around->item ? operand->item_end : operand->end));
	return err;
}

/* Behind an expression. 0, -ENOTSUP where the place is none of these. */
static int find_behind(struct sql_entries *list, const struct sql_place *place, int *back)
{
	const struct operand *operand = place->ending.len ? operand_of(place) : NULL;

	if (!operand || !find_operator(place->operator))
		return -ENOTSUP;
	for (size_t i = 0; i < sql_around_count; i++) {
		int found = is_example(sql_arounds[i].examples, place, false, false);

		if (found < 0)
			return found;
		if (!found)
			continue;
		*back = place->operator.len> 0;
		return build(list, place, &sql_arounds[i], operand);
	}
	return -ENOTSUP;
}

/* The spot's list; "$S" in front: sorted, with all beginnings of an expression. */
static int add_spot(struct sql_entries *list, const struct sql_spot *spot)
{
	struct sql_entries set = {.arena = list->arena};
	struct text words = text_of(spot->list);
	int err;

	if (!text_starts(words, TEXT("$S")))
		return add_list(list, TEXT(""), words);
	err = add_list(&set, TEXT(""), text_slice(words, 2, words.len));
	if (err == 0)
		err = add_part(&set, TEXT(""), TEXT("E"));
	return err ? err : add_sorted(list, &set);
}

static int find_spot(struct sql_entries *list, const struct sql_place *place, int *back)
{
	for (size_t i = 0; i < sql_spot_count; i++) {
		int found = is_example(sql_spots[i].examples, place, true, sql_spots[i].exact);

		if (found < 0)
			return found;
		if (!found)
			continue;
		*back = sql_spots[i].back;
		return add_spot(list, &sql_spots[i]);
	}
	return -ENOTSUP;
}

static bool contains(struct text text, const char *what)
{
	return text_find(text, text_of(what)) < text.len;
}

/* Places where more matters than a place holds: how the operand in front of "+ INTERVAL" ended;
 * whether BETWEEN has its AND; whether a name that may be an argument's is all of the operand. */
static bool is_unsure(const struct sql_place *place)
{
	static const char *const operators_of_time[] = {"+", "-", "*", "/", "="};

	if (contains(place->around, "BETWEEN") || contains(place->ending, "BETWEEN"))
		return true;
	if (place->operator.len && text_ieq(place->last, TEXT("name")) &&
		(contains(place->around, "call_name '('") || contains(place->around, "path '('")))
		return true;
	if (!text_ieq(place->last, TEXT("INTERVAL")))
		return false;
	for (size_t i = 0; i < sizeof(operators_of_time) / sizeof(*operators_of_time); i++)
		if (text_eq(place->before, text_of(operators_of_time[i])))
			return true;
	return false;
}

int sql_expect(struct sql_entries *list, const struct sql_place *place, int *back)
{
	int err;

	if (is_unsure(place))
		return -ENOTSUP;
	err = find_behind(list, place, back);
	return err == -ENOTSUP ? find_spot(list, place, back) : err;
}
