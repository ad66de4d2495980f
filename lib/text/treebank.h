/* Words of English text, as the Penn Treebank divides it. */
#pragma once

#include <stdint.h>

#include "base/str.h"

/*
 * Returns the words of a text in lower case, in the arena: signs are words of
 * their own, a final full stop is, and so are 's, n't and the parts of cannot,
 * gonna and the like. The rules and their order are those of npm's js-rouge 3,
 * which follow R. MacIntyre's script for the Treebank; of the contractions each
 * is divided once. Words are what lies between blanks: other white space is a
 * part of a word, and a text of nothing but blanks is one empty word. is_space()
 * says what may follow a final full stop.
 */
struct str_list treebank_words(
    struct arena *, struct str text, bool (*is_space)(uint32_t));
