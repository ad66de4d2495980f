/* JavaScript's patterns and texts that are large, empty or hostile: there is a result, or
 * the limit is reported, within a short time. */
#include "emulate/regex/regex.h"
#include "emulate/regex/tree/tree.h"
#include "tests/unit/unit.h"

static enum regex_found
verdict(struct str pattern, struct str text)
{
	struct arena a = { 0 };
	struct regex_error error;
	struct regex *re = regex_compile(&a, REGEX_JS, pattern, 0, &error);
	enum regex_found found =
	    re == NULL ? REGEX_LIMIT : regex_search(re, text, NULL, &a);

	regex_free(re);
	arena_free(&a);
	return found;
}

/* Returns n copies of the middle between a beginning and an end. */
static struct str
repeated(struct arena *a, const char *before, const char *middle, size_t n,
    const char *after)
{
	struct str *list = arena_new_n(a, struct str, n + 2);

	list[0] = str_of(before);
	for (size_t i = 1; i <= n; i++)
		list[i] = str_of(middle);
	list[n + 1] = str_of(after);
	return str_join(a, list, n + 2, STR(""));
}

static void
nul_is_a_character(void)
{
	CHECK(verdict(STR("^a\\0b$"), STR("a\0b")) == REGEX_YES);
	CHECK(verdict(STR("^a\0b$"), STR("a\0b")) == REGEX_YES);
	CHECK(verdict(STR("^\\101\\08$"), STR("A\0008")) == REGEX_YES);
}

static void
the_absent_text_is_empty(void)
{
	CHECK(verdict(STR("^$"), (struct str){ 0 }) == REGEX_YES);
	CHECK(verdict(STR("(?<=a)"), (struct str){ 0 }) == REGEX_NO);
	CHECK(verdict(STR(""), (struct str){ 0 }) == REGEX_YES);
}

/* None of these may take more than a moment, whatever the text. */
static void
no_pattern_explodes(void)
{
	static const struct {
		const char *pattern, *before, *middle, *after;
		bool matches;
	} rows[] = {
		{ "(a+)+$", "", "a", "!", false },
		{ "(a|aa)+$", "", "a", "!", false },
		{ "(.*)*$", "", "a", "\n!", true },
		{ "^(.*)*$", "", "a", "\n!", false },
		{ "(\\w+\\s?)*$", "", "word ", "!", true },
		{ "^(\\w+\\s?)*$", "", "word ", "!", false },
		{ "^(([a-z])+.)+[A-Z]([a-z])+$", "", "a", "", false },
		{ "\\s+$", "", " ", "x", false },
		{ "(x+x+)+y", "", "x", "", false },
		{ "(.*)*!", "", "x", "", false },
		{ "[a-z]{50,100}X", "", "a", "", false },
		{ "(?:[^,]*,){5,9}END", "", "a,", "x", false },
		{ "ab.*cd.*9|8", "", "abcde", "", false },
		{ "(?:a|b)*c", "", "ab", "", false },
		{ "(?=.*foo)(?=.*bar)", "", "abcde", "", false },
		{ "^(?=(a+)+$)", "", "a", "!", false },
		{ "(?<!(a+)+)b", "", "a", "b", false },
		{ "(?<=(a|aa)+)b", "", "a", "b", true },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		for (size_t n = 1000; n <= 100000; n *= 10)
			CHECK(verdict(str_of(rows[i].pattern),
				  repeated(&a, rows[i].before, rows[i].middle,
				      n, rows[i].after)) ==
			    (rows[i].matches ? REGEX_YES : REGEX_NO));
	arena_free(&a);
}

/* These patterns end with REGEX_LIMIT, within a short time. */
static void
what_cannot_be_decided_ends(void)
{
	struct arena a = { 0 };

	CHECK(verdict(STR("^(?:(a*)\\1?)*$"),
		  repeated(&a, "", "a", 1000, "!")) == REGEX_LIMIT);
	arena_free(&a);
}

static struct str
many_names(struct arena *a, size_t n)
{
	struct str *list = arena_new_n(a, struct str, n);

	for (size_t i = 0; i < n; i++)
		list[i] = str_printf(a, "(?<n%zu>a)", i);
	return str_join(a, list, n, STR(""));
}

static void
large_patterns(void)
{
	struct arena a = { 0 };
	struct str deep = repeated(&a, "", "(", TREE_DEPTH_MAX, "a");
	struct str closed = repeated(&a, "", ")", TREE_DEPTH_MAX, "");
	struct str half = repeated(&a, "", "(?:a|", TREE_DEPTH_MAX, "b");
	struct str counts = STR("(?:(?:(?:a{1000}){1000}){1000}){1000}b");

	CHECK(verdict(str_cat(&a, deep, closed), STR("a")) == REGEX_YES);
	CHECK(verdict(str_cat(&a, half, closed), STR("b")) == REGEX_YES);
	CHECK(verdict(repeated(&a, "(", "(", TREE_DEPTH_MAX, ""), STR("a")) ==
	    REGEX_LIMIT);
	CHECK(verdict(repeated(&a, "", "(", 1000000, ""), STR("a")) ==
	    REGEX_LIMIT);
	CHECK(verdict(repeated(&a, "^", "ab", 100000, "$"),
		  repeated(&a, "", "ab", 100000, "")) == REGEX_YES);
	CHECK(verdict(repeated(&a, "x", "|a", 100000, "|b"), STR("cb")) ==
	    REGEX_YES);
	CHECK(verdict(repeated(&a, "", "()", 32767, ""), STR("")) == REGEX_YES);
	CHECK(
	    verdict(repeated(&a, "", "()", 32768, ""), STR("")) == REGEX_LIMIT);
	CHECK(verdict(many_names(&a, 32767), STR("")) == REGEX_NO);
	CHECK(verdict(counts, STR("aab")) == REGEX_NO);
	/* nothing, very often */
	CHECK(verdict(STR("(?:(?:(?:){70000}){70000}){70000}b"), STR("ab")) ==
	    REGEX_YES);
	CHECK(verdict(STR("(?:((a{0}){2000000000}){2000000000,}){2000000000}b"),
		  STR("a")) == REGEX_NO);
	CHECK(verdict(STR("^(?:[a-z]\\d){1639}$"),
		  repeated(&a, "", "a1", 1639, "")) == REGEX_YES);
	CHECK(verdict(STR("^(?:a|b){70000}$"),
		  repeated(&a, "", "ab", 35000, "")) == REGEX_YES);
	arena_free(&a);
}

/* The depth is limited for nesting without groups, too. */
static void
depth_ends(void)
{
	static const struct {
		enum regex_flavour flavour;
		const char *before, *middle, *why;
	} rows[] = {
		{ REGEX_RE2, "a", "(?i)*", "expression nests too deeply" },
		{ REGEX_PYTHON, "(a)", "(?(1)", "nested too deeply" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct arena a = { 0 };
		struct regex_error error = { 0 };
		struct str pattern =
		    repeated(&a, rows[i].before, rows[i].middle, 500000, "");

		CHECK(regex_compile(&a, rows[i].flavour, pattern, 0, &error) ==
		    NULL);
		CHECK(str_contains(error.why, str_of(rows[i].why)));
		arena_free(&a);
	}
}

int
main(void)
{
	nul_is_a_character();
	the_absent_text_is_empty();
	no_pattern_explodes();
	what_cannot_be_decided_ends();
	large_patterns();
	depth_ends();
	return unit_status();
}
