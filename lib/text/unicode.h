/* The little of Unicode that the dialects' own languages bring to bear. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

enum {
	UNICODE_REPLACEMENT = 0xfffd,
	UNICODE_MAX = 0x10ffff,
};

/* The character at the start of the text, which is not empty, and its length
 * in bytes. A byte that begins no valid UTF-8 is U+FFFD of length 1. */
uint32_t unicode_decode(struct str, size_t *length);
/* Like unicode_decode, but decodes the character at the end of the text. The
 * length includes any stray continuation bytes before the end. */
uint32_t unicode_decode_last(struct str, size_t *length);
/* Writes 1 to 4 bytes; returns how many. */
size_t unicode_encode(uint32_t character, char buf[4]);

/* The text itself if it is valid UTF-8; else a copy in the arena in which each
 * byte that belongs to no character is U+FFFD. */
struct str unicode_repair(struct arena *, struct str);

/* Whether it has the property White_Space, which Go calls space; JavaScript's
 * and Python's differ a little. */
bool unicode_is_space(uint32_t character);

/* Without those characters at both ends. */
struct str unicode_trim(struct str, bool (*is_space)(uint32_t));

/* JavaScript's toLowerCase: full mapping, final sigma included. The text
 * itself where nothing changes, else a copy in the arena. */
struct str unicode_lower_js(struct arena *, struct str);

/* Go's strings.ToLower: each character by itself. The same otherwise. */
struct str unicode_lower_go(struct arena *, struct str);

/* ECMAScript's Canonicalize of a UTF-16 code unit without flag u
 * (ES2023 22.2.2.7.3). */
uint16_t unicode_canonicalize_js(uint16_t unit);

/* The table behind it, in ascending order: each of the units first,
 * first + step, ... last becomes itself + delta. Units in no row stay. */
struct unicode_case {
	int32_t first, last, step, delta;
};
const struct unicode_case *unicode_case_js(size_t *rows);

/* Whether a list holds the character that tells, in turn, of so many that it
 * has not and so many that it has, from U+0000 on. */
bool unicode_listed(const uint16_t *list, size_t n, uint32_t character);

/* The properties of the same names, Unicode 17. */
bool unicode_id_start(uint32_t character);
bool unicode_id_continue(uint32_t character);

/* How many cells the character takes: 0 (it combines with the one before),
 * 1, or 2 (East Asian wide characters, emoji). Control characters count 1. */
int unicode_width(uint32_t character);
