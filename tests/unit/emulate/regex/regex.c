/* Corner cases of JavaScript's patterns, one in a line: errors with their places, matches
 * and groups, with each engine that supports the pattern. */
#include "emulate/regex/regex.h"

#include <stdlib.h>
#include <string.h>

#include "emulate/regex/engine/engine.h"
#include "tests/unit/unit.h"

enum {
	I = REGEX_CASELESS,
	M = REGEX_MULTILINE,
	S = REGEX_DOTALL,
	Y = REGEX_STICKY,
};

static const struct refused {
	const char *pattern;
	size_t offset;
	const char *why;
} refused[] = {
	{ "*a", 0, "nothing to repeat" },
	{ "a**", 2, "nothing to repeat" },
	{ "a+++", 2, "nothing to repeat" },
	{ "a{1}{2}", 4, "nothing to repeat" },
	{ "x|{1}", 2, "nothing to repeat" },
	{ "({1,})", 1, "nothing to repeat" },
	{ "^*", 1, "nothing to repeat" },
	{ "a$+", 2, "nothing to repeat" },
	{ "\\b?", 2, "nothing to repeat" },
	{ "(*UTF8)", 1, "nothing to repeat" },
	{ "a{2,1}", 1, "numbers out of order in {} quantifier" },
	{ "(?<=a)*", 6, "invalid quantifier" },
	{ "(?<!a){2}", 6, "invalid quantifier" },
	{ "a)", 1, "unmatched ')'" },
	{ "ab(c", 2, "unterminated group" },
	{ "(?:a", 0, "unterminated group" },
	{ "(?i)a", 0, "invalid group" },
	{ "(?i:a)", 0, "invalid group" },
	{ "(?>a)", 0, "invalid group" },
	{ "(?#c)", 0, "invalid group" },
	{ "(?P<n>a)", 0, "invalid group" },
	{ "(?)", 0, "invalid group" },
	{ "a[b", 1, "unterminated character class" },
	{ "[b\\]", 0, "unterminated character class" },
	{ "[z-a]", 1, "range out of order in character class" },
	{ "[\xf0\x9f\x98\x80-\xf0\x9f\x98\x82]", 3,
	    "range out of order in character class" },
	{ "a\\", 1, "\\ at end of pattern" },
	{ "[\\", 1, "\\ at end of pattern" },
	{ "(?<>x)", 3, "invalid capture group name" },
	{ "(?<1a>x)", 3, "invalid capture group name" },
	{ "(?<a b>x)", 3, "invalid capture group name" },
	{ "(?<a", 3, "invalid capture group name" },
	{ "(?<\\u{110000}>x)", 3, "invalid unicode escape" },
	{ "(?<\\ud801>x)", 3, "invalid capture group name" },
	{ "(?<a>x)(?<a>y)", 10, "duplicate capture group name" },
	{ "(?<a>x)\\k", 7, "invalid named reference" },
	{ "(?<a>x)\\k<b>", 10, "invalid named capture referenced" },
	{ "\\k<b>(?<a>x)", 3, "invalid named capture referenced" },
	{ "(?<a>x)[\\k]", 8, "invalid escape" },
	{ "a\xff", 1, "invalid UTF-8" },
	{ "\xed\xa0\x80", 0, "invalid UTF-8" },
};

/* What matches is written as the groups, "-" for one that took no part; NULL
 * is no match. */
