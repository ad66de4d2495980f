/* What a text must hold to match a pattern. */
#include "../../lib/regex.h"
#include "unit.h"

static const struct row {
	enum regex_flavour flavour;
	unsigned flags;
	const char *pattern;
	const char *factors; /* joined by | */
} rows[] = {
	{ REGEX_JS, 0, "completed", "completed" },
	{ REGEX_JS, REGEX_CASELESS, "Completed", "completed" },
	{ REGEX_JS, 0, "Completed", "completed" },
	{ REGEX_JS, 0, "a|b", "a|b" },
	{ REGEX_JS, 0, "\\b(?:average|median)\\s+\\d", "average|median" },
	{ REGEX_JS, 0, "\\b(?:cannot|could not) find\\s+x",
	    "cannot|could not" },
	{ REGEX_JS, 0, "(?:one|two)three", "three" },
	{ REGEX_JS, 0, "one(?:|two)", "one" },
	{ REGEX_JS, 0, "(?:one|\\d)", "" },
	{ REGEX_JS, 0, "(?:(?:one|two)|six)", "one|two|six" },
	/* Conditions take nothing. */
	{ REGEX_JS, 0, "^ab\\bcd$", "abcd" },
	{ REGEX_JS, 0, "a(b(c)d)e", "abcde" },
	/* Repetitions. */
	{ REGEX_JS, 0, "abc*de", "ab" },
	{ REGEX_JS, 0, "abc?def", "def" },
	{ REGEX_JS, 0, "abc+de", "abc" },
	{ REGEX_JS, 0, "x(?:ab){3}y", "xabababy" },
	{ REGEX_JS, 0, "x(?:ab){2,}y", "xabab" },
	{ REGEX_JS, 0, "ab(?:cd){0}ef", "abef" },
	{ REGEX_JS, 0, "a{9}b", "aaaaaaaa" },
	{ REGEX_JS, 0, "(?:[ab]{9})+", "" },
	/* Sets of one letter in all its cases, and others. */
	{ REGEX_JS, 0, "ab[Cc]d", "abcd" },
	{ REGEX_JS, 0, "ab[cC\\d]de", "ab" },
	{ REGEX_JS, 0, "ab.cde", "cde" },
	{ REGEX_RE2, REGEX_CASELESS, "milk", "milk" },  /* K: U+212A */
	{ REGEX_RE2, REGEX_CASELESS, "abcsde", "abc" }, /* s: U+017F */
	{ REGEX_JS, REGEX_CASELESS, "abcsde", "abcsde" },
	{ REGEX_JS, REGEX_CASELESS, "É", "é" },
	{ REGEX_JS, 0, "É", "é" },
	{ REGEX_PYTHON, REGEX_CASELESS, "ÉCOLE", "école" },
	{ REGEX_JS, 0, "abΣcde", "cde" },
	{ REGEX_JS, 0, "abİcde", "cde" },
	{ REGEX_JS, 0, "ab😀cde", "cde" }, /* two units */
	{ REGEX_RE2, 0, "ab😀cde", "ab😀cde" },
	/* What may end without a verdict. */
	{ REGEX_JS, 0, "(abc)\\1", "" },
	{ REGEX_JS, 0, "abc(?=d)", "" },
	{ REGEX_JS, 0, "abc(?:[a-z]{40}){40}", "" },
	{ REGEX_JS, 0, "", "" },
};

int
main(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *r = &rows[i];
		struct regex_error error;
		struct regex *re = regex_compile(
		    &a, r->flavour, str_of(r->pattern), r->flags, &error);
		struct str_list factors;

		CHECK(re != NULL);
		if (re == NULL)
			continue;
		factors = regex_factors(re);
		CHECK_STR(str_join(&a, factors.list, factors.n, STR("|")),
		    r->factors);
		regex_free(re);
	}
	arena_free(&a);
	return unit_status();
}
