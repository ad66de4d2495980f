/*
 * Buffered output to a descriptor, a file or memory, and a writer of JSON,
 * which inserts the commas. Errors are sticky: the first error is kept, all
 * later output is dropped, and out_close reports the error.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "base/workflow_command.h"
#include "io/atomic_file.h"

/* The escape in place of a character that would open a command of GitHub's
 * runner in the output. */
enum out_guard {
	OUT_UNGUARDED,
	OUT_GUARD_TEXT, /* \x3a */
	OUT_GUARD_JSON, /* \u003a, which does not change the value */
};

struct out {
	char *buf;
	size_t n, size;
	struct atomic_file file; /* its fd is -1 if output stays in memory */
	const char *path;        /* for messages; NULL: standard output */
	int error;               /* errno of the first failure, or 0 */
	bool by_line;            /* out_line flushes */
	/* For memory only: out_flush gives the text to sink(sink_arg), which returns
	 * false to drop all later output. NULL: the text stays. */
	bool (*sink)(void *, struct str);
	void *sink_arg;
	/* The caller sets these three after it opened the output. */
	bool seq;             /* RS opens each line (RFC 7464) */
	bool strict;          /* keep a file only if no error was printed */
	enum out_guard guard; /* of what is written to a descriptor */
	bool line_begins;     /* nothing of the line is written yet */
	bool comma;           /* the next JSON value needs a comma */
	/* For memory only: full(full_arg) is called before the buffer grows, if
	 * the buffer holds OUT_MUCH bytes or is given as many at once. The
	 * function may call out_pass_on, so that the buffer need not grow.
	 * NULL: the buffer holds all. */
	void (*full)(void *);
	void *full_arg;
	struct workflow_command command; /* of the line, for the guard */
};

enum { OUT_MUCH = 1 << 20 }; /* bytes */

/*
 * Opens standard output (path NULL or "-") or a file, which appears under its
 * name only when out_close finds no error. With by_line, and always on a
 * terminal, each line is written when it is complete. The path is kept, not
 * copied. If the file cannot be created the program ends with status 2.
 */
void out_open(struct out *, const char *path, bool by_line);

/* Opens a file, which may exist, to append to it. Ends the program with status
 * 2 on failure. */
void out_open_end(struct out *, const char *path);

/* Opens a memory buffer. The text of out_memory lives until the next write. */
void out_open_memory(struct out *);
struct str out_memory(const struct out *);
/* Like out_open_memory, and begins an object or an array in the buffer, which
 * out_keep_json ends before out_keep. */
void out_open_json(struct out *, char bracket);
struct str out_keep_json(struct out *, char bracket, struct arena *);
/* Closes a memory buffer, and returns its text, copied to the arena. */
struct str out_keep(struct out *, struct arena *);
/* Empties a memory buffer. */
void out_clear(struct out *);

/* Makes an empty memory buffer write to the descriptor of `to`. */
void out_pass_on(struct out *, const struct out *to);
/* Writes out the buffer, gives its error to `to`, and keeps later output in memory
 * again. */
void out_keep_again(struct out *, struct out *to);

/* Writes the texts one behind the other without a copy into the buffer, if there is
 * a file without a guard. The
 * texts come from the memory of another struct out, which has begun their lines
 * (seq adds nothing). */
void out_strs(struct out *, struct str_list);

/* Does the work of out_str where the buffer may lack room. */
void out_str_slow(struct out *, struct str);

/* Return the place of the next n bytes, which the caller writes there; then it
 * calls out_written with the end of its bytes. The buffer may be written out
 * first. out_room_slow does the work where the buffer may lack room. */
char *out_room_slow(struct out *, size_t n);

static inline char *
out_room(struct out *o, size_t n)
{
	if (n > o->size - o->n || o->line_begins)
		return out_room_slow(o, n);
	return o->buf + o->n;
}

static inline void
out_written(struct out *o, const char *end)
{
	o->n = (size_t)(end - o->buf);
}

static inline void
out_str(struct out *o, struct str text)
{
	if (text.n == 0)
		return;
	if (text.n > o->size - o->n || o->line_begins) {
		out_str_slow(o, text);
		return;
	}
	memcpy(o->buf + o->n, text.s, text.n);
	o->n += text.n;
}

static inline void
out_char(struct out *o, char c)
{
	*out_room(o, 1) = c;
	o->n++;
}

