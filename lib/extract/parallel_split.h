/* Cuts the input of many threads up: see extract_parallel.h. */
#pragma once

#include "extract/log_reader.h"
#include "io/in.h"
#include "io/workers.h"

struct part {
	enum {
		PART_FILES, /* whole ones */
		PART_START, /* of the file that is cut */
		PART_MORE,  /* ... what follows */
		PART_END,   /* ... and where it ends; nothing to read */
	} kind;
	bool in_turn; /* read when all before was written, and so never again */
	char **files; /* NULL-terminated */
	size_t size;  /* of pieces */
	/* Of the file that is cut: */
	const char *path;
	const struct log_format *format;
	bool shares_id;  /* its runs share one */
	struct in again; /* what is to be read of it */

	struct arena arena;
	struct run_ids ids;
	struct companions companions;
	bool wrong;   /* seen before its turn */
	bool unended; /* a run goes on behind it */
	bool prefixed, passed_over;
	struct str id; /* that its file's runs share, as it ended */
	size_t written, left_out, no_logs;
};

/* Before and after the extractor reads the part. */
void part_begin(struct part *, struct log_reader *, struct out *);
void part_end(struct part *, struct log_reader *);

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
