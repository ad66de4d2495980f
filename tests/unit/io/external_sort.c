/* Pieces come back in the order of their keys, whether they fit in memory or
 * lie in the file; one may be larger than the limit and than a block. */
#include "io/external_sort.h"
#include "tests/unit/unit.h"

#include <string.h>

enum { PIECES = 5000, LARGE = 300000 };

/* A permutation of the numbers below PIECES. */
static size_t
shuffled(size_t i)
{
	return i * 1237 % PIECES;
}

static void
sorts(size_t limit, size_t large, struct arena *a)
{
	char *x = arena_alloc(a, LARGE);
	struct str key, text;
	struct external_sort s;
	size_t n = 0;

	memset(x, 'x', LARGE);
	external_sort_start(&s, limit);
	for (size_t i = 0; i < PIECES; i++) {
		key = str_printf(a, "%05zu", shuffled(i));
		text = key;
		if (shuffled(i) == large)
			text = (struct str){ x, LARGE };
		external_sort_add(&s, key, text);
	}
	external_sort_end(&s);
	for (; external_sort_next(&s, &key, &text); n++) {
		CHECK_STR(key, str_c(a, str_printf(a, "%05zu", n)));
		if (n == large)
			CHECK(text.n == LARGE && text.s[LARGE - 1] == 'x');
		else
			CHECK(str_eq(text, key));
	}
	CHECK(n == PIECES);
	external_sort_free(&s);
}

static void
is_empty(void)
{
	struct str key, text;
	struct external_sort s;

	external_sort_start(&s, 1);
	external_sort_end(&s);
	CHECK(!external_sort_next(&s, &key, &text));
	CHECK(!external_sort_next(&s, &key, &text));
	external_sort_free(&s);
}

static void
orders_texts_of_one_key(void)
{
	static const char *const texts[] = { "b", "", "a", "ab" };
	struct str key, text;
	struct external_sort s;

	external_sort_start(&s, 1);
	for (size_t i = 0; i < 4; i++)
		external_sort_add(&s, STR("k"), str_of(texts[i]));
	external_sort_end(&s);
	CHECK(external_sort_next(&s, &key, &text) && text.n == 0);
	CHECK(external_sort_next(&s, &key, &text) && str_is(text, "a"));
	CHECK(external_sort_next(&s, &key, &text) && str_is(text, "ab"));
	CHECK(external_sort_next(&s, &key, &text) && str_is(text, "b"));
	CHECK(!external_sort_next(&s, &key, &text));
	external_sort_free(&s);
}

int
main(void)
{
	struct arena a = { 0 };

	sorts(EXTERNAL_SORT_LIMIT, PIECES, &a);
	sorts(10000, PIECES, &a);
	sorts(10000, 0, &a);
	sorts(10000, PIECES / 2, &a);
	is_empty();
	orders_texts_of_one_key();
	arena_free(&a);
	return unit_status();
}
