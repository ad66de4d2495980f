/* The sequences of words (n-grams) that two texts share, for measures of their
 * likeness. */
#pragma once

#include "base/str.h"

/* Words that lie one after another in one text, with a blank between two of
 * them. */
struct word_grams {
	const struct str *words;
	size_t n;
};

/* Lays the words out, in the arena. */
struct word_grams word_grams_of(struct arena *, struct str_list words);

/* Returns the number of sequences of `length` words, 1 or more. */
size_t word_grams_count(struct word_grams, size_t length);

/* Returns the number of sequences of `length` words that both texts have. A
 * sequence that occurs several times counts as often as it does in the text in
 * which it is rarer. */
size_t word_grams_shared(
    struct arena *, struct word_grams, struct word_grams, size_t length);
