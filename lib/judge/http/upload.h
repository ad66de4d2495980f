/*
 * Reads a request body as a stream: a text, a file that may be too large for
 * memory, and another text. Also writes a reply to a file.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "io/atomic_file.h"

struct upload {
	struct str before, after;
	int fd;    /* of the file; -1: no file */
	size_t n;  /* bytes in the file */
	size_t at; /* bytes of the whole that were read */
};

/* Opens the file (NULL: none). Returns false, with errno, if it cannot be
 * opened. The caller must call upload_close in either case. The texts must
 * outlive the upload. */
bool upload_open(
    struct upload *, struct str before, const char *file, struct str after);

size_t upload_size(const struct upload *);

/* Reads up to `size` bytes into `buf` and sets *n to their number; 0 at the
 * end. Returns false, with errno, if the file cannot be read or has become
 * shorter. */
bool upload_read(struct upload *, char *buf, size_t size, size_t *n);

/* Starts again at the first byte. */
void upload_rewind(struct upload *);

void upload_close(struct upload *);

/* Writes all bytes to the file. Returns false, with errno, if that fails. */
bool upload_save(struct atomic_file *, struct str bytes);
