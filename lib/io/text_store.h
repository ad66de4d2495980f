/*
 * Pieces of an input that are wanted again later. A piece of a regular file stays where
 * it is, and is read again from there; any other piece (of a pipe, of a compressed file,
 * of a text that was repaired) is kept in memory, and beyond a limit in a temporary
 * file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/str.h"
#include "io/in.h"

enum {
	TEXT_STORE_MEMORY = 8 * 1024 * 1024, /* bytes of pieces in memory */
	TEXT_STORE_FILES = 64, /* files that are kept open to be read again */
};

/* A zeroed store is empty. */
struct text_store {
	/* private */
	int files[TEXT_STORE_FILES];    /* descriptors; the first: temporary */
	off_t starts[TEXT_STORE_FILES]; /* where the input began in the file */
	size_t n_files;
	const char *name; /* of the file of the last piece, */
	int fd;           /* and its descriptor of the input */
	size_t file;      /* its number, or 0: it cannot be read again */
	char *buf;        /* pieces that are not in the temporary file yet */
	size_t n, size;
	off_t written; /* bytes in the temporary file */
};

/* The place of a piece. */
struct text_place {
	off_t at;
	size_t n;
	uint32_t file;   /* 0: in the store itself */
	uint32_t sample; /* of its bytes, to see whether the file has changed */
};

/* Keeps the piece, which may lie in the buffer of the input (or NULL). Lack of memory
 * and failures of the temporary file end the program. */
struct text_place text_store_add(
    struct text_store *, const struct in *, struct str piece);

/* Copies the piece to a buffer with room for all its bytes. Returns false if the file
 * has changed, or cannot be read. */
bool text_store_read(struct text_store *, struct text_place, char *to);

/* Empties the store, and frees its memory. */
void text_store_free(struct text_store *);
