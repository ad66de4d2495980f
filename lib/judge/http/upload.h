/*
 * A message whose middle may be a file too long for memory: what an exchange
 * sends, as a stream. And its counterpart: a reply that goes into a file.
 */
#pragma once

#include <stdbool.h>

#include "base/str.h"
#include "io/atomic_file.h"

struct upload {
	struct str before, after;
	int fd;    /* what stands between them; -1: nothing */
	size_t n;  /* of the file, in bytes */
	size_t at; /* how much of the whole was read */
};

/* False, with errno, if the file (NULL: none) cannot be opened. Whoever opens
 * it closes it. */
bool upload_open(
    struct upload *, struct str before, const char *file, struct str after);

size_t upload_size(const struct upload *);

/* The next bytes; 0 at the end. False, with errno, if the file cannot be read,
 * or is shorter now. */
bool upload_read(struct upload *, char *buf, size_t size, size_t *n);

/* From the start again. */
void upload_rewind(struct upload *);

void upload_close(struct upload *);

/* Writes all of it to the file. False, with errno, if that cannot be. */
bool upload_save(struct atomic_file *, struct str bytes);
