/* Who reads log files, one after another: finds each file's format and feeds
 * it its records. */
#ifndef EXTRACTOR_H
#define EXTRACTOR_H

#include "extract/companions.h"
#include "extract/find_logs.h"
#include "extract/format/format.h"
#include "extract/run/builder.h"
#include "json/stream.h"

struct extraction {
	const struct builder_options *options;
	/* Of every file; NULL: each file's is found from its records. */
	const struct logfmt *format;
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
struct extracted {
	size_t no_logs; /* files that a walk found, and that hold no run */
	size_t written, left_out; /* runs of the period, and others */
};

struct extractor {
	const struct extraction *job;
	struct kin *kin;
	struct builder builder;
	size_t no_logs; /* files that a walk found, and that hold no run */
	/* Asked after each record whether to go on; NULL: always. */
	bool (*goes_on)(void *);
	void *arg;

	/* of the file that is read */
	bool open, begun, passed_over;
	bool wrapped;  /* its records are the elements of a list */
	bool prefixed; /* JSON may stand behind something, as it did before */
	const struct logfmt *format; /* NULL: not known yet */
	struct log log;
	size_t written; /* runs when the file began, or left out */

	/* private */
	struct arena arena;   /* of the file */
	struct arena scratch; /* of the record */
	struct values values;
	struct logfmt_guess guess;
	struct extractor_waiting *waiting;
	size_t n;
};

void extractor_open(
    struct extractor *, const struct extraction *, struct kin *);

/* Reads all of the input, which is of one file; false if it did not go on to
 * its end. The file is not ended: more of it may come. */
bool extractor_read(struct extractor *, struct in *);

/* What is known of a file at its end only. Nothing where none is open. */
void extractor_end_file(struct extractor *);

/* Reads the files (NULL-terminated), each to its end, the input's memory being
 * used for it. False as above. */
bool extractor_read_files(struct extractor *, struct in *, char **files);

/* Goes on in the midst of a file of that format, whose runs have that id in
 * common so far; what was open before was ended. */
void extractor_resume(
    struct extractor *, const struct logfmt *, const char *path, struct str id);

struct extracted extractor_counts(const struct extractor *);

/* Frees all. */
void extractor_close(struct extractor *);

#endif
