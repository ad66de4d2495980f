/* Words of English text, as the Penn Treebank divides it. */
#pragma once

#include <stdint.h>

#include "base/str.h"

/*
 * Returns the words of a text, in the arena: signs are words of their own, a
 * final full stop is, and so are 's, n't and the parts of cannot, gonna and the
 * like. The rules and their order are those of npm's js-rouge 3.2.3, which follow
 * R. MacIntyre's script for the Treebank; but a letter that modifies another one,
 * such as U+02B0, never opens a quotation behind a full stop. is_space() says
 * what divides words.
 */
struct str_list treebank_words(
    struct arena *, struct str text, bool (*is_space)(uint32_t));
