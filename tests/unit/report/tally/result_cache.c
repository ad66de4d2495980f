/* The cache returns the results that were stored, which stay while their run is read,
 * whatever is stored meanwhile; its memory is bounded. */
#include "report/tally/result_cache.h"
#include "tests/unit/unit.h"

enum { SOURCES = 20000 };

static struct str
source_of(struct arena *a, size_t number)
{
	return str_printf(a, "{\"label\":\"%zu\"}", number);
}

/* The label is part of the source, the dialect is not; both are gone then. */
static void
keep(struct result_cache *r, size_t number)
{
	struct arena a = { 0 };
	struct str source = source_of(&a, number);
	struct result_check c = { .status = STATUS_PASSED,
		.label = str_slice(source, 10, source.n - 2),
		.dialect = str_printf(&a, "dialect %zu", number) };

	result_cache_keep(r, source, &c);
	arena_free(&a);
}

/* Returns how many of the sources are in the cache, and checks each of them. */
static size_t
known(struct result_cache *r, struct arena *a)
{
	size_t n = 0;

	for (size_t i = 0; i < SOURCES; i++) {
		const struct result_check *c =
		    result_cache_get(r, source_of(a, i));

		if (c == NULL)
			continue;
		n++;
		CHECK_STR(c->label, str_c(a, str_printf(a, "%zu", i)));
		CHECK_STR(
		    c->dialect, str_c(a, str_printf(a, "dialect %zu", i)));
		CHECK(c->type.s == NULL);
	}
	return n;
}

int
main(void)
{
	struct result_cache r = { 0 };
	struct arena a = { 0 };
	const struct result_check *first;

	result_cache_begin(&r);
	CHECK(result_cache_get(&r, source_of(&a, 0)) == NULL);
	keep(&r, 0);
	result_cache_begin(&r);
	first = result_cache_get(&r, source_of(&a, 0));
	CHECK(first != NULL);
	for (size_t i = 1; i < SOURCES; i++)
		keep(&r, i);
	CHECK_STR(first->label, "0");
	CHECK(result_cache_get(&r, source_of(&a, 0)) == first);
	CHECK(known(&r, &a) > RESULT_CACHE_PLACES / 2);
	/* Others take the places now. */
	result_cache_begin(&r);
	for (size_t i = SOURCES; i-- > 0;)
		keep(&r, i);
	CHECK(result_cache_get(&r, source_of(&a, SOURCES - 1)) != NULL);
	CHECK(known(&r, &a) > RESULT_CACHE_PLACES / 2);
	CHECK(r.used <= RESULT_CACHE_ROOM);
	result_cache_free(&r);
	arena_free(&a);
	return unit_status();
}
