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

#include "base/arena.h"
#include "base/str.h"

enum { YAML_BREAKS = 3 };

struct yaml_breaks {
	struct str instead[YAML_BREAKS]; /* absent: the text has none of it */
};

/* The text itself if it has none of them, else a copy in the arena. */
struct str yaml_breaks_hide(
    struct yaml_breaks *, struct arena *, struct str text);
/* Puts them back into what was read of the copy. */
void yaml_breaks_restore(const struct yaml_breaks *, char *s, size_t n);

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
	size_t character, offset; /* the last one asked for, in mended */
};

void yaml_text_set(struct yaml_text *, struct arena *, struct str);

/* Where in the original text this offset in the mended text lies, and this
 * character of the mended text. */
size_t yaml_text_restore(const struct yaml_text *, size_t at);
size_t yaml_text_offset(struct yaml_text *, size_t character);

/* Mends every escape that needs it in the double-quoted scalar that begins at
 * this character. False if it has none. */
bool yaml_text_repair(struct yaml_text *, struct arena *, size_t character);
