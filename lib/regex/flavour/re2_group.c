/* What stands in parentheses in Go's patterns, and the flags set there. */
#include "regex/flavour/re2.h"

static bool
is_name(struct str name)
{
	for (size_t i = 0; i < name.n; i++) {
		char c = name.s[i];

		if (!(c >= '0' && c <= '9') && c != '_' &&
		    !((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
			return false;
	}
	return name.n != 0;
}

static struct tree *
within(struct re2 *p)
{
	unsigned flags = p->flags;
	struct tree *t;

	if (++p->depth > TREE_DEPTH_MAX)
		re2_fail(p, "expression nests too deeply", 0, p->pattern.n);
	t = re2_alternation(p);
	p->depth--;
	if (re2_peek(p, 0) != ')')
		re2_fail(p, "missing closing )", 0, p->pattern.n);
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

/* (?P<name>...) or (?<name>...), with the cursor on the '('. */
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
 * (?flags) and (?flags:...), with the cursor behind "(?". *group tells
 * whether a group follows, for which the flags hold; else they hold up to the
 * end of the group around.
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

struct tree *
re2_parenthesis(struct re2 *p)
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
