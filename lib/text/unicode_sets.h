/*
 * The sets of characters that Unicode 15.0 names, and its simple case folding.
 * The tables lie in unicode_category.inc, unicode_script.inc and
 * unicode_fold.inc.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* A set of characters. The runs cover the characters from U+0000 on: the first
 * run counts characters outside the set, the second characters in the set, and
 * so on by turns, as unicode_listed() reads them. */
struct unicode_set {
	const char *name; /* as in the Unicode Character Database */
	const uint16_t *runs;
	size_t n;
};

/* Returns the general categories Cc, Cf, Cn, Co, Cs, Ll, ... in the order of
 * their names. Each character is in exactly one category. */
const struct unicode_set *unicode_categories(size_t *n);

/* Returns the scripts Adlam, Ahom, ... in the order of their names. Each
 * assigned character is in exactly one script. */
const struct unicode_set *unicode_scripts(size_t *n);

/* Each of the characters first, first + step, ... last folds to itself plus
 * delta. */
struct unicode_fold {
	uint32_t first, last;
	int32_t step, delta;
};

/* Returns the rows of simple case folding in ascending order. A character in no
 * row folds to itself. */
const struct unicode_fold *unicode_folds(size_t *rows);
