/*
 * A log file while a format reads it, and what a log format consists of: the
 * functions that recognise its records and read them into the builder. Each
 * log format is one file of this folder; format.c lists them all.
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

/* Returns the part of body between the marks open and close, without the line
 * breaks (\n, as in a JSON string) next to them; returns the whole of body if
 * open is not in it. Programs put a user's words between such marks, with
 * words of their own around. */
struct str log_between_marks(
    struct str body, struct str open, struct str close);
