/* The entries and counts of a bounded map depend neither on the order nor on the
 * number of additions, and its memory depends only on the longest keys. */
#include "report/tally/bounded_map.h"
#include "tests/unit/unit.h"

enum { KEYS = 100, MAX = 7 };

struct thing {
	struct bounded_map_item item;
	size_t times;
};

static void
count(struct bounded_map *s, size_t number, struct arena *a)
{
	char room[32];
	int n = snprintf(room, sizeof room, "%03zu", number);
	struct str key = { room, (size_t)n };
	struct thing *t;
	bool fresh;

	t = bounded_map_put(s, key, sizeof *t, a, &fresh);
	if (t == NULL)
		return;
	if (fresh)
		t->times = 0;
	t->times++;
}

static void
check_order(size_t step)
{
	struct bounded_map s = { .max = MAX };
	struct arena a = { 0 };

	for (size_t i = 0; i < (size_t)3 * KEYS; i++)
		count(&s, i * step % KEYS, &a);
	CHECK(s.n == MAX && s.full);
	for (size_t i = 0; i < s.n; i++) {
		const struct thing *t = s.list[i];

		CHECK(t->times == 3);
		CHECK(t->item.key.text.s[2] == (char)('0' + i));
	}
	CHECK(bounded_map_get(&s, STR("003")) == s.list[3]);
	CHECK(bounded_map_get(&s, STR("050")) == NULL);
	CHECK(bounded_map_get(&s, STR("0")) == NULL);
	arena_free(&a);
}

/* Each key sorts before the others: each addition but the first removes a key. */
static void
memory_is_bounded(void)
{
	struct bounded_map s = { .max = MAX };
	struct arena a = { 0 };
	const char *before;

	for (size_t i = 0; i < MAX; i++)
		count(&s, 999 - i, &a);
	before = a.next;
	for (size_t i = MAX; i < 999; i++)
		count(&s, 999 - i, &a);
	CHECK(a.next == before);
	CHECK(s.n == MAX && s.full);
	arena_free(&a);
}

static void
nothing_is_kept(void)
{
	struct bounded_map s = { .max = 0 };
	struct arena a = { 0 };

	count(&s, 1, &a);
	CHECK(s.n == 0 && s.full);
	arena_free(&a);
}

int
main(void)
{
	check_order(1);
	check_order(37);
	check_order(KEYS - 1);
	memory_is_bounded();
	nothing_is_kept();
	return unit_status();
}
