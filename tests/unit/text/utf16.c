/* UTF-16 code units, and their distance. */
#include "text/utf16.h"

#include "tests/unit/unit.h"

static struct arena arena;

static size_t
distance(const char *a, const char *b, size_t most)
{
	struct utf16 x = utf16_of(&arena, str_of(a));
	struct utf16 y = utf16_of(&arena, str_of(b));
	size_t n = utf16_distance(&arena, x, y, most);

	CHECK(n == utf16_distance(&arena, y, x, most));
	return n;
}

/* Returns the distance by the plain recurrence. */
static size_t
plainly(struct utf16 a, struct utf16 b)
{
	size_t row[32], last, n;

	for (size_t j = 0; j <= b.n; j++)
		row[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		last = row[0];
		row[0] = i;
		for (size_t j = 1; j <= b.n; j++) {
			n = last + (a.units[i - 1] != b.units[j - 1]);
			last = row[j];
			n = row[j] + 1 < n ? row[j] + 1 : n;
			row[j] = row[j - 1] + 1 < n ? row[j - 1] + 1 : n;
		}
	}
	return row[b.n];
}

/* Compares all texts of three letters up to a length with each other. */
static void
exhaustive(void)
{
	enum { LENGTH = 4, TEXTS = 1 + 3 + 9 + 27 + 81 };
	struct utf16 list[TEXTS];
	size_t n = 0;

	for (size_t length = 0, texts = 1; length <= LENGTH;
	     length++, texts *= 3)
		for (size_t i = 0; i < texts; i++) {
			uint16_t *units =
			    arena_new_n(&arena, uint16_t, LENGTH + 1);
			size_t rest = i;

			for (size_t k = 0; k < length; k++, rest /= 3)
				units[k] = (uint16_t)('a' + rest % 3);
			list[n++] = (struct utf16){ units, length };
		}
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			for (size_t most = 0; most <= LENGTH; most++) {
				size_t want = plainly(list[i], list[j]);

				CHECK(utf16_distance(
					  &arena, list[i], list[j], most) ==
				    (want > most ? most + 1 : want));
			}
}

int
main(void)
{
	struct utf16 u = utf16_of(&arena, STR("a\xff\u00e9\U0001f600"));

	CHECK(u.n == 5);
	CHECK(u.units[1] == 0xfffd && u.units[2] == 0xe9);
	CHECK(u.units[3] == 0xd83d && u.units[4] == 0xde00);
	CHECK(distance("", "", 0) == 0);
	CHECK(distance("", "abc", 5) == 3);
	CHECK(distance("kitten", "sitting", 9) == 3);
	CHECK(distance("kitten", "sitting", 3) == 3);
	CHECK(distance("kitten", "sitting", 2) == 3);
	CHECK(distance("kitten", "sitting", 0) == 1);
	CHECK(distance("a", "\U0001f600", 9) == 2);
	CHECK(distance("abc", "abcdefghij", 3) == 4);
	CHECK(distance("abc", "abc", (size_t)-2) == 0);
	exhaustive();
	arena_free(&arena);
	return unit_status();
}
