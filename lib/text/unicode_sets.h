/* Sets of characters that Unicode 15.0 names, and its simple case folding. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Its runs alternate, from U+0000 on: so many characters that are not in the
 * set, then so many that are. */
struct unicode_set {
	const char *name; /* as the Unicode Character Database has it */
	const uint16_t *runs;
	size_t n;
};

/* Cc, Cf, Cn, Co, Cs, Ll, ...; each character is in one of them. */
const struct unicode_set *unicode_categories(size_t *n);
/* Adlam, Ahom, ...; so is it of these, if it is assigned. */
const struct unicode_set *unicode_scripts(size_t *n);

/* Each of the characters first, first + step, ... last folds to itself +
 * delta. Ascending; characters in no row fold to themselves. */
struct unicode_fold {
	uint32_t first, last;
	int32_t step, delta;
};
const struct unicode_fold *unicode_folds(size_t *rows);
