/* How Python's re reads escapes, and its messages about invalid patterns, which are
 * those of CPython 3.11. */
#include "emulate/regex/regex.h"
#include "tests/unit/unit.h"

static const struct refused {
	const char *pattern, *why;
} refused[] = {
	{ "(?P=n\\w)", "bad character in group name 'n\\\\w' at position 4" },
	{ "(?P<n'>)", "bad character in group name \"n'\" at position 4" },
	{ "(?P=n\\)|a", "missing ), unterminated name at position 4" },
	{ "(?(a\xc2\xa0)b)",
	    "bad character in group name 'a\\xa0' at position 3" },
	{ "(?\\d)", "unknown extension ?\\d at position 1" },
	{ "(?<\\(", "unknown extension ?<\\( at position 1" },
	{ "a(?\\", "bad escape (end of pattern) at position 3" },
	{ "*\\", "bad escape (end of pattern) at position 1" },
	{ "\\z\\", "bad escape (end of pattern) at position 2" },
	{ "(?#\\)", "missing ), unterminated comment at position 0" },
	{ "(?x)a#\\\nb\n)",
	    "unbalanced parenthesis at position 10 "
	    "(line 3, column 1)" },
	{ "[a\\u00e9-\\3]", "bad character range \\u-\\3 at position 6" },
	{ "[\xc3\xa9-\\x41]",
	    "bad character range \xc3\xa9-\\x at position 3" },
	{ "[b-\xc2\xa0-\\s]", NULL },
	{ "[\\w-\xc3\xa9]", "bad character range \\w-\xc3\xa9 at position 1" },
	{ "(?ms-iab)",
	    "bad inline flags: cannot turn off flags 'a', 'u' and "
	    "'L' at position 7" },
	{ "(?x\xc3\xa9)", "unknown flag at position 3" },
	{ "(?x5)", "missing -, : or ) at position 3" },
	{ "(?<=(a)\\1)",
	    "cannot refer to group defined in the same "
	    "lookbehind subpattern at position 9" },
	{ "(?<=(a)(?(1)b|c))",
	    "cannot refer to group defined in the same "
	    "lookbehind subpattern at position 12" },
	{ "(?<=(?(1)a|b))()", "cannot refer to an open group at position 9" },
	{ "((?<=(?(1)a|b)))", "cannot refer to an open group at position 10" },
	{ "(?(-0)a)", "bad group number at position 3" },
	{ "(?(-1)a)", "bad character in group name '-1' at position 3" },
	{ "(?(99999999999)a)",
	    "invalid group reference 99999999999 at position 3" },
	{ "(a)?(?( +1 )b|c)", NULL },
	{ "()(?<=(?(1)a|b))", NULL },
	{ "(?(1)a|b)()", NULL },
};

static void
refuses(void)
{
	struct arena arena = { 0 };

	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct regex_error error = { 0 };
		struct regex *re = regex_compile(&arena, REGEX_PYTHON,
		    str_of(refused[i].pattern), 0, &error);

		CHECK((re == NULL) == (refused[i].why != NULL));
		if (re == NULL && refused[i].why != NULL)
			CHECK_STR(error.why, refused[i].why);
		regex_free(re);
	}
	arena_free(&arena);
}

static bool
matches(const char *pattern, const char *text)
{
	struct arena arena = { 0 };
	struct regex_error error;
	struct regex *re =
	    regex_compile(&arena, REGEX_PYTHON, str_of(pattern), 0, &error);
	bool found = re != NULL &&
	    regex_search(re, str_of(text), NULL, NULL) == REGEX_YES;

	regex_free(re);
	arena_free(&arena);
	return found;
}

/* An escaped end is none. */
static void
passes_comments(void)
{
	CHECK(matches("^a(?#x\\)y)b$", "ab"));
	CHECK(matches("(?x)^a # x\\\ny\nb$", "ab"));
	CHECK(!matches("(?x)^a # x\\\ny\nb$", "ayb"));
	CHECK(matches("(?x)^a # x\\\\\nb$", "ab"));
}

/* By single characters: U+0130 is "i" then. */
static void
refers_back_in_either_case(void)
{
	CHECK(matches("(?i)(.)-\\1", "\xc4\xb0-i"));
	CHECK(matches("(?i)(.)-\\1", "i-\xc4\xb0"));
	CHECK(matches("(?i)(.)-\\1", "\xe2\x84\xaa-K"));
	CHECK(matches("(?i)(.)-\\1", "\xc3\x89-\xc3\xa9"));
	CHECK(!matches("(?i)(.)-\\1", "\xc5\xbf-s"));
	CHECK(matches("(?ia)(.)-\\1", "k-K"));
	CHECK(!matches("(?ia)(.)-\\1", "\xc3\x89-\xc3\xa9"));
	CHECK(!matches("(?ia)(.)-\\1", "\xe2\x84\xaa-k"));
	CHECK(!matches("(?ia)(.)-\\1", "@-`"));
}

int
main(void)
{
	refuses();
	refers_back_in_either_case();
	passes_comments();
	return unit_status();
}
