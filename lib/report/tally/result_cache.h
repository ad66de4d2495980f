/*
 * Results of checks as they were read, by their source text: what an assertion
 * says of one run, it says of the next one in the same words, and what is known
 * need not be read again. What followed it once is looked for first, since most
 * runs are checked in the same order. Memory is bounded: what comes later takes
 * the place of what has its hash.
 */
#ifndef RECALL_H
#define RECALL_H

#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "report/tally/result_check.h"

enum {
	RECALL_PLACES = 4096,
	RECALL_SOURCE_MAX = 512, /* bytes; longer ones are not remembered */
	RECALL_ROOM = 1 << 20,   /* bytes for all that is remembered */
};

/* Zeroed, it knows nothing. */
struct recall {
	struct arena arena;
	struct recall_place **places;
	struct recall_place *last; /* that was found or kept */
	size_t used;               /* bytes */
	size_t run;
};

/* Another run's results follow. */
void recall_begin(struct recall *);

/* The check that was read from such a text, or NULL if it is not known. Its
 * texts live until another run's are kept. */
const struct result_check *recall_get(struct recall *, struct str source);

/* Remembers a check, which holds texts alone: no judge and no metadata. */
void recall_keep(
    struct recall *, struct str source, const struct result_check *);

void recall_free(struct recall *);

#endif
