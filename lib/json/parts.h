/*
 * The state of a stream (json/stream.h) that reads a value in parts: the value has
 * a list too long for memory, or for --max-line, and a part is a copy of the value
 * that has some of the list's elements. A part has the members that precede the
 * list only in the first part, except for those that the caller wants in all; the
 * last part has the members that follow the list.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "json/json.h"

enum { JSON_LEVELS = 16 }; /* the most containers around an element */

struct json_stream;

struct json_parts {
	bool open; /* the value has not ended */

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
