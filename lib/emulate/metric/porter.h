/* The stems of English words. */
#pragma once

#include "text/utf16.h"

/*
 * Returns the stem of a word in lower case, in the arena, by M. F. Porter's
 * algorithm (Program 14, 1980) as npm's package `natural` 8 carries it out: the
 * suffix `logi` becomes `log`; a word of fewer than three units is its own stem;
 * letters other than a to z, digits and signs count as consonants; a `y` behind
 * consonants ends a group, so that a vowel behind the `y` begins another group
 * of vowels.
 */
struct utf16 porter_stem(struct arena *, struct utf16 word);

/* Returns the stem of a word of ASCII in lower case, in the arena, as the stemmer of
 * Python's NLTK 3.8 finds it with its extensions, which rouge_score uses: one suffix a
 * step, other rules for -ied, -ies and -y, and words of its own. */
struct str porter_stem_nltk(struct arena *, struct str word);
