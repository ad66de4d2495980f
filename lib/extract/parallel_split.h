/* Cuts the input of many threads up: see extract_parallel.h. */
#pragma once

#include "extract/parallel_part.h"
#include "io/workers.h"

struct extract_split {
	const struct extract_job *job;
	const struct fileset *given; /* the files that are to be read */
	char **files;                /* ... that were not begun yet */
	struct in *in;               /* the crew's */

	/* private */
	bool stdin_used;
	bool endless; /* no value was seen to end where the next file begins */
	/* The file that is cut: its path and NULL; its format, NULL if there
	 * is none; and whether its runs share an id. */
	char *cut[2];
	const struct log_format *format;
	bool shares_id;
	struct log_reader scout; /* which reads its start */
};

void extract_split_open(struct extract_split *);
void extract_split_close(struct extract_split *);

/* Takes the next part. One thread at a time. */
enum in_chunk extract_split_next(
    struct extract_split *, struct part *, struct workers_piece *, size_t size);
