/*
 * Threads that work in parallel at the input of a filter, while the output
 * stays in order: output, messages and exit status are those of one thread,
 * whatever the number of threads.
 *
 * A free thread takes the next piece of the input (io/in_chunk.h). One thread
 * at a time finds where a piece ends; then each thread reads its own piece.
 * Threads hand nothing to each other but the number of the next line. The
 * output of a piece goes to memory, and its messages to a log (diag_keep). The
 * thread that finishes the piece whose turn it is writes the output of that
 * piece, and of all later pieces that are finished. A thread that finishes
 * early leaves its piece in one of its slots and takes another, as long as it
 * has a free slot. Long output is written as it comes, once it is the piece's
 * turn. So memory is bounded by a few pieces for each thread, or a few times
 * the longest value.
 *
 * Where the input cannot be cut (see io/in_chunk.h), the thread that reads it
 * keeps the input itself, and writes at once when all earlier pieces are
 * written, like a program with one thread. So a record that comes through a
 * pipe comes out before the program waits for the next.
 *
 * A thread that ends the program (out of memory) waits for its turn, too, so
 * that one message names the reason, after the messages of all earlier pieces.
 */
#pragma once

#include "io/in_chunk.h"
#include "io/out.h"

enum { WORKERS_MAX = 256 }; /* most jobs */

/* A piece of the input, and the output of the work at it. */
struct workers_chunk {
	struct in *in;
	struct out *out;
	/* A number below jobs * WORKERS_SLOTS. Each member has WORKERS_SLOTS
	 * numbers of its own, and no two pieces that are begun and not yet
	 * written have the same number. */
	size_t slot;
};

enum { WORKERS_SLOTS = 3 };

struct workers {
	size_t jobs; /* threads, with the calling thread */
	struct in *in;
	struct out *out;
	/* Reads all lines of the piece and writes the output for them. Each
	 * thread passes its own member. */
	void (*work)(void *member, struct workers_chunk *);
	void *const *members; /* one for each job */

	/* These two are optional. Only one thread at a time calls each. */

	/* Takes the next piece. NULL: in_take_chunk. */
	enum in_chunk (*take)(void *all, struct workers_chunk *, size_t size);
	/* Writes the output of the piece; called in the order of pieces. NULL:
	 * the output is written as it is. */
	void (*commit)(void *all, struct workers_chunk *, struct out *);
	void *all; /* first argument of the two */
};

/* Works to the end of the input. The caller then adds up the counts of the
 * members. With one job, or if no thread can be created, the calling thread
 * does all the work. */
void workers_run(const struct workers *);

/* The next three are for work() with its own piece. */

/* Returns when all earlier pieces are written. Until work() returns, no other
 * thread calls commit. */
void workers_wait(struct workers_chunk *);
/* Writes the output and the messages of the piece so far; after workers_wait
 * only. */
void workers_print(struct workers_chunk *);
/* Discards the output and the messages of the piece. */
void workers_forget(struct workers_chunk *);

/*
 * Returns the number of jobs that the files are worth: one for each processor,
 * at most 8, but a single job if any input is not a regular file (a pipe gives
 * too few bytes at a time), and fewer if there is little to read. `files` is as
 * for in_open.
 */
size_t workers_size(char **files);
