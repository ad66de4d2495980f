/* Counts how much of the input is read, for a line on a terminal. Several threads count. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct extract_progress {
	atomic_size_t bytes, runs; /* read; written or left out */
	size_t total;              /* bytes of all files; 0: unknown */
	double begun;              /* time of clock_now */
	/* Is called at most five times a second, by one thread at a time. */
	void (*show)(const struct extract_progress *, double now);

	/* private */
	pthread_mutex_t lock;
	double shown;
};

/* A reader's part of the counts. */
struct extract_noted {
	size_t at;   /* offset in the file up to which bytes are counted */
	size_t runs; /* runs of the reader that are counted */
	size_t
	    left; /* bytes of the files of a group that are not counted; SIZE_MAX:
	              * the reader reads a part of a file */
};

/* Begins to count. */
void extract_progress_begin(struct extract_progress *, char ***groups,
    void (*show)(const struct extract_progress *, double now));

/* Counts what the reader read up to this offset, and runs. What is unpacked counts as
 * far as the packed file has bytes. */
void extract_progress_note(
    struct extract_progress *, struct extract_noted *, size_t at, size_t runs);

/* Begins a group of files, and ends it. */
void extract_progress_group(struct extract_noted *, char *const *files);
void extract_progress_group_ends(
    struct extract_progress *, struct extract_noted *, size_t runs);
