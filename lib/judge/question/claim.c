#include "judge/question/claim.h"

enum claim { CLAIM_NONE, CLAIM_PASS, CLAIM_FAIL };

/* ---- values ---- */

static bool
is_one_of(struct str text, const char *const *words)
{
	while (*words != NULL && !str_eq_ascii_nocase(text, str_of(*words)))
		words++;
	return *words != NULL;
}

/* Returns what the text claims up to its first punctuation mark: "FAIL: it
 * does not say when". */
static enum claim
claim_of_text(struct str text)
{
	static const char *const pass[] = { "true", "pass", "passed", "passes",
		"yes", "y", "ok", "met", "success", "correct", "accept",
		"accepted", "approved", "1", NULL };
	static const char *const fail[] = { "false", "fail", "failed", "fails",
		"failure", "no", "n", "not ok", "not met", "unmet",
		"not passed", "incorrect", "wrong", "reject", "rejected", "0",
		NULL };
	size_t n = 0;

	text = str_trim(text);
	while (n < text.n && !ascii_is_among((uint8_t)text.s[n], ":;,.!(\n"))
		n++;
	text = str_trim(str_slice(text, 0, n));
	return is_one_of(text, pass) ? CLAIM_PASS
	    : is_one_of(text, fail)  ? CLAIM_FAIL
				     : CLAIM_NONE;
}

static enum claim
claim_of_value(const struct json *v, struct arena *a)
{
	double number = json_double(v);

	switch (v->type) {
	case JSON_FALSE:
		return CLAIM_FAIL;
	case JSON_TRUE:
		return CLAIM_PASS;
	case JSON_NUMBER:
		return number == 0 ? CLAIM_FAIL
		    : number == 1  ? CLAIM_PASS
				   : CLAIM_NONE;
	case JSON_STRING:
		return claim_of_text(json_text(v, a));
	default:
		return CLAIM_NONE;
	}
}

/* ---- names ---- */

enum {                 /* bits: kinds of words in names */
	VERDICT = 1,   /* the member is a verdict, also within another value */
	REVERSE = 2,   /* true means fail */
	UNRELATED = 4, /* the member is no verdict */
};

/* The beginnings of words that say what the name of a member stands for. */
static const struct {
	const char *stem;
	unsigned kinds;
} stems[] = {
	{ "pass", VERDICT },
	{ "verdict", VERDICT },
	{ "score", VERDICT },
	{ "decision", VERDICT },
	{ "outcome", VERDICT },
	{ "judg", VERDICT },
	{ "grade", VERDICT },
	{ "rating", VERDICT },
	{ "met", VERDICT },
	{ "fail", VERDICT | REVERSE },
	{ "reject", VERDICT | REVERSE },
	{ "unmet", VERDICT | REVERSE },
	{ "not", REVERSE },
	{ "non", REVERSE },
	{ "incorrect", REVERSE },
	{ "wrong", REVERSE },
	{ "violat", REVERSE },
	{ "confiden", UNRELATED },
	{ "certain", UNRELATED },
	{ "uncertain", UNRELATED },
	{ "probab", UNRELATED },
	{ "reason", UNRELATED },
	{ "rational", UNRELATED },
	{ "expla", UNRELATED },
	{ "comment", UNRELATED },
	{ "note", UNRELATED },
	{ "thought", UNRELATED },
	{ "think", UNRELATED },
	{ "analy", UNRELATED },
	{ "summar", UNRELATED },
	{ "eviden", UNRELATED },
	{ "quot", UNRELATED },
	{ "cit", UNRELATED },
	{ "id", UNRELATED },
	{ "index", UNRELATED },
	{ "step", UNRELATED },
	{ "turn", UNRELATED },
	{ "line", UNRELATED },
	{ "count", UNRELATED },
	{ "number", UNRELATED },
	{ "position", UNRELATED },
	{ "token", UNRELATED },
	{ "sever", UNRELATED },
	{ "error", UNRELATED },
	{ "issue", UNRELATED },
	{ "problem", UNRELATED },
	{ "warn", UNRELATED },
	{ "review", UNRELATED },
	{ "ambig", UNRELATED },
	{ "flag", UNRELATED },
};

/* Returns the kinds of a word, by its beginning. A word of up to three letters
 * has to be the whole word. */
static unsigned
kinds_of_word(struct str word)
{
	for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
		struct str stem = str_of(stems[i].stem);

		if ((stem.n > 3 || word.n == stem.n) &&
		    str_eq_ascii_nocase(str_slice(word, 0, stem.n), stem))
			return stems[i].kinds;
	}
	return 0;
}

/* Returns the length of the first word of a name in snake_case or
 * camelCase. */
static size_t
word_length(struct str name)
{
	size_t n = 1;

	while (n < name.n && ascii_is_alnum((uint8_t)name.s[n]) &&
	    !(name.s[n] >= 'A' && name.s[n] <= 'Z' && name.s[n - 1] >= 'a'))
		n++;
	return n;
}

static unsigned
kinds_of_name(struct str name)
{
	unsigned kinds = 0;

	while (name.n != 0) {
		size_t n = word_length(name);
		unsigned word = kinds_of_word(str_slice(name, 0, n));

		kinds = (kinds | word) ^ (kinds & word & REVERSE);
		name = str_from(name, n);
		while (name.n != 0 && !ascii_is_alnum((uint8_t)*name.s))
			name = str_from(name, 1);
	}
	return kinds;
}

/* ---- members ---- */

static enum claim
claim_of(const struct json *key, bool nested, struct arena *a)
{
	unsigned kinds = kinds_of_name(json_text(key, a));
	enum claim claim = claim_of_value(json_value(key), a);

	if (kinds & UNRELATED || (nested && !(kinds & VERDICT)))
		return CLAIM_NONE;
	if (claim == CLAIM_NONE || !(kinds & REVERSE))
		return claim;
	return claim == CLAIM_PASS ? CLAIM_FAIL : CLAIM_PASS;
}

/* Returns whether the member belongs to the answer that the check asks for. A
 * score may have a `passed` beside it. */
static bool
is_asked(const struct json *key, const struct prompt_check *check)
{
	const struct json *value = json_value(key);

	if (!check->score)
		return json_str_is(key, "verdict");
	return json_str_is(key, "score") ||
	    (json_str_is(key, "passed") &&
		(json_is(value, JSON_FALSE) || json_is(value, JSON_TRUE)));
}

const struct json *
claim_against(const struct json *said, const struct prompt_check *check,
    bool passed, struct arena *a)
{
	enum claim other = passed ? CLAIM_FAIL : CLAIM_PASS;
	const struct json *found = NULL;
	bool agreed = false;

	for (const struct json *v = said; v < said + said->span; v++) {
		if (v->type != JSON_OBJECT)
			continue;
		for (json_members(key, v)) {
			enum claim claim = v == said && is_asked(key, check)
			    ? CLAIM_NONE
			    : claim_of(key, v != said, a);

			if (claim == other && found == NULL)
				found = key;
			agreed |= claim != other && claim != CLAIM_NONE;
		}
	}
	return passed || !agreed ? found : NULL;
}
