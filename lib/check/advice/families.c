/* Finds the gaps in a set of assertions: the six families of mcp-eval's
 * document, and the further points of its checklist. */
#include "check/advice/forms.h"
#include "check/advice/words.h"

static const struct lack {
	unsigned family;
	enum advice_id id;
	const char *what;
	bool of_calls;         /* matters only if a tool is required */
	enum advice_form form; /* that the set lacks */
} lacks[] = {
	{ FAMILY_TOOLS, NO_TOOL_CHECK, "the tools that are called", false,
	    FORM_TOOL },
	{ FAMILY_ARGUMENTS, NO_ARGUMENT_CHECK, "the arguments of a tool", true,
	    FORM_ARGUMENTS },
	{ FAMILY_OUTPUT, NO_OUTPUT_CHECK, "the output of a tool", true,
	    FORM_OUTPUT },
	{ FAMILY_CONTENT, NO_CONTENT_CHECK, "the content of the answer", false,
	    FORM_CONTAINS },
	{ FAMILY_NEGATIVE, NO_NEGATIVE_CASE, "something that must not happen",
	    false, FORM_LACKS },
	{ FAMILY_LIMITS, NO_LIMIT, "the number of iterations or calls", false,
	    FORM_LIMIT },
	{ FAMILY_TIME, NO_TIME_LIMIT, "the time", false, FORM_TIME },
	{ FAMILY_QUALITY, NO_JUDGE, "the quality of the answer", false,
	    FORM_JUDGE },
};

static bool
requires_tools(const struct advice_set *set)
{
	return advice_find(set, ROLE_CALLED) != NULL ||
	    advice_find(set, ROLE_COUNT) != NULL ||
	    advice_find(set, ROLE_ORDER) != NULL;
}

/* Returns whether all that decides is a judge. */
static bool
is_left_to_judges(const struct advice_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		if (set->items[i].type->role != ROLE_JUDGE)
			return false;
	return set->n != 0;
}

/* Returns whether a text or rubric of the set speaks of errors. */
static bool
looks_for_errors(const struct advice_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		const struct advice_item *item = &set->items[i];

		for (size_t k = 0; k < item->texts.n; k++)
			if (words_any(item->texts.list[k], words_of_errors))
				return true;
	}
	return (set->families & FAMILY_ERRORS) != 0;
}

static void
advise_purpose(struct advice_set *set)
{
	unsigned known = set->dialect->families;

	if (words_any(set->about, words_of_errors) && !looks_for_errors(set))
		advice_add(set->notes, NO_ERROR_CHECK, set->place,
		    "no assertion of %.*s speaks of an error",
		    STR_FMT(set->name));
	if (known & ~set->families & FAMILY_EFFICIENCY &&
	    words_any(set->about, words_of_speed))
		advice_add(set->notes, NO_EFFICIENCY_CHECK, set->place,
		    "no assertion of %.*s is about calls, tokens or cost",
		    STR_FMT(set->name));
}

bool
advise_families(struct advice_set *set)
{
	unsigned missing = set->dialect->families & ~set->families;
	enum advice_style style =
	    advice_style_of(set->dialect->name, set->scenario);

	if (set->n == 0) {
		advice_add(set->notes, NO_ASSERTIONS, set->place,
		    "%.*s has no assertions", STR_FMT(set->name));
		return false;
	}
	if (is_left_to_judges(set))
		return true;
	if (missing & FAMILY_TOOLS && !advice_has_tools(set))
		missing &= ~(unsigned)FAMILY_TOOLS;
	for (size_t i = 0; i < sizeof lacks / sizeof lacks[0]; i++)
		if (missing & lacks[i].family &&
		    (!lacks[i].of_calls || requires_tools(set)))
			advice_add(set->notes, lacks[i].id, set->place,
			    "no assertion of %.*s is about %s%.*s",
			    STR_FMT(set->name), lacks[i].what,
			    STR_FMT(advice_form_name(
				set->arena, style, lacks[i].form)));
	advise_purpose(set);
	return false;
}
