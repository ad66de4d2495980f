/* Assertions that fail good runs, since they are too exact. */
#include "check/advice/set.h"

#include "base/ascii.h"
#include "check/advice/words.h"

static void
advise_count(struct advice_set *set, const struct advice_item *item)
{
	const struct json *n = advice_key(item, "expected_count");
	double count = json_double(n);

	if (count > 0)
		advice_add(set->notes, EXACT_COUNT, item->check->source.place,
		    "%.*s wants exactly %.*s calls of %.*s",
		    STR_FMT(item->check->type), STR_FMT(n->text),
		    STR_FMT(item->texts.n == 0 ? STR("a tool")
					       : item->texts.list[0]));
}

bool
advice_is_exact_output(struct arena *a, const struct advice_item *item)
{
	const struct json *how = advice_key(item, "match_type");
	bool exact = how == NULL || json_str_is(how, "exact") ||
	    json_str_is(how, "equals");

	if (!exact || !json_has(item->keys, "expected_output"))
		return false;
	if (json_is(item->value, JSON_STRING))
		return json_str_is(how, "equals") &&
		    words_besides(json_text(item->value, a), "") > 2;
	return json_count(item->value) > 1;
}

bool
advice_has_padded_number(struct str text)
{
	size_t zeros = 0;
	bool point = false;

	for (size_t i = 0; i < text.n; i++) {
		char c = text.s[i];

		if (c == '.' && i > 0 && ascii_is_digit(text.s[i - 1])) {
			point = true;
			zeros = 0;
		} else if (c == '0' && point) {
			zeros++;
		} else if (!ascii_is_digit(c)) {
			point = false;
			zeros = 0;
		} else {
			zeros = 0;
		}
		if (zeros > 2)
			return true;
	}
	return false;
}

enum { WORDS_MAX = 8 }; /* of a text that an answer may be asked for */

static void
advise_length(struct advice_set *set, const struct advice_item *item)
{
	for (size_t i = 0; i < item->texts.n; i++) {
		struct str text = item->texts.list[i];
		size_t words = words_besides(text, "");

		if (words > WORDS_MAX)
			advice_add(set->notes, OVER_SPECIFIED,
			    advice_value_place(item),
			    "a text of %zu words is looked for", words);
		else if (advice_has_padded_number(text))
			advice_add(set->notes, OVER_SPECIFIED,
			    advice_value_place(item),
			    "the number in '%.*s' has needless digits",
			    STR_FMT(text));
	}
}

static bool
is_true(const struct json *v)
{
	return json_is(v, JSON_TRUE) || json_str_is(v, "true");
}

/* Returns the text that the whole answer must be; absent if that is no text. */
static struct str
equal_text(const struct advice_set *set, const struct advice_item *item)
{
	if (!json_is(advice_key(item, "exact_match"), JSON_FALSE) &&
	    str_is(item->check->type, "EqualsExpected"))
		return json_text(
		    json_get(set->scenario->object, "expected_output"),
		    set->arena);
	return item->texts.n == 0 ? str_of(NULL) : item->texts.list[0];
}

static void
advise_equality(struct advice_set *set, const struct advice_item *item)
{
	struct str text = equal_text(set, item);

	if (words_besides(text, "") > 1)
		advice_add(set->notes, EXACT_ANSWER, advice_value_place(item),
		    "the whole answer must be '%.*s'",
		    STR_FMT(str_ellipsize(set->arena, text, 60)));
}

static void
advise_item(struct advice_set *set, const struct advice_item *item)
{
	switch (item->type->role) {
	case ROLE_COUNT:
		advise_count(set, item);
		break;
	case ROLE_OUTPUT:
		if (advice_is_exact_output(set->arena, item))
			advice_add(set->notes, EXACT_OUTPUT,
			    advice_value_place(item),
			    "the whole output of a tool is compared exactly");
		advise_length(set, item);
		break;
	case ROLE_EQUALS:
		advise_equality(set, item);
		break;
	case ROLE_HAS:
	case ROLE_BOUND:
		advise_length(set, item);
		if (is_true(advice_key(item, "case_sensitive")))
			advice_add(set->notes, CASE_SENSITIVE,
			    item->check->source.place,
			    "the case of the letters counts");
		break;
	default:
		break;
	}
}

/* Advises on a set that looks at the answer by whole texts alone. */
static void
advise_mix(struct advice_set *set)
{
	static const enum assertion_role looser[] = { ROLE_HAS, ROLE_REGEX,
		ROLE_STRUCTURE, ROLE_JUDGE, ROLE_FILE, ROLE_COMMAND };

	if (advice_find(set, ROLE_EQUALS) == NULL &&
	    advice_find(set, ROLE_BOUND) == NULL)
		return;
	for (size_t i = 0; i < sizeof looser / sizeof looser[0]; i++)
		if (advice_find(set, looser[i]) != NULL)
			return;
	advice_add(set->notes, ONLY_EXACT_TEXT, set->place,
	    "%.*s looks at the answer by exact texts alone",
	    STR_FMT(set->name));
}

void
advise_strictness(struct advice_set *set)
{
	for (size_t i = 0; i < set->n; i++)
		advise_item(set, &set->items[i]);
	advise_mix(set);
}
