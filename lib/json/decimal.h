/* JSON numbers as exact decimals, where a double would round. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* sign * digits * 10^exponent; no zeros at either end, none at all for 0. */
struct decimal {
	int sign; /* -1, 0 or 1 */
	struct str digits;
	int64_t exponent;
};

/* Of a JSON number's text, in the arena. */
struct decimal decimal_of(struct arena *, struct str number);

/* Whether a number is written without a fraction and an exponent. */
bool decimal_is_plain(struct str number);

bool decimal_is_integer(const struct decimal *);
int decimal_compare(const struct decimal *, const struct decimal *);

/* Whether a is a whole multiple of b. False if b is 0 or has more than 18
 * digits and differs from a. */
bool decimal_is_multiple(const struct decimal *a, const struct decimal *b);
