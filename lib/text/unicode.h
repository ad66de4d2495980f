/* The parts of Unicode on which the languages of the dialects (JavaScript, Go,
 * Python) depend. The tables lie in the files unicode_*.inc. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum {
	UNICODE_REPLACEMENT = 0xfffd,
	UNICODE_MAX = 0x10ffff,
};

/* Returns the first character of the text, which must not be empty, and stores
 * its length in bytes. A byte that begins no valid UTF-8 is U+FFFD of length
 * 1. */
uint32_t unicode_decode(struct str, size_t *length);
/* Like unicode_decode, but decodes the last character of the text. The length
 * includes stray continuation bytes at the end. */
uint32_t unicode_decode_last(struct str, size_t *length);
/* Writes the character in UTF-8, and returns its length, 1 to 4 bytes. */
size_t unicode_encode(uint32_t character, char buf[4]);

/* Returns the text itself if it is valid UTF-8, else a copy in the arena in
 * which U+FFFD replaces each byte that belongs to no character. */
struct str unicode_repair(struct arena *, struct str);

/* Returns whether the character has the property White_Space, which is Go's
 * notion of space. JavaScript's and Python's differ a little. */
bool unicode_is_space(uint32_t character);

/* Returns the text without the characters at both ends for which is_space() is
 * true. */
struct str unicode_trim(struct str, bool (*is_space)(uint32_t));

/* Returns the text in lower case as by JavaScript's toLowerCase: with the full
 * mapping, and with the final sigma. The result is the text itself if nothing
 * changes, else a copy in the arena. */
struct str unicode_lower_js(struct arena *, struct str);

/* Like unicode_lower_js, but as by Go's strings.ToLower, which maps each
 * character to one character without regard to its neighbours. */
struct str unicode_lower_go(struct arena *, struct str);

/* Returns ECMAScript's Canonicalize of a UTF-16 code unit, without flag u
 * (ES2023 22.2.2.7.3). */
uint16_t unicode_canonicalize_js(uint16_t unit);

/* A row of a case table: each of the characters first, first + step, ... last
 * becomes itself plus delta. A character in no row stays as it is. */
struct unicode_case {
	int32_t first, last, step, delta;
};
/* Returns the table of unicode_canonicalize_js, whose rows ascend. */
const struct unicode_case *unicode_case_js(size_t *rows);

/* Returns whether the character is in a list of n numbers. From U+0000 on, the
 * first number counts characters outside the list, the second characters in the
 * list, and so on by turns. */
bool unicode_listed(const uint16_t *list, size_t n, uint32_t character);

/* Return whether the character has ID_Start or ID_Continue (Unicode 17), as the
 * characters of identifiers and of JavaScript's group names. */
bool unicode_id_start(uint32_t character);
bool unicode_id_continue(uint32_t character);

/* Returns the number of cells that the character takes on a terminal,
 * independent of the locale (Unicode 14): 0 (it combines with the character
 * before), 1, or 2 (East Asian wide characters, emoji). Control characters
 * count 1. */
int unicode_width(uint32_t character);
