#include "extract/run/id_set.h"

enum { SIZE_MIN = 64 };

/* Returns the slot that has the hash, or the free slot where the hash belongs. The
 * set has a free slot. */
static uint64_t *
slot_of(const struct id_set *s, uint64_t hash)
{
	size_t i = (size_t)hash & (s->size - 1);

	while (s->slots[i] != 0 && s->slots[i] != hash)
		i = (i + 1) & (s->size - 1);
	return &s->slots[i];
}

static void
grow(struct id_set *s, struct arena *a)
{
	struct id_set more = { .n = s->n,
		.size = s->size == 0 ? SIZE_MIN : s->size * 2 };

	more.slots = arena_new_n(a, uint64_t, more.size);
	for (size_t i = 0; i < s->size; i++)
		if (s->slots[i] != 0)
			*slot_of(&more, s->slots[i]) = s->slots[i];
	*s = more;
}

bool
id_set_put(struct id_set *s, struct arena *a, uint64_t hash)
{
	uint64_t *slot;

	hash += hash == 0;
	if (s->n >= s->size / 4 * 3)
		grow(s, a);
	slot = slot_of(s, hash);
	if (*slot == hash)
		return true;
	*slot = hash;
	s->n++;
	return false;
}

bool
id_set_has(const struct id_set *s, uint64_t hash)
{
	hash += hash == 0;
	return s->n != 0 && *slot_of(s, hash) == hash;
}
