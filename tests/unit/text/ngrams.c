/* The filter never denies a part of the text, and denies most other strings. */
#include "text/ngrams.h"

#include <stdio.h>

#include "tests/unit/unit.h"

static void
every_part_may_be_held(struct arena *a, struct str text)
{
	struct ngrams fours = ngrams_of(a, text, NGRAMS_OF_4);
	struct ngrams pairs = ngrams_of(a, text, NGRAMS_OF_2);

	for (size_t from = 0; from <= text.n; from++)
		for (size_t to = from; to <= text.n; to++) {
			struct str part = str_slice(text, from, to);

			CHECK(ngrams_may_hold(&fours, part));
			CHECK(ngrams_may_hold(&pairs, part));
		}
}

static void
most_is_denied(struct arena *a, struct str text, enum ngrams_size size)
{
	struct ngrams p = ngrams_of(a, text, size);
	size_t denied = 0;

	for (int i = 0; i < 1000; i++) {
		char word[16];

		snprintf(word, sizeof word, "word%d", i);
		denied += !ngrams_may_hold(&p, str_of(word));
	}
	CHECK(denied > 990);
}

int
main(void)
{
	struct arena a = { 0 };
	struct str text = STR("");

	every_part_may_be_held(&a, text);
	every_part_may_be_held(&a, STR("abc"));
	every_part_may_be_held(&a, STR("abcd"));
	every_part_may_be_held(&a,
	    STR("The refund of M\xc3\xbcller \0 was paid, \xff, was it not?"));
	for (int i = 0; i < 2000; i++)
		text = str_printf(&a, "%.*s%d; ", STR_FMT(text), i * i);
	most_is_denied(&a, text, NGRAMS_OF_4);
	most_is_denied(&a, text, NGRAMS_OF_2);
	arena_free(&a);
	return unit_status();
}
