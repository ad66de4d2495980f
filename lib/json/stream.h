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

#include "base/arena.h"
#include "io/in.h"
#include "json/json.h"

/*
 * The state of a stream that reads a value in parts: the value has
 * a list too long for memory, or for --max-line, and a part is a copy of the value
 * that has some of the list's elements. A part has the members that precede the
 * list only in the first part, except for those that the caller wants in all; the
 * last part has the members that follow the list.
 */
enum { JSON_LEVELS = 16 }; /* the most containers around an element */

struct json_parts {
	bool open; /* the value has not ended */
	/* `splits` may set this when the value begins: members, each with a comma
	 * behind it and no newline, that the value, or the object `add_level`
	 * levels within it around the list, is to have first. */
	struct str add;
	size_t add_level;

	/* private */
	/* The text in the buffer of the input: `head` bytes before the
	 * elements, and elements. */
	size_t head;
	const char *keeps; /* the members that all parts have */
	/* The containers around the elements, as indices into the values. */
	uint32_t chain[JSON_LEVELS];
	size_t levels;
	/* The part that was returned last: the place of its closing brackets, what
	 * was there, and where the next element begins. */
	size_t end, next; /* next: 0 if no element was returned */
	bool cut;         /* the text ends within an element */
	/* The error in the next element, and its offset from `next`; or NULL. */
	const char *why;
	size_t error;
	char covered[JSON_LEVELS];
	/* The beginning of the elements: the white space before one, the bracket
	 * and the first name; and the second name. */
	struct arena arena, scratch;
	struct str space, opening, second;
};

struct json_stream {
	struct in *in;
	bool strict; /* stop at the first bad line */
	/* If the end of its file cuts a list or object off, return what is
	 * whole, after a report. To be set after json_stream_open. */
	bool repair_cut;
	/* Another program is writing the file: an incomplete value at the end of the
	 * file is left out without a report. To be set after
	 * json_stream_open. */
	bool growing;
	bool prefixes; /* accept prefixes before JSON (json/line_prefix.h) */
	/*
	 * Called when a value is long: returns whether the value may be read in
	 * parts (json/parts.h), of which `part` is one; `path` has the names of
	 * the members that lead to the list, joined by dots. NULL: it may not.
	 * Else the names of members that each part is to have, at the top or, as
	 * paths, in the objects around the list, separated by blanks. NULL in place of the function: values are read
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

/* ---- parts, in json/parts.c ---- */

/* Begins to read the value of which v->text is the beginning. Returns its first
 * part, or NULL if the value is not to be read in parts, with the input as it
 * was. */
const struct json *json_parts_begin(struct json_stream *);

/* Returns the next part; or NULL if there is none, or after a report. */
const struct json *json_parts_next(struct json_stream *);

void json_parts_free(struct json_parts *);

/* ---- of json/stream.c, for json/parts.c ---- */

/* An error in a text, and its place. */
struct json_fault {
	struct place at;
	const char *why;
	bool cut;
};

static inline bool
json_is_bad_utf8(const struct json_error *error)
{
	return error->why != NULL && str_is(str_of(error->why), JSON_BAD_UTF8);
}

/* Reports the fault, and the lines that were passed over if they differ. */
void json_stream_warn(const struct json_fault *, size_t from, size_t to);

/* Reads the whole members and elements of v->text, which the end of the file cuts
 * off. */
const struct json *json_stream_repair(
    struct json_stream *, const struct json_fault *);

/* Reports bytes that are no UTF-8. */
void json_stream_warn_utf8(struct place);

/* Returns the place after the white space that follows a value: in the same
 * line, or at the start of the next line. */
size_t json_stream_skip_blank(struct str text, size_t i);
