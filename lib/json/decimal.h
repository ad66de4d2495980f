/* JSON numbers as exact decimals, for calculations in which a double would
 * round. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The number sign * digits * 10^exponent. The digits have no zeros at either
 * end; the number 0 has no digits. */
struct decimal {
	int sign; /* -1, 0 or 1 */
	struct str digits;
	int64_t exponent;
};

/* Returns the value of a JSON number's text. The digits are in the arena. */
struct decimal decimal_of(struct arena *, struct str number);

/* Returns whether a number is written without a fraction and without an
 * exponent. */
bool decimal_is_plain(struct str number);

bool decimal_is_integer(const struct decimal *);
int decimal_compare(const struct decimal *, const struct decimal *);

/* Returns whether a is an integer multiple of b; false if b is 0, or if b has
 * more than 18 digits and other digits than a. */
bool decimal_is_multiple(const struct decimal *a, const struct decimal *b);
