#include "hash.h"

#include <string.h>

struct hash_slot {
	struct str key; /* s is NULL: free */
	uint64_t hash;
	void *value;
};

uint64_t
hash_add(uint64_t so_far, struct str text)
{
	for (size_t i = 0; i < text.n; i++)
		so_far = (so_far ^ (unsigned char)text.s[i]) *
		    UINT64_C(0x100000001b3);
	return so_far;
}

/* The key's slot, or the free one where it belongs. */
static struct hash_slot *
find(const struct hash_table *t, struct str key, uint64_t hash)
{
	size_t i = (size_t)(hash ^ hash >> 32) & (t->size - 1);

	while (t->slots[i].key.s != NULL &&
	    !(t->slots[i].hash == hash && str_eq(t->slots[i].key, key)))
		i = (i + 1) & (t->size - 1);
	return &t->slots[i];
}

static void
grow(struct hash_table *t)
{
	struct hash_table bigger = { .arena = t->arena, .n = t->n };

	bigger.size = t->size == 0 ? 16 : t->size * 2;
	bigger.slots = arena_new_n(t->arena, struct hash_slot, bigger.size);
	for (size_t i = 0; i < t->size; i++)
		if (t->slots[i].key.s != NULL)
			*find(&bigger, t->slots[i].key, t->slots[i].hash) =
			    t->slots[i];
	*t = bigger;
}

void **
hash_put(struct hash_table *t, struct str key)
{
	uint64_t hash = hash_add(HASH_START, key);
	struct hash_slot *slot;

	if (key.s == NULL)
		key.s = "";
	if (t->n >= t->size / 2)
		grow(t);
	slot = find(t, key, hash);
	if (slot->key.s == NULL) {
		*slot = (struct hash_slot){ .key = key, .hash = hash };
		t->n++;
	}
	return &slot->value;
}

void *
hash_get(const struct hash_table *t, struct str key)
{
	if (t->size == 0)
		return NULL;
	return find(t, key, hash_add(HASH_START, key))->value;
}

enum { DIGITS_MAX = 20 };

/* Writes the number's digits and a blank; how many bytes that is. */
static size_t
put_length(char *to, size_t n)
{
	char digits[DIGITS_MAX];
	size_t count = 0, i = 0;

	do
		digits[count++] = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	while (count != 0)
		to[i++] = digits[--count];
	to[i++] = ' ';
	return i;
}

struct str
hash_key(struct arena *a, const struct str *texts, size_t n)
{
	size_t size = n * (DIGITS_MAX + 1), at = 0;
	char *key;

	for (size_t i = 0; i < n; i++)
		size += texts[i].n;
	key = arena_alloc(a, size);
	for (size_t i = 0; i < n; i++) {
		if (texts[i].s != NULL) {
			at += put_length(key + at, texts[i].n);
			continue;
		}
		key[at++] = '-';
		key[at++] = ' ';
	}
	for (size_t i = 0; i < n; i++) {
		if (texts[i].s != NULL)
			memcpy(key + at, texts[i].s, texts[i].n);
		at += texts[i].n;
	}
	return (struct str){ key, at };
}

void
hash_key_split(struct str key, struct str *texts, size_t n)
{
	struct str lengths = key;
	size_t at = key.n;

	for (size_t i = 0; i < n; i++) {
		struct str digits = str_cut(&lengths, ' ');

		texts[i] =
		    (struct str){ str_is(digits, "-") ? NULL : key.s, 0 };
		for (size_t j = 0; texts[i].s != NULL && j < digits.n; j++)
			texts[i].n =
			    10 * texts[i].n + (size_t)(digits.s[j] - '0');
	}
	for (size_t i = n; i-- > 0;) {
		at -= texts[i].n;
		if (texts[i].s != NULL)
			texts[i].s = key.s + at;
	}
}
