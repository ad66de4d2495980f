/*
 * Lines from files or standard input, in order. A line is a slice of the
 * buffer, whatever its length; memory is bounded by the longest one. A byte
 * order mark, CRLF and a last line without newline are dealt with here; blank
 * lines are skipped, NUL bytes pass. RFC 7464 records (RS before each) are
 * read as lines too.
 */
#ifndef IN_H
#define IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"
#include "str.h"

struct in {
	char *
	    *files; /* those to come, NULL-terminated; "-" is standard input */
	size_t max_line;
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
	bool standard_input, waits, at_end, fresh;
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

enum { IN_MAX_LINE = 1 << 30 };

/*
 * Starts on the files (argv's rest; none: standard input). What cannot be
 * read as text (no such file, a directory, compressed, UTF-16) is told
 * (diag_error) and passed over.
 */
void in_open(struct in *, char **files);

/*
 * The next line, without its end; it lives until the next call. False at the
 * end of the last file. A line longer than max_line is told and skipped.
 */
bool in_line(struct in *, struct str *line);

/*
 * The text last returned and the line after it, as one text with the newline
 * between them; in->line still is the number of its first line. False at the
 * end of the file, or where the text would become longer than max_line: the
 * text is what it was. It may have moved either way.
 */
bool in_join(struct in *, struct str *text);

/* Whether no line of the file follows the text last returned. Good after
 * in_join was false. */
bool in_ends(const struct in *);

/* Gives back what follows the first `used` bytes of the text last returned:
 * the next in_line begins there. */
void in_unread(struct in *, size_t used);

/* Where the byte at `offset` of the text last returned stands. */
struct place in_place(const struct in *, size_t offset);

/* How many bytes are still to come; negative if nobody knows, since they come
 * through a pipe. */
int64_t in_left(const struct in *);

void in_close(struct in *);

#endif
