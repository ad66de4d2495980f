/*
 * What JavaScript makes of values, where MCPLab's verdicts hang on it:
 * ECMAScript's Number::toString, String.prototype.trim, Number(text), and
 * JSON.stringify(JSON.parse(text)).
 */
#pragma once

#include <stdbool.h>

#include "io/out.h"
#include "json/json.h"

enum { JS_NUMBER_SIZE = 32 };

/* The number as JavaScript prints it: 100, 1e+21, 0.1, -0 as 0, NaN,
 * Infinity. The text is in buf. */
struct str js_number(double, char buf[JS_NUMBER_SIZE]);

enum { JS_DIGITS_MAX = 17 }; /* enough to distinguish any two doubles */

/* The number 0.DIGITS * 10^point. */
struct js_decimal {
	char digits[JS_DIGITS_MAX + 1]; /* ends with a NUL */
	int n, point;                   /* n: the number of digits */
};

/* Returns the fewest digits that read back as `value`, which is positive and
 * finite. */
struct js_decimal js_shortest(double value);

/* White space and line ends, which are \s in a pattern. */
bool js_is_space(uint32_t character);
/* The text without JavaScript's white space and line ends at both ends. */
struct str js_trim(struct str);

/* The length of a string, of which this is JSON source without the quotes:
 * UTF-16 units. */
size_t js_length(struct str source);

/* What Number(text) gives; false for NaN. Needs memory for a copy. */
bool js_to_number(struct str text, double *number, struct arena *);

/*
 * The value as JSON.stringify writes it: no blanks, keys that are array
 * indices first and ascending, of duplicate keys the last value at the first
 * one's place, numbers as js_number has them (null if not finite), only those
 * escapes that must be, lone surrogates as escapes in lower case.
 */
void js_stringify(struct out *, const struct json *, struct arena *);
