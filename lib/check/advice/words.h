/* Subjects of English texts, as far as their words show that. */
#pragma once

#include "base/str.h"

/* Removes the first word from the text and returns the word; empty at the end. The
 * characters of words are letters, digits, those beyond ASCII, and the signs. */
struct str words_next(struct str *text, const char *signs);

/* Returns whether one of the text's words is in the list, whose words are
 * separated by blanks. */
bool words_any(struct str text, const char *list);

/* Returns the number of the text's words that are not in the list. */
size_t words_besides(struct str text, const char *list);

/* Words of texts about errors, and about speed. */
extern const char words_of_errors[], words_of_speed[];
