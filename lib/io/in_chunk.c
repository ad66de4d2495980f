#include "io/in_chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	/* The bytes in which to search for a border before the input itself is
	 * lent. */
	FARTHEST = 16 * 1024 * 1024,
	TAIL = 32 * 1024, /* the end of a chunk that is searched first */
	BLOCK = 4 * 1024, /* the part that is searched at once */
	BEFORE = 2,       /* bytes before a newline that in_border looks at */
	FIRST_FD = 3,     /* behind the standard descriptors */
	KNOWN = 4096,     /* most newlines whose places are kept */
};

static size_t
pending(const struct in *in)
{
	return in->to - in->text;
}

/* Returns whether the input can be read at any offset. */
static bool
is_file(const struct in *in)
{
	return !in->waits && in->decompress.program == NULL &&
	    in->patience <= 0;
}

/* Returns the index behind the last border whose newline lies before `until`,
 * or 0 without such a border. The bytes up to `end` are known. */
static size_t
last_border(const char *buf, size_t until, size_t end)
{
	const char *border = NULL, *p;

	while (border == NULL && until > 0) {
		size_t from = until > BLOCK ? until - BLOCK : 0;

		p = buf + from;
		while ((p = memchr(p, '\n', (size_t)(buf + until - p))) != NULL)
			if (in_border(buf, p++, buf + end))
				border = p;
		until = from;
	}
	return border == NULL ? 0 : (size_t)(border - buf);
}

/* Returns whether the buffer holds a line of a pipe: such a line should not
 * wait for later bytes. */
static bool
holds_line(const struct in *in)
{
	return in->waits && pending(in) != 0 &&
	    memchr(in->buf + in->text, '\n', pending(in)) != NULL;
}

/* Reads until `want` bytes are in the buffer. Returns false at the end of the
 * file, where no more bytes can be read now, and on failure, with errno. */
static bool
gather(struct in *in, size_t want)
{
	bool more = !in->at_end;

	while (more && pending(in) < want)
		more = !(holds_line(in) && in_would_wait(in)) &&
		    in_read(in, want - pending(in)) && !in->at_end;
	return more;
}

/* Reads, and returns the index where a chunk may end. Returns the beginning of
 * the text if no border is in sight. */
static size_t
find_end(struct in *in, size_t size)
{
	size_t border;
	bool more;

	do {
		more = gather(in, size);
		if (in->at_end && pending(in) <= size)
			return in->to;
		border = in->text +
		    last_border(in->buf + in->text, pending(in), pending(in));
		size *= 2;
	} while (border == in->text && more && size <= FARTHEST);
	return border == in->text && in->at_end ? in->to : border;
}

/* Returns the first state of the borrower `to`: the owner's buffer up to `end`.
 * The line number is known only at the beginning of a file. */
static struct in
piece(const struct in *in, const struct in *to, size_t end)
{
	return (struct in){ .max_line = in->max_line,
		.file = in->file,
		.fd = in->fd,
		.lent = true,
		.at_end = true,
		.more_follows = end < in->to || !in->at_end,
		.fresh = in->fresh,
		.waits = in->waits,
		.had = in->had,
		.newlines.at = to->newlines.at,
		.buf = in->buf,
		.size = in->size,
		.text = in->text,
		.next = in->text,
		.last = in->text,
		.seen = in->text,
		.to = end,
		.base = in->base,
		.next_line = in->base + in->text == 0 ? 1 : 0,
		.next_column = in->next_column };
}

/* Moves the owner behind `end`, with an empty buffer, which the caller
 * chooses. */
static void
advance(struct in *in, size_t end)
{
	in->base += end;
	in->text = in->next = in->last = in->seen = in->to = 0;
	in->next_column = 0;
	in->fresh = false;
}

/* Gives the owner another buffer, to which the bytes behind `end` move, unless
 * they can be read again with the next chunk. */
static void
take_rest(struct in *in, size_t end, char *buf, size_t size)
{
	const char *rest = in->buf + end;
	size_t n = in->to - end;

	in->buf = buf;
	in->size = size;
	advance(in, end);
	if (n == 0)
		return;
	if (is_file(in) && lseek(in->fd, -(off_t)n, SEEK_CUR) >= 0) {
		in->at_end = false;
		return;
	}
	in_make_room(in, n);
	memcpy(in->buf, rest, n);
	in->to = n;
}

