/*
 * Lines from files or standard input, in order. A line is a slice of the
 * buffer, whatever its length, so that the longest line bounds the memory. This
 * module handles a byte order mark, CRLF, and a last line without a newline.
 * Blank lines are skipped, and NUL bytes pass. Compressed files and files in
 * UTF-16 are read through a program (io/decompress.h). RFC 7464 records, which
 * begin with RS, are read as lines too.
 *
 * A line may hold several JSON values, and a value may take several lines: the
 * caller joins lines (in_join) and gives back text that it did not use
 * (in_unread). io/in_chunk.h cuts an input into chunks for threads; a chunk is
 * a struct in as well, which is called lent.
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "base/str.h"
#include "io/converter.h"
#include "io/decompress.h"

/* The first part of a lent chunk, which is not read yet (io/in_chunk.h). */
struct in_missing {
	int fd;       /* the borrower's own; 0: nothing is missing */
	int64_t at;   /* its offset in the file */
	size_t n;     /* its bytes */
	bool counted; /* the chunk is complete, and `lines` is known */
	size_t lines; /* lines of the chunk */
	bool torn;    /* the chunk ended too early, */
	int error;    /* with this errno, or IN_SHORTER */
};

/* Places of newlines that are known before they are searched for. */
struct in_newlines {
	size_t *at; /* indices into the buffer, ascending and without gaps */
	size_t n, next;
};

/* Bytes that a caller has in place of a file. */
struct in_source {
	const char *name; /* of the input, for messages and records */
	/* Stores up to n bytes, and returns their number: 0 at the end, a negative
	 * number, with errno, on failure. */
	ssize_t (*read)(void *arg, char *to, size_t n);
	void *arg;
};

struct in {
	/* The files to come, NULL-terminated; "-" is standard input. */
	char **files;
	size_t max_line;
	/* The last line that was skipped since it was longer, or from which on a
	 * file could not be read; 0: none since the caller set this to 0. */
	size_t skipped;
	/* Seconds to wait for more at the end of a file (io/follow.h), or 0. */
	double patience;
	/* The bytes that standard input is; NULL: those of the descriptor 0. */
	const struct in_source *source;
	/* By which files of other notations are read; NULL: they are not. */
	const struct converter *converters;
	/* The queries by which databases are read (io/database.h); NULL: they are
	 * not read. */
	const struct database_query *queries;
	/* Is called before a read that would wait, so that a filter can
	 * flush. */
	void (*idle)(void *);
	void *idle_arg;
	bool stop; /* the caller sets this to end the input here */
	/* If not 0, a line that has more bytes and does not end in the buffer, or
	 * is longer than max_line, is not read to its end: see in_line. */
	size_t part;

	bool refused;     /* a file was that of in_refuse */
	const char *file; /* name of the current file, or "<stdin>" */
	size_t line;      /* number (from 1) of the last returned line */
	size_t offset;    /* its offset in the file, in bytes */
	bool file_begins; /* it is the first line of its file */
	bool whole;       /* it ended in a newline */
	bool partly;      /* it is the beginning of a line, which is not used */
	bool replaced;    /* bytes of the file were replaced in the buffer */
	/* The file belongs to another struct in. A reader that leaves the bytes where
	 * they are can read the chunk again from a copy of this struct. */
	bool lent;

	/* The rest is private. Indices are into buf. */
	int fd; /* -1: no file is open */
	struct decompress decompress;
	dev_t output_device; /* of the file that is not read, */
	ino_t output_inode;  /* or 0 */
	off_t had; /* bytes of the file when it was opened, if it is regular and
	            * not unpacked, else 0 */
	bool standard_input, waits, at_end, fresh;
	bool paused;       /* in_line_here stopped where a value begins */
	bool more_follows; /* lent, and other chunks of the file follow */
	struct in_missing missing;
	struct in_newlines newlines; /* none unless lent */
	char *buf;
	size_t size;
	size_t text;        /* where the text that was returned last begins */
	size_t next;        /* the end of that text and its newline */
	size_t last;        /* where the last line of that text begins */
	size_t seen;        /* no newline lies between `next` and here */
	size_t to;          /* the end of the bytes that were read */
	size_t base;        /* offset of buf in the file */
	size_t column;      /* bytes before the text in its line */
	size_t next_line;   /* number of the line that `next` is in, */
	size_t next_column; /* and the bytes before `next` in that line */
};

#define IN_IS_SHORTER "cannot read all: the file became shorter meanwhile"

enum {
	IN_SOURCE = INT_MAX, /* in place of a descriptor */
	IN_SHORTER = -1, /* in place of errno: the file lost bytes meanwhile */
	IN_MAX_LINE = 1 << 30,
	IN_BLOCK = 256 * 1024, /* bytes of a read; more is no faster */
};

/*
 * Begins to read the files (the rest of argv; with no file, standard input). A
 * file that cannot be read as text (it does not exist, is a directory, or is a
 * pipe with compressed data) is reported by diag_error and skipped. The list of
 * files is kept, not copied.
 */
