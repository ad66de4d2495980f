/*
 * A message whose middle may be a file too long for memory: what an exchange
 * sends, as a stream. And its counterpart: a reply that goes into a file.
 */
#ifndef PARCEL_H
#define PARCEL_H

#include <stdbool.h>

#include "base/str.h"
#include "io/atomic_file.h"

struct parcel {
	struct str before, after;
	int fd;    /* what stands between them; -1: nothing */
	size_t n;  /* of the file, in bytes */
	size_t at; /* how much of the whole was read */
};

/* False, with errno, if the file (NULL: none) cannot be opened. Whoever opens
 * it closes it. */
bool parcel_open(
    struct parcel *, struct str before, const char *file, struct str after);

size_t parcel_size(const struct parcel *);

/* The next bytes; 0 at the end. False, with errno, if the file cannot be read,
 * or is shorter now. */
bool parcel_read(struct parcel *, char *buf, size_t size, size_t *n);

/* From the start again. */
void parcel_rewind(struct parcel *);

void parcel_close(struct parcel *);

/* Writes all of it to the file. False, with errno, if that cannot be. */
bool parcel_save(struct newfile *, struct str bytes);

#endif
