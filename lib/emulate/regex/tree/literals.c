#include "emulate/regex/tree/literals.h"

#include <string.h>

#include "emulate/regex/tree/text.h"
#include "text/unicode.h"

enum {
	LARGE = 1000,     /* sets of a pattern, repetitions written out */
	MOST = 16,        /* texts of which one must be present */
	LONGEST = 64,     /* bytes of one text; then another begins */
	TURNS = 8,        /* iterations of a repetition that are written out */
	MEMBERS = 4,      /* of a set that is one letter in several cases */
	SIGMA = 0x3a3,    /* its lower case depends on its neighbours */
	DOTTED_I = 0x130, /* its lower case may be two characters */
	NO_LETTER = UNICODE_MAX + 1,
};

/* ---- whether a verdict is sure ---- */

static size_t
capped(size_t n)
{
	return n > LARGE ? LARGE + 1 : n;
}

/* Returns the number of sets of the tree with repetitions written out; more
 * than LARGE if the number is larger, or if the tree has parts that
 * regex/engine/dfa_search.h cannot run, or not with few automata. */
static size_t
size_of(const struct tree *t)
{
	size_t turns, n = 0;

	switch (t->kind) {
	case TREE_EMPTY:
	case TREE_AT:
	case TREE_SET:
		return 1;
	case TREE_REPEAT:
		turns = t->max == TREE_FOREVER ? t->min + 1 : t->max;
		return capped(capped(turns) * size_of(t->child));
	case TREE_CAT:
	case TREE_ALT:
	case TREE_GROUP:
		for (tree_each(c, t))
			n = capped(n + size_of(c));
		return n;
	default:
		return LARGE + 1;
	}
}

/* ---- texts ---- */

struct search {
	struct arena *arena;
	struct str_list best; /* the best so far; empty: none */
	char run[LONGEST];    /* adjacent characters up to here */
	size_t n;
};

static size_t
shortest(struct str_list texts)
{
	size_t n = texts.n == 0 ? 0 : SIZE_MAX;

	for (size_t i = 0; i < texts.n; i++)
		if (texts.list[i].n < n)
			n = texts.list[i].n;
	return n;
}

static void
offer(struct search *s, struct str_list texts)
{
	if (shortest(texts) > shortest(s->best))
		s->best = texts;
}

static void
end_run(struct search *s)
{
	struct str *text;

	if (s->n == 0)
		return;
	text = arena_new(s->arena, struct str);
	*text = str_dup(s->arena, (struct str){ s->run, s->n });
	offer(s, (struct str_list){ text, 1 });
	s->n = 0;
}

/* Returns the lower case of a unit; NO_LETTER unless the unit is a character
 * whose lower case is always the same. */
static uint32_t
lower_of(struct arena *a, uint32_t unit)
{
	bool half = unit >= SURROGATE_FIRST && unit <= SURROGATE_LAST;
	char bytes[4];
	size_t n;

	if (unit < 0x80)
		return unit >= 'A' && unit <= 'Z' ? unit + 32 : unit;
	if (half || unit == SIGMA || unit == DOTTED_I || unit > UNICODE_MAX)
		return NO_LETTER;
	n = unicode_encode(unit, bytes);
	return unicode_decode(
	    unicode_lower_go(a, (struct str){ bytes, n }), &n);
}

/* Returns the lower case that all members of the set share; NO_LETTER if they
 * differ. */
static uint32_t
letter_of(struct arena *a, const struct set *set)
{
	uint32_t letter = NO_LETTER;
	size_t n = 0;

	for (size_t i = 0; i < set->n; i++) {
		const struct range *r = &set->ranges[i];

		if (r->high - r->low >= MEMBERS || ++n > MEMBERS)
			return NO_LETTER;
		for (uint32_t unit = r->low; unit <= r->high; unit++) {
			uint32_t lower = lower_of(a, unit);

			if (letter == NO_LETTER)
				letter = lower;
			if (lower == NO_LETTER || lower != letter)
				return NO_LETTER;
		}
	}
	return letter;
}

static void
put_set(struct search *s, const struct set *set)
{
	uint32_t letter = letter_of(s->arena, set);

	if (letter == NO_LETTER || s->n + 4 > LONGEST)
		end_run(s);
	if (letter != NO_LETTER)
		s->n += unicode_encode(letter, s->run + s->n);
}

static void collect(struct search *, const struct tree *);

/* Offers one text of each alternative, if each alternative has one. */
static void
collect_any(struct search *s, const struct tree *t)
{
	struct str *list = arena_new_n(s->arena, struct str, MOST);
	size_t n = 0;

	end_run(s);
	for (tree_each(c, t)) {
		struct search of = { .arena = s->arena };

		collect(&of, c);
		end_run(&of);
		if (of.best.n == 0 || n + of.best.n > MOST)
			return;
		for (size_t i = 0; i < of.best.n; i++)
			list[n++] = of.best.list[i];
	}
	offer(s, (struct str_list){ list, n });
}

static void
collect_turns(struct search *s, const struct tree *t)
{
	for (uint32_t i = 0; i < t->min && i < TURNS; i++)
		collect(s, t->child);
	if (t->min != t->max || t->min > TURNS)
		end_run(s);
}

static void
collect(struct search *s, const struct tree *t)
{
	switch (t->kind) {
	case TREE_SET:
		put_set(s, t->set);
		break;
	case TREE_CAT:
	case TREE_GROUP:
		for (tree_each(c, t))
			collect(s, c);
		break;
	case TREE_ALT:
		collect_any(s, t);
		break;
	case TREE_REPEAT:
		collect_turns(s, t);
		break;
	default: /* takes no unit */
		break;
	}
}

struct str_list
literals_of(struct arena *a, const struct pattern *p)
{
	struct search s = { .arena = a };

	if (size_of(p->root) > LARGE)
		return s.best;
	collect(&s, p->root);
	end_run(&s);
	return s.best;
}

/* ---- plain texts ---- */

/* Returns whether the set is an ASCII letter in both cases, or one ASCII
 * character that is no letter. Then *small is this character in lower case. */
static bool
is_either_case(const struct set *set, char *small)
{
	uint32_t c = set->n == 0 ? NO_LETTER : set->ranges[set->n - 1].low;
	bool letter = c >= 'a' && c <= 'z';

	for (size_t i = 0; i < set->n; i++)
		if (set->ranges[i].low != set->ranges[i].high)
			return false;
	*small = (char)c;
	if (letter)
		return set->n == 2 && set->ranges[0].low == c - 32;
	return set->n == 1 && c < 0x80 && !(c >= 'A' && c <= 'Z');
}

struct str
literals_plain_text(struct arena *a, const struct pattern *p)
{
	char text[LONGEST];
	size_t n = 0;

	if (p->anchored || p->root->kind != TREE_CAT)
		return (struct str){ 0 };
	for (tree_each(c, p->root))
		if (n == LONGEST || c->kind != TREE_SET ||
		    !is_either_case(c->set, &text[n++]))
			return (struct str){ 0 };
	if (n == 0)
		return (struct str){ 0 };
	return str_dup(a, (struct str){ text, n });
}
