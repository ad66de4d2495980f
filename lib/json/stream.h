/*
 * JSON values from input, one after another, however they are laid out: one a
 * line (NDJSON), several on a line, or one over many lines. Between them lines
 * that are no JSON are told and passed over. A value is given as soon as the
 * line that ends it has been read. Memory is bounded by the largest value.
 */
#pragma once

#include <stdbool.h>

#include "io/in.h"
#include "json/json.h"

struct json_stream {
	struct in *in;
	bool strict; /* stop at the first bad line */
	bool
	    json_repair; /* of a list or an object that the end of its file cuts off,
	              * return what is whole, after telling; set after opening */
	bool prefixes; /* JSON may stand behind what prefix.h knows */

	/* of the value last returned */
	struct place at;
	bool file_begins;  /* it is its file's first */
	bool cut;          /* it was cut off, and mended */
	bool one_line;     /* it stands in one line */
	bool shortened;    /* its line says that some of it was left out */
	struct str prefix; /* what stood before it in its line */

	bool ended;    /* a bad line was the last thing that was read */
	bool prefixed; /* a line of the file had a prefix */

	/* private */
	struct json_reader reader;
	struct arena repaired;
	struct str text; /* what was last taken from in */
	bool taken;      /* nothing of it was read yet */
	bool fresh;      /* no value of the file was returned yet */
};

/* Starts on input that was opened (cli_open, in_open). */
void json_stream_open(struct json_stream *, struct in *, bool strict);

/* Goes on with other input (of a crew's member); the memory is used again. */
void json_stream_begin(struct json_stream *, struct in *, bool strict);

/* The next value, or NULL at the end of the input. It lives until the next
 * call. */
const struct json *json_stream_next(struct json_stream *);

/* Frees the values' memory; the input is closed by who opened it. */
void json_stream_close(struct json_stream *);
