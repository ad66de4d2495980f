/*
 * Buffered output to a descriptor, a file or memory, with a sticky error: the
 * first thing that goes wrong is kept, what follows is dropped, and out_close
 * tells. JSON is written through the same calls, which see to the commas.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/str.h"
#include "io/atomic_file.h"

struct out {
	char *buf;
	size_t n, size;
	struct atomic_file file; /* its fd is -1 where output stays in memory */
	const char *path;        /* what it is called; NULL: standard output */
	int error;               /* errno of the first failure, or 0 */
	bool by_line;            /* out_line flushes */
	bool seq;    /* RS opens each line (RFC 7464); set after opening, */
	bool strict; /* as is this: a file is kept only if no error was told */
	bool line_begins; /* nothing of the line is written yet */
	bool comma;       /* a JSON value stands before */
	/* Of memory: called before it grows where it holds much, or is given
	 * much at once (OUT_MUCH); may end that by out_pass_on. NULL: it may
	 * hold all. */
	void (*full)(void *);
	void *full_arg;
};

enum { OUT_MUCH = 1 << 20 }; /* bytes */

/*
 * Opens standard output (path NULL or "-") or a file that appears under its
 * name only when out_close finds all well. by_line: each line is written when
 * it is complete; it is so by itself on a terminal. The path is kept, not
 * copied. Ends the program with status 2 if the file cannot be made.
 */
void out_open(struct out *, const char *path, bool by_line);

/* Opens a file to write at its end, which it may have already. */
void out_open_end(struct out *, const char *path);

/* Opens a memory buffer; out_memory's text lives until the next write. */
void out_open_memory(struct out *);
struct str out_memory(const struct out *);
/* Closes a memory buffer; what it held, in the arena. */
struct str out_keep(struct out *, struct arena *);
void out_clear(struct out *); /* forgets what a memory buffer holds */

/* What a memory buffer is given is written to where the other one writes, until
 * out_keep_again; before and after it nothing may be left in it. */
void out_pass_on(struct out *, const struct out *to);
void out_keep_again(struct out *, struct out *to);

/* Writes the texts one behind the other without copying them first. They are
 * what another one's memory holds: lines that were begun there. */
void out_strs(struct out *, struct str_list);

/* out_str where there may be no room; what it falls back on. */
void out_str_slow(struct out *, struct str);

/* Where the next n bytes go; out_written tells where what was put there ends.
 * What is in the buffer may be written out first. */
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

/* Ends a line of NDJSON or text. Only whole lines ever reach the descriptor
 * in one write as long as they fit the buffer. */
void out_line(struct out *);
void out_flush(struct out *);

/* Writes what is left and frees all. True if everything was written; else a
 * message was given. A reader that has gone ends the program without one. */
bool out_close(struct out *);

/* JSON: objects and arrays are begun and ended with their bracket. */
void out_begin(struct out *, char bracket);
void out_end(struct out *, char bracket);
void out_plain_key(struct out *, struct str); /* needs no escape */
void out_key_str(struct out *, struct str);
void out_key_body(struct out *, struct str body); /* escaped as it stands */
void out_body(struct out *, struct str body);     /* a string of the same */
void out_json_str(struct out *, struct str text); /* escapes; not NULL-aware */
struct str out_quote(struct arena *, struct str text); /* the same as a text */
void out_json_strs(struct out *, struct str_list);     /* a list of them */
void out_json_raw(struct out *, struct str json);      /* as out_source */
void out_json_int(struct out *, int64_t);
/* The shortest decimal that reads back as the same double; null if not
 * finite. */
void out_json_double(struct out *, double);
void out_json_bool(struct out *, bool);
void out_json_null(struct out *);

/* A key and its value; an absent text is left out, key and all. */
void out_member_str(struct out *, const char *plain_key, struct str text);
void out_member_size(struct out *, const char *plain_key, size_t);
void out_member_number(struct out *, struct str plain_key, int64_t);
void out_member_bool(struct out *, const char *plain_key, bool);
void out_member_double(struct out *, const char *plain_key, double);
/* A key, and a value whose source is one line; what out_member_line falls back
 * on where that is long. */
void out_member_line_slow(struct out *, struct str plain_key, struct str json);

/* JSON source text as it stands, but without line breaks and the indentation
 * that follows them: a value that was written over several lines fits one. No
 * comma. */
void out_source(struct out *, struct str json);

/* A key that needs no escape. */
static inline void
out_key(struct out *o, const char *plain)
{
	out_plain_key(o, (struct str){ plain, strlen(plain) });
}

/* Writes a key that needs no escape, and begins its value: an object ('{') or
 * an array ('['). */
static inline void
out_member_begin(struct out *o, const char *plain_key, char bracket)
{
	out_key(o, plain_key);
	out_begin(o, bracket);
}

/* ---- what is written most: where the key is a literal, its bytes are stored
 * without a call ---- */

/* Longer ones are not copied into the buffer: see out_str_slow. */
enum { OUT_COPY_MAX = 4096 };

static inline char *
out_copy(char *to, struct str text)
{
	return text.n == 0 ? to : mempcpy(to, text.s, text.n);
}

/* Room for n bytes, behind a comma where one is due. */
static inline char *
out_next(struct out *o, size_t n)
{
	char *p = out_room(o, n + 1);

	*p = ',';
	return p + o->comma;
}

/* A key that needs no escape, its colon, and room for n bytes of its value. */
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

/* Only the quotes and the escaped text, no comma. Invalid UTF-8 becomes
 * U+FFFD, so that output is always JSON. */
void out_quoted(struct out *, struct str text);
