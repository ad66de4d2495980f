#include "emulate/metric/word_grams.h"

#include <string.h>

#include "base/hash.h"

struct word_grams
word_grams_of(struct arena *a, struct str_list words)
{
	struct str *list = arena_new_n(a, struct str, words.n);
	size_t size = 0;
	char *to;

	for (size_t i = 0; i < words.n; i++)
		size += words.list[i].n + 1;
	to = arena_alloc(a, size + 1);
	for (size_t i = 0; i < words.n; i++) {
		list[i] = (struct str){ to, words.list[i].n };
		if (words.list[i].n != 0)
			memcpy(to, words.list[i].s, words.list[i].n);
		to += words.list[i].n;
		*to++ = ' ';
	}
	return (struct word_grams){ list, words.n };
}

size_t
word_grams_count(struct word_grams g, size_t length)
{
	return g.n < length ? 0 : g.n - length + 1;
}

/* Returns the sequence of `length` words that begins with word i, as text. */
static struct str
gram(struct word_grams g, size_t i, size_t length)
{
	const struct str *last = &g.words[i + length - 1];
	const char *from = g.words[i].s;

	return (struct str){ from, (size_t)(last->s + last->n - from) };
}

size_t
word_grams_shared(
    struct arena *a, struct word_grams x, struct word_grams y, size_t length)
{
	struct hash_table table = { .arena = a };
	size_t n = word_grams_count(x, length), shared = 0;
	size_t *left = arena_new_n(a, size_t, n + 1); /* each not yet shared */
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		void **slot = hash_put(&table, gram(x, i, length));

		if (*slot == NULL)
			*slot = &left[used++];
		++*(size_t *)*slot;
	}
	for (size_t i = 0; i < word_grams_count(y, length); i++) {
		size_t *count = hash_get(&table, gram(y, i, length));

		if (count == NULL || *count == 0)
			continue;
		--*count;
		shared++;
	}
	return shared;
}
