/*
 * The text that libyaml reads, and where its characters stand in the text of
 * the author: libyaml counts characters, and it refuses escapes that YAML
 * does not know, which are mended here by doubling their backslash.
 */
#ifndef YAML_TEXT_H
#define YAML_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "str.h"

struct yaml_text {
	struct str original;
	struct str mended; /* the same, or the copy */
	char *copy;
	size_t *doubled; /* offsets in original of backslashes, ascending */
	size_t n_doubled;
	size_t *marks; /* offset in mended of every 256th character */
	size_t n_marks;
};

void yaml_text_set(struct yaml_text *, struct arena *, struct str);

/* Where in the original text this offset in the mended text lies, and this
 * character of the mended text. */
size_t yaml_text_unmend(const struct yaml_text *, size_t at);
size_t yaml_text_offset(const struct yaml_text *, size_t character);

/* Doubles the backslash of every unknown escape in the double-quoted scalar
 * that begins at this character. False if it has none. */
bool yaml_text_mend(struct yaml_text *, struct arena *, size_t character);

#endif
