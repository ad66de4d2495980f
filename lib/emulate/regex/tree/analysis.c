#include "emulate/regex/tree/analysis.h"

#include "emulate/regex/tree/text.h"
#include "text/unicode.h"

enum {
	MANY_TURNS = 1000,
};

/* Returns whether the tree is a set, or a sequence of sets. */
static bool
is_string(const struct tree *t)
{
	if (t->kind == TREE_CAT)
		for (tree_each(c, t))
			if (c->kind != TREE_SET)
				return false;
	return t->kind == TREE_CAT || t->kind == TREE_SET;
}

static void
analyze(struct analysis *out, const struct tree *t)
{
	bool has_groups = t->first_group < t->end_group;

	switch (t->kind) {
	case TREE_SET:
		out->takes_wide |=
		    set_share(t->set, 0x80, UNICODE_MAX) != SET_NONE;
		out->takes_pairs |= set_share(t->set, SURROGATE_FIRST,
					SURROGATE_LAST) != SET_NONE;
		break;
	case TREE_REPEAT:
		out->lazy |= t->lazy;
		out->loops |= t->max > MANY_TURNS;
		if (t->max > 1 && has_groups)
			out->own_captures = true;
		if (t->max > t->min && tree_nullable(t->child))
			out->own_captures = true;
		break;
	case TREE_LOOK:
		if (t->behind && has_groups)
			out->own_captures = true;
		out->looks_far_behind |= t->behind && !is_string(t->child);
		out->misleads |= !t->behind && !t->negate;
		break;
	case TREE_ALT:
		for (tree_each(c, t))
			out->misleads |= tree_nullable(c);
		break;
	case TREE_BACKREF:
		out->backrefs = true;
		out->caseless_backrefs |= t->caseless;
		break;
	default:
		break;
	}
	for (tree_each(c, t))
		analyze(out, c);
}

/*
 * Some characters consist of several units: of UTF-16 code units, or of bytes
 * (where the question is whether PCRE2 can run over bytes). If a pattern treats
 * all units of such characters alike and takes them only in x* and x+, then the
 * pattern matches a text whether the text is counted in characters or in units:
 * in a match by units, the units of a character that several x took can all be
 * given to one of these x, unless that leaves an x+ with nothing. So two x+
 * must not be adjacent, and no condition may hold in the middle of a character.
 * Where the caller asks for groups, an x* must not be adjacent to an x+ either,
 * since the x* may leave half of a character to the x+.
 */
struct edges {
	bool nullable;
	bool first; /* an x+ of such units may begin the match */
	/* an x+ may end the match; also an x*, where groups are reported */
	bool last;
};

struct units {
	uint32_t low, high; /* of those characters */
	bool shown; /* the caller also asks where groups begin and end */
	bool counted;
};

static struct edges edges_of(struct units *, const struct tree *);

static struct edges
cat_edges(struct units *u, const struct tree *t)
{
	struct edges all = { .nullable = true };

	for (tree_each(c, t)) {
		struct edges next = edges_of(u, c);

		if (all.last && next.first)
			u->counted = true;
		if (all.nullable)
			all.first |= next.first;
		all.last = next.last || (next.nullable && all.last);
		all.nullable &= next.nullable;
	}
	return all;
}

static struct edges
alt_edges(struct units *u, const struct tree *t)
{
	struct edges all = { 0 };

	for (tree_each(c, t)) {
		struct edges next = edges_of(u, c);

		all.first |= next.first;
		all.last |= next.last;
		all.nullable |= next.nullable;
	}
	return all;
}

static struct edges
repeat_edges(struct units *u, const struct tree *t)
{
	struct edges e;

	if (t->child->kind == TREE_SET && t->min <= 1 &&
	    t->max == TREE_FOREVER &&
	    set_share(t->child->set, u->low, u->high) == SET_ALL)
		return (struct edges){ t->min == 0, t->min > 0,
			t->min > 0 || u->shown };
	e = edges_of(u, t->child);
	if (t->max > 1 && e.first && e.last)
		u->counted = true;
	e.nullable |= t->min == 0;
	return e;
}

static struct edges
edges_of(struct units *u, const struct tree *t)
{
	switch (t->kind) {
	case TREE_EMPTY:
		return (struct edges){ .nullable = true };
	case TREE_SET:
		if (set_share(t->set, u->low, u->high) != SET_NONE)
			u->counted = true;
		return (struct edges){ 0 };
	case TREE_CAT:
		return cat_edges(u, t);
	case TREE_ALT:
		return alt_edges(u, t);
	case TREE_REPEAT:
		return repeat_edges(u, t);
	case TREE_GROUP:
		return edges_of(u, t->child);
	case TREE_AT:
		if (t->at == AT_NO_EDGE ||
		    (t->set != NULL &&
			set_share(t->set, u->low, u->high) != SET_NONE))
			u->counted = true;
		return (struct edges){ .nullable = true };
	default:
		u->counted = true;
		return (struct edges){ .nullable = true };
	}
}

static bool
counts(const struct pattern *p, struct units u)
{
	edges_of(&u, p->root);
	return u.counted;
}

struct analysis
analysis_of(const struct pattern *p)
{
	struct analysis out = { 0 };

	analyze(&out, p->root);
	if (p->perl)
		out.own_captures = false;
	if (p->unit_max != UNIT_MAX_UTF16)
		/* no unit of these flavours is half of a character */
		out.takes_pairs = false;
	out.counts_bytes = counts(p,
	    (struct units){
		.low = 0x80, .high = p->unit_max, .shown = p->groups > 1 });
	out.counts_pairs = p->unit_max == UNIT_MAX_UTF16 &&
	    counts(p,
		(struct units){
		    .low = SURROGATE_FIRST, .high = SURROGATE_LAST });
	return out;
}