/* ---- reading at an offset ---- */

/* Reads n bytes at the offset `at`, and returns the number of bytes that could
 * be read. If they are fewer, errno is the reason, or 0 at the end of the
 * file. */
static size_t
read_at(int fd, char *to, size_t n, off_t at)
{
	size_t done = 0;
	ssize_t more = 1;

	errno = 0;
	while (done < n && (more > 0 || errno == EINTR)) {
		errno = 0;
		more = pread(fd, to + done, n - done, at + (off_t)done);
		done += more > 0 ? (size_t)more : 0;
	}
	return done;
}

/* Reads a chunk backwards from its end until a border is in sight. Returns the
 * index behind the border, or 0 without a border. The part that was not read is
 * stored as missing. */
static size_t
read_end(int fd, char *buf, size_t size, struct in_missing *missing)
{
	size_t until = size, border = 0;

	missing->n = size;
	for (size_t n = TAIL; missing->n > 0 && border == 0; n *= 2) {
		size_t from = missing->n > n ? missing->n - n : 0;
		char *to = buf + from;

		n = missing->n - from;
		if (read_at(fd, to, n, missing->at + (off_t)from) < n)
			return 0;
		border = last_border(to, until - from, size - from);
		border += border == 0 ? 0 : from;
		missing->n = from;
		until = from + BEFORE; /* in_border lacked bytes before these */
	}
	return border;
}

/* Returns whether a chunk may be lent of which a part is missing: all bytes
 * that were read are lent, and more can be read at an offset. The beginning of
 * a file is excluded, since it must be examined at once. */
static bool
may_be_missing(const struct in *in)
{
	return is_file(in) && pending(in) == 0 && !in->at_end &&
	    in->base + in->text != 0 && in->next_column == 0;
}

/* Lends a chunk of a file in the borrower's buffer. Returns false if the chunk
 * has to be read in the owner's buffer. */
static bool
lend_unread(struct in *in, struct in *to, size_t size)
{
	struct in_missing missing = { .at = lseek(in->fd, 0, SEEK_CUR) };
	struct in lent;
	size_t end;

	to->text = to->next = to->last = to->seen = to->to = 0;
	in_make_room(to, size);
	end = read_end(in->fd, to->buf, size, &missing);
	if (end != 0) /* the owner may close its descriptor meanwhile */
		missing.fd = fcntl(in->fd, F_DUPFD_CLOEXEC, FIRST_FD);
	if (missing.fd < FIRST_FD)
		return false;
	lseek(in->fd, missing.at + (off_t)end, SEEK_SET);
	advance(in, in->to);
	lent = piece(in, to, end);
	lent.buf = to->buf;
	lent.size = to->size;
	lent.missing = missing;
	*to = lent;
	advance(in, end);
	return true;
}

/* Counts the lines, and stores their ends for in_line. */
static void
count_lines(struct in *to)
{
	struct in_newlines *found = &to->newlines;
	const char *p, *end;
	size_t n = 0;

	found->n = to->missing.lines = 0;
	if (to->to == to->text)
		return;
	p = to->buf + to->text;
	end = to->buf + to->to;
	if (found->at == NULL)
		found->at = calloc(KNOWN, sizeof *found->at);
	if (found->at == NULL)
		diag_die("out of memory");
	for (; (p = memchr(p, '\n', (size_t)(end - p))) != NULL; p++, n++)
		if (n < KNOWN)
			found->at[n] = (size_t)(p - to->buf);
	found->n = n < KNOWN ? n : KNOWN;
	to->missing.lines = n;
}

/* Ends the chunk where it could not be read. in_fill reports the reason when it
 * gets there. */
static void
end_early(struct in *to, size_t end, int error)
{
	to->to = end;
	to->more_follows = to->at_end = false;
	to->missing.torn = true;
	to->missing.error = error;
}

