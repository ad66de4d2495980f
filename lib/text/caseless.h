/*
 * Searching a text for ASCII, whatever the case of its letters, without
 * making a copy of the text in lower case.
 */
#pragma once

#include "base/str.h"

enum caseless {
	CASELESS_NO,
	CASELESS_YES,
	CASELESS_UNSURE, /* only the text in lower case tells */
};

/* Whether the text, once it is in lower case (unicode_lower_js or
 * unicode_lower_go), holds the literal, which is. */
enum caseless caseless_find(struct str text, struct str literal);

/* Whether the literal, which is in lower case and not empty, is in the text,
 * the ASCII letters in either case. */
bool caseless_has(struct str text, struct str literal);

/* Whether the word is one of the list (blanks between them), ASCII letters in
 * either case; an empty one is not. */
bool caseless_is_one_of(struct str word, const char *list);
