/*
 * A cache of check results by their source text. An assertion often gives the
 * same text for many runs, which then need not be parsed again. The result that
 * followed the last one in an earlier run is looked up first, because most runs
 * are checked in the same order. Memory is bounded: a later result replaces one
 * with the same hash.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/str.h"
#include "report/tally/result_check.h"

enum {
	RESULT_CACHE_PLACES = 4096,
	RESULT_CACHE_SOURCE_MAX = 512, /* bytes; a longer text is not cached */
	RESULT_CACHE_ROOM = 1 << 20,   /* bytes for all cached texts */
};

/* A zeroed cache is empty. */
struct result_cache {
	struct arena arena;
	struct result_cache_place **places;
	/* the last entry that was found or added */
	struct result_cache_place *last;
	size_t used; /* bytes */
	size_t run;
};

/* Begins the results of another run. */
void result_cache_begin(struct result_cache *);

/* Returns the check that was read from the same text, or NULL. Its texts live
 * until checks of another run are added. */
const struct result_check *result_cache_get(
    struct result_cache *, struct str source);

/* Adds a check, which must have only texts: no judge and no metadata. */
void result_cache_keep(
    struct result_cache *, struct str source, const struct result_check *);

void result_cache_free(struct result_cache *);
