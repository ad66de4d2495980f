/* The subjects of rules. */
#include "check/advice/additions.h"

#include "text/unicode.h"

static unsigned
of_calls(const struct rule_calls *calls)
{
	for (size_t i = 0; i < calls->n; i++)
		if (calls->list[i].nconds != 0)
			return FAMILY_TOOLS | FAMILY_ARGUMENTS;
	return FAMILY_TOOLS;
}

static unsigned
of_form(const struct rule_claim *c)
{
	switch (c->form) {
	case RULE_CHAIN:
		return c->nstages > 1 ? FAMILY_ORDER : 0;
	case RULE_BEFORE:
	case RULE_EVERY:
	case RULE_SAME:
		return FAMILY_ORDER;
	case RULE_ROW:
	case RULE_ONLY:
	case RULE_LACKS:
		return FAMILY_NEGATIVE;
	case RULE_COUNT:
		return c->n == 0 ? FAMILY_NEGATIVE : FAMILY_TOOLS;
	case RULE_ERRORS:
		return FAMILY_ERRORS;
	case RULE_CALLS:
	case RULE_TURNS:
	case RULE_TOKENS:
	case RULE_COST:
		return FAMILY_LIMITS;
	case RULE_TIME:
		return FAMILY_TIME;
	case RULE_JUDGE:
		return FAMILY_QUALITY;
	default:
		return FAMILY_CONTENT;
	}
}

static unsigned
of_claim(const struct rule_claim *c)
{
	unsigned bits = c->nparts == 0 ? of_form(c) : 0;

	for (size_t i = 0; i < c->nparts; i++)
		bits |= of_claim(c->parts[i]);
	for (size_t i = 0; i < c->nstages; i++)
		bits |= of_calls(&c->stages[i]);
	return bits;
}

unsigned
rules_families(const struct scenario *s)
{
	unsigned bits = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!check_is_broken(&s->checks[i]))
			bits |= of_claim(
			    ((const struct rule_want *)s->checks[i].want)
				->claim);
	return bits;
}

static bool
fits(const struct rule_calls *calls, struct str tool)
{
	for (size_t i = 0; i < calls->n; i++)
		if (rule_call_fits(&calls->list[i], tool))
			return true;
	return false;
}

static bool requires(const struct rule_claim *c, struct str tool)
{
	bool asks = (c->form == RULE_CHAIN && !c->absent) ||
	    (c->form == RULE_COUNT && c->op == RULE_GE) || c->form == RULE_SAME;

	for (size_t i = 0; asks && i < c->nstages; i++)
		if (fits(&c->stages[i], tool))
			return true;
	for (size_t i = 0; c->form == RULE_AND && i < c->nparts; i++)
		if (requires(c->parts[i], tool))
			return true;
	return false;
}

/* Returns whether a claim of the section is such. */
static bool
any_claim(const struct scenario *s,
    bool (*is)(const struct rule_claim *, struct str), struct str word)
{
	for (size_t i = 0; i < s->n; i++)
		if (!check_is_broken(&s->checks[i]) &&
		    is(((const struct rule_want *)s->checks[i].want)->claim,
			word))
			return true;
	return false;
}

bool
rules_require(const struct scenario *s, struct str tool)
{
	return any_claim(s, requires, tool);
}

static bool
forbids(const struct rule_claim *c, struct str tool)
{
	bool none = c->form == RULE_CHAIN
	    ? c->absent && c->nstages == 1
	    : c->form == RULE_COUNT && c->op == RULE_EQ && c->n == 0;

	if (none && c->stages[0].list[0].nconds == 0)
		return fits(&c->stages[0], tool);
	return c->form == RULE_ONLY && !fits(&c->stages[0], tool);
}

bool
rules_forbid(const struct scenario *s, struct str tool)
{
	return any_claim(s, forbids, tool);
}

/* Returns whether the claim, or a part of it, asks for an answer and is written
 * with the word in lower case. */
static bool
mentions(const struct rule_claim *c, struct str word)
{
	struct arena a = { 0 };
	bool found = ((c->form >= RULE_HAS && c->form <= RULE_PATH &&
			  c->form != RULE_LACKS) ||
			 c->form == RULE_JUDGE) &&
	    str_contains(unicode_lower_js(&a, c->written), word);

	arena_free(&a);
	for (size_t i = 0; i < c->nparts && !found; i++)
		found = mentions(c->parts[i], word);
	return found;
}

bool
rules_speak_of(const struct scenario *s, struct str word)
{
	return any_claim(s, mentions, word);
}
