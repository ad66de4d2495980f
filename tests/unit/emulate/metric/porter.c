/* Porter's stems, as npm's package `natural` 8 has them. */
#include "emulate/metric/porter.h"

#include "tests/unit/unit.h"

static struct arena arena;

static void
stem(const char *word, const char *want)
{
	struct utf16 found =
	    porter_stem(&arena, utf16_of(&arena, str_of(word)));

	if (utf16_distance(&arena, found, utf16_of(&arena, str_of(want)), 0) !=
	    0)
		FAIL(word);
}

int
main(void)
{
	static const char *const pairs[][2] = { { "caresses", "caress" },
		{ "ponies", "poni" }, { "cats", "cat" }, { "feed", "feed" },
		{ "agreed", "agre" }, { "plastered", "plaster" },
		{ "bled", "bled" }, { "motoring", "motor" }, { "sing", "sing" },
		{ "conflated", "conflat" }, { "troubled", "troubl" },
		{ "sized", "size" }, { "hopping", "hop" },
		{ "falling", "fall" }, { "hissing", "hiss" },
		{ "failing", "fail" }, { "filing", "file" },
		{ "happy", "happi" }, { "sky", "sky" },
		{ "relational", "relat" }, { "conditional", "condit" },
		{ "valenci", "valenc" }, { "digitizer", "digit" },
		{ "vietnamization", "vietnam" }, { "operator", "oper" },
		{ "feudalism", "feudal" }, { "decisiveness", "decis" },
		{ "formaliti", "formal" }, { "sensibiliti", "sensibl" },
		{ "triplicate", "triplic" }, { "electrical", "electr" },
		{ "goodness", "good" }, { "revival", "reviv" },
		{ "replacement", "replac" }, { "adoption", "adopt" },
		{ "probate", "probat" }, { "rate", "rate" },
		{ "cease", "ceas" }, { "controlling", "control" },
		{ "roll", "roll" }, { "analogy", "analog" }, { "is", "is" },
		{ "", "" }, { "yes", "ye" }, { "été", "été" },
		{ "日本語", "日本語" }, { "42nds", "42nd" } };

	for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
		stem(pairs[i][0], pairs[i][1]);
	arena_free(&arena);
	return unit_status();
}
