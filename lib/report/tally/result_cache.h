/*
 * Results of checks as they were read, by their source text: what an assertion
 * says of one run, it says of the next one in the same words, and what is known
 * need not be read again. What followed it once is looked for first, since most
 * runs are checked in the same order. Memory is bounded: what comes later takes
 * the place of what has its hash.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "report/tally/result_check.h"

enum {
	RESULT_CACHE_PLACES = 4096,
	RESULT_CACHE_SOURCE_MAX =
	    512,                     /* bytes; longer ones are not remembered */
	RESULT_CACHE_ROOM = 1 << 20, /* bytes for all that is remembered */
};

/* Zeroed, it knows nothing. */
struct result_cache {
	struct arena arena;
	struct result_cache_place **places;
	struct result_cache_place *last; /* that was found or kept */
	size_t used;                     /* bytes */
	size_t run;
};

/* Another run's results follow. */
void result_cache_begin(struct result_cache *);

/* The check that was read from such a text, or NULL if it is not known. Its
 * texts live until another run's are kept. */
const struct result_check *result_cache_get(
    struct result_cache *, struct str source);

/* Remembers a check, which holds texts alone: no judge and no metadata. */
void result_cache_keep(
    struct result_cache *, struct str source, const struct result_check *);

void result_cache_free(struct result_cache *);
