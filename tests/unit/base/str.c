/* Slices of text. */
#include "base/str.h"
#include "tests/unit/unit.h"

static void
compares(void)
{
	struct str none = { 0 }, empty = STR("");

	CHECK(str_eq(none, empty) && str_is(empty, NULL));
	CHECK(str_eq(STR("a\0b"), STR("a\0b")));
	CHECK(!str_eq(STR("a\0b"), STR("a\0c")));
	CHECK(str_is(STR("ab"), "ab") && !str_is(STR("ab"), "abc"));
	CHECK(str_eq_ascii_nocase(STR("aBc"), STR("AbC")));
	CHECK(!str_eq_ascii_nocase(STR("ab"), STR("abc")));
	CHECK(str_cmp(STR("a"), STR("b")) < 0);
	CHECK(str_cmp(STR("ab"), STR("a")) > 0);
	CHECK(str_cmp(STR("\xc3"), STR("a")) > 0);
	CHECK(str_cmp(none, empty) == 0);
	CHECK(str_starts(STR("abc"), "ab") && str_starts(none, empty));
	CHECK(!str_starts(STR("a"), "ab"));
	CHECK(str_ends(STR("abc"), "bc") && !str_ends(STR("c"), "bc"));
}

static void
finds(void)
{
	CHECK(str_find(STR("aabab"), "ab") == 1);
	CHECK(str_find(STR("abc"), "") == 0);
	CHECK(str_find(STR("abc"), "x") == 3);
	CHECK(str_find(STR("a"), "ab") == 1);
	CHECK(str_find_char(STR("ab\0c"), '\0') == 2);
	CHECK(str_find_char(STR(""), 'a') == 0);
	CHECK(str_count_char(STR("\na\n\nb"), '\n') == 3);
	CHECK(str_count_char(STR("ab"), '\n') == 0);
	CHECK(str_count_char((struct str){ 0 }, '\n') == 0);
	CHECK(str_contains(STR("abc"), "bc"));
	CHECK(!str_contains(STR("abc"), "cb"));
	CHECK(str_contains(STR(""), ""));
}

static void
cuts(void)
{
	struct str rest = STR("a:b::");

	CHECK_STR(str_slice(STR("abcdef"), 2, 4), "cd");
	CHECK_STR(str_slice(STR("abc"), 2, 9), "c");
	CHECK_STR(str_slice(STR("abc"), 5, 9), "");
	CHECK_STR(str_slice(STR("abc"), 2, 1), "");
	CHECK_STR(str_from(STR("abc"), 1), "bc");
	CHECK_STR(str_trim(STR(" \t a b\r\n")), "a b");
	CHECK_STR(str_trim(STR(" \n")), "");
	CHECK_STR(str_cut(&rest, ':'), "a");
	CHECK_STR(str_cut(&rest, ':'), "b");
	CHECK_STR(str_cut(&rest, ':'), "");
	CHECK(rest.s != NULL);
	CHECK_STR(str_cut(&rest, ':'), "");
	CHECK(rest.s == NULL);
}

static void
copies(void)
{
	struct str list[] = { STR("a"), STR(""), STR("b\0") };
	struct arena a = { 0 };
	char *c = str_c(&a, STR("abc"));

	CHECK(c[3] == '\0');
	CHECK_STR(str_of(c), "abc");
	CHECK_STR(str_of(str_c(&a, (struct str){ 0 })), "");
	CHECK(str_of(NULL).s == NULL);
	CHECK_STR(str_dup(&a, STR("abc")), "abc");
	CHECK_STR(str_cat(&a, STR("ab"), STR("c")), "abc");
	CHECK(str_eq(str_join(&a, list, 3, STR(", ")), STR("a, , b\0")));
	CHECK_STR(str_join(&a, list, 0, STR(", ")), "");
	CHECK_STR(str_replace(&a, STR("aabab"), STR("ab"), STR("-")), "a--");
	CHECK_STR(str_replace(&a, STR("b"), STR("a"), STR("-")), "b");
	CHECK_STR(str_ellipsize(&a, STR("abc"), 3), "abc");
	CHECK_STR(str_ellipsize(&a, STR("abcd"), 3), "abc...");
	CHECK_STR(str_ellipsize(&a, STR("ab\xc3\xa9"), 3), "ab...");
	arena_free(&a);
}

/* Conversions that str_printf prints itself, and those that libc prints. */
static void
prints(void)
{
	struct arena a = { 0 };
	struct str cut = STR("ab\0c");
	struct str none = { 0 };

	CHECK_STR(str_printf(&a, "none"), "none");
	CHECK_STR(str_printf(&a, "%.*s-%d", STR_FMT(STR("a")), 5), "a-5");
	CHECK_STR(str_printf(&a, "%s, %zu", "", (size_t)120), ", 120");
	CHECK_STR(str_printf(&a, "%lld %d.", INT64_MIN + 0LL, -7),
	    "-9223372036854775808 -7.");
	CHECK_STR(str_printf(&a, "%zu", SIZE_MAX),
	    sizeof(size_t) == 8 ? "18446744073709551615" : "4294967295");
	CHECK_STR(str_printf(&a, "[%.*s|%.*s]", STR_FMT(cut), STR_FMT(none)),
	    "[ab|]");
	CHECK_STR(str_printf(&a, "%d%% of %.1f", 5, 2.25), "5% of 2.2");
	CHECK_STR(str_printf(&a, "%.1f %.2f %.0f", 2.2500001, 0.995, 0.0),
	    "2.3 0.99 0");
	CHECK_STR(
	    str_printf(&a, "%.*f %.3f", 4, 12.00007, 9.9996), "12.0001 10.000");
	CHECK_STR(str_printf(&a, "%.1f %.0f %.1f", -0.04, 2.5, 1e300 * 1e300),
	    "-0.0 2 inf");
	CHECK_STR(
	    str_printf(&a, "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d", 0, 1,
		2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
	    "0123456789012345678910");
	CHECK_STR(str_printf(&a, "%d %d %d %d %d %d %d %d %d %d %d %d %d", 0, 1,
		      2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2),
	    "0 1 2 3 4 5 6 7 8 9 0 1 2");
	arena_free(&a);
}

int
main(void)
{
	prints();
	compares();
	finds();
	cuts();
	copies();
	return unit_status();
}
