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

#include "diag.h"
#include "str.h"

struct in {
	char **files; /* NULL-terminated; "-" is standard input */
	size_t max_line;
	/* Called before a read that would wait, so that a filter can flush. */
	void (*idle)(void *);
	void *idle_arg;

	const char *file; /* name of the file being read */
	size_t line;      /* number of the line last returned, from 1 */
	size_t offset;    /* where it begins in the file, in bytes */
	bool file_begins; /* the line last returned is its file's first */
	bool whole;       /* ... and it ended in a newline */

	/* private */
	int fd;
	bool seekable, at_end;
	char *buf;
	size_t from, to, size; /* what of the buffer is unread */
	size_t line_end;       /* where the text last returned ended */
};

enum { IN_MAX_LINE = 1 << 30 };

/* Starts on the files (argv's rest; none: standard input). Files that cannot
 * be read are told (diag_error) and passed over. */
void in_open(struct in *, char **files);

/*
 * The next line, without its end; it lives until the next call. False at the
 * end of the last file. A line longer than max_line is told and skipped.
 */
bool in_line(struct in *, struct str *line);

/* The line last returned and the one after it, as one text with the newline
 * between them. False, and nothing changes, at the end of the file. */
bool in_join(struct in *, struct str *text);

/* Gives back what follows the first `used` bytes of the text last returned:
 * the next in_line begins there. */
void in_unread(struct in *, size_t used);

/* Where the byte at `offset` of the text last returned stands. */
struct place in_place(const struct in *, size_t offset);

void in_close(struct in *);

#endif
