/* Memory that is freed all at once, and tables in it. */
#include <stdint.h>
#include <string.h>

#include "base/hash.h"
#include "tests/unit/unit.h"

static bool
is_zero(const char *p, size_t n)
{
	while (n > 0 && p[n - 1] == 0)
		n--;
	return n == 0;
}

/* Sizes around those of its blocks; none of it overlaps. */
static void
hands_out(struct arena *a)
{
	enum { LARGEST = 200000, MOST = 200 };
	char *pieces[MOST];
	size_t sizes[MOST], n = 0;

	for (size_t size = 0; size < LARGEST; size += size / 8 + 1, n++) {
		pieces[n] = arena_alloc(a, size);
		sizes[n] = size;
		CHECK((uintptr_t)pieces[n] % 16 == 0);
		CHECK(is_zero(pieces[n], size));
		memset(pieces[n], (int)n, size);
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < sizes[i]; k++)
			CHECK(pieces[i][k] == (char)i);
}

static void
grows_lists(struct arena *a)
{
	int *list = NULL;
	size_t n = 0;

	while (n < 10000) {
		int *new = arena_push(a, list, n);

		CHECK(*new == 0);
		*new = (int)n;
	}
	for (size_t i = 0; i < n; i++)
		CHECK(list[i] == (int)i + 1);
}

static void
finds_keys(struct arena *a)
{
	enum { KEYS = 5000 };
	struct hash_table table = { .arena = a };
	int values[KEYS];

	CHECK(hash_get(&table, STR("a")) == NULL);
	for (size_t i = 0; i < KEYS; i++) {
		void **place = hash_put(&table, str_printf(a, "key %zu", i));

		CHECK(*place == NULL);
		*place = &values[i];
	}
	CHECK(table.n == KEYS);
	for (size_t i = 0; i < KEYS; i++) {
		struct str key = str_printf(a, "key %zu", i);

		CHECK(hash_get(&table, key) == &values[i]);
		CHECK(*hash_put(&table, key) == &values[i]);
	}
	CHECK(table.n == KEYS);
	CHECK(hash_get(&table, STR("")) == NULL);
	*hash_put(&table, STR("")) = values;
	CHECK(hash_get(&table, (struct str){ 0 }) == values);
}

/* Lent memory belongs to the arena until the reset; the memory beside it does not. */
static void
is_lent(struct arena *a)
{
	const char text[] = "lent";

	CHECK(!arena_has(a, text) && !arena_has(a, NULL));
	arena_lend(a, text, 4);
	CHECK(arena_has(a, text) && arena_has(a, text + 3));
	CHECK(!arena_has(a, text + 4) && !arena_has(a, NULL));
	arena_reset(a);
	CHECK(!arena_has(a, text));
}

/* Each of several texts is hashed as a part of its own. */
static void
hashes(void)
{
	uint64_t a = hash_add(HASH_START, STR("a"));

	CHECK(a == hash_keyed((struct hash_secret){ 0, 0 }, STR("a")));
	CHECK(hash_add(a, STR("b")) ==
	    hash_keyed((struct hash_secret){ a, 0 }, STR("b")));
	CHECK(hash_add(a, STR("b")) != hash_add(HASH_START, STR("ab")));
}

/* CPython hashes bytes by the same function: the hashes of CPython with the key of
 * PYTHONHASHSEED=0. */
static void
keyed(void)
{
	const struct hash_secret zero = { 0, 0 };
	struct hash_secret ours = hash_secret();
	struct hash_table table = { 0 };

	CHECK(hash_keyed(zero, STR("a")) == UINT64_C(0x407448d2b89b1813));
	CHECK(hash_keyed(zero, STR("foobar")) == UINT64_C(0x7738ae0a5df09b34));
	CHECK(
	    hash_keyed(zero, STR("12345678")) == UINT64_C(0x3489982430560a87));
	CHECK(hash_keyed(zero, STR("The quick brown fox jumps")) ==
	    UINT64_C(0x9e719c78716a132b));
	CHECK(ours.low != 0 || ours.high != 0);
	CHECK(hash_get(&table, STR("a")) == NULL);
}

int
main(void)
{
	struct arena a = { 0 };

	arena_reset(&a);
	for (int round = 0; round < 3; round++) {
		hands_out(&a);
		grows_lists(&a);
		finds_keys(&a);
		is_lent(&a);
	}
	arena_free(&a);
	hands_out(&a);
	arena_free(&a);
	hashes();
	keyed();
	return unit_status();
}
