/* A reader of log files while its format is known: passes the records of a file, and
 * of the files that belong to the file, to the format. */
#pragma once

#include "extract/companions.h"
#include "extract/counts.h"
#include "extract/find_logs.h"
#include "extract/mixed.h"
#include "extract/progress.h"
#include "extract/run/builder.h"
#include "extract/unknown_log.h"
#include "io/text_store.h"
#include "json/stream.h"

struct hook; /* extract/hook.h */

struct extract_job {
	const struct builder_options *options;
	/* Format of all files; NULL: found from each file's records. */
	const struct log_format *format;
	const struct format_index *formats; /* to choose from */
	/* The search that found files in folders. A file of the search that is
	 * no log is counted, without a message. NULL: no search. */
	const struct log_search *walk;
	size_t max_line;
	bool strict;  /* stops at the first bad line */
	bool verbose; /* explains the choice of each file's format */
	/* Returns the name of the assertion dialect in which a document is
	 * written, or NULL; used in the message about a file that is no log.
	 * NULL: not used. */
	const char *(*dialect_of)(const struct json *document);
	/* The event to add to the run that a transcript ends with, which may grow
	 * while it is read; NULL: none. */
	struct hook *hook;
	struct extract_progress *progress; /* NULL: not counted */
	/* Shows the progress; NULL: not shown. */
	void (*show)(const struct extract_progress *, double now);
};

struct log_reader {
	const struct extract_job *job;
	struct companions *companions;
	struct builder builder;
	struct extract_files no_logs, unread; /* see struct extract_counts */
	/* Called after each record; returns whether to continue. NULL:
	 * always. */
	bool (*goes_on)(void *);
	void *arg;

	/* state of the current file */
	bool open;
	bool begun;       /* a record of a known format was read */
	bool passed_over; /* the file is read together with another one */
	bool fresh;       /* no value of the file was read */
	bool wrapped;     /* its records are the elements of a list */
	bool prefixed;    /* text may precede the JSON, as it did before */
	const struct log_format *format; /* NULL: not known yet */
	struct log log;
	/* Earlier files of the current file's group (file_groups.h). */
	const char **earlier;
	size_t n_earlier;
	bool grouped;               /* the group has other files */
	size_t n_read;              /* files of the group, companions too */
	struct hash_set records;    /* of the group, with the file's number */
	struct extract_noted noted; /* of the progress */
	size_t written; /* runs that were written or left out before the file */
	bool alone;     /* each record is one or several whole runs */
	/* The line of a lost record behind all that were read; of one that was
	 * lost while no run was open, so that it is of some run of the file; or
	 * 0. */
	size_t torn, torn_runs;
	/* The readers of records of other formats in the file. */
	struct log_reader **streams;
	size_t n_streams;

	/* private */
	struct mixed *mixed; /* NULL: no record was examined */
	struct log_reader
	    *last;            /* the reader of the record before; NULL: none */
	struct arena arena;   /* of the file */
	struct arena scratch; /* of the record */
	struct text_store store;
	struct json_stream values;
	bool lone; /* a value may have had lone surrogates: trace_write.h */
	struct log_format_guess guess;
	/* Bytes of the records that wait since two formats were certain of one. */
	size_t contested;
	/* Records whose format is not known yet: the file's first ones, or later
	 * ones that may be of another format. */
	struct log_record *waiting;
	size_t n;
};

/* Initializes a reader. */
void log_feed_open(
    struct log_reader *, const struct extract_job *, struct companions *);

/* Begins a file, of no known format yet, whose runs share this id, if it is not
 * absent. */
void log_feed_file(struct log_reader *, const char *path, struct str id);

/* Begins in a file of this format, or in the middle of one, whose runs share this id
 * so far. */
void log_feed_resume(struct log_reader *, const struct log_format *,
    const char *path, struct str id);

/* Lets the format read the file's records. */
void log_feed_format(struct log_reader *, const struct log_format *);

/* Notes that the value that was read from the log, from now on, may have escapes of
 * lone surrogates. */
void log_feed_note_lone(struct log_reader *, const struct json *value);

/* Decides by the first record of a known format whether the file is read here. */
void log_feed_begin(struct log_reader *, const struct json *record);

/* Feeds a record of the file that `x` reads to the reader of its format. */
void log_feed(
    struct log_reader *x, struct log_reader *to, const struct log_record *);

/* Notes that a record at this line (0: none) is lost, whatever its format. */
void log_feed_torn(struct log_reader *, size_t line);

/* Returns whether an earlier file of the group has the same record, byte for byte:
 * a program that continues a session in another file may copy what was before. */
bool log_feed_is_copy(struct log_reader *, const struct json *record);

/* Reads the companions of the file and of earlier files of its group. They may have
 * companions in turn. */
void log_feed_beside(struct log_reader *);
