#include "report/tally/bounded_map.h"

#include <string.h>

#include "base/hash.h"

enum { RECENT_LEAST = 6, RECENT_MIN = 32, RECENT_MAX = 4096 };

void
bounded_map_copy(struct bounded_map_text *to, struct str text, struct arena *a)
{
	if (text.n > to->size || to->room == NULL) {
		to->size = text.n > 2 * to->size ? text.n : 2 * to->size;
		to->room = arena_alloc(a, to->size);
	}
	if (text.n != 0)
		memcpy(to->room, text.s, text.n);
	to->text = (struct str){ text.s == NULL ? NULL : to->room, text.n };
}

static struct str
key_at(const struct bounded_map *s, size_t i)
{
	const struct bounded_map_item *item = s->list[i];

	return item->key.text;
}

static size_t
find(const struct bounded_map *s, struct str key)
{
	size_t low = 0, high = s->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (str_cmp(key_at(s, middle), key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Makes room to remember most of the items, unless these are few. */
static void
make_recent(struct bounded_map *s, struct arena *a)
{
	if (s->n < RECENT_LEAST || s->n * 4 < s->n_recent ||
	    s->n_recent == RECENT_MAX)
		return;
	s->n_recent = s->n_recent == 0 ? RECENT_MIN : s->n_recent * 2;
	s->recent = arena_new_n(a, struct bounded_map_item *, s->n_recent);
}

/* Returns the two places where an item of that key may be remembered, shared
 * with other keys. */
static struct bounded_map_item **
places_of(const struct bounded_map *s, struct str key)
{
	return &s->recent[hash_quick(key) & (s->n_recent - 2)];
}

static bool
is_of(const struct bounded_map_item *item, struct str key)
{
	return item != NULL && str_eq(item->key.text, key);
}

static void *
remember(struct bounded_map_item **places, struct bounded_map_item *item)
{
	if (places != NULL) {
		places[1] = places[0];
		places[0] = item;
	}
	return item;
}

/* Inserts a new item at place i. A full map takes the memory of its last
 * item. */
static struct bounded_map_item *
insert(struct bounded_map *s, size_t i, size_t size, struct arena *a)
{
	struct bounded_map_item *item;

	if (s->n == s->max) {
		item = s->list[s->n - 1];
	} else {
		item = arena_alloc(a, size);
		*arena_push(a, s->list, s->n) = item;
	}
	memmove(
	    &s->list[i + 1], &s->list[i], (s->n - 1 - i) * sizeof s->list[0]);
	s->list[i] = item;
	return item;
}

void *
bounded_map_put(struct bounded_map *s, struct str key, size_t size,
    struct arena *a, bool *fresh)
{
	struct bounded_map_item **places, *item;
	size_t i;

	make_recent(s, a);
	places = s->n_recent == 0 ? NULL : places_of(s, key);
	*fresh = false;
	for (i = 0; i < 2 && places != NULL; i++)
		if (is_of(places[i], key))
			return places[i];
	i = find(s, key);
	*fresh = i == s->n || !str_eq(key_at(s, i), key);
	if (!*fresh)
		return remember(places, s->list[i]);
	s->full |= s->n == s->max;
	if (i == s->max)
		return NULL;
	item = insert(s, i, size, a);
	bounded_map_copy(&item->key, key, a);
	return remember(places, item);
}

void *
bounded_map_get(const struct bounded_map *s, struct str key)
{
	size_t i = find(s, key);

	return i < s->n && str_eq(key_at(s, i), key) ? s->list[i] : NULL;
}

bool
bounded_map_next(
    const struct bounded_map *const maps[2], size_t at[2], const void *items[2])
{
	bool left[2] = { at[0] < maps[0]->n, at[1] < maps[1]->n };
	int order = 0;

	if (left[0] && left[1])
		order = str_cmp(key_at(maps[0], at[0]), key_at(maps[1], at[1]));
	for (int i = 0; i < 2; i++) {
		bool is_next = left[i] &&
		    (!left[1 - i] || (i == 0 ? order <= 0 : order >= 0));

		items[i] = is_next ? maps[i]->list[at[i]] : NULL;
		at[i] += is_next;
	}
	return items[0] != NULL || items[1] != NULL;
}
