/*
 * Parses Go's patterns (regexp/syntax of Go 1.26, flags Perl), as evolve and
 * PromptKit compile them. Error texts are Go's own, complete.
 */
#include "emulate/regex/flavour/re2.h"

#include "base/ascii.h"
#include "text/unicode.h"

enum { COUNT_MAX = 1000, HEIGHT_MAX = 1000 };

static struct tree *alternation(struct re2 *);

/* ---- quantifiers ---- */

/* Reads a count without a leading zero; a count above COUNT_MAX becomes some
 * number above COUNT_MAX. Returns false if there is none. */
static bool
count(struct re2 *p, uint32_t *value)
{
	if (!ascii_is_digit(re2_peek(p, 0)) ||
	    (re2_peek(p, 0) == '0' && ascii_is_digit(re2_peek(p, 1))))
		return false;
	for (*value = 0; ascii_is_digit(re2_peek(p, 0)); p->at++)
		if (*value <= COUNT_MAX)
			*value = *value * 10 + (uint32_t)(re2_peek(p, 0) - '0');
	return true;
}

/* Reads {n}, {n,} or {n,m}. Anything else is text, and the cursor stays. */
static bool
braces(struct re2 *p, uint32_t *min, uint32_t *max)
{
	size_t start = p->at++;
	bool good = count(p, min);

	*max = *min;
	if (good && re2_peek(p, 0) == ',') {
		p->at++;
		*max = TREE_FOREVER;
		if (re2_peek(p, 0) != '}')
			good = count(p, max);
	}
	if (good && re2_peek(p, 0) == '}') {
		p->at++;
		return true;
	}
	p->at = start;
	return false;
}

/* Returns the largest product of the counts of nested repetitions, up to
 * COUNT_MAX + 1: Go limits this product to COUNT_MAX. */
static uint32_t
repeat_product(const struct tree *t)
{
	uint32_t most = 1, own = 1;

	if (t->kind == TREE_REPEAT && t->max == 0)
		return 1;
	for (tree_each(child, t)) {
		uint32_t n = repeat_product(child);

		most = n > most ? n : most;
	}
	if (t->kind == TREE_REPEAT)
		own = t->max == TREE_FOREVER ? t->min : t->max;
	if (own == 0)
		own = 1;
	return own > COUNT_MAX / most ? COUNT_MAX + 1 : own * most;
}

static size_t
height(const struct tree *t)
{
	size_t most = 0;

	for (tree_each(child, t)) {
		size_t h = height(child);

		most = h > most ? h : most;
	}
	return most + 1;
}

static void
check_height(struct re2 *p, const struct tree *t)
{
	if (!p->failed && height(t) > HEIGHT_MAX)
		re2_fail(p, "expression nests too deeply", 0, p->pattern.n);
}

static bool
quantifier(struct re2 *p, struct tree *t)
{
	int c = re2_peek(p, 0);
	size_t from = p->at;

	t->min = c == '+';
	t->max = c == '?' ? 1 : TREE_FOREVER;
	if (c == '{') {
		if (!braces(p, &t->min, &t->max))
			return false;
		if (t->min > COUNT_MAX ||
		    (t->max != TREE_FOREVER &&
			(t->max > COUNT_MAX || t->max < t->min)))
			re2_fail(p, "invalid repeat count", from, p->at);
		return true;
	}
	if (c != '*' && c != '+' && c != '?')
		return false;
	p->at++;
	return true;
}

static struct tree *
repeated(struct re2 *p, struct tree *atom)
{
	size_t before = p->at;

	for (size_t first = p->at;; first = before) {
		struct tree *t = tree_new(p->arena, TREE_REPEAT);
		bool again = p->at > before;

		before = p->at;
		if (p->failed || !quantifier(p, t))
			return atom;
		t->lazy = re2_peek(p, 0) == '?';
		p->at += t->lazy;
		t->lazy ^= (p->flags & RE2_LAZY) != 0;
		if (again)
			re2_fail(p, "invalid nested repetition operator", first,
			    p->at);
		if (atom == NULL)
			re2_fail(p, "missing argument to repetition operator",
			    before, p->at);
		t->child = atom;
		check_height(p, t);
		if (!p->failed && repeat_product(t) > COUNT_MAX)
			re2_fail(p, "invalid repeat count", before, p->at);
		atom = t;
	}
}

