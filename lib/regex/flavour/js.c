/*
 * JavaScript's patterns without flags u and v as Node 20 reads them (ES2023
 * 22.2.1 with Annex B.1.2). Reasons are the engine's, in lower case.
 */
#include "regex/flavour/js.h"
#include "base/ascii.h"

enum {
	GROUPS_MAX = 32767,
};

static struct tree *disjunction(struct js *);

uint32_t
js_peek(const struct js *p)
{
	size_t at = p->at;

	return at < p->pattern.n ? text_next(&p->pattern, &at) : JS_END;
}

uint32_t
js_peek_next(const struct js *p)
{
	size_t at = p->at;

	if (at < p->pattern.n)
		text_next(&p->pattern, &at);
	return at < p->pattern.n ? text_next(&p->pattern, &at) : JS_END;
}

void
js_advance(struct js *p)
{
	if (p->at < p->pattern.n)
		text_next(&p->pattern, &p->at);
}

bool
js_skip(struct js *p, uint32_t unit)
{
	if (js_peek(p) != unit)
		return false;
	js_advance(p);
	return true;
}

void
js_fail(struct js *p, size_t at, const char *why)
{
	if (!p->failed)
		*p->error = (struct regex_error){ at, str_of(why) };
	p->failed = true;
	p->at = p->pattern.n;
}

static uint32_t
count(struct js *p)
{
	uint64_t value = 0;

	for (; ascii_is_digit(js_peek(p)); js_advance(p))
		if (value < TREE_FOREVER)
			value = value * 10 + (js_peek(p) - '0');
	return value < TREE_FOREVER ? (uint32_t)value : TREE_FOREVER;
}

/* {n}, {n,} or {n,m}; anything else is text, and the cursor stays. */
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

/* A lookahead repeated is one that holds once, or, since a turn that consumes
 * nothing is undone, one that is not tried. */
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

/* What follows "(?" of a lookahead or lookbehind. */
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

/* A lookbehind may be repeated if it stands in such a group; so it is not the
 * group's tree itself. */
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
		js_declare(p, group.number, js_name(p), at);
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
		t = js_escape(p);
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

	js_survey(&p);
	pattern->root = disjunction(&p);
	if (js_peek(&p) == ')')
		js_fail(&p, p.at, "unmatched ')'");
	js_resolve(&p);
	pattern->groups = p.groups + 1;
	pattern->names = p.names;
	pattern->unit_max = UNIT_MAX_UTF16;
	pattern->anchored = flags & REGEX_STICKY;
	return p.failed ? NULL : pattern;
}
