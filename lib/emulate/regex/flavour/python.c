/*
 * Parses Python's patterns for str (re of Python 3.11), as mcp-eval compiles
 * them. Error texts are Python's own, complete.
 */
#include "emulate/regex/flavour/python.h"

#include <inttypes.h>

#include "base/ascii.h"
#include "text/unicode.h"

#define TOO_MANY (UINT64_C(1) << 32) /* represents any count that large */

/* ---- repetition ---- */

/* Reads the number at the cursor; returns `absent` if there is none. */
static uint64_t
count(struct python *p, uint64_t absent)
{
	uint64_t value = 0;
	bool any = false;

	for (; python_peek(p) >= '0' && python_peek(p) <= '9'; any = true) {
		value = value * 10 + (python_next(p) - '0');
		if (value >= UINT32_MAX)
			value = TOO_MANY;
	}
	return any ? value : absent;
}

/* Clamps a count: all counts larger than the length of a text are
 * equivalent. */
static uint32_t
clamp_count(uint64_t value)
{
	return value < TREE_FOREVER ? (uint32_t)value : TREE_FOREVER;
}

/* Reads {n}, {n,}, {,m} or {n,m}. Anything else is text, and the cursor
 * stays. */
static bool
braces(struct python *p, struct tree *t)
{
	size_t start = p->at;
	uint64_t min, max;
	bool empty;

	python_next(p);
	empty = python_peek(p) == '}';
	min = count(p, 0);
	max = python_skip(p, ',') ? count(p, UINT32_MAX) : min;
	if (empty || !python_skip(p, '}')) {
		p->at = start;
		return false;
	}
	if (min == TOO_MANY || max == TOO_MANY)
		python_fail_plain(
		    p, start, STR("the repetition number is too large"));
	if (max < min)
		python_fail_c(
		    p, start + 1, "min repeat greater than max repeat");
	t->min = clamp_count(min);
	t->max = clamp_count(max);
	return true;
}

static bool
quantifier(struct python *p, struct tree *t)
{
	uint32_t c = python_peek(p);

	t->min = c == '+';
	t->max = c == '?' ? 1 : TREE_FOREVER;
	if (c == '{')
		return braces(p, t);
	if (c != '*' && c != '+' && c != '?')
		return false;
	python_next(p);
	return true;
}

/* An item of a sequence; `why` is the error if the item is repeated. */
struct item {
	struct tree *tree;
	const char *why;
};

/* Repeats the item, if a quantifier is at the cursor. Captures of earlier
 * iterations are kept. */
static bool
repeated(struct python *p, struct item *item)
{
	size_t from = p->at;
	struct tree *t = tree_new(p->arena, TREE_REPEAT), *atomic;

	if (!quantifier(p, t))
		return false;
	if (item->why != NULL)
		python_fail_c(p, from, item->why);
	t->child = item->tree;
	t->lazy = python_skip(p, '?');
	*item = (struct item){ t, "multiple repeat" };
	if (!t->lazy && python_skip(p, '+')) {
		atomic = tree_new(p->arena, TREE_ATOMIC);
		atomic->child = t;
		item->tree = atomic;
	}
	return true;
}

/* ---- escapes ---- */

static struct tree *
place(struct python *p, uint32_t letter)
{
	struct tree *t;

	if (letter == 'A')
		return tree_at(p->arena, AT_START, NULL);
	if (letter == 'Z')
		return tree_at(p->arena, AT_END, NULL);
	t = tree_at(p->arena, letter == 'b' ? AT_EDGE : AT_NO_EDGE,
	    python_shorthand(p, 'w'));
	t->negate = letter == 'B'; /* does not hold in an empty text */
	return t;
}

/* Reads a number that is an octal escape of three digits, or else a reference
 * to a group. */
static struct tree *
number(struct python *p, size_t from, uint32_t first)
{
	size_t group = first - '0';

	if (ascii_is_digit(python_peek(p))) {
		uint32_t second = python_next(p);

		if (python_is_octal(first) && python_is_octal(second) &&
		    python_is_octal(python_peek(p)))
			return tree_set(p->arena,
			    python_character(p,
				python_octal(p, from,
				    (first - '0') * 8 + (second - '0'), 1)));
		group = group * 10 + (second - '0');
	}
	if (group >= p->ngroups) {
		python_fail(p, from + 1,
		    str_printf(p->arena, "invalid group reference %zu", group));
		return tree_new(p->arena, TREE_EMPTY);
	}
	return python_reference(p, group, from);
}

static struct tree *
escape(struct python *p)
{
	size_t from = p->at;
	const struct set *set;
	uint32_t letter;

	python_next(p);
	letter = python_next(p);
	if (letter == 'A' || letter == 'Z' || letter == 'b' || letter == 'B')
		return place(p, letter);
	if (letter == '0')
		set = python_character(p, python_octal(p, from, 0, 2));
	else if (ascii_is_digit(letter))
		return number(p, from, letter);
	else if ((set = python_shorthand(p, letter)) == NULL)
		set = python_character(p, python_escaped(p, from, letter));
	return tree_set(p->arena, set);
}

/* ---- sequences ---- */

static struct tree *
atomic(struct python *p, size_t open)
{
	struct tree *t = tree_new(p->arena, TREE_ATOMIC);

	t->child = python_within(p, open);
	return t;
}

