/* A piece of the input that a thread reads with nothing known of what came
 * before it, and what came of it: see extract_parallel.h. */
#pragma once

#include "extract/log_reader.h"
#include "io/in.h"

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

/* Begins with another part in the memory of one. */
void part_clear(struct part *, const struct fileset *given, size_t size);

/* Before and after the extractor reads the part. */
void part_begin(struct part *, struct log_reader *, struct out *);
void part_end(struct part *, struct log_reader *);
