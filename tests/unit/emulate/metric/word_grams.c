/* The sequences of words that two texts share. */
#include "emulate/metric/word_grams.h"

#include "tests/unit/unit.h"

static struct arena arena;

static struct word_grams
of(const char *text)
{
	struct str rest = str_of(text), *list = NULL;
	size_t n = 0;

	while (rest.s != NULL)
		*arena_push(&arena, list, n) = str_cut(&rest, ' ');
	return word_grams_of(&arena, (struct str_list){ list, n });
}

static size_t
shared(const char *a, const char *b, size_t length)
{
	size_t n = word_grams_shared(&arena, of(a), of(b), length);

	CHECK(n == word_grams_shared(&arena, of(b), of(a), length));
	return n;
}

int
main(void)
{
	CHECK(word_grams_count(of("a b c"), 1) == 3);
	CHECK(word_grams_count(of("a b c"), 3) == 1);
	CHECK(word_grams_count(of("a b c"), 4) == 0);
	CHECK(shared("a b c", "c b a", 1) == 3);
	CHECK(shared("a b c", "c b a", 2) == 0);
	CHECK(shared("a b a b", "a b", 2) == 1);
	CHECK(shared("a a a", "a a b", 1) == 2);
	CHECK(shared("a  b", "a  b", 3) == 1); /* the second word is empty */
	CHECK(shared("ab c", "a bc", 2) == 0);
	CHECK(word_grams_shared(&arena, (struct word_grams){ 0 }, of("a"), 1) ==
	    0);
	arena_free(&arena);
	return unit_status();
}
