/* Divides the input among threads: see parallel.h. */
#pragma once

#include "extract/log_reader.h"
#include "io/in.h"
#include "io/workers.h"

struct part {
	enum {
		PART_FILES, /* whole files */
		PART_START, /* the beginning of the file that is cut */
		PART_MORE,  /* a later piece of that file */
		PART_END,   /* the end of that file; nothing to read */
	} kind;
	bool in_turn;   /* read once, after all earlier parts were written */
	char ***groups; /* of files; NULL-terminated */
	size_t size;    /* of pieces */
	/* The file that is cut: */
	const char *path;
	const struct log_format *format;
	bool shares_id;  /* its runs share an id */
	struct in again; /* the part's input */

	struct arena arena;
	struct run_ids ids;
	struct companions companions;
	bool wrong;   /* an assumption was found wrong before its turn, or
		       * the part holds records of another format */
	bool unended; /* a run continues after the part */
	bool prefixed, passed_over;
	struct str id; /* id that the file's runs share, at the part's end */
	size_t written, left_out;
	struct extract_files no_logs, unread;
	struct builder_unread lost, harmless;
};

/* Called before and after the log reader reads the part. */
void part_begin(struct part *, struct log_reader *, struct out *);
void part_end(struct part *, struct log_reader *);

struct extract_split {
	const struct extract_job *job;
	const struct fileset *given; /* all files that are to be read */
	char ***groups;              /* those that were not begun yet */
	struct in *in;               /* of the workers */
	struct log_reader scout;     /* reads the beginning of a file */

	/* private */
	bool stdin_used;
	bool endless; /* no value ended before the next file began */
	/* The file that is cut: its format, NULL if no file is cut; whether its
	 * runs share an id. */
	const struct log_format *format;
	bool shares_id;
};

/* Takes the next part. Called by one thread at a time. */
enum in_chunk extract_split_next(
    struct extract_split *, struct part *, struct workers_chunk *, size_t size);