void out_text(struct out *, const char *);
void out_printf(struct out *, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a line of NDJSON or text. With by_line a line that fits the buffer
 * reaches the descriptor in one write. */
void out_line(struct out *);
/* Writes the buffer to the descriptor, or to the sink of memory. */
void out_flush(struct out *);

/* Writes the rest of the buffer, closes the output and frees all memory.
 * Returns whether everything was written; if not, an error is printed. A pipe
 * without a reader ends the program by SIGPIPE, without a message. */
bool out_close(struct out *);

/*
 * JSON. Objects and arrays begin and end with their bracket. A plain key is one
 * that needs no escape. A body is the text between the quotes of a JSON string,
 * with its escapes.
 */
void out_begin(struct out *, char bracket);
void out_end(struct out *, char bracket);
void out_plain_key(struct out *, struct str);
void out_key_str(struct out *, struct str); /* escapes the key */
void out_key_body(struct out *, struct str body);
void out_body(struct out *, struct str body);
void out_json_str(struct out *, struct str text);      /* absent: "" */
struct str out_quote(struct arena *, struct str text); /* returns the string */
void out_json_strs(struct out *, struct str_list);     /* an array */
void out_json_raw(struct out *, struct str json);      /* a value */
void out_json_int(struct out *, int64_t);
/* Writes the shortest decimal that reads back as the same double, or null for a
 * value that is not finite. */
void out_json_double(struct out *, double);
void out_json_bool(struct out *, bool);
void out_json_null(struct out *);

/* These write a key and its value. out_member_str writes nothing for an absent
 * text, out_member_text an empty one. */
void out_member_str(struct out *, const char *plain_key, struct str text);
void out_member_size(struct out *, const char *plain_key, size_t);
void out_member_number(struct out *, struct str plain_key, int64_t);
void out_member_bool(struct out *, const char *plain_key, bool);
void out_member_double(struct out *, const char *plain_key, double);
void out_member_strs(struct out *, const char *plain_key, struct str_list);
void out_member_raw(struct out *, const char *plain_key, struct str json);
void out_member_text(struct out *, const char *plain_key, struct str text);
/* Does the work of out_member_line where the value is long. */
void out_member_line_slow(struct out *, struct str plain_key, struct str json);

/* Writes JSON source text unchanged, but without line breaks and the white
 * space around them, so that a value of several lines becomes one line. Writes
 * no comma. */
void out_source(struct out *, struct str json);

/* Writes a plain key. */
static inline void
out_key(struct out *o, const char *plain)
{
	out_plain_key(o, (struct str){ plain, strlen(plain) });
}

/* Writes a plain key, and begins its value: an object ('{') or an array
 * ('['). */
static inline void
out_member_begin(struct out *o, const char *plain_key, char bracket)
{
	out_key(o, plain_key);
	out_begin(o, bracket);
}

/* ---- the most frequent output: inline, so that the bytes of a literal key are
 * stored without a call ---- */

/* The longest text that the inline functions copy. */
enum { OUT_COPY_MAX = 4096 };

static inline char *
out_copy(char *to, struct str text)
{
	return text.n == 0 ? to : str_put(to, text.s, text.n);
}

/* Returns room for n bytes, behind a comma where one is needed. */
static inline char *
out_next(struct out *o, size_t n)
{
	char *p = out_room(o, n + 1);

	*p = ',';
	return p + o->comma;
}

/* Writes a plain key and its colon, and returns room for n bytes of its
 * value. */
static inline char *
out_member(struct out *o, struct str key, size_t n)
{
	char *p = out_next(o, key.n + 3 + n);

	*p++ = '"';
	p = out_copy(p, key);
	*p++ = '"';
	*p++ = ':';
	return p;
}

/* Writes a plain key and a value whose JSON source is one line. */
static inline void
out_member_line(struct out *o, struct str plain_key, struct str json)
{
	if (json.n > OUT_COPY_MAX) {
		out_member_line_slow(o, plain_key, json);
		return;
	}
	out_written(o, out_copy(out_member(o, plain_key, json.n), json));
	o->comma = true;
}

/* Writes a plain key and a string by its body. */
static inline void
out_member_body(struct out *o, struct str plain_key, struct str body)
{
	char *p;

	if (body.n > OUT_COPY_MAX) {
		out_plain_key(o, plain_key);
		out_body(o, body);
		return;
	}
	p = out_member(o, plain_key, body.n + 2);
	*p++ = '"';
	p = out_copy(p, body);
	*p++ = '"';
	out_written(o, p);
	o->comma = true;
}

static inline void
out_member_int(struct out *o, const char *plain_key, int64_t n)
{
	out_member_number(o, (struct str){ plain_key, strlen(plain_key) }, n);
}

/* Writes only the quotes and the escaped text, without a comma. Invalid UTF-8
 * becomes U+FFFD, so that the output is always JSON. */
void out_quoted(struct out *, struct str text);
