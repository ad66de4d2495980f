/* Text for a terminal: no control characters, and no wider than the terminal. */
#include "text/layout.h"
#include "tests/unit/unit.h"
#include "text/unicode.h"

/* Characters that no source file should hold. */
static void
hidden_ones_are_shown(struct arena *a)
{
	static const uint32_t hidden[] = { 0x202e, 0x2066, 0x200b, 0xe0061 };
	static const uint32_t joining[] = { 0x200d, 0xfe0f };
	char buf[4];

	for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
		struct str c = { buf, unicode_encode(hidden[i], buf) };

		CHECK(str_eq(layout_clean(a, c, false),
		    str_printf(a, "\\u{%x}", hidden[i])));
	}
	for (size_t i = 0; i < sizeof joining / sizeof joining[0]; i++) {
		struct str c = { buf, unicode_encode(joining[i], buf) };

		CHECK(str_eq(layout_clean(a, c, false), c));
	}
}

static void
nothing_is_obeyed(struct arena *a)
{
	const struct {
		struct str raw;
		const char *clean;
	} cases[] = {
		{ STR("plain"), "plain" },
		{ STR("\x1b[31mred\x07"), "\\x1b[31mred\\x07" },
		{ STR("a\0b\x7f"), "a\\x00b\\x7f" },
		{ STR("\xc2\x9b"
		      "2J"), /* CSI as one character */
		    "\\x9b2J" },
		{ STR("\x80 \xff \xed\xa0\x80"),
		    "\xef\xbf\xbd \xef\xbf\xbd "
		    "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" },
		{ STR("a\tb\r\nc\rd"), "a b c\\x0dd" },
		{ STR("\xe9\x80\x80\xe6\xac\xbe"), "\xe9\x80\x80\xe6\xac\xbe" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		CHECK_STR(layout_clean(a, cases[i].raw, false), cases[i].clean);
	CHECK_STR(layout_clean(a, STR("a\r\nb\n"), true), "a\nb\n");
}

static void
widths(void)
{
	CHECK(unicode_width('a') == 1);
	CHECK(unicode_width(0xe9) == 1);
	CHECK(unicode_width(0xad) == 1);
	CHECK(unicode_width(0x301) == 0);
	CHECK(unicode_width(0x200d) == 0);
	CHECK(unicode_width(0x9000) == 2);
	CHECK(unicode_width(0xac00) == 2);
	CHECK(unicode_width(0x1160) == 0);
	CHECK(unicode_width(0xff21) == 2);
	CHECK(unicode_width(0x1f600) == 2);
	CHECK(unicode_width(0x10ffff) == 1);
	/* e with an accent that combines, two ideographs */
	CHECK(layout_width(STR("e\xcc\x81\xe9\x80\x80\xe6\xac\xbe")) == 5);
}

static void
squeezed(struct arena *a)
{
	CHECK_STR(layout_squeeze(a, STR("refund"), 6), "refund");
	CHECK_STR(layout_squeeze(a, STR("refund-approved"), 9),
	    "refu\xe2\x80\xa6oved");
	/* Two ideographs and two, in five cells and in six. */
	for (size_t width = 3; width < 8; width++) {
		struct str s = layout_squeeze(a,
		    STR("\xe9\x80\x80\xe6\xac\xbe\xe9\x80\x80\xe6\xac\xbe"),
		    width);

		CHECK(layout_width(s) <= width && layout_width(s) >= width - 2);
		CHECK(str_contains(s, "\xe2\x80\xa6"));
	}
}

static void
cut(struct arena *a)
{
	CHECK_STR(layout_cut(a, STR("abc"), 3), "abc");
	CHECK_STR(layout_cut(a, STR("abcd"), 3), "abc... [1 more bytes]");
	CHECK_STR(layout_cut(a, STR("ab\xc3\xa9"), 3), "ab... [2 more bytes]");
}

static void
wrapped(const char *text, struct layout l, const char *want)
{
	struct out o;

	out_open_memory(&o);
	layout_wrap(&o, str_of(text), &l);
	CHECK_STR(out_memory(&o), want);
	out_close(&o);
}

static void
wraps(void)
{
	struct layout l = { .indent = 2, .width = 10, .most = 3 };

	wrapped("", l, "  \n");
	wrapped("one two three", l, "  one two\n  three\n");
	wrapped("onetwothree", l, "  onetwoth\n  ree\n");
	wrapped("a\n\nb", l, "  a\n  \n  b\n");
	wrapped("a b c\nd e f g h i j\nk", l,
	    "  a b c\n  d e f g\n  h i j\n  [1 more line]\n");
	l.begun = true;
	wrapped("one two three", l, "one two\n  three\n");
	l.width = 1; /* narrower than the indent: a character a line */
	wrapped("ab", l, "a\n  b\n");
}

int
main(void)
{
	struct arena a = { 0 };

	nothing_is_obeyed(&a);
	hidden_ones_are_shown(&a);
	widths();
	squeezed(&a);
	cut(&a);
	wraps();
	arena_free(&a);
	return unit_status();
}
