/*
 * Parses JavaScript's patterns without flags u and v as Node 20 does (ES2023
 * 22.2.1 with Annex B.1.2). Error texts are the engine's, in lower case.
 */
#include "emulate/regex/flavour/js.h"

#include "base/ascii.h"
#include "text/unicode.h"

enum {
	GROUPS_MAX = 32767,
};

static struct tree *disjunction(struct js *);

/* ---- groups: their number, names and references ---- */

/* A reference by a name that no earlier group has. */
struct js_reference {
	struct str name;
	size_t at;
	struct tree *tree;
};

/* Skips a class, from behind its "[" to behind its "]". */
static void
skip_class(struct js *p)
{
	while (js_peek(p) != JS_END && !js_skip(p, ']')) {
		if (js_peek(p) == '\\')
			js_advance(p);
		js_advance(p);
	}
}

/* Returns whether the "(" before the cursor opens a capturing group. */
static bool
captures(struct js *p)
{
	if (!js_skip(p, '?'))
		return true;
	if (!js_skip(p, '<') || js_peek(p) == '=' || js_peek(p) == '!')
		return false;
	p->has_names = true;
	return true;
}

static void
count_groups(struct js *p)
{
	while (js_peek(p) != JS_END) {
		uint32_t unit = js_peek(p);

		js_advance(p);
		if (unit == '\\')
			js_advance(p);
		else if (unit == '[')
			skip_class(p);
		else if (unit == '(')
			p->groups += captures(p);
	}
	p->at = 0;
	p->names = arena_new_n(p->arena, struct str, p->groups + 1);
	p->by_name.arena = p->arena;
}

static bool
is_name_character(uint32_t character, bool first)
{
	if (character == '$' || character == '_')
		return true;
	if (first)
		return unicode_id_start(character);
	return unicode_id_continue(character) || character == 0x200c ||
	    character == 0x200d;
}

/* Reads a character of a name, either literal or as an escape. In names a
 * character beyond U+FFFF is one character, not two units. */
static uint32_t
name_character(struct js *p)
{
	size_t start = p->at, length;
	uint32_t c;

	if (p->at >= p->pattern.n)
		return JS_END;
	c = unicode_decode((struct str){ (const char *)p->pattern.s + start,
			       p->pattern.n - start },
	    &length);
	p->at += length;
	if (c == '\\' && js_skip(p, 'u') && !js_unicode_escape(p, true, &c))
		js_fail(p, start, "invalid unicode escape");
	return c;
}

static struct str
group_name(struct js *p)
{
	const struct str rest = { (const char *)p->pattern.s + p->at,
		p->pattern.n - p->at };
	/* an escape is never shorter than its character */
	char *name = arena_alloc(p->arena, str_find_char(rest, '>'));
	size_t start = p->at, n = 0;

	while (n == 0 || js_peek(p) != '>') {
		uint32_t c = name_character(p);

		if (c == JS_END || !is_name_character(c, n == 0)) {
			js_fail(p, start, "invalid capture group name");
			break;
		}
		n += unicode_encode(c, name + n);
	}
	js_advance(p);
	return (struct str){ name, n };
}

/* Returns the number of the group of this name; 0 if no group that was opened
 * so far has the name. */
static size_t
find(const struct js *p, struct str name)
{
	const struct str *place = hash_get(&p->by_name, name);

	return place == NULL ? 0 : (size_t)(place - p->names);
}

static void
declare(struct js *p, size_t group, struct str name, size_t at)
{
	if (p->failed)
		return;
	if (find(p, name) != 0)
		js_fail(p, at, "duplicate capture group name");
	p->names[group] = name;
	*hash_put(&p->by_name, name) = &p->names[group];
}

/*
 * Returns a reference to the group. A reference to an enclosing group, or to a
 * later group, finds nothing captured and so matches nothing, because each
 * iteration of a repetition begins without captures. Only in a lookbehind,
 * which is read from right to left, does the later group match first.
 */
static struct tree *
backref(struct js *p, size_t group)
{
	struct tree *t = tree_new(p->arena, TREE_BACKREF);

	t->group = group;
	t->caseless = p->flags & REGEX_CASELESS;
	if (group > p->opened && p->behind == 0)
		t->kind = TREE_EMPTY;
	for (const struct js_group *g = p->open; g != NULL; g = g->around)
		if (g->number == group)
			t->kind = TREE_EMPTY;
	return t;
}

static struct tree *
named_backref(struct js *p)
{
	size_t start = p->at, at, group;
	struct str name;
	struct tree *t;

	js_advance(p);
	js_advance(p);
	if (!js_skip(p, '<')) {
		js_fail(p, start, "invalid named reference");
		return tree_new(p->arena, TREE_EMPTY);
	}
	at = p->at;
	name = group_name(p);
	group = find(p, name);
	t = backref(p, group != 0 ? group : p->opened + 1);
	if (group == 0)
		*arena_push(p->arena, p->forward, p->nforward) =
		    (struct js_reference){ name, at, t };
	return t;
}

