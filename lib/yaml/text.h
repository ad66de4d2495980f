/*
 * Prepares the text that libyaml reads, and maps libyaml's character positions
 * to byte offsets in the author's text. Two things are changed for libyaml.
 *
 * Escapes that libyaml refuses are repaired: an unknown escape has its
 * backslash doubled, and an escaped pair of surrogates (which JSON needs for
 * characters beyond U+FFFF, and which npm's yaml accepts) is replaced by its
 * character.
 *
 * The line breaks U+0085, U+2028 and U+2029 of YAML 1.1, which libyaml follows,
 * are ordinary characters in YAML 1.2. They are replaced by substitutes:
 * characters of the same length that the text does not contain.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"

enum { YAML_BREAKS = 3 };

struct yaml_breaks {
	struct str instead[YAML_BREAKS]; /* absent: no such character */
};

/* Returns the text itself if it has none of these line breaks, else a copy, in
 * the arena, with substitutes. */
struct str yaml_breaks_hide(
    struct yaml_breaks *, struct arena *, struct str text);
/* Puts the line breaks back into n bytes that libyaml has read. */
void yaml_breaks_restore(const struct yaml_breaks *, char *s, size_t n);

struct yaml_repair {
	size_t at, in_mended; /* offsets of the escape */
	size_t taken;         /* original bytes; 1: a doubled backslash */
	struct str put;       /* the replacement */
};

struct yaml_text {
	struct str original; /* with substitutes for line breaks */
	struct yaml_breaks breaks;
	struct str mended; /* text for libyaml: the original or the copy */
	char *copy;
	struct yaml_repair *mends; /* in the order of the text */
	size_t n_mends;
	size_t character, offset; /* of the last request, in `mended` */
};

void yaml_text_set(struct yaml_text *, struct arena *, struct str);

/* yaml_text_restore returns the offset in the original text for an offset in
 * the repaired text; yaml_text_offset for a character of the repaired text. */
size_t yaml_text_restore(const struct yaml_text *, size_t at);
size_t yaml_text_offset(struct yaml_text *, size_t character);

/* Repairs all escapes that need it in the double-quoted scalar that begins at
 * this character. Returns false if there are none. */
bool yaml_text_repair(struct yaml_text *, struct arena *, size_t character);
