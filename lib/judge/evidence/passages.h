/* Cuts the source text of a JSON value into passages, which can be shown one
 * without the other. */
#pragma once

#include "io/out.h"
#include "json/json.h"

/* A piece of a value's source text. */
struct passage {
	struct str text;
	bool body; /* the piece lies within a long string; otherwise it has the
		    * value's brackets, names, quotes and short strings */
};

struct passages {
	struct passage *list;
	size_t n;
};

enum { PASSAGE_HEAD = 300 }; /* bytes */

/* Returns the passages in order, in the arena: together they are the source,
 * without the quotes around a string. Each has up to 1000 bytes or so, the first of
 * an object or a list up to PASSAGE_HEAD, and ends with a line if a line ends there, else
 * between words, and never within a character or an escape. */
struct passages passages_of(struct arena *, const struct json *);

/* Writes the passage as a part of a string's body. */
void passage_write(struct out *, const struct passage *, struct arena *);
