/*
 * Values as JavaScript sees them, where MCPLab's verdicts depend on it:
 * ECMAScript's Number::toString, String.prototype.trim, Number(text), and
 * JSON.stringify(JSON.parse(text)).
 */
#pragma once

#include <stdbool.h>

#include "base/hash.h"
#include "io/out.h"
#include "json/json.h"

enum { JS_NUMBER_SIZE = 32 };

/* Returns the number as JavaScript prints it: 100, 1e+21, 0.1, 0 for -0, NaN,
 * Infinity. The text may be in `buf`. */
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

/* Returns whether the character is JavaScript's white space or a line end (\s
 * in a pattern). */
bool js_is_space(uint32_t character);
/* Returns the text without JavaScript's white space and line ends at both
 * ends. */
struct str js_trim(struct str);

/* Returns what text.split(/\s+/) does: the words of the text, in the arena, with
 * an empty word before white space at the start, one behind white space at the
 * end, and one for an empty text. */
struct str_list js_split_space(struct arena *, struct str text);

/* Returns the length, in UTF-16 code units, of a string whose JSON source
 * without quotes is given. */
size_t js_length(struct str source);

/* Stores what Number(text) returns; returns false for NaN. The arena is for a
 * copy of the text. */
bool js_to_number(struct str text, double *number, struct arena *);

/*
 * Writes the value as JSON.stringify does: no blanks; keys that are array
 * indices first, in ascending order; of duplicate keys the last value, at the
 * place of the first; numbers as js_number prints them (null if not finite);
 * only the escapes that are necessary; lone surrogates as escapes in lower
 * case.
 */
void js_stringify(struct out *, const struct json *, struct arena *);

/* Returns the hash (hash_add) of the texts that are hashed so far, and of what
 * js_stringify writes of the value. */
uint64_t js_hash(uint64_t so_far, const struct json *, struct arena *);
