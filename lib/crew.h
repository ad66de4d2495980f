/*
 * Threads that work at the input of a filter side by side, while all that
 * comes of it stays in order: output, messages and exit status are those of
 * one thread, whatever the number.
 *
 * Whoever is free takes the next piece of the input (in_lend.h): one reads at
 * a time, into the buffer that it will work on, so nothing is handed from one
 * thread to another but the rest of a line. What it writes goes to memory, and
 * what it says is kept (diag_keep). Who finishes the piece whose turn it is
 * writes it out, and those after it that are ready; who finishes early leaves
 * its piece and takes another, as far as there are slots. So memory is bounded
 * by a few pieces for each thread, or a few times the longest value.
 *
 * Where the input cannot be cut (see in_lend.h), who reads it keeps it and
 * writes as it goes when the others are done: the same as one thread. So a
 * record that comes through a pipe comes out before the next is waited for.
 *
 * A thread that ends the program (out of memory) waits for its turn too, so
 * that one message tells why, after those of all that came before.
 */
#ifndef CREW_H
#define CREW_H

#include "in.h"
#include "out.h"

enum { CREW_MAX = 256 }; /* jobs */

struct crew {
	size_t jobs; /* threads, this one among them */
	struct in *in;
	struct out *out;
	/* Works at all lines of `in` and writes what comes of them. Each of
	 * the threads has a member of its own. */
	void (*work)(void *member, struct in *, struct out *);
	void *const *members; /* as many as jobs */
};

/* Works to the end of the input; what is counted in the members is the
 * caller's to add up. With one job, or if there can be no threads, it is this
 * thread that does it all. */
void crew_run(const struct crew *);

/*
 * How many jobs the files are worth: one for each processor, but one alone
 * where something is no regular file (a pipe gives too little at a time), and
 * where there is little to read. `files` is as in_open takes it.
 */
size_t crew_size(char **files);

#endif
