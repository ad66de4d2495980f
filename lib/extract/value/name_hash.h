/* A fast hash of the names and words in records, which are short: for tables that
 * a collision does not make wrong. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "base/str.h"

/* Adds a text's length, its first and its last bytes to the hash. */
static inline uint64_t
name_hash(uint64_t hash, struct str text)
{
	uint32_t first = 0, last = 0;

	if (text.n >= sizeof first) {
		memcpy(&first, text.s, sizeof first);
		memcpy(&last, text.s + text.n - sizeof last, sizeof last);
	} else if (text.n != 0) {
		first = (uint32_t)(unsigned char)text.s[0] |
		    (uint32_t)(unsigned char)text.s[text.n / 2] << 8;
		last = (unsigned char)text.s[text.n - 1];
	}
	hash = (hash ^ first ^ (uint64_t)last << 32 ^ text.n << 16) *
	    UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}
