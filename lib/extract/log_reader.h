/* Reads log files one after another: finds each file's format and passes the
 * file's records to the format. */
#pragma once

#include "extract/companions.h"
#include "extract/find_logs.h"
#include "extract/format/format.h"
#include "extract/run/builder.h"
#include "json/stream.h"

struct extract_job {
	const struct builder_options *options;
	/* Format of all files; NULL: found from each file's records. */
	const struct log_format *format;
	/* The formats to choose from, as in struct log_format_guess. */
	const struct log_format *const *formats;
	/* Files found in folders, which need not be logs: those that are not
	 * are only counted. NULL: none. */
	const struct log_search *walk;
	size_t max_line;
	bool strict; /* stops at the first bad line */
	/* Returns the name of the assertion dialect in which a document is
	 * written, or NULL; used in the message about a file that is no log.
	 * NULL: not used. */
	const char *(*dialect_of)(const struct json *document);
};

/* Totals of all files. */
struct extract_counts {
	size_t no_logs;           /* files in folders that hold no run */
	size_t written, left_out; /* runs inside the period, runs outside */
};

struct log_reader {
	const struct extract_job *job;
	struct companions *companions;
	struct builder builder;
	size_t no_logs; /* files in folders that hold no run */
	/* Called after each record; returns whether to continue. NULL:
	 * always. */
	bool (*goes_on)(void *);
	void *arg;

	/* state of the current file */
	bool open, begun, passed_over;
	bool wrapped;  /* its records are the elements of a list */
	bool prefixed; /* text may precede the JSON, as it did before */
	const struct log_format *format; /* NULL: not known yet */
	struct log log;
	size_t written; /* runs before the file, written and left out */

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

/* Reads all input of one file; returns false if goes_on stopped it. Does not
 * end the file: more of the file may follow. */
bool log_reader_read(struct log_reader *, struct in *);

/* Ends the current file: reports what is known only at the end of a file. Does
 * nothing if no file is open. */
void log_reader_end_file(struct log_reader *);

/* Reads each file (NULL-terminated) to its end, with the input's buffers.
 * Returns false if goes_on stopped it. */
bool log_reader_read_files(struct log_reader *, struct in *, char **files);

/* Continues in the middle of a file of this format, whose runs share this id so
 * far. The previous file must have ended. */
void log_reader_resume(struct log_reader *, const struct log_format *,
    const char *path, struct str id);

struct extract_counts log_reader_counts(const struct log_reader *);

/* Frees all memory. */
void log_reader_close(struct log_reader *);