void in_open(struct in *, char **files);

/* Refuses to read the file that is open as fd for the output, as cat(1) does: the
 * input would never end. Only regular files are refused. */
void in_refuse(struct in *, int fd);

/* Begins again with other files, or the same, after in_close. max_line,
 * patience, queries, idle and in_refuse are kept. */
void in_again(struct in *, char **files);

/*
 * Reads the next line, without its line end. The line lives until the next
 * call. Returns false at the end of the last file. A line longer than max_line
 * is reported and skipped.
 *
 * With in->part, the text may be the beginning of a line (in->partly): then the
 * next call returns the same line again, unless in_cut or in_unread follows.
 * in_join, which then returns false, sets in->partly too.
 */
bool in_line(struct in *, struct str *line);

/* Like in_line, but reads the current file alone. Returns false at the end of the
 * file, and once where a line begins with an object after a line that was too long;
 * the next call returns that line. */
bool in_line_here(struct in *, struct str *line);

/*
 * Joins the text that was returned last and the line after it to one text, with
 * the newline between them. While the text has fewer than `enough` bytes, the
 * function also joins more lines, as far as they are in the buffer already.
 * in->line stays the number of the first line. Returns false, with the text
 * unchanged, at the end of the file, where the text would exceed max_line, and
 * where a value begins. In both cases the text may have moved.
 */
bool in_join(struct in *in, struct str *text, size_t enough);

/* Returns all bytes in the buffer, which contain the text that was returned
 * last. They move when that text moves. */
static inline struct str
in_around(const struct in *in)
{
	return (struct str){ in->buf, in->to };
}

/*
 * Reading without regard to lines, of a long value that begins with the text that
 * was returned last. in_rest returns all bytes that were read from there on;
 * in_more reads n more, and returns false at the end of the file. in_cut moves the
 * beginning to the byte at `offset`, where the bytes of `head`, which must be fewer
 * and without a newline, are put before it. At the end, in_unread gives back what
 * follows the value.
 */
struct str in_rest(const struct in *in);
bool in_more(struct in *in, size_t n);
void in_cut(struct in *in, size_t offset, struct str head);
/* Puts other bytes in place of n bytes at `offset`. */
void in_replace(struct in *in, size_t offset, size_t n, struct str by);

/* Returns whether a value begins behind the text that was returned last,
 * whatever the text is: its last line closes an object, and the next line opens
 * one. The text may move. */
bool in_value_begins(struct in *);

/* The reason why in_join returned false. */
enum in_end {
	IN_FILE_ENDS,
	IN_VALUE_BEGINS,
	IN_TOO_LONG,
};
enum in_end in_end(struct in *);

/* Returns whether the input is lent, the buffer is used up, and more can be
 * read. Then the owner may take the input back, unless a value is
 * incomplete. */
bool in_is_used_up(const struct in *);

/* Gives back all but the first `used` bytes of the text that was returned last:
 * the next in_line begins there. */
void in_unread(struct in *, size_t used);

/* Returns the place of the byte at `offset` in the text that was returned
 * last. */
struct place in_place(const struct in *, size_t offset);

/* Returns the number of bytes that are still to come, or a negative number if
 * it is unknown, as with a pipe. */
int64_t in_bytes_left(const struct in *);

/* Closes the file and frees the buffer. */
void in_close(struct in *);

/* ---- for in.c, in_chunk.c and in_read.c only ---- */

/* Opens the next file that can be opened. Returns false after the last. */
bool in_next_file(struct in *);

/* Closes the current file, and waits for the program that unpacked it. */
void in_end_file(struct in *);

/*
 * Returns whether the line that ends at `newline` closes an object and the next
 * line, of which the bytes up to `end` are known, opens one. `from` is at or
 * before the beginning of the line. No value spans such a border, since there
 * is no comma between the two objects and a string holds no newline. So a value
 * begins there, whatever came before. The line may end in CRLF, and an RS may
 * precede the value.
 */
bool in_border(const char *from, const char *newline, const char *end);

/* Returns the current file, as a place without a line. */
static inline struct place
in_whole_file(const struct in *in)
{
	return (struct place){ .file = in->file };
}

/* Makes room for n bytes at the end of the buffer. The buffer keeps all bytes
 * from the text on. */
void in_make_room(struct in *, size_t n);

/* Returns whether a read would wait: the file has no bytes now but may have
 * some later. */
bool in_would_wait(const struct in *);

/* Reads once, at most `size` bytes, and sets at_end at the end of the file.
 * Returns false, with errno, on failure. A file that ends earlier than when it
 * was opened is a failure, with IN_SHORTER for errno. */
bool in_read(struct in *, size_t size);

/* Like in_read, but reports a failure, which ends the file. Returns false at
 * the end of the file. */
bool in_fill(struct in *, size_t size);
