/*
 * Input in pieces, for those who work at it side by side. A piece is a struct
 * in of its own and gives the lines of it as if it had read them, with their
 * numbers and places. Where a piece is cut, a value begins whatever came
 * before (in_border); so what is found in each piece, bad values
 * included, is what would be found in the whole.
 *
 * Of a file only the end of a piece is read when it is lent; the rest is for
 * the borrower to read, while others borrow.
 *
 * Where no such place is to be seen (a value of many megabytes, lines that are
 * no objects, or a pipe that has no more to give now), the input itself is
 * lent: the borrower reads on where the owner stood, as far as it likes.
 */
#pragma once

#include "io/in.h"

enum in_chunk {
	IN_NOTHING, /* the input has ended */
	IN_PIECE,
	IN_ITSELF, /* the caller gives it back before it lends again */
};

/*
 * Lends about `size` bytes, never of two files. `to` is zeroed at first, and
 * used again afterwards; its buffer may become the owner's. in->idle is not
 * called of the owner; the borrower's is the caller's to set, and called before
 * each read.
 */
enum in_chunk in_take_chunk(struct in *, struct in *to, size_t size);

/* Reads what is missing of the piece. What cannot be read ends it, which is
 * told by who reads so far. The second time it does nothing. */
void in_fetch(struct in *to);

/*
 * Says what the numbers of its lines are, before they are read, and after
 * in_fetch; of all that is lent, in order. `next` is the number of the line
 * behind it, which the caller keeps, and sets to in->next_line when the input
 * was taken back; 0: the rest of the file cannot be read, and what was lent of
 * it is made empty. (A file's first piece knows its numbers from the
 * beginning.)
 */
void in_number(struct in *to, size_t *next);

/* Takes the input back from who read on in it. */
void in_chunk_return(struct in *, struct in *from);

/* Lends nothing: `to` is one of its own and may be given files. */
void in_chunk_none(const struct in *, struct in *to);

/* Whether more of its file comes after the piece. */
bool in_goes_on(const struct in *to);

/* Whether it is a regular file ("-" is standard input); then its bytes are
 * added. */
bool in_is_regular(const char *name, size_t *bytes);

/* Frees what `to` was given; closes no file. */
void in_chunk_close(struct in *to);
