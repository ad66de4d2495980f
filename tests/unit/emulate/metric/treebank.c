/* The words of the Penn Treebank, as npm's js-rouge 3.2.3 divides a text. */
#include "emulate/metric/treebank.h"

#include "tests/unit/unit.h"
#include "text/unicode.h"

static struct arena arena;

/* Compares the words, with '|' between them. */
static void
words(const char *text, const char *want)
{
	struct str_list list =
	    treebank_words(&arena, str_of(text), unicode_is_space);

	CHECK_STR(str_join(&arena, list.list, list.n, STR("|")), want);
}

int
main(void)
{
	words("", "");
	words(" \n\t ", "");
	words("the cat", "the|cat");
	words("  a \n b\t", "a|b");
	words("he said \"yes\".", "he|said|``|yes|''|.");
	words("\"a\" and \"b\"", "``|a|''|and|``|b|''");
	words("(\"a\")", "(|``|a|''|)");
	words("``a''", "``|a|''");
	words("well... so.", "well|...|so|.");
	words("a.b. c.", "a.b.|c|.");
	words("see e.g.", "see|e.g.");
	words("1,000 a,b 10:30 c:", "1,000|a|,|b|10:30|c|:");
	words("a--b---c", "a|--|b|--|-c");
	words("it's they'll don't dogs' x", "it|'s|they|'ll|do|n't|dogs|'|x");
	words("cannot gonna wanna go gotta", "can|not|gon|na|wan|na|go|got|ta");
	words("wanna", "wan|na");
	words("'tis 'twas d'ye more'n", "'t|is|'t|was|d|'ye|more|'n");
	words("acannot cannoté cannot", "acannot|cannoté|can|not");
	words("50% & $5 @x #y", "50|%|&|$|5|@|x|#|y");
	words("what?!", "what|?|!");
	words("\u65e5\u672c.", "\u65e5\u672c|.");
	arena_free(&arena);
	return unit_status();
}
