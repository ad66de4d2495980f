/*
 * YAML 1.1, which libyaml reads, ends lines at U+0085, U+2028 and U+2029, too;
 * to YAML 1.2 they are characters like others. Where a text holds them libyaml
 * gets others in their place, as long as they are, that the text does not hold.
 */
#pragma once

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
