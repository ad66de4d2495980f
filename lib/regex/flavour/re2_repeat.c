/* Quantifiers of Go's patterns. */
#include "base/ascii.h"
#include "regex/flavour/re2.h"

enum { COUNT_MAX = 1000, HEIGHT_MAX = 1000 };

/* A count without a leading zero; one too large for any use is COUNT_MAX + 1.
 * False if there is none. */
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

/* {n}, {n,} or {n,m}; anything else is text, and the cursor stays. */
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

/* How often what is repeated goes round, up to COUNT_MAX and one more: Go
 * holds the product of the counts within one another to COUNT_MAX. */
static uint32_t
rounds(const struct tree *t)
{
	uint32_t most = 1, own = 1;

	if (t->kind == TREE_REPEAT && t->max == 0)
		return 1;
	for (tree_each(child, t)) {
		uint32_t n = rounds(child);

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

void
re2_check_height(struct re2 *p, const struct tree *t)
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

struct tree *
re2_repeated(struct re2 *p, struct tree *atom)
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
		re2_check_height(p, t);
		if (!p->failed && rounds(t) > COUNT_MAX)
			re2_fail(p, "invalid repeat count", before, p->at);
		atom = t;
	}
}