/* ---- parentheses ---- */

static bool
is_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++)
		if (!ascii_is_alnum((unsigned char)name.s[i]) &&
		    name.s[i] != '_')
			return false;
	return name.n != 0;
}

static struct tree *
within(struct re2 *p)
{
	unsigned flags = p->flags;
	size_t open = p->at;
	struct tree *t;

	while (open > 0 && p->pattern.s[--open] != '(')
		;
	if (++p->depth > TREE_DEPTH_MAX)
		re2_fail(p, "expression nests too deeply", 0, p->pattern.n);
	t = alternation(p);
	p->depth--;
	if (re2_peek(p, 0) != ')')
		re2_fail_at(p, open, "missing closing )", 0, p->pattern.n);
	p->at += !p->failed;
	p->flags = flags;
	return t;
}

static struct tree *
capture(struct re2 *p, struct str name)
{
	struct tree *t = tree_new(p->arena, TREE_GROUP);

	t->group = p->made->groups;
	*arena_push(p->arena, p->made->names, p->made->groups) = name;
	t->child = within(p);
	return t;
}

/* Parses (?P<name>...) or (?<name>...), with the cursor on the '('. */
static struct tree *
named(struct re2 *p)
{
	size_t open = p->at, from = open + (re2_peek(p, 2) == 'P' ? 4 : 3);
	struct str rest = str_from(p->pattern, from);
	struct str name = str_slice(rest, 0, str_find_char(rest, '>'));

	if (name.n == rest.n)
		re2_fail(p, "invalid named capture", open, p->pattern.n);
	else if (!is_name(name))
		re2_fail(p, "invalid named capture", open, from + name.n + 1);
	else
		p->at = from + name.n + 1;
	return capture(p, name);
}

static unsigned
flag(uint32_t c)
{
	switch (c) {
	case 'i':
		return RE2_FOLD;
	case 'm':
		return RE2_LINES;
	case 's':
		return RE2_DOT_ALL;
	case 'U':
		return RE2_LAZY;
	default:
		return 0;
	}
}

/*
 * Reads (?flags) or (?flags:, with the cursor behind "(?". *group is set if the
 * flags apply to a group that follows; otherwise they apply up to the end of
 * the enclosing group.
 */
static unsigned
flags(struct re2 *p, size_t open, bool *group)
{
	unsigned on = p->flags, seen = 0;
	bool minus = false;

	while (p->at < p->pattern.n) {
		uint32_t c = re2_next(p);

		if (flag(c) != 0) {
			on = minus ? on & ~flag(c) : on | flag(c);
			seen++;
		} else if (c == '-' && !minus) {
			minus = true;
			seen = 0;
		} else if ((c == ':' || c == ')') && (!minus || seen > 0)) {
			*group = c == ':';
			return on;
		} else {
			break;
		}
	}
	re2_fail(p, "invalid or unsupported Perl syntax", open, p->at);
	return on;
}

static bool
names_follow(const struct re2 *p)
{
	struct str rest = str_from(p->pattern, p->at);

	return (str_starts(rest, "(?P<") && rest.n > 4) ||
	    (str_starts(rest, "(?<") && rest.n > 3);
}

static struct tree *
parenthesis(struct re2 *p)
{
	size_t open = p->at;
	unsigned outside = p->flags;
	bool group = false;
	struct tree *t = NULL;

	if (re2_peek(p, 1) != '?') {
		p->at++;
		return capture(p, (struct str){ 0 });
	}
	if (names_follow(p))
		return named(p);
	p->at += 2;
	p->flags = flags(p, open, &group);
	if (group) {
		t = within(p);
		p->flags = outside;
	}
	return t;
}

/* ---- sequences ---- */