void
in_chunk_fetch(struct in *to)
{
	struct in_missing *m = &to->missing;
	size_t n;

	if (m->counted)
		return;
	if (m->fd != 0) {
		n = read_at(m->fd, to->buf, m->n, m->at);
		if (n < m->n)
			end_early(to, n, errno == 0 ? IN_SHORTER : errno);
		close(m->fd);
	}
	count_lines(to);
	m->counted = true;
}

/* Makes the chunk empty. */
static void
drop(struct in *to)
{
	to->to = to->text;
	to->at_end = true;
	to->more_follows = false;
	to->newlines.n = 0;
	to->missing.error = 0;
}

void
in_chunk_number(struct in *to, size_t *next)
{
	if (to->next_line != 0) {
		*next = 1; /* the first chunk of a file */
	} else if (*next == 0) {
		drop(to);
		return;
	} else {
		to->next_line = *next;
	}
	*next = to->missing.torn ? 0 : *next + to->missing.lines;
}

/* ---- lending ---- */

static bool
is_text(const struct in *in)
{
	struct str start = { in->buf + in->text, pending(in) };

	return in->base + in->text != 0 || decompress_hint(start) == NULL;
}

/* Lends an empty chunk whose borrower reports why the rest of the file cannot be
 * read, unless an earlier chunk of the file had to end for that. */
static enum in_chunk
lend_failure(struct in *in, struct in *to, int error)
{
	struct in failed = piece(in, to, in->to);

	failed.buf = to->buf;
	failed.size = to->size;
	end_early(&failed, 0, error);
	failed.text = failed.next = failed.last = failed.seen = 0;
	failed.base = in->base + in->text;
	*to = failed;
	in->at_end = in->decompress.read_failed = true;
	return IN_CHUNK;
}

enum in_chunk
in_take_chunk(struct in *in, struct in *to, size_t size)
{
	size_t end = 0, old_size;
	char *old;

	while (in->fd >= 0 || in_next_file(in)) {
		if (may_be_missing(in) && lend_unread(in, to, size))
			return IN_CHUNK;
		end = find_end(in, size);
		if (pending(in) != 0)
			break;
		if (!in->at_end)
			return lend_failure(in, to, errno);
		in_end_file(in);
	}
	if (in->fd < 0) {
		in_chunk_none(in, to);
		return IN_NOTHING;
	}
	old = to->buf;
	old_size = to->size;
	*to = piece(in, to, end);
	if (end != in->text && is_text(in)) {
		take_rest(in, end, old, old_size);
		return IN_CHUNK;
	}
	to->missing.counted = true;
	to->at_end = in->at_end;
	to->more_follows = false;
	to->to = in->to;
	in->buf = old;
	in->size = old_size;
	return IN_WHOLE_INPUT;
}

void
in_chunk_return(struct in *in, struct in *from)
{
	char *spare = in->buf;
	size_t spare_size = in->size;

	in->buf = from->buf;
	in->size = from->size;
	in->text = in->next = in->last = in->seen = from->next;
	in->to = from->to;
	in->base = from->base;
	in->at_end = from->at_end;
	in->fresh = from->fresh;
	in->next_line = from->next_line;
	in->next_column = from->next_column;
	if (from->fd < 0)
		in_end_file(in);
	*from = (struct in){ .newlines.at = from->newlines.at,
		.buf = spare,
		.size = spare_size };
}

void
in_chunk_none(const struct in *in, struct in *to)
{
	*to = (struct in){ .max_line = in->max_line,
		.converters = in->converters,
		.queries = in->queries,
		.fd = -1,
		.missing.counted = true,
		.output_device = in->output_device,
		.output_inode = in->output_inode,
		.newlines.at = to->newlines.at,
		.buf = to->buf,
		.size = to->size };
}

bool
in_chunk_has_next(const struct in *to)
{
	return to->more_follows;
}

bool
in_is_regular(const char *name, size_t *bytes)
{
	struct stat st;
	bool standard = strcmp(name, "-") == 0;

	if ((standard ? fstat(STDIN_FILENO, &st) : stat(name, &st)) != 0 ||
	    !S_ISREG(st.st_mode))
		return false;
	*bytes += (size_t)st.st_size;
	return true;
}

void
in_chunk_close(struct in *to)
{
	free(to->buf);
	free(to->newlines.at);
	to->buf = NULL;
	to->newlines.at = NULL;
}