/* Skips the text up to and including `last`. Returns false at the end of the
 * pattern. */
static bool
skip_past(struct python *p, char last)
{
	uint32_t c;

	do
		c = python_token(p);
	while (c != (uint32_t)last && c != PYTHON_END);
	return c != PYTHON_END;
}

/* Parses what an opening parenthesis begins. Returns NULL for a comment and for
 * global flags, which match nothing and cannot be repeated. */
static struct tree *
parenthesis(struct python *p, bool first)
{
	size_t open = p->at;
	uint32_t c;

	python_next(p);
	if (!python_skip(p, '?'))
		return python_capture(p, open, (struct str){ 0 }, open);
	c = python_next(p);
	switch (c) {
	case PYTHON_END:
		return python_unexpected_end(p);
	case 'P':
		return python_extension(p, open);
	case ':':
		return python_within(p, open);
	case '#':
		if (!skip_past(p, ')'))
			python_fail_c(
			    p, open, "missing ), unterminated comment");
		return NULL;
	case '=':
	case '!':
	case '<':
		return python_look(p, open, c);
	case '(':
		return python_condition(p, open);
	case '>':
		return atomic(p, open);
	default:
		return python_flag(c) != 0 || c == '-'
		    ? python_flags(p, open, c, first)
		    : python_unknown_extension(p, open);
	}
}

static struct tree *
edge(struct python *p, bool start)
{
	bool lines = p->flags & PYTHON_LINES;

	python_next(p);
	if (start)
		return tree_at(p->arena, lines ? AT_LINE_START : AT_START,
		    lines ? python_newline(p) : NULL);
	return tree_at(
	    p->arena, lines ? AT_LINE_END : AT_LAST_END, python_newline(p));
}

static struct item
atom(struct python *p, bool first)
{
	static const char nothing[] = "nothing to repeat";
	struct tree *t;

	switch (python_peek(p)) {
	case '(':
		return (struct item){ parenthesis(p, first), NULL };
	case '[':
		return (
		    struct item){ tree_set(p->arena, python_class(p)), NULL };
	case '^':
		return (struct item){ edge(p, true), nothing };
	case '$':
		return (struct item){ edge(p, false), nothing };
	case '.':
		python_next(p);
		return (struct item){ tree_set(p->arena, python_dot(p)), NULL };
	case '\\':
		t = escape(p);
		return (struct item){ t, t->kind == TREE_AT ? nothing : NULL };
	default:
		t = tree_set(p->arena, python_character(p, python_next(p)));
		return (struct item){ t, NULL };
	}
}

/* Skips white space and comments, which flag x ignores. */
static bool
skip_verbose(struct python *p)
{
	uint32_t c = python_peek(p);

	if (!(p->flags & PYTHON_VERBOSE))
		return false;
	if (c == '#') {
		skip_past(p, '\n');
		return true;
	}
	if (c != ' ' && (c < '\t' || c > '\r'))
		return false;
	python_next(p);
	return true;
}

/* `first` is set at the start of the pattern. */
struct tree *
python_sequence(struct python *p, bool first)
{
	struct tree_list list = { 0 };
	struct item last = { NULL, "nothing to repeat" };

	while (!p->failed && python_peek(p) != PYTHON_END &&
	    python_peek(p) != '|' && python_peek(p) != ')') {
		struct item next;

		if (skip_verbose(p) || repeated(p, &last))
			continue;
		next = atom(p, first && last.tree == NULL);
		if (next.tree == NULL)
			continue;
		if (last.tree != NULL)
			tree_append(&list, last.tree);
		last = next;
	}
	if (last.tree != NULL)
		tree_append(&list, last.tree);
	return tree_join(p->arena, TREE_CAT, &list);
}

struct tree *
python_alternation(struct python *p)
{
	struct tree_list list = { 0 };

	tree_append(&list, python_sequence(p, p->depth == 0));
	while (python_skip(p, '|'))
		tree_append(&list, python_sequence(p, false));
	return tree_join(p->arena, TREE_ALT, &list);
}

/* Makes the checks that need the whole pattern. */
static void
finish(struct python *p)
{
	if (!p->failed && p->at < p->pattern.n)
		python_fail_c(p, p->at, "unbalanced parenthesis");
	for (size_t i = 0; i < p->nlater; i++)
		if (p->later[i].group >= p->ngroups)
			python_fail(p, p->later[i].at,
			    str_printf(p->arena,
				"invalid group reference %" PRIu64,
				p->later[i].group));
	if (!p->failed && p->variable_behind)
		python_fail_plain(
		    p, 0, STR("look-behind requires fixed-width pattern"));
	p->made->groups = p->ngroups;
}

struct pattern *
regex_parse_python(struct arena *a, struct str text, unsigned flag_set,
    struct regex_error *error)
{
	struct pattern *made = arena_new(a, struct pattern);
	struct python p = { .arena = a,
		.pattern = text,
		.flags = flag_set,
		.made = made,
		.error = error };

	made->unit_max = UNICODE_MAX;
	made->perl = true;
	*arena_push(a, made->names, made->groups) = (struct str){ 0 };
	*arena_push(a, p.groups, p.ngroups) = (struct python_group){ 0 };
	made->root = python_alternation(&p);
	finish(&p);
	return p.failed ? NULL : made;
}