static void
resolve(struct js *p)
{
	for (size_t i = 0; i < p->nforward; i++) {
		struct js_reference *r = &p->forward[i];

		r->tree->group = find(p, r->name);
		if (r->tree->group == 0)
			js_fail(p, r->at, "invalid named capture referenced");
	}
}

/* ---- escapes ---- */

/* Reads a decimal number behind a backslash, if the whole pattern has at least
 * that number of groups; else reads nothing. */
static bool
group_number(struct js *p, size_t *number)
{
	size_t start = p->at, value = 0;

	js_advance(p);
	for (; js_peek(p) >= '0' && js_peek(p) <= '9'; js_advance(p))
		if (value <= p->groups)
			value = value * 10 + (js_peek(p) - '0');
	*number = value;
	if (value != 0 && value <= p->groups)
		return true;
	p->at = start;
	return false;
}

static struct tree *
edge(struct js *p, enum tree_at at)
{
	js_advance(p);
	js_advance(p);
	return tree_at(p->arena, at, js_shorthand(p, 'w'));
}

static struct tree *
escape(struct js *p)
{
	uint32_t unit = js_peek_next(p);
	size_t number;

	switch (unit) {
	case 'b':
		return edge(p, AT_EDGE);
	case 'B':
		return edge(p, AT_NO_EDGE);
	case 'd':
	case 'D':
	case 's':
	case 'S':
	case 'w':
	case 'W':
		js_advance(p);
		js_advance(p);
		return tree_set(p->arena, js_shorthand(p, unit));
	case 'k':
		if (p->has_names)
			return named_backref(p);
		break;
	default:
		if (unit >= '1' && unit <= '9' && group_number(p, &number))
			return backref(p, number);
	}
	return js_literal(p, js_escaped_unit(p, false));
}

/* ---- quantifiers ---- */

static uint32_t
count(struct js *p)
{
	uint64_t value = 0;

	for (; ascii_is_digit(js_peek(p)); js_advance(p))
		if (value < TREE_FOREVER)
			value = value * 10 + (js_peek(p) - '0');
	return value < TREE_FOREVER ? (uint32_t)value : TREE_FOREVER;
}

/* Reads {n}, {n,} or {n,m}. Anything else is text, and the cursor stays. */
static bool
braces(struct js *p, uint32_t *min, uint32_t *max)
{
	size_t start = p->at;

	js_advance(p);
	if (!ascii_is_digit(js_peek(p)))
		goto text;
	*max = *min = count(p);
	if (js_skip(p, ',')) {
		*max = TREE_FOREVER;
		if (ascii_is_digit(js_peek(p)))
			*max = count(p);
	}
	if (js_skip(p, '}'))
		return true;
text:
	p->at = start;
	return false;
}

static bool
quantifier(struct js *p, uint32_t *min, uint32_t *max)
{
	size_t start = p->at;

	*min = js_peek(p) == '+';
	*max = js_peek(p) == '?' ? 1 : TREE_FOREVER;
	switch (js_peek(p)) {
	case '*':
	case '+':
	case '?':
		js_advance(p);
		return true;
	case '{':
		if (!braces(p, min, max))
			return false;
		if (*max < *min)
			js_fail(
			    p, start, "numbers out of order in {} quantifier");
		return true;
	default:
		return false;
	}
}

/* Returns the atom, repeated if a quantifier follows. A repeated lookahead is
 * one that holds once, or, if the minimum is 0, one that is not tried, since an
 * iteration that takes nothing is undone. */
static struct tree *
quantified(struct js *p, struct tree *atom, size_t first_group)
{
	size_t start = p->at;
	uint32_t min, max;
	struct tree *t;

	if (!quantifier(p, &min, &max))
		return atom;
	t = tree_new(p->arena, TREE_REPEAT);
	t->lazy = js_skip(p, '?');
	if (atom->kind == TREE_LOOK) {
		if (atom->behind)
			js_fail(p, start, "invalid quantifier");
		if (min > 0)
			return atom;
		max = 0;
	}
	t->child = atom;
	t->min = min;
	t->max = max;
	t->first_group = first_group;
	t->end_group = p->opened + 1;
	return t;
}

/* ---- terms ---- */

/* Reads what follows "(?" in a lookahead or lookbehind. */
static bool
look(struct js *p, struct tree *t)
{
	size_t start = p->at;

	t->behind = js_skip(p, '<');
	t->negate = js_peek(p) == '!';
	if (js_skip(p, '=') || js_skip(p, '!'))
		return true;
	p->at = start;
	return false;
}

