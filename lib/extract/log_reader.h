/* Who reads log files, one after another: finds each file's format and feeds
 * it its records. */
#pragma once

#include "extract/companions.h"
#include "extract/find_logs.h"
#include "extract/format/format.h"
#include "extract/run/builder.h"
#include "json/stream.h"

struct extract_job {
	const struct builder_options *options;
	/* Of every file; NULL: each file's is found from its records. */
	const struct log_format *format;
	/* What it found need be no log: that is only counted. NULL: none. */
	const struct walk *walk;
	size_t max_line;
	bool strict; /* stops at the first bad line */
	/* Returns the name of the assertion dialect that a document is written
	 * in, or NULL: for the message about a file that is no log. NULL: not
	 * asked. */
	const char *(*dialect_of)(const struct json *document);
};

/* How much was read in all. */
struct extract_counts {
	size_t no_logs; /* files that a walk found, and that hold no run */
	size_t written, left_out; /* runs of the period, and others */
};

struct log_reader {
	const struct extract_job *job;
	struct companions *companions;
	struct builder builder;
	size_t no_logs; /* files that a walk found, and that hold no run */
	/* Asked after each record whether to go on; NULL: always. */
	bool (*goes_on)(void *);
	void *arg;

	/* of the file that is read */
	bool open, begun, passed_over;
	bool wrapped;  /* its records are the elements of a list */
	bool prefixed; /* JSON may stand behind something, as it did before */
	const struct log_format *format; /* NULL: not known yet */
	struct log log;
	size_t written; /* runs when the file began, or left out */

	/* private */
	struct arena arena;   /* of the file */
	struct arena scratch; /* of the record */
	struct json_stream values;
	struct log_format_guess guess;
	struct log_reader_waiting *waiting;
	size_t n;
};

void log_reader_open(
    struct log_reader *, const struct extract_job *, struct companions *);

/* Reads all of the input, which is of one file; false if it did not go on to
 * its end. The file is not ended: more of it may come. */
bool log_reader_read(struct log_reader *, struct in *);

/* What is known of a file at its end only. Nothing where none is open. */
void log_reader_end_file(struct log_reader *);

/* Reads the files (NULL-terminated), each to its end, the input's memory being
 * used for it. False as above. */
bool log_reader_read_files(struct log_reader *, struct in *, char **files);

/* Goes on in the midst of a file of that format, whose runs have that id in
 * common so far; what was open before was ended. */
void log_reader_resume(struct log_reader *, const struct log_format *,
    const char *path, struct str id);

struct extract_counts log_reader_counts(const struct log_reader *);

/* Frees all. */
void log_reader_close(struct log_reader *);
