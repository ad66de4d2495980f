/* The literals that a text must contain to match a pattern, and patterns that are plain
 * texts, which need no engine. */
#include "emulate/regex/tree/literals.h"
#include "emulate/regex/flavour/parse.h"
#include "emulate/regex/regex.h"
#include "tests/unit/unit.h"

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

static const struct plain {
	enum regex_flavour flavour;
	unsigned flags;
	const char *pattern, *text;
	bool plain;
	enum regex_found found;
} plains[] = {
	{ REGEX_JS, REGEX_CASELESS, "Milk: 10%", "a mILK: 10%.", true,
	    REGEX_YES },
	{ REGEX_JS, REGEX_CASELESS, "milk", "mil", true, REGEX_NO },
	{ REGEX_JS, REGEX_CASELESS, "milk", "", true, REGEX_NO },
	/* U+212A is no k where JavaScript compares, but one in Go. */
	{ REGEX_JS, REGEX_CASELESS, "milk", "mil\xe2\x84\xaa", true, REGEX_NO },
	{ REGEX_RE2, REGEX_CASELESS, "milk", "mil\xe2\x84\xaa", false,
	    REGEX_YES },
	{ REGEX_RE2, REGEX_CASELESS, "bread", "the BREAD", true, REGEX_YES },
	{ REGEX_JS, 0, "[Mm][Ii]", "xMi", true, REGEX_YES },
	{ REGEX_JS, 0, "1: 2", "11: 2", true, REGEX_YES },
	{ REGEX_JS, 0, "milk", "MILK", false, REGEX_NO },
	{ REGEX_JS, 0, "MI", "mi", false, REGEX_NO },
	{ REGEX_JS, 0, "[Ma][Ii]", "aI", false, REGEX_YES },
	{ REGEX_JS, REGEX_CASELESS, "mi.k", "milk", false, REGEX_YES },
	{ REGEX_JS, REGEX_CASELESS, "[a-b]c", "ac", false, REGEX_YES },
	{ REGEX_JS, REGEX_CASELESS, "caf\xc3\xa9", "CAF\xc3\x89", false,
	    REGEX_YES },
	{ REGEX_JS, REGEX_CASELESS | REGEX_STICKY, "milk", "a milk", false,
	    REGEX_NO },
	{ REGEX_JS, REGEX_CASELESS, "", "a", false, REGEX_YES },
};

static bool
is_plain(struct arena *a, const struct plain *r)
{
	regex_parse *parse =
	    r->flavour == REGEX_JS ? regex_parse_js : regex_parse_re2;
	struct regex_error error;

	return literals_plain_text(
		   a, parse(a, str_of(r->pattern), r->flags, &error))
		   .s != NULL;
}

static void
plain_texts(struct arena *a)
{
	for (size_t i = 0; i < sizeof plains / sizeof plains[0]; i++) {
		const struct plain *r = &plains[i];
		struct regex_error error;
		struct regex *re = regex_compile(
		    a, r->flavour, str_of(r->pattern), r->flags, &error);
		struct regex_match match;

		CHECK(re != NULL);
		CHECK(is_plain(a, r) == r->plain);
		CHECK(
		    regex_search(re, str_of(r->text), NULL, NULL) == r->found);
		/* The machines say the same. */
		CHECK(regex_search(re, str_of(r->text), &match, a) == r->found);
		regex_free(re);
	}
}

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
		factors = regex_literals(re);
		CHECK_STR(str_join(&a, factors.list, factors.n, STR("|")),
		    r->factors);
		regex_free(re);
	}
	plain_texts(&a);
	arena_free(&a);
	return unit_status();
}