static struct tree *
within(struct js *p, size_t open)
{
	struct tree *t;

	if (++p->depth > TREE_DEPTH_MAX)
		js_fail(p, open, "regular expression too large");
	t = disjunction(p);
	p->depth--;
	if (!js_skip(p, ')'))
		js_fail(p, open, "unterminated group");
	return t;
}

/* Returns the tree of a (?:...) group. A lookbehind inside such a group may be
 * repeated; so the group's tree is not the lookbehind itself. */
static struct tree *
plain_group(struct js *p, size_t open)
{
	struct tree *inner = within(p, open), *t;

	if (inner->kind != TREE_LOOK)
		return inner;
	t = tree_new(p->arena, TREE_CAT);
	t->child = inner;
	return t;
}

static struct tree *
capture(struct js *p, size_t open, bool named)
{
	struct tree *t = tree_new(p->arena, TREE_GROUP);
	struct js_group group = { ++p->opened, p->open };
	size_t at = p->at;

	if (p->opened > GROUPS_MAX) {
		js_fail(p, open, "too many captures");
		return t;
	}
	if (named)
		declare(p, group.number, group_name(p), at);
	p->open = &group;
	t->group = group.number;
	t->child = within(p, open);
	p->open = group.around;
	return t;
}

static struct tree *
group(struct js *p)
{
	struct tree *t = tree_new(p->arena, TREE_LOOK);
	size_t open = p->at;

	js_advance(p);
	if (!js_skip(p, '?'))
		return capture(p, open, false);
	if (js_skip(p, ':'))
		return plain_group(p, open);
	if (look(p, t)) {
		p->behind += t->behind;
		t->first_group = p->opened + 1;
		t->child = within(p, open);
		t->end_group = p->opened + 1;
		p->behind -= t->behind;
		return t;
	}
	if (js_skip(p, '<'))
		return capture(p, open, true);
	js_fail(p, open, "invalid group");
	return t;
}

static struct tree *
anchor(struct js *p, enum tree_at at, enum tree_at at_line)
{
	js_advance(p);
	if (p->flags & REGEX_MULTILINE)
		return tree_at(p->arena, at_line, js_line_ends(p));
	return tree_at(p->arena, at, NULL);
}

static struct tree *
plain(struct js *p)
{
	uint32_t unit = js_peek(p);

	js_advance(p);
	return js_literal(p, unit);
}

static struct tree *
term(struct js *p)
{
	size_t start = p->at, first_group = p->opened + 1;
	struct tree *t = tree_new(p->arena, TREE_EMPTY);
	uint32_t min, max;

	switch (js_peek(p)) {
	case '^':
		return anchor(p, AT_START, AT_LINE_START);
	case '$':
		return anchor(p, AT_END, AT_LINE_END);
	case '(':
		t = group(p);
		break;
	case '[':
		t = js_class(p);
		break;
	case '.':
		js_advance(p);
		t = tree_set(p->arena, js_dot(p));
		break;
	case '\\':
		t = escape(p);
		if (t->kind == TREE_AT)
			return t;
		break;
	case '*':
	case '+':
	case '?':
		js_fail(p, start, "nothing to repeat");
		break;
	case '{':
		if (braces(p, &min, &max))
			js_fail(p, start, "nothing to repeat");
		/* fallthrough */
	default:
		t = plain(p);
	}
	return quantified(p, t, first_group);
}

static struct tree *
alternative(struct js *p)
{
	struct tree_list terms = { 0 };

	while (js_peek(p) != JS_END && js_peek(p) != '|' && js_peek(p) != ')')
		tree_append(&terms, term(p));
	return tree_join(p->arena, TREE_CAT, &terms);
}

static struct tree *
disjunction(struct js *p)
{
	struct tree_list choices = { 0 };

	do
		tree_append(&choices, alternative(p));
	while (js_skip(p, '|'));
	return tree_join(p->arena, TREE_ALT, &choices);
}

struct pattern *
regex_parse_js(
    struct arena *a, struct str text, unsigned flags, struct regex_error *error)
{
	struct pattern *pattern = arena_new(a, struct pattern);
	struct js p = {
		.arena = a,
		.pattern = { (const unsigned char *)text.s, text.n, true },
		.flags = flags,
		.error = error,
	};

	count_groups(&p);
	pattern->root = disjunction(&p);
	if (js_peek(&p) == ')')
		js_fail(&p, p.at, "unmatched ')'");
	resolve(&p);
	pattern->groups = p.groups + 1;
	pattern->names = p.names;
	pattern->unit_max = UNIT_MAX_UTF16;
	pattern->anchored = flags & REGEX_STICKY;
	return p.failed ? NULL : pattern;
}
