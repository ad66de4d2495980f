/*
 * An external sort: puts more pieces of text than memory should hold into the
 * order of their keys. Pieces that exceed the limit wait, sorted, in an
 * unlinked file in $TMPDIR (/tmp) until they are read back. Lack of memory and
 * failures of the file end the program.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/str.h"

struct external_sort {
	size_t limit; /* bytes to hold in memory */

	/* private */
	struct arena arena;
	char *buf; /* pieces that are not in the file yet */
	size_t n, size;
	size_t *pieces; /* offsets of the pieces in buf */
	size_t count, room;
	int fd; /* of the file, or -1 before there is one */
	off_t end;
	struct external_sort_run *runs; /* sorted parts of the pieces */
	size_t n_runs;
	struct external_sort_run *taken; /* whose piece was returned last */
};

enum { EXTERNAL_SORT_LIMIT = 16 * 1024 * 1024 };

void external_sort_start(struct external_sort *, size_t limit);

/* Adds a piece. Both texts are copied. */
void external_sort_add(struct external_sort *, struct str key, struct str text);

/* Ends the adding of pieces, and prepares to read them. */
void external_sort_end(struct external_sort *);

/* Stores the next piece in the order of the keys' bytes, and for equal keys of
 * the texts' bytes. The piece lives until the next call. Returns false after
 * the last piece. */
bool external_sort_next(
    struct external_sort *, struct str *key, struct str *text);

void external_sort_free(struct external_sort *);
