/*
 * The text that libyaml reads, and where its characters stand in the text of
 * the author: libyaml counts characters, and it refuses some escapes, which
 * are mended here. Those that YAML does not know have their backslash doubled;
 * of a pair of surrogates, as JSON writes a character beyond U+FFFF and npm's
 * yaml reads one, the character itself stands there.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "yaml/breaks.h"

struct yaml_repair {
	size_t at, in_mended; /* offsets */
	size_t taken;         /* bytes of the original: 1 if it is doubled */
	struct str put;       /* for them */
};

struct yaml_text {
	struct str original; /* but for its breaks of YAML 1.1 */
	struct yaml_breaks breaks;
	struct str mended; /* the same, or the copy */
	char *copy;
	struct yaml_repair *mends; /* in the text's order */
	size_t n_mends;
	size_t *marks; /* offset in mended of every 256th character */
	size_t n_marks;
};

void yaml_text_set(struct yaml_text *, struct arena *, struct str);

/* Where in the original text this offset in the mended text lies, and this
 * character of the mended text. */
size_t yaml_text_restore(const struct yaml_text *, size_t at);
size_t yaml_text_offset(const struct yaml_text *, size_t character);

/* Mends every escape that needs it in the double-quoted scalar that begins at
 * this character. False if it has none. */
bool yaml_text_repair(struct yaml_text *, struct arena *, size_t character);
