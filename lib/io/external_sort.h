/*
 * Pieces of text to be put out in the order of their keys, more than memory
 * should hold: an external sort. What exceeds the limit lies sorted in an
 * unlinked file in $TMPDIR (/tmp) until the pieces are read back.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

struct external_sort {
	size_t limit; /* bytes held in memory before they go to the file */

	/* private */
	struct arena arena;
	char *buf; /* the pieces that are not in the file yet */
	size_t n, size;
	size_t *pieces; /* where they begin in buf */
	size_t count, room;
	int fd; /* of the file, -1 until there is one */
	off_t end;
	struct external_sort_run *runs; /* sorted parts */
	size_t n_runs;
	struct external_sort_run
	    *taken; /* the one whose piece was returned last */
};

enum { EXTERNAL_SORT_LIMIT = 16 * 1024 * 1024 };

void external_sort_start(struct external_sort *, size_t limit);

/* Adds a piece; both texts are copied. */
void external_sort_add(struct external_sort *, struct str key, struct str text);

/* Nothing is added from now on: the pieces are read. */
void external_sort_end(struct external_sort *);

/* The next piece in the order of keys, by bytes, and of equal keys in that of
 * the texts. It lives until the next call. False after the last. */
bool external_sort_next(
    struct external_sort *, struct str *key, struct str *text);

void external_sort_free(struct external_sort *);
