/*
 * Threads that work at the input of a filter side by side, while all that
 * comes of it stays in order: output, messages and exit status are those of
 * one thread, whatever the number.
 *
 * Whoever is free takes the next piece of the input (in_take_chunk.h): one at a time
 * finds where it ends, and all read side by side what they work at. Nothing is
 * handed from one thread to another but the number of the next line. What a
 * thread writes goes to memory, and what it says is kept (diag_keep). Who
 * finishes the piece whose turn it is writes it out, and those after it that
 * are ready; who finishes early leaves its piece and takes another, as far as
 * it has slots. What is long is written as it comes, once it is its turn. So
 * memory is bounded by a few pieces for each thread, or a few times the longest
 * value.
 *
 * Where the input cannot be cut (see in_take_chunk.h), who reads it keeps it and
 * writes as it goes when the others are done: the same as one thread. So a
 * record that comes through a pipe comes out before the next is waited for.
 *
 * A thread that ends the program (out of memory) waits for its turn too, so
 * that one message tells why, after those of all that came before.
 */
#pragma once

#include "io/in_chunk.h"
#include "io/out.h"

enum { WORKERS_MAX = 256 }; /* jobs */

/* A piece of the input, and where what comes of it goes. */
struct workers_piece {
	struct in *in;
	struct out *out;
	/* Of those that are begun and not written no two have the same, and
	 * a member's are its own: it is below WORKERS_SLOTS for each job. */
	size_t slot;
};

enum { WORKERS_SLOTS = 3 };

struct workers {
	size_t jobs; /* threads, this one among them */
	struct in *in;
	struct out *out;
	/* Works at all lines of the piece's input and writes what comes of
	 * them. Each of the threads has a member of its own. */
	void (*work)(void *member, struct workers_piece *);
	void *const *members; /* as many as jobs */

	/* What follows may be left out: then it is in_take_chunk, and what was
	 * written is what goes out. One thread at a time is in each. */
	/* Takes the next piece. */
	enum in_chunk (*lend)(void *all, struct workers_piece *, size_t size);
	/* Writes what came of the piece, in order. */
	void (*tell)(void *all, struct workers_piece *, struct out *);
	void *all;
};

/* Works to the end of the input; what is counted in the members is the
 * caller's to add up. With one job, or if there can be no threads, it is this
 * thread that does it all. */
void workers_run(const struct workers *);

/* For a piece that is worked at: returns when all before it is written. Until
 * the work ends nobody else is in tell. */
void workers_wait(struct workers_piece *);
/* ... then: what came of it so far is told and written. */
void workers_print(struct workers_piece *);
/* What came of it is forgotten, and what was said of it. */
void workers_forget(struct workers_piece *);

/*
 * How many jobs the files are worth: one for each processor, but one alone
 * where something is no regular file (a pipe gives too little at a time), and
 * where there is little to read. `files` is as in_open takes it.
 */
size_t workers_size(char **files);
