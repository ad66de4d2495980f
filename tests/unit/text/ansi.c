/* The visible characters and the control sequences of a text. */
#include "text/ansi.h"

#include "tests/unit/unit.h"

static struct arena arena;

static void
strip(const char *text, const char *want)
{
	CHECK_STR(ansi_strip(&arena, str_of(text)), want);
}

int
main(void)
{
	strip("no sequence \x18\x7f\a", "no sequence \x18\x7f\a");
	strip("\x1b[1;31mred\x1b[0m\n", "red\n");
	strip("\x1b[?25l\x1b(B\x1b=a", "a");
	strip("\x1b[3\n1mé", "\né");
	strip("\x1b[é", "é");
	strip("\x1b\n[31ma", "\na");
	/* What ends a sequence too early is shown. */
	strip("\x1b[3\x7f"
	      "1ma",
	    "a");
	strip("\x1b[3\x18"
	      "1m",
	    "\x18"
	    "1m");
	strip("\x1b[ 1m", "m");
	strip("\x1b[3\x1b[1ma", "a");
	/* Strings. */
	strip("\x1b]0;✳ title\aa", "a");
	strip("\x1b]0;title\x1b\\a", "a");
	strip("\x1b]0;title\x18"
	      "a",
	    "a");
	strip("\x1bP1$qm\x1b\\a\x1b_x\a\x1b\\b\x1b^y\x1b\\c", "abc");
	strip("a\x1bP\x1b\\b\x1b\\c", "ac");
	strip("a\x1b]no end", "a");
	strip("a\x1b", "a");
	arena_free(&arena);
	return unit_status();
}
