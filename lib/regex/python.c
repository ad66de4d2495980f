/*
 * Python's patterns for str (re of Python 3.11), as mcp-eval compiles them.
 * Reasons are Python's own, whole.
 */
#include "python.h"

#include "../unicode.h"

#define TOO_MANY (UINT64_C(1) << 32) /* what stands for any count that large */

enum { GROUPS_MAX = 100000 };

static struct tree *alternation(struct python *);
static struct tree *sequence(struct python *, bool first);

/* ---- the cursor ---- */

static size_t
characters(struct str text)
{
	size_t n = 0, length;

	for (; text.n != 0; text = str_from(text, length), n++)
		unicode_decode(text, &length);
	return n;
}

/* Python adds the line and the column where a pattern has several lines. */
static struct str
placed(struct python *p, size_t at, struct str why)
{
	struct str before = str_slice(p->pattern, 0, at);
	size_t place = characters(before), line = 1, start = 0;

	why = str_printf(p->arena, "%.*s at position %zu", STR_FMT(why), place);
	if (str_find_char(p->pattern, '\n') == p->pattern.n)
		return why;
	for (size_t i = 0; i < before.n; i++) {
		if (before.s[i] == '\n') {
			line++;
			start = i + 1;
		}
	}
	return str_printf(p->arena, "%.*s (line %zu, column %zu)", STR_FMT(why),
	    line, characters(str_from(before, start)) + 1);
}

static void
fail_as(struct python *p, size_t at, struct str why)
{
	if (!p->failed && p->error != NULL)
		*p->error = (struct regex_error){ at, why };
	p->failed = true;
	p->at = p->pattern.n;
}

void
python_fail(struct python *p, size_t at, struct str why)
{
	if (!p->failed)
		fail_as(p, at, placed(p, at, why));
}

void
python_fail_c(struct python *p, size_t at, const char *why)
{
	python_fail(p, at, str_of(why));
}

uint32_t
python_peek(const struct python *p)
{
	size_t length;

	return p->at < p->pattern.n
	    ? unicode_decode(str_from(p->pattern, p->at), &length)
	    : PYTHON_END;
}

uint32_t
python_next(struct python *p)
{
	size_t length;
	uint32_t c;

	if (p->at >= p->pattern.n)
		return PYTHON_END;
	c = unicode_decode(str_from(p->pattern, p->at), &length);
	p->at += length;
	return c;
}

bool
python_skip(struct python *p, char c)
{
	bool there = python_peek(p) == (uint32_t)c;

	p->at += there;
	return there;
}

/* The text up to the closing character, which is stepped over. */
static struct str
until(struct python *p, char close, const char *what)
{
	size_t from = p->at;
	struct str rest = str_from(p->pattern, from);
	struct str name = str_slice(rest, 0, str_find_char(rest, close));

	if (rest.n == 0 || rest.s[0] == close)
		python_fail(p, from, str_printf(p->arena, "missing %s", what));
	else if (name.n == rest.n)
		python_fail(p, from,
		    str_printf(
			p->arena, "missing %c, unterminated name", close));
	else
		p->at += name.n + 1;
	return name;
}

/* ---- repetition ---- */

/* The number at the cursor, or `absent` if there is none. */
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

