#include "base/hash.h"

#include <string.h>
#ifdef __linux__
#include <sys/auxv.h>
#endif

#include "base/swar.h"

struct hash_slot {
	struct str key; /* s is NULL in a free slot */
	uint64_t hash;
	void *value;
};

static inline uint64_t
rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static inline void
sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[0] = rotate(v[0], 32);
	v[2] += v[3];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] += v[3];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] += v[1];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[2] = rotate(v[2], 32);
}

static inline void
sip_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	sip_round(v);
	v[0] ^= word;
}

/* Returns the bytes after the last whole group of eight. */
static inline uint64_t
rest(struct str text)
{
	size_t n = text.n % 8;
	uint64_t word = 0;

	if (n != 0 && text.n > 8)
		return swar(text.s + text.n - 8) >> 8 * (8 - n);
	for (size_t i = 0; i < n; i++)
		word |= (uint64_t)(unsigned char)text.s[i] << 8 * i;
	return word;
}

uint64_t
hash_keyed(struct hash_secret key, struct str text)
{
	/* The constants are SipHash's own: "somepseudorandomly..." */
	uint64_t v[4] = {
		key.low ^ UINT64_C(0x736f6d6570736575),
		key.high ^ UINT64_C(0x646f72616e646f6d),
		key.low ^ UINT64_C(0x6c7967656e657261),
		key.high ^ UINT64_C(0x7465646279746573),
	};
	size_t i = 0;

	for (; text.n - i >= 8; i += 8)
		sip_word(v, swar(text.s + i));
	sip_word(v, rest(text) | (uint64_t)text.n << 56);
	v[2] ^= 0xff;
	for (int round = 0; round < 3; round++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

uint64_t
hash_add(uint64_t so_far, struct str text)
{
	return hash_keyed((struct hash_secret){ .low = so_far }, text);
}

uint64_t
hash_quick(struct str text)
{
	const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t a = text.n, b = odd;
	size_t i = 0;

	for (; text.n - i >= 16; i += 16) {
		a = rotate((a ^ swar(text.s + i)) * odd, 23);
		b = rotate((b ^ swar(text.s + i + 8)) * odd, 23);
	}
	if (text.n - i >= 8)
		a = rotate((a ^ swar(text.s + i)) * odd, 23);
	b = (b ^ rest(text)) * odd;
	a = (a ^ b >> 32 ^ b) * odd;
	return a ^ a >> 32;
}

struct hash_secret
hash_secret(void)
{
	struct hash_secret secret = { (uintptr_t)&secret, (uintptr_t)hash_add };
#ifdef __linux__
	uintptr_t random = getauxval(AT_RANDOM);

	if (random != 0) /* NOLINTNEXTLINE(performance-no-int-to-ptr) */
		memcpy(&secret, (const void *)random, sizeof secret);
#endif
	return secret;
}

/* Returns the key's slot, or the free slot where the key belongs. */
static struct hash_slot *
find(const struct hash_table *t, struct str key, uint64_t hash)
{
	size_t i = (size_t)hash & (t->size - 1);

	while (t->slots[i].key.s != NULL &&
	    !(t->slots[i].hash == hash && str_eq(t->slots[i].key, key)))
		i = (i + 1) & (t->size - 1);
	return &t->slots[i];
}

/* A table of at most FEW keys keeps them in the order of their arrival and
 * does not hash them. */
enum { FEW = 8 };

static struct hash_slot *
look_through(const struct hash_table *t, struct str key)
{
	for (size_t i = 0; i < t->n; i++) {
		struct str k = t->slots[i].key;

		if (k.n == key.n && str_same(k.s, key.s, k.n))
			return &t->slots[i];
	}
	return NULL;
}

static struct hash_slot *
add_to_few(struct hash_table *t, struct str key)
{
	if (t->size == 0) {
		t->size = FEW;
		t->slots = arena_new_n(t->arena, struct hash_slot, FEW);
	}
	t->slots[t->n].key = key;
	return &t->slots[t->n++];
}

static void
grow(struct hash_table *t)
{
	struct hash_table bigger = { .arena = t->arena, .n = t->n };

	bigger.size = t->size * (t->size == FEW ? 4 : 2);
	bigger.secret = t->size == FEW ? hash_secret() : t->secret;
	bigger.slots = arena_new_n(t->arena, struct hash_slot, bigger.size);
	for (size_t i = 0; i < t->size; i++) {
		struct hash_slot slot = t->slots[i];

		if (slot.key.s == NULL)
			continue;
		if (t->size == FEW)
			slot.hash = hash_keyed(bigger.secret, slot.key);
		*find(&bigger, slot.key, slot.hash) = slot;
	}
	*t = bigger;
}

static __attribute__((noinline)) struct hash_slot *
put_hashed(struct hash_table *t, struct str key)
{
	struct hash_slot *slot;
	uint64_t hash;

	if (t->n >= t->size / 2)
		grow(t);
	hash = hash_keyed(t->secret, key);
	slot = find(t, key, hash);
	if (slot->key.s == NULL) {
		*slot = (struct hash_slot){ .key = key, .hash = hash };
		t->n++;
	}
	return slot;
}

static struct hash_slot *
put(struct hash_table *t, struct str key)
{
	struct hash_slot *slot = NULL;

	if (key.s == NULL)
		key.s = "";
	if (t->size <= FEW) {
		slot = look_through(t, key);
		if (slot == NULL && t->n < FEW)
			slot = add_to_few(t, key);
	}
	return slot != NULL ? slot : put_hashed(t, key);
}

void **
hash_put(struct hash_table *t, struct str key)
{
	return &put(t, key)->value;
}

void **
hash_put_copy(struct hash_table *t, struct str key)
{
	struct hash_slot *slot = put(t, key);

	if (slot->key.s == key.s)
		slot->key = str_dup(t->arena, key);
	return &slot->value;
}

void *
hash_get(const struct hash_table *t, struct str key)
{
	const struct hash_slot *slot = t->size <= FEW
	    ? look_through(t, key)
	    : find(t, key, hash_keyed(t->secret, key));

	return slot == NULL ? NULL : slot->value;
}

struct hash_table
hash_copy(const struct hash_table *from)
{
	struct hash_table t = *from;

	if (t.size == 0)
		return t;
	t.slots = arena_new_n(t.arena, struct hash_slot, t.size);
	memcpy(t.slots, from->slots, t.size * sizeof *t.slots);
	return t;
}

enum { DIGITS_MAX = 20 };

/* Writes the number's digits and a blank, and returns the number of bytes. */
static size_t
put_length(char *to, size_t n)
{
	char digits[DIGITS_MAX];
	size_t count = 0, i = 0;

	if (n < 10) {
		to[i++] = (char)('0' + n);
		to[i++] = ' ';
		return i;
	}
	do
		digits[count++] = (char)('0' + n % 10);
	while ((n /= 10) != 0);
	while (count != 0)
		to[i++] = digits[--count];
	to[i++] = ' ';
	return i;
}

enum { SET_SIZE = 64 }; /* slots of a set, at first */

/* Returns the slot of the hash, or the free slot where the hash belongs; 0 is free.
 * Nobody can know beforehand which hashes are near each other. */
static uint64_t *
set_slot(const struct hash_set *s, uint64_t hash)
{
	uint64_t mixed = (hash >> 8 ^ s->secret.low) * (s->secret.high | 1);
	size_t i = (mixed ^ mixed >> 32) % s->size;

	while (s->slots[i] != 0 && (s->slots[i] ^ hash) > UINT8_MAX)
		i = (i + 1) % s->size;
	return &s->slots[i];
}

static void
grow_set(struct hash_set *s)
{
	struct hash_set bigger = { .arena = s->arena,
		.secret = s->size == 0 ? hash_secret() : s->secret,
		.n = s->n,
		.size = s->size == 0 ? SET_SIZE : 2 * s->size };

	bigger.slots = arena_new_n(s->arena, uint64_t, bigger.size);
	for (size_t i = 0; i < s->size; i++)
		if (s->slots[i] != 0)
			*set_slot(&bigger, s->slots[i]) = s->slots[i];
	*s = bigger;
}

/* Returns the hash, or another in place of one that a free slot could have. */
static uint64_t
set_hash(uint64_t hash)
{
	return hash > UINT8_MAX ? hash : hash | UINT64_C(1) << 63;
}

uint64_t
hash_set_add(struct hash_set *s, uint64_t hash)
{
	uint64_t *slot;

	hash = set_hash(hash);
	if (4 * s->n >= 3 * s->size)
		grow_set(s);
	slot = set_slot(s, hash);
	if (*slot == 0) {
		*slot = hash;
		s->n++;
	}
	return *slot;
}

bool
hash_set_has(const struct hash_set *s, uint64_t hash)
{
	return s->n != 0 && *set_slot(s, set_hash(hash)) != 0;
}

struct str
hash_key(struct arena *a, const struct str *texts, size_t n)
{
	size_t size = n * (DIGITS_MAX + 1), at = 0;
	char *key;

	for (size_t i = 0; i < n; i++)
		size += texts[i].n;
	key = arena_room(a, size);
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
