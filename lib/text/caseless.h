/*
 * Searches a text for ASCII literals in any case, without a copy of the text in
 * lower case.
 */
#pragma once

#include "base/arena.h"
#include "base/str.h"

enum caseless {
	CASELESS_NO,
	CASELESS_YES,
	CASELESS_UNSURE, /* the text must be converted to lower case */
};

/* Returns whether the text, converted to lower case (by unicode_lower_js or
 * unicode_lower_go), contains the literal, which is in lower case. */
enum caseless caseless_find(struct str text, struct str literal);

/* Returns whether the text contains the literal, with ASCII letters in either
 * case. The literal must be in lower case and not empty. */
bool caseless_has(struct str text, struct str literal);

/* Literals that a text is searched for in one pass. */
struct caseless_set;

/* Returns the set of the literals, in the arena; the literals are not copied.
 * Returns NULL if the list is empty or has more than eight literals, a literal
 * of one byte, or a literal that is not ASCII in lower case. */
struct caseless_set *caseless_set_of(struct arena *, struct str_list literals);

/* Returns whether the text, converted to lower case, surely contains none of the
 * literals. */
bool caseless_set_misses(const struct caseless_set *, struct str text);

/* Returns whether the word is in the list, whose words are separated by blanks.
 * The case of ASCII letters does not count. An empty word is in no list. */
bool caseless_is_one_of(struct str word, const char *list);
