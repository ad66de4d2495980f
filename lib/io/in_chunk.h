/*
 * Input in chunks, for threads that work in parallel. The owner of an input
 * lends a chunk to a borrower. The chunk is a struct in of its own that returns
 * its lines with the numbers and places that they have in the whole file. A
 * chunk ends at a border (in_border), where a value begins whatever came
 * before. So the borrowers together find the same values, also bad ones, as one
 * reader of the whole.
 *
 * When a chunk of a file is lent, only the end of the chunk is read. The
 * borrower reads the rest, while other threads borrow.
 *
 * Where no border is in sight (a value of many megabytes, lines that are no
 * objects, or a pipe that has no more bytes now), the input itself is lent: the
 * borrower continues to read at the owner's place, as far as it likes.
 */
#pragma once

#include "io/in.h"

enum in_chunk {
	IN_NOTHING,     /* the input has ended */
	IN_CHUNK,       /* `to` is a chunk */
	IN_WHOLE_INPUT, /* `to` is the input itself: in_chunk_return must
	             * follow before the next in_take_chunk */
};

/*
 * Lends about `size` bytes of one file. `to` is zeroed at first, and can be
 * used for later chunks; the two structs may exchange their buffers. The
 * owner's idle function is not called. The caller sets the borrower's, which is
 * called before each read.
 */
enum in_chunk in_take_chunk(struct in *, struct in *to, size_t size);

/* Reads the missing part of the chunk. A failure ends the chunk, and is
 * reported when in_line gets there. A second call does nothing. */
void in_chunk_fetch(struct in *to);

/*
 * Sets the numbers of the chunk's lines. The caller calls this function for all
 * chunks in order, after in_chunk_fetch and before in_line. *next is the number of
 * the line behind the chunk. The caller keeps *next from chunk to chunk, and
 * sets it to in->next_line after in_chunk_return. *next becomes 0 if the rest
 * of the file cannot be read; then the later chunks of the file are made empty.
 * (The first chunk of a file has its numbers from the beginning.)
 */
void in_chunk_number(struct in *to, size_t *next);

/* Takes the input itself back from the borrower `from`. */
void in_chunk_return(struct in *, struct in *from);

/* Makes `to` an input of its own that has nothing to read. The caller may give
 * it files (in_again). */
void in_chunk_none(const struct in *, struct in *to);

/* Returns whether other chunks of the same file follow this chunk. */
bool in_chunk_has_next(const struct in *to);

/* Returns whether the name belongs to a regular file ("-" is standard input).
 * Then the size of the file is added to *bytes. */
bool in_is_regular(const char *name, size_t *bytes);

/* Frees the memory of `to`. Closes no file. */
void in_chunk_close(struct in *to);
