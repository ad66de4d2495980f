/*
 * Reads JSON values from input, one after another, in any layout: one value per
 * line (NDJSON), several on a line, or one over many lines. Lines between the
 * values that are not JSON are reported and skipped, up to the next value, which
 * may be on the same line. Bytes that are no UTF-8 are reported, and become
 * U+FFFD. A value is returned as
 * soon as the line that ends it was read. Memory is bounded by the largest
 * value.
 */
#pragma once

#include <stdbool.h>

#include "io/in.h"
#include "json/json.h"
#include "json/parts.h"

struct json_stream {
	struct in *in;
	bool strict; /* stop at the first bad line */
	/* If the end of its file cuts a list or object off, return what is
	 * whole, after a report. To be set after json_stream_open. */
	bool repair_cut;
	bool prefixes; /* accept prefixes before JSON (json/line_prefix.h) */
	/*
	 * Called when a value is long: returns whether the value may be read in
	 * parts (json/parts.h), of which `part` is one; `path` has the names of
	 * the members that lead to the list, joined by dots. NULL: it may not.
	 * Else the names of members at the top that each part is to have,
	 * separated by blanks. NULL in place of the function: values are read
	 * whole. To be set after json_stream_open, too.
	 */
	const char *(*splits)(
	    void *arg, struct str path, const struct json *part);
	void *splits_arg;

	/* about the value that was returned last */
	struct place at;
	bool file_begins;  /* the value is the first of its file */
	bool cut;          /* the value was cut off, and was completed */
	bool one_line;     /* the value lies on one line */
	bool shortened;    /* its line says that a part of it was left out */
	struct str prefix; /* the prefix before the value on its line */

	/* The last line that was passed over, though it begins as a value does
	 * or holds the rest of one; 0: none since the caller set this to 0. */
	size_t torn;

	bool ended;    /* the last thing that was read was a bad line */
	bool prefixed; /* a line of the file had a prefix */

	/* private */
	struct json_reader reader;
	struct arena repaired;
	struct str text; /* text that was taken from `in` last */
	bool taken;      /* nothing of that text was read yet */
	bool fresh;      /* no value of the file was returned yet */
	size_t glued; /* offset of the value within a line that is none; or 0 */
	size_t part;  /* bytes of a line or value that may be read in parts */
	struct json_parts parts;
};

/* Starts on input that is open already (cli_open, in_open). */
void json_stream_open(struct json_stream *, struct in *, bool strict);

/* Continues with other input, as a worker thread does, and uses the memory of
 * the stream again. */
void json_stream_begin(struct json_stream *, struct in *, bool strict);

/* Returns the next value, or NULL at the end of the input. The value lives
 * until the next call. */
const struct json *json_stream_next(struct json_stream *);

/* Frees the memory of the values. The caller that opened the input closes
 * it. */
void json_stream_close(struct json_stream *);
