/* The result is that of a search in the text in lower case. */
#include "text/caseless.h"

#include <stdio.h>

#include "tests/unit/unit.h"
#include "text/unicode.h"

static uint32_t
random_below(uint32_t *state, uint32_t n)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 8) % n;
}

/* Words of few letters, so that many are found, and what becomes ASCII. */
static struct str
random_text(struct arena *a, uint32_t *state, uint32_t most)
{
	static const char *const parts[] = { "a", "A", "k", "K", "i", "I", "s",
		"S", "z", "Z", "@", "`", "[", "{", " ", "\xc4\xb0",
		"\xe2\x84\xaa", "\xc3\x84", "\xc3\xa4", "\xc5\xbf" };
	enum { PARTS = sizeof parts / sizeof parts[0] };
	uint32_t n = random_below(state, most), kinds;
	struct str *list = arena_new_n(a, struct str, n + 1);

	kinds = random_below(state, 2) == 0 ? 8 : PARTS;
	for (uint32_t i = 0; i < n; i++)
		list[i] = str_of(parts[random_below(state, kinds)]);
	return str_join(a, list, n, STR(""));
}

static void
agree(struct str text, struct str literal, struct str lower)
{
	enum caseless found = caseless_find(text, literal);
	bool holds = str_contains(lower, literal);

	if (found == CASELESS_UNSURE || holds == (found == CASELESS_YES))
		return;
	unit_failures++;
	fprintf(stderr, "\"%.*s\" in \"%.*s\": %d\n", STR_FMT(literal),
	    STR_FMT(text), holds);
}

int
main(void)
{
	struct arena a = { 0 };
	uint32_t state = 1;

	for (int i = 0; i < 20000; i++) {
		struct str text = random_text(&a, &state, 60), literal;

		literal =
		    unicode_lower_js(&a, random_text(&a, &state, 1 + i % 6));
		agree(text, literal, unicode_lower_js(&a, text));
		agree(text, literal, unicode_lower_go(&a, text));
		arena_reset(&a);
	}
	CHECK(caseless_find(STR(""), STR("")) == CASELESS_YES);
	CHECK(caseless_find(STR(""), STR("x")) == CASELESS_NO);
	CHECK(caseless_find((struct str){ 0 }, STR("x")) == CASELESS_NO);
	CHECK(caseless_find(STR("It was COMPLETED successFULLY at last"),
		  STR("completed successfully")) == CASELESS_YES);
	CHECK(caseless_find(STR("Stra\xc3\x9f"
				"e, sixteen bytes"),
		  STR("sixty")) == CASELESS_NO);
	CHECK(caseless_find(STR("\xe2\x84\xaa"), STR("k")) == CASELESS_UNSURE);
	CHECK(caseless_find(STR("\xc4\xb0"), STR("i")) == CASELESS_UNSURE);
	CHECK(
	    caseless_find(STR("\xc3\x84"), STR("\xc3\xa4")) == CASELESS_UNSURE);
	arena_free(&a);
	return unit_status();
}
