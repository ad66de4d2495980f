/*
 * Lines from files or standard input, in order. A line is a slice of the
 * buffer, whatever its length; memory is bounded by the longest one. A byte
 * order mark, CRLF and a last line without newline are dealt with here; blank
 * lines are skipped, NUL bytes pass. Compressed files and those in UTF-16 are
 * read through a program (unpack.h). RFC 7464 records (RS before each) are
 * read as lines too.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/str.h"
#include "io/decompress.h"

/* The beginning of what is lent, which is not read yet (in_take_chunk.h). */
struct in_missing {
	int fd; /* the borrower's own; 0: there is none */
	int64_t at;
	size_t n;
	bool counted; /* nothing is missing, and it has so many lines: */
	size_t lines;
	bool torn; /* it ended before it should have, */
	int error; /* for this reason; 0: its file did */
};

/* Newlines that were found before anybody asked where the next one is. */
struct in_newlines {
	size_t *at; /* in the buffer, in order: all up to the last of them */
	size_t n, next;
};

struct in {
	char *
	    *files; /* those to come, NULL-terminated; "-" is standard input */
	size_t max_line;
	double patience; /* seconds that more of a file is waited for at its
	                  * end (follow.h); 0: none is */
	/* Called before a read that would wait, so that a filter can flush. */
	void (*idle)(void *);
	void *idle_arg;
	bool stop; /* set meanwhile: here the input ends */

	const char *file; /* name of the file being read; "<stdin>" */
	size_t line;      /* number of the line last returned, from 1 */
	size_t offset;    /* where it begins in the file, in bytes */
	bool file_begins; /* the line last returned is its file's first */
	bool whole;       /* ... and it ended in a newline */

	/* private; indices are into buf */
	int fd; /* -1: no file is open */
	struct decompress decompress;
	bool standard_input, waits, at_end, fresh;
	bool paused;       /* before such a value */
	bool lent;         /* the file is another's (in_take_chunk.h) */
	bool more_follows; /* ... and what follows belongs to others */
	struct in_missing missing;
	struct in_newlines newlines; /* none but in what is lent */
	char *buf;
	size_t size;
	size_t text;        /* where the text last returned begins */
	size_t next;        /* what comes after it, its newline included */
	size_t last;        /* where the last line of that text begins */
	size_t seen;        /* no newline lies between next and here */
	size_t to;          /* the end of what was read */
	size_t base;        /* where buf begins in the file */
	size_t column;      /* what stands before the text in its line */
	size_t next_line;   /* the number of the line that `next` is in, */
	size_t next_column; /* and what stands before it there */
};

enum {
	IN_MAX_LINE = 1 << 30,
	IN_BLOCK = 256 * 1024, /* bytes of one read; more gains nothing */
};

/*
 * Starts on the files (argv's rest; none: standard input). What cannot be
 * read as text (no such file, a directory, a pipe of what is compressed) is
 * told (diag_error) and passed over.
 */
void in_open(struct in *, char **files);

/* Starts over on other files, or the same, after in_close; what was set
 * stays. */
void in_again(struct in *, char **files);

/*
 * The next line, without its end; it lives until the next call. False at the
 * end of the last file. A line longer than max_line is told and skipped.
 */
bool in_line(struct in *, struct str *line);

/* The same of the file that is being read. False at its end, and where a value
 * begins after a line that was skipped. */
bool in_line_here(struct in *, struct str *line);

/*
 * The text last returned and the line after it, as one text with the newline
 * between them, and with them as many of the lines that are read already as
 * give it `enough` bytes (0: none); in->line still is the number of its first
 * line. False at the end of the file, where the text would become longer than
 * max_line, and where a value begins: the text is what it was. It may have
 * moved either way.
 */
bool in_join(struct in *in, struct str *text, size_t enough);

/* What was read, the text last returned in it; it moves when that does. */
static inline struct str
in_around(const struct in *in)
{
	return (struct str){ in->buf, in->to };
}

/* Whether a value begins behind the text last returned, whatever that is: its
 * last line closes an object, and the next one opens one. The text may move. */
bool in_value_begins(struct in *);

/* Why in_join was false. */
enum in_end {
	IN_FILE_ENDS,
	IN_VALUE_BEGINS,
	IN_TOO_LONG,
};
enum in_end in_end(struct in *);

/* Whether the input is lent (in_take_chunk.h), nothing read is left of it, and more
 * may be had: where no value is begun, its owner may take it back. */
bool in_spent(const struct in *);

/* Gives back what follows the first `used` bytes of the text last returned:
 * the next in_line begins there. */
void in_unread(struct in *, size_t used);

/* Where the byte at `offset` of the text last returned stands. */
struct place in_place(const struct in *, size_t offset);

/* How many bytes are still to come; negative if nobody knows, since they come
 * through a pipe. */
int64_t in_bytes_left(const struct in *);

void in_close(struct in *);

/* ---- for in_take_chunk.c and in_read.c ---- */

/* Opens the next file that can be; false after the last. */
bool in_next_file(struct in *);

void in_end_file(struct in *);

/*
 * Whether a line that ends here (`from` is before or at its beginning) closes
 * an object and the next one, as far as `end`, opens one. No value goes on
 * across that: there is no comma between the two, and a string holds no
 * newline. So a value begins there, whatever came before. The line may end in
 * CRLF; before the value may be an RS.
 */
bool in_border(const char *from, const char *newline, const char *end);

/* The file that is being read, as a whole. */
static inline struct place
in_whole_file(const struct in *in)
{
	return (struct place){ .file = in->file };
}

/* Makes room for n bytes behind what is kept: all from the text on. */
void in_make_room(struct in *, size_t n);

/* Whether the file is one that has nothing to read now, but may have later. */
bool in_would_wait(const struct in *);

/* Reads once, at most `size` bytes; at_end tells if there was nothing. False,
 * with errno, on failure. */
bool in_read(struct in *, size_t size);

/* The same, and a failure is told, and ends the file. False at its end. */
bool in_fill(struct in *, size_t size);
