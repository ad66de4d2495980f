/* JavaScript's toLowerCase, and Go's; the answers are theirs. */
#include "text/unicode.h"

#include "tests/unit/unit.h"

int
main(void)
{
	static const char *const table[][2] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "Plain TEXT @[`{", "plain text @[`{" },
		{ "ÄÖÜ É", "äöü é" },
		{ "straße", "straße" },
		{ "ΣΊΣΥΦΟΣ", "σίσυφος" },
		{ "ΣΊΣΥΦΟΣ.Α", "σίσυφοσ.α" },
		{ "ΑΣ'", "ας'" },
		{ "Α.Σ", "α.ς" },
		{ "1Σ", "1σ" },
		{ "Σ", "σ" },
		{ "İ", "i̇" },
		{ "\xe2\x84\xaa", "k" },        /* KELVIN SIGN */
		{ "\xc8\xba", "\xe2\xb1\xa5" }, /* two bytes to three */
		{ "\xf0\x90\x90\x80", "\xf0\x90\x90\xa8" }, /* U+10400 */
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
	};
	struct arena arena = { 0 };
	struct str same = STR("nichts zu tun, äöü");

	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
		CHECK_STR(
		    unicode_lower_js(&arena, str_of(table[i][0])), table[i][1]);
	CHECK(unicode_lower_js(&arena, same).s == same.s);
	CHECK_STR(unicode_lower_go(&arena, STR("ΣΊΣΥΦΟΣ")), "σίσυφοσ");
	CHECK_STR(unicode_lower_go(&arena, STR("İSTANBUL")), "istanbul");
	CHECK_STR(unicode_lower_go(&arena, STR("\xe2\x84\xaa")), "k");
	arena_free(&arena);
	return unit_status();
}