static const struct matched {
	const char *pattern;
	unsigned flags;
	const char *text, *groups;
} matched[] = {
	/* braces and brackets that are text */
	{ "a{,2}", 0, "a{,2}", "a{,2}" },
	{ "a{1", 0, "aa{1", "a{1" },
	{ "a{ 1}", 0, "a{ 1}", "a{ 1}" },
	{ "}]{", 0, "}]{", "}]{" },
	{ "[]a", 0, "a", NULL },
	{ "[^]a", 0, "\na", "\na" },
	{ "[]]", 0, "]", NULL },
	{ "x[]*y", 0, "xy", "xy" },
	{ "[[:alpha:]]", 0, "l]", "l]" },
	{ "[a&&b]", 0, "&", "&" },
	{ "[a-\\d]", 0, "-", "-" },
	{ "[\\d-a]", 0, "-", "-" },
	{ "[--0]", 0, ".", "." },
	{ "[a-]", 0, "-", "-" },
	/* escapes */
	{ "\\p{L}\\A\\z\\Q", 0, "p{L}AzQ", "p{L}AzQ" },
	{ "\\x4\\u004\\u{3}", 0, "x4u004uuu", "x4u004uuu" },
	{ "\\x41\\u0042", 0, "AB", "AB" },
	{ "\\8\\9", 0, "89", "89" },
	{ "\\400", 0, " 0", " 0" },
	{ "(a)\\2", 0, "a\2", "a\2,a" },
	{ "\\cJ", 0, "\n", "\n" },
	{ "\\c1", 0, "\\c1", "\\c1" },
	{ "[\\c1]", 0, "\x11", "\x11" },
	{ "[\\c*]", 0, "\\", "\\" },
	{ "[\\b]", 0, "\b", "\b" },
	{ "[\\B]", 0, "B", "B" },
	{ "\\k<a>", 0, "k<a>", "k<a>" },
	{ "\\-\\/\\:", 0, "-/:", "-/:" },
	{ "\\\xc3\xa9", 0, "\xc3\xa9", "\xc3\xa9" },
	/* sets */
	{ "^\\s$", 0, "\xef\xbb\xbf", "\xef\xbb\xbf" },
	{ "^\\s$", 0, "\xc2\x85", NULL },
	{ "^\\s$", 0, "\xe1\xa0\x8e", NULL }, /* U+180E */
	{ "\\d", 0, "\xd9\xa3", NULL },       /* an Arabic digit */
	{ "\\w", I, "\xc5\xbf", NULL },       /* long s */
	{ "^.$", 0, "\xe2\x80\xa8", NULL },   /* U+2028 */
	{ "^.$", S, "\xe2\x80\xa8", "\xe2\x80\xa8" },
	{ "^.$", 0, "\xc2\x85", "\xc2\x85" },
	{ "\\bna\xc3\xafve\\b", 0, "na\xc3\xafve", "na\xc3\xafve" },
	{ "\\bve\\b", 0, "na\xc3\xafve", "ve" },
	/* anchors */
	{ "a$", 0, "a\n", NULL },
	{ "a$", M, "a\nb", "a" },
	{ "^b", M, "a\rb", "b" },
	{ "^$", M, "a\n", "" },
	{ "^b", M,
	    "a\xe2\x80\xa9"
	    "b",
	    "b" },
	{ "a", Y, "ba", NULL },
	{ "b|a", Y, "ab", "a" },
	{ "\\Bb", 0, "ab b", "b" },
	/* case */
	{ "k", I, "\xe2\x84\xaa", NULL },          /* kelvin */
	{ "\xe2\x84\xa6", I, "\xcf\x89", NULL },   /* ohm, omega */
	{ "\xcf\x83", I, "\xcf\x82", "\xcf\x82" }, /* sigmas */
	{ "\xc3\xa9", I, "\xc3\x89", "\xc3\x89" }, /* e acute */
	{ "\xc3\x9f", I, "\xe1\xba\x9e", NULL },   /* sharp s */
	{ "[^x]", I, "X", NULL },
	{ "[^\\W]", I, "\xc5\xbf", NULL },
	{ "[j-l]", I, "\xe2\x84\xaa", NULL },
	{ "[\\u01c5]", I, "\xc7\x84", "\xc7\x84" }, /* titlecase, uppercase */
	{ "\xf0\x90\x90\x80", I, "\xf0\x90\x90\xa8", NULL }, /* Deseret */
	/* code units */
	{ "^..$", 0, "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	{ "^.$", 0, "\xf0\x9f\x98\x80", NULL },
	{ ".", 0, "\xf0\x9f\x98\x80", "\xef\xbf\xbd" },
	{ "(.)(.)", 0, "\xf0\x9f\x98\x80",
	    "\xf0\x9f\x98\x80,\xef\xbf\xbd,\xef\xbf\xbd" },
	{ "[\xf0\x9f\x98\x80]$", 0, "\xf0\x9f\x98\x80", "\xef\xbf\xbd" },
	{ "\xf0\x9f\x98\x80+", 0, "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	{ "\\ude00x", 0, "\xf0\x9f\x98\x80x", "\xef\xbf\xbdx" },
	{ "a.b", 0,
	    "a\xf0\x9f\x98\x80"
	    "b",
	    NULL },
	{ "a.*b", 0,
	    "a\xf0\x9f\x98\x80"
	    "b",
	    "a\xf0\x9f\x98\x80"
	    "b" },
	{ "^.+.+$", 0, "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	{ "\\B", 0,
	    "a\xf0\x9f\x98\x80"
	    "b",
	    "" },
	{ "(?<![ab])(?![ab])", 0,
	    "a\xf0\x9f\x98\x80"
	    "b",
	    "" },
	{ "^[^,]+[^,]+$", 0, "\xc3\xa9", NULL },
	{ "[^,]+?", 0, "\xc3\xa9,", "\xc3\xa9" },
	{ "([^a]*)([^b]+)", 0, "x\xc3\xa9", "x\xc3\xa9,x,\xc3\xa9" },
	{ "(?:([^a]*)|b)([^,]+)x", 0, "\xe4\xb8\xad\xc3\xa9x",
	    "\xe4\xb8\xad\xc3\xa9x,\xe4\xb8\xad,\xc3\xa9" },
	/* captures and repetition */
	{ "(?:(a)|(b)|(c))+", 0, "abc", "abc,-,-,c" },
	{ "(z)((a+)?(b+)?(c))*", 0, "zaacbbbcac", "zaacbbbcac,z,ac,a,-,c" },
	{ "(a*)*", 0, "b", ",-" },
	{ "(a*)+", 0, "b", "," },
	{ "(?:|a)+", 0, "aa", "aa" },
	{ "(?:|a)?", 0, "a", "a" },
	{ "(|a){2}", 0, "aa", "," },
	{ "(?=(a))*", 0, "a", ",-" },
	{ "(?=(a))+", 0, "a", ",a" },
	{ "(?:(?=(a)))?b", 0, "b", "b,-" },
	{ "a{0}b", 0, "ab", "b" },
	{ "(a){0}b", 0, "ab", "b,-" },
	{ "(?:a{2}){2,3}?", 0, "aaaaaa", "aaaa" },
	{ "a{0,99999}b", 0, "aab", "aab" },
	{ "a{4294967296}", 0, "aaa", NULL },
	{ "(a?)*?b", 0, "aab", "aab,a" },
	{ "<(.+?)>", 0, "<a><b>", "<a>,a" },
	{ "a|ab", 0, "abc", "a" },
	{ "((a)|(ab))((c)|(bc))", 0, "abc", "abc,a,a,-,bc,-,bc" },
	/* references back */
	{ "(a)?\\1b", 0, "b", "b,-" },
	{ "\\1(a)", 0, "aa", "a,a" },
	{ "(a\\1)", 0, "aa", "a,a" },
	{ "(?:(a)|b)*\\1$", 0, "ab", "ab,-" },
	{ "^(?:(a)|\\1b)+$", 0, "ab", "ab,-" },
	{ "(k)\\1", I, "kK", "kK,k" },
	{ "(k)\\1", I, "k\xe2\x84\xaa", NULL },
	{ "(\xcf\x83)\\1", I, "\xcf\x83\xcf\x82", "\xcf\x83\xcf\x82,\xcf\x83" },
	{ "(.)\\1", 0, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80", NULL },
	{ "(..)\\1", 0, "\xf0\x9f\x98\x80\xf0\x9f\x98\x80",
	    "\xf0\x9f\x98\x80\xf0\x9f\x98\x80,\xf0\x9f\x98\x80" },
	{ "(?<y>\\d+)-\\k<y>", 0, "12-12", "12-12,12" },
	{ "\\k<y>(?<y>a)", 0, "a", "a,a" },
	{ "(?<\\u0061>x)\\k<a>", 0, "xx", "xx,x" },
	/* lookaround */
	{ "(?<=(\\d+)(\\d+))$", 0, "1053", ",1,053" },
	{ "(?<=\\1(a))b", 0, "aab", "b,a" },
	{ "(?<=(a)\\1)b", 0, "aab", "b,a" },
	{ "(?<=(a\\1))b", 0, "ab", "b,a" },
	{ "(?<!a|bc)d", 0, "bcd", NULL },
	{ "(?<=a.*)c", 0, "abbc", "c" },
	{ "(?<=([ab]+)([bc]+))$", 0, "abc", ",a,bc" },
	{ "(?=(a+))a*b\\1", 0, "baaabac", "aba,a" },
	{ "(?!(a))b", 0, "b", "b,-" },
	{ "(?:(?<=a))?b", 0, "b", "b" },
	{ "(.*?)a(?!(a+)b\\2c)\\2(.*)", 0, "baaabaac", "baaabaac,ba,-,abaac" },
	{ "(?<=^|,)x", 0, ",x", "x" },
	{ "(?=.*b)(?=.*c)^.", 0, "acb", "a" },
	{ "^(?!.*(?<!n)o)", 0, "on no", NULL },
	{ "^(?!.*(?<!n)o)", 0, "no no", "" },
	{ "(?<=a(?=b(?!c)).)b?d", 0, "abd", "d" },
	{ "(?:(?=(\\w))a|(?!a)b)+$", 0, "cab", "ab,-" },
	/* where PCRE2 10.42 goes wrong */
	{ "\\w(?:b\\w|)c*\\w", 0, "bbb", "bb" },
	{ "S{0}(?=b)b", 0, "b", "b" },
	{ "(?=x)b*x", 0, "x", "x" },
	{ "(?<=^(\\w+))def", 0, "abcdefdef", "def,abc" },
};

static struct str
joined(const struct regex_match *m, struct arena *a)
{
	struct str *list = arena_new_n(a, struct str, m->n);

	for (size_t i = 0; i < m->n; i++)
		list[i] = m->groups[i].s == NULL ? STR("-") : m->groups[i];
	return str_join(a, list, m->n, STR(","));
}

static void
check_row(const struct matched *row, const char *who, enum regex_found found,
    struct str groups)
{
	bool yes = row->groups != NULL;

	if (found == (yes ? REGEX_YES : REGEX_NO) &&
	    (groups.s == NULL || str_is(groups, row->groups)))
		return;
	unit_failures++;
	fprintf(stderr, "/%s/ on \"%s\": %s found %d \"%.*s\", want \"%s\"\n",
	    row->pattern, row->text, who, found, STR_FMT(groups),
	    yes ? row->groups : "no match");
}

static void
check_engine(const struct matched *row, const struct engine *e,
    const struct regex *re, struct arena *a)
{
	struct query q = { re, str_of(row->text), NULL, 0 };
	struct regex_match m;
	enum regex_found found;

	if (e->serves(&q))
		check_row(row, e->name, e->search(&q), (struct str){ 0 });
	q.spans = arena_new_n(a, size_t, 2 * regex_parsed(re)->pattern->groups);
	if (!e->gives_spans || !e->serves(&q))
		return;
	found = e->search(&q);
	if (found == REGEX_YES)
		query_match(&q, &m, a);
	check_row(row, e->name, found,
	    found == REGEX_YES ? joined(&m, a) : (struct str){ 0 });
}

static void
patterns_that_match(void)
{
	struct arena a = { 0 };
	struct regex_error error;

	for (size_t i = 0; i < sizeof matched / sizeof matched[0]; i++) {
		const struct matched *row = &matched[i];
		struct regex *re = regex_compile(
		    &a, REGEX_JS, str_of(row->pattern), row->flags, &error);
		struct regex_match m;
		enum regex_found found;

		if (re == NULL) {
			check_row(row, "the parser", REGEX_LIMIT, error.why);
			continue;
		}
		found = regex_search(re, str_of(row->text), &m, &a);
		check_row(row, "regex_search", found,
		    found == REGEX_YES ? joined(&m, &a) : (struct str){ 0 });
		for (size_t e = 0; e < engines_n; e++)
			check_engine(row, &engines[e], re, &a);
		regex_free(re);
	}
	arena_free(&a);
}

static void
patterns_that_are_refused(void)
{
	struct arena a = { 0 };

	for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct regex_error error;
		struct regex *re = regex_compile(
		    &a, REGEX_JS, str_of(refused[i].pattern), 0, &error);

		if (re == NULL && error.offset == refused[i].offset &&
		    str_is(error.why, refused[i].why))
			continue;
		unit_failures++;
		fprintf(stderr, "/%s/: got %zu \"%.*s\", want %zu \"%s\"\n",
		    refused[i].pattern, error.offset, STR_FMT(error.why),
		    refused[i].offset, refused[i].why);
	}
	arena_free(&a);
}

static void
names_of_groups(void)
{
	struct arena a = { 0 };
	struct regex_error error;
	struct regex *re = regex_compile(&a, REGEX_JS,
	    STR("(x)(?<one>.)(?:y)(?<\xf0\x9d\x92\x9c$>.)"), 0, &error);

	CHECK(re != NULL);
	CHECK(regex_group(re, STR("one")) == 2);
	CHECK(regex_group(re, STR("\xf0\x9d\x92\x9c$")) == 3);
	CHECK(regex_group(re, STR("two")) == 0);
	CHECK(regex_group(re, STR("")) == 0);
	regex_free(re);
	arena_free(&a);
}

static void
patterns_that_share(void)
{
	static const struct {
		const char *pattern;
		unsigned flags;
		bool shares; /* with the first */
	} rows[] = {
		{ "a+", 0, false },
		{ "a+", 0, true },
		{ "a+", REGEX_CASELESS, false },
		{ "a+b", 0, false },
	};
	enum { ROWS = sizeof rows / sizeof rows[0] };
	struct arena a = { 0 };
	struct hash_table seen = { .arena = &a };
	struct regex_error error;
	struct regex *list[ROWS];

	for (int i = 0; i < ROWS; i++) {
		list[i] = regex_compile(&a, REGEX_JS, str_of(rows[i].pattern),
		    rows[i].flags, &error);
		regex_share(list[i], &seen);
	}
	CHECK(regex_search(list[0], STR("xa"), NULL, NULL) == REGEX_YES);
	for (int i = 1; i < ROWS; i++)
		CHECK((regex_program(list[i]) == regex_program(list[0])) ==
		    rows[i].shares);
	CHECK(regex_search(list[1], STR("xA"), NULL, NULL) == REGEX_NO);
	CHECK(regex_search(list[2], STR("xA"), NULL, NULL) == REGEX_YES);
	for (int i = 0; i < ROWS; i++)
		regex_free(list[i]);
	arena_free(&a);
}

/* But in JavaScript no half of a character matches: PCRE2 serves whatever the
 * text holds. */
static void
characters_that_are_whole(void)
{
	static const struct {
		enum regex_flavour flavour;
		bool serves;
	} rows[] = {
		{ REGEX_JS, false },
		{ REGEX_RE2, true },
		{ REGEX_PYTHON, true },
	};
	struct arena a = { 0 };
	struct regex_error error;
	size_t spans[4];

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct regex *re = regex_compile(
		    &a, rows[i].flavour, STR("x([^,])"), 0, &error);
		struct query q = { re, STR("\xf0\x9f\x98\x80xa"), spans, 0 };

		if (regex_parsed(re)->pcre2 != NULL)
			CHECK(engines[0].serves(&q) == rows[i].serves);
		regex_free(re);
	}
	arena_free(&a);
}

int
main(void)
{
	characters_that_are_whole();
	patterns_that_are_refused();
	patterns_that_match();
	names_of_groups();
	patterns_that_share();
	return unit_status();
}
