#include "emulate/metric/rouge.h"

#include "base/ascii.h"
#include "base/hash.h"
#include "emulate/metric/common.h"
#include "emulate/metric/word_grams.h"
#include "text/unicode.h"

enum {
	STEMMED = 3
}; /* words of at most so many characters are their own stems */

static struct str_list
words_of(struct arena *a, struct str text,
    struct str (*stem)(struct arena *, struct str))
{
	struct str lower = unicode_lower_js(a, text);
	struct str *list = NULL;
	size_t n = 0;

	for (size_t i = 0, from; i < lower.n; i++) {
		struct str word;

		from = i;
		while (i < lower.n && ascii_is_alnum((unsigned char)lower.s[i]))
			i++;
		word = str_slice(lower, from, i);
		if (word.n > STEMMED && stem != NULL)
			word = stem(a, word);
		if (word.n != 0)
			*arena_push(a, list, n) = word;
	}
	return (struct str_list){ list, n };
}

/* Gives equal words of both lists equal numbers. */
static struct symbols
numbers_of(struct hash_table *numbers, struct str_list words)
{
	struct symbols s = { .list = arena_new_n(
				 numbers->arena, uint32_t, words.n + 1) };

	for (; s.n < words.n; s.n++) {
		void **slot = hash_put(numbers, words.list[s.n]);
		uint32_t *number = *slot;

		if (number == NULL) {
			*slot = number = arena_new(numbers->arena, uint32_t);
			*number = (uint32_t)numbers->n;
		}
		s.list[s.n] = *number;
	}
	return s;
}

static size_t
longest_common(struct arena *a, struct str_list x, struct str_list y)
{
	struct hash_table numbers = { .arena = a };
	struct symbols of_x = numbers_of(&numbers, x);

	return common_length(a, of_x, numbers_of(&numbers, y));
}

double
rouge_score(struct arena *a, struct str candidate, struct str reference,
    size_t order, struct str (*stem)(struct arena *, struct str))
{
	struct str_list c = words_of(a, candidate, stem),
			r = words_of(a, reference, stem);
	struct word_grams of_c = word_grams_of(a, c),
			  of_r = word_grams_of(a, r);
	size_t n = c.n, m = r.n, shared;
	double precision, recall;

	if (order == ROUGE_L) {
		shared = longest_common(a, c, r);
	} else {
		shared = word_grams_shared(a, of_c, of_r, order);
		n = word_grams_count(of_c, order);
		m = word_grams_count(of_r, order);
	}
	if (shared == 0 || shared == SIZE_MAX)
		return shared == 0 ? 0 : -1;
	precision = (double)shared / (double)n;
	recall = (double)shared / (double)m;
	return 2 * precision * recall / (precision + recall);
}
