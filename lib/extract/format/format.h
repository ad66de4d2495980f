/*
 * A log format: what its records look like, and how each maps to what the
 * builder is told. To read another one, write lib/logfmt/NAME.c and add a row
 * to the table in logfmt.c.
 */
#pragma once

#include "base/diag.h"
#include "extract/run/builder.h"
#include "extract/value/fields.h"
#include "json/json.h"

/* A log file while it is read. */
struct log {
	struct builder *builder;
	struct arena *arena; /* lives as long as the file is read */
	/* For what is needed for a moment: reset before each record, and by
	 * formats whose records hold many messages before each of these. */
	struct arena *scratch;
	const char *path;
	struct place at;     /* of the record that is read */
	struct str id;       /* body: the id that all runs of the file share */
	struct str prefix;   /* what stands before the record in its line */
	bool shortened;      /* its line says that some of it was left out */
	bool one_line;       /* the record stands in one line */
	void *state;         /* the format's own, in the arena; NULL at first */
	const void *context; /* the format's */

	/* private: where log_place was last asked about */
	const char *counted;
	size_t line;
};

struct log_format {
	const char *name;
	const char *what;    /* a line for --list-formats */
	const void *context; /* the rules, of a format that is made of them */
	/*
	 * How surely a record is of this format: LOG_FORMAT_SURE and above if no
	 * other has it, less for a hint, 0 if it could be anything's, below
	 * if it cannot be this one's. NULL: only where it is asked for.
	 */
	int (*score)(const struct json *record);
	/* Tells the builder what a record says. */
	void (*read)(struct log *, const struct json *record);
	/* At the end of the file, for what could not be told before. May be
	 * left out. */
	void (*end)(struct log *);
	/* At the end of the file: the paths of others that belong to its run,
	 * NULL-terminated. May be left out. */
	char **(*beside)(struct log *);
	/* At the first record: the path of the file that this one would be
	 * beside, or NULL. May be left out. */
	const char *(*owner)(struct log *, const struct json *record);
	/*
	 * Whether records like the file's first are runs of their own, or
	 * several; so that, where no run is open, nothing that was read before
	 * matters to the next record but log->id. Such a file can be read in
	 * pieces, side by side; a format that has beside or end is not such.
	 * NULL: no.
	 */
	bool (*alone)(const struct json *first);
};

enum { LOG_FORMAT_SURE = 100 };

/* Begins a run that the record tells whole: it is ended (builder_end_run) before
 * the record goes. */
void log_whole_run(struct log *, const struct json *record);

/* What follows is of the run with that id, a string: the open run, if it has
 * this id or none yet; else a new one begins. A record without an id is of the
 * open run. */
void log_run(struct log *, const struct json *id);

/* Where the value stands within the record that is read. Values are asked for
 * in their order. */
struct place log_place(struct log *, const struct json *value);
/* Names the run's place: where the value stands within the record. */
void log_source(struct log *, const struct json *value);

/* The formats in order of precedence, ended by NULL. */
extern const struct log_format *const log_format_table[];

/* The i-th's name, and what it is; NULL behind the last. */
const char *log_format_row(size_t i, const char **what);

/* NULL if there is none of that name. */
const struct log_format *log_format_named(const char *name);

/*
 * Finds a file's format from its first records. Zeroed is ready.
 */
enum { LOG_FORMAT_MAX = 96 };
struct log_format_guess {
	int scores[LOG_FORMAT_MAX];
	size_t records;
};

/* Takes a record into account. The format if it is certain by now. */
const struct log_format *log_format_guess(
    struct log_format_guess *, const struct json *);

/* The likeliest one; NULL if nothing speaks for any. */
const struct log_format *log_format_likeliest(const struct log_format_guess *);