/* {n}, {n,}, {,m} and {n,m}; anything else is text, and the cursor stays. */
static bool
braces(struct python *p, struct tree *t)
{
	size_t start = p->at;
	uint64_t min, max;
	bool empty;

	python_next(p);
	empty = python_peek(p) == '}';
	min = count(p, 0);
	max = python_skip(p, ',') ? count(p, TREE_FOREVER) : min;
	if (empty || !python_skip(p, '}')) {
		p->at = start;
		return false;
	}
	if (min == TOO_MANY || max == TOO_MANY)
		fail_as(p, start, STR("the repetition number is too large"));
	if (max < min)
		python_fail_c(
		    p, start + 1, "min repeat greater than max repeat");
	t->min = (uint32_t)min;
	t->max = (uint32_t)max;
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

/* An item of a sequence; why is what is said if it is repeated. */
struct item {
	struct tree *tree;
	const char *why;
};

/* The item repeated, if a quantifier is at the cursor. What its groups
 * captured in earlier turns is kept. */
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

/* ---- groups ---- */

static bool
is_identifier(struct str name)
{
	size_t length;

	for (size_t at = 0; at < name.n; at += length) {
		uint32_t c = unicode_decode(str_from(name, at), &length);
		bool good = c == '_' ||
		    (c != '$' &&
			(at == 0 ? unicode_id_start(c)
				 : unicode_id_continue(c)));

		if (!good)
			return false;
	}
	return name.n != 0;
}

/* The group of that name; 0 after a mistake. */
static size_t
named_group(struct python *p, struct str name, size_t at)
{
	if (p->failed)
		return 0;
	if (!is_identifier(name)) {
		python_fail(p, at,
		    str_printf(p->arena, "bad character in group name '%.*s'",
			STR_FMT(name)));
		return 0;
	}
	for (size_t i = 1; i < p->ngroups; i++)
		if (str_eq(p->made->names[i], name))
			return i;
	python_fail(p, at,
	    str_printf(p->arena, "unknown group name '%.*s'", STR_FMT(name)));
	return 0;
}

struct tree *
python_reference(struct python *p, size_t group, size_t at)
{
	struct tree *t = tree_new(p->arena, TREE_BACKREF);

	if (p->failed)
		return t;
	if (p->groups[group].open)
		python_fail_c(p, at, "cannot refer to an open group");
	else if (p->behind != 0 && group >= p->behind)
		python_fail_c(p, at,
		    "cannot refer to group defined in the same lookbehind "
		    "subpattern");
	t->group = group;
	t->caseless = p->flags & PYTHON_FOLD;
	return t;
}

struct tree *
python_within(struct python *p, size_t open)
{
	unsigned flags = p->flags;
	struct tree *t;

	if (++p->depth > TREE_DEPTH_MAX)
		python_fail_c(p, open, "nested too deeply");
	t = alternation(p);
	p->depth--;
	if (!python_skip(p, ')'))
		python_fail_c(p, open, "missing ), unterminated subpattern");
	p->flags = flags;
	return t;
}

static struct tree *
capture(struct python *p, size_t open, struct str name, size_t name_at)
{
	struct tree *t = tree_new(p->arena, TREE_GROUP);
	size_t names = p->ngroups;

	for (size_t i = 1; name.s != NULL && i < p->ngroups; i++)
		if (str_eq(p->made->names[i], name))
			python_fail(p, name_at,
			    str_printf(p->arena,
				"redefinition of group name '%.*s' as group "
				"%zu; was group %zu",
				STR_FMT(name), p->ngroups, i));
	t->group = p->ngroups;
	*arena_push(p->arena, p->made->names, names) = name;
	*arena_push(p->arena, p->groups, p->ngroups) =
	    (struct python_group){ .open = true };
	t->child = python_within(p, open);
	p->groups[t->group].open = false;
	if (!p->failed)
		p->groups[t->group].width = python_width(p, t->child);
	return t;
}

static struct tree *
named(struct python *p, size_t open)
{
	size_t at = p->at;
	struct str name = until(p, '>', "group name");

	if (!p->failed && !is_identifier(name))
		python_fail(p, at,
		    str_printf(p->arena, "bad character in group name '%.*s'",
			STR_FMT(name)));
	return capture(p, open, name, at);
}

static struct tree *
unknown_extension(struct python *p, size_t open)
{
	python_fail(p, open + 1,
	    str_printf(p->arena, "unknown extension %.*s",
		STR_FMT(str_slice(p->pattern, open + 1, p->at))));
	return tree_new(p->arena, TREE_EMPTY);
}

static struct tree *
unexpected_end(struct python *p)
{
	python_fail_c(p, p->at, "unexpected end of pattern");
	return tree_new(p->arena, TREE_EMPTY);
}

/* Behind "(?P". */
static struct tree *
python_extension(struct python *p, size_t open)
{
	size_t at;
	struct str name;

	if (python_skip(p, '<'))
		return named(p, open);
	if (!python_skip(p, '=')) {
		return python_next(p) == PYTHON_END
		    ? unexpected_end(p)
		    : unknown_extension(p, open);
	}
	at = p->at;
	name = until(p, ')', "group name");
	return python_reference(p, named_group(p, name, at), at);
}

/* Behind "(?=", "(?!" or "(?<". */
static struct tree *
look(struct python *p, size_t open, uint32_t kind)
{
	struct tree *t = tree_new(p->arena, TREE_LOOK);
	size_t behind = p->behind;
	struct python_width width;

	t->behind = kind == '<';
	if (t->behind) {
		kind = python_next(p);
		if (kind == PYTHON_END)
			return unexpected_end(p);
		if (kind != '=' && kind != '!')
			return unknown_extension(p, open);
		if (p->behind == 0)
			p->behind = p->ngroups;
	}
	t->negate = kind == '!';
	t->child = python_within(p, open);
	p->behind = behind;
	if (p->failed || !t->behind)
		return t;
	width = python_width(p, t->child);
	p->variable_behind |= width.least != width.most;
	return t;
}

/* Behind "(?(". */
static struct tree *
condition(struct python *p, size_t open)
{
	struct tree *t = tree_new(p->arena, TREE_COND);
	struct tree_list branches = { 0 };
	size_t at = p->at;
	struct str name = until(p, ')', "group name");
	bool number = name.n != 0;

	for (size_t i = 0; i < name.n; i++) {
		number = number && name.s[i] >= '0' && name.s[i] <= '9';
		if (number && t->group < GROUPS_MAX)
			t->group = t->group * 10 + (size_t)(name.s[i] - '0');
	}
	if (!number)
		t->group = named_group(p, name, at);
	else if (t->group == 0)
		python_fail_c(p, at, "bad group number");
	else
		*arena_push(p->arena, p->later, p->nlater) =
		    (struct python_later){ t->group, at };
	tree_append(&branches, sequence(p, false));
	tree_append(&branches,
	    python_skip(p, '|') ? sequence(p, false)
				: tree_new(p->arena, TREE_EMPTY));
	if (python_peek(p) == '|')
		python_fail_c(p, p->at,
		    "conditional backref with more than two branches");
	if (!python_skip(p, ')'))
		python_fail_c(p, open, "missing ), unterminated subpattern");
	t->child = branches.first;
	return t;
}

/* ---- sequences ---- */

static struct tree *
atomic(struct python *p, size_t open)
{
	struct tree *t = tree_new(p->arena, TREE_ATOMIC);

	t->child = python_within(p, open);
	return t;
}

static void
comment(struct python *p, size_t open)
{
	struct str rest = str_from(p->pattern, p->at);

	p->at += str_find_char(rest, ')');
	if (!python_skip(p, ')'))
		python_fail_c(p, open, "missing ), unterminated comment");
}

/* What an opening parenthesis begins; NULL for what matches nothing and stands
 * for nothing. */
static struct tree *
parenthesis(struct python *p, bool first)
{
	size_t open = p->at;
	uint32_t c;

	python_next(p);
	if (!python_skip(p, '?'))
		return capture(p, open, (struct str){ 0 }, open);
	c = python_next(p);
	switch (c) {
	case PYTHON_END:
		return unexpected_end(p);
	case 'P':
		return python_extension(p, open);
	case ':':
		return python_within(p, open);
	case '#':
		comment(p, open);
		return NULL;
	case '=':
	case '!':
	case '<':
		return look(p, open, c);
	case '(':
		return condition(p, open);
	case '>':
		return atomic(p, open);
	default:
		return python_flag(c) != 0 || c == '-'
		    ? python_flags(p, open, c, first)
		    : unknown_extension(p, open);
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
		t = python_escape(p);
		return (struct item){ t, t->kind == TREE_AT ? nothing : NULL };
	default:
		t = tree_set(p->arena, python_character(p, python_next(p)));
		return (struct item){ t, NULL };
	}
}

/* White space and comments, which flag x takes out. */
static bool
skip_verbose(struct python *p)
{
	uint32_t c = python_peek(p);
	struct str rest;

	if (!(p->flags & PYTHON_VERBOSE))
		return false;
	if (c == '#') {
		rest = str_from(p->pattern, p->at);
		p->at += str_find_char(rest, '\n');
		return true;
	}
	if (c != ' ' && (c < '\t' || c > '\r'))
		return false;
	python_next(p);
	return true;
}

/* `first`: at the start of the pattern. */
static struct tree *
sequence(struct python *p, bool first)
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

static struct tree *
alternation(struct python *p)
{
	struct tree_list list = { 0 };

	tree_append(&list, sequence(p, p->depth == 0));
	while (python_skip(p, '|'))
		tree_append(&list, sequence(p, false));
	return tree_join(p->arena, TREE_ALT, &list);
}

/* What can be said only when the whole pattern is known. */
static void
finish(struct python *p)
{
	if (!p->failed && p->at < p->pattern.n)
		python_fail_c(p, p->at, "unbalanced parenthesis");
	for (size_t i = 0; i < p->nlater; i++)
		if (p->later[i].group >= p->ngroups)
			python_fail(p, p->later[i].at,
			    str_printf(p->arena, "invalid group reference %zu",
				p->later[i].group));
	if (!p->failed && p->variable_behind)
		fail_as(p, 0, STR("look-behind requires fixed-width pattern"));
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
	made->unset_fails = true;
	*arena_push(a, made->names, made->groups) = (struct str){ 0 };
	*arena_push(a, p.groups, p.ngroups) = (struct python_group){ 0 };
	made->root = alternation(&p);
	finish(&p);
	return p.failed ? NULL : made;
}