static struct tree *
escape(struct re2 *p)
{
	const struct set *set;
	int c = re2_peek(p, 1);

	switch (c) {
	case 'A':
		p->at += 2;
		return tree_at(p->arena, AT_START, NULL);
	case 'z':
		p->at += 2;
		return tree_at(p->arena, AT_END, NULL);
	case 'b':
	case 'B':
		p->at += 2;
		return tree_at(
		    p->arena, c == 'b' ? AT_EDGE : AT_NO_EDGE, re2_word(p));
	default:
		break;
	}
	set = re2_shorthand(p);
	if (set == NULL)
		set = re2_character(p, re2_escape(p));
	return tree_set(p->arena, set);
}

static struct tree *
edge_of_line(struct re2 *p, enum tree_at line, enum tree_at text)
{
	p->at++;
	return p->flags & RE2_LINES ? tree_at(p->arena, line, re2_newline(p))
				    : tree_at(p->arena, text, NULL);
}

/* Parses one atom; returns NULL for flags, which are no atom. */
static struct tree *
atom(struct re2 *p)
{
	switch (re2_peek(p, 0)) {
	case '(':
		return parenthesis(p);
	case '[':
		return tree_set(p->arena, re2_class(p));
	case '^':
		return edge_of_line(p, AT_LINE_START, AT_START);
	case '$':
		return edge_of_line(p, AT_LINE_END, AT_END);
	case '.':
		p->at++;
		return tree_set(p->arena, re2_dot(p));
	case '\\':
		return escape(p);
	default:
		return tree_set(p->arena, re2_character(p, re2_next(p)));
	}
}

/* Reads \Q...\E at the cursor. Appends each character but the last to the list;
 * returns the last, since a quantifier may follow. */
static struct tree *
quoted(struct re2 *p, struct tree_list *list)
{
	struct str rest = str_from(p->pattern, p->at + 2);
	size_t end = p->at + 2 + str_find(rest, "\\E");
	struct tree *last = NULL;

	p->at += 2;
	while (p->at < end) {
		if (last != NULL)
			tree_append(list, last);
		last = tree_set(p->arena, re2_character(p, re2_next(p)));
	}
	p->at = end + 2 < p->pattern.n ? end + 2 : p->pattern.n;
	return last;
}

static struct tree *
concatenation(struct re2 *p)
{
	struct tree_list list = { 0 };
	struct tree *last = NULL; /* what a quantifier would repeat */

	while (!p->failed && re2_peek(p, 0) >= 0 && re2_peek(p, 0) != '|' &&
	    re2_peek(p, 0) != ')') {
		size_t at = p->at;
		struct tree *next;

		last = repeated(p, last);
		if (p->at > at)
			continue;
		if (re2_peek(p, 0) == '\\' && re2_peek(p, 1) == 'Q') {
			struct tree_list text = { 0 };

			next = quoted(p, &text);
			if (next != NULL && last != NULL)
				tree_append(&list, last);
			if (text.first != NULL)
				tree_append(&list,
				    tree_join(p->arena, TREE_CAT, &text));
		} else {
			next = atom(p);
			if (next != NULL && last != NULL)
				tree_append(&list, last);
		}
		if (next != NULL)
			last = next;
	}
	if (last != NULL)
		tree_append(&list, last);
	return tree_join(p->arena, TREE_CAT, &list);
}

static struct tree *
alternation(struct re2 *p)
{
	struct tree_list list = { 0 };

	tree_append(&list, concatenation(p));
	while (re2_peek(p, 0) == '|') {
		p->at++;
		tree_append(&list, concatenation(p));
	}
	return tree_join(p->arena, TREE_ALT, &list);
}

struct pattern *
regex_parse_re2(struct arena *a, struct str text, unsigned flag_set,
    struct regex_error *error)
{
	struct pattern *made = arena_new(a, struct pattern);
	struct re2 p = { .arena = a,
		.pattern = text,
		.flags = flag_set,
		.made = made,
		.error = error };

	made->unit_max = UNICODE_MAX;
	made->perl = true;
	*arena_push(a, made->names, made->groups) = (struct str){ 0 };
	made->root = alternation(&p);
	if (!p.failed && p.at < text.n)
		re2_fail_at(&p, p.at, "unexpected )", 0, text.n);
	check_height(&p, made->root);
	return p.failed ? NULL : made;
}
