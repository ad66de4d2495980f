#include "in_lend.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How far a border is looked for before the input itself is lent. */
enum { FARTHEST = 16 * 1024 * 1024 };

static size_t
pending(const struct in *in)
{
	return in->to - in->text;
}

/* Behind the last border in what was read; its beginning, if there is none. */
static size_t
last_border(const struct in *in)
{
	const char *from = in->buf + in->text, *end = in->buf + in->to;

	for (const char *p = end; p > from; p--)
		if (p[-1] == '\n' && in_border(from, p - 1, end))
			return (size_t)(p - in->buf);
	return in->text;
}

/* Whether it holds a line that should not wait for what comes later. */
static bool
holds_line(const struct in *in)
{
	return in->waits &&
	    memchr(in->buf + in->text, '\n', pending(in)) != NULL;
}

/* Reads until `want` bytes are there. False at the end of the file, and where
 * no more is to be had now. What cannot be read is told when all before it has
 * been lent. */
static bool
gather(struct in *in, size_t want)
{
	bool more = !in->at_end;

	while (more && pending(in) < want) {
		size_t n = want - pending(in);

		if (pending(in) == 0)
			more = in_fill(in, n);
		else
			more = !(holds_line(in) && in_would_wait(in)) &&
			    in_read(in, n) && !in->at_end;
	}
	return more;
}

/* Reads, and finds where a piece may end; its beginning, if that is not to be
 * seen. */
static size_t
find_end(struct in *in, size_t size)
{
	size_t border;
	bool more;

	do {
		more = gather(in, size);
		if (in->at_end && pending(in) <= size)
			return in->to;
		border = last_border(in);
		size *= 2;
	} while (border == in->text && more && size <= FARTHEST);
	return border == in->text && in->at_end ? in->to : border;
}

/* What the borrower begins with: the owner's buffer, as far as `end`. */
static struct in
piece(const struct in *in, size_t end)
{
	return (struct in){ .max_line = in->max_line,
		.file = in->file,
		.fd = in->fd,
		.lent = true,
		.at_end = true,
		.walled = end < in->to || !in->at_end,
		.fresh = in->fresh,
		.waits = in->waits,
		.buf = in->buf,
		.size = in->size,
		.text = in->text,
		.next = in->text,
		.last = in->text,
		.seen = in->text,
		.to = end,
		.base = in->base,
		.next_line = in->next_line,
		.next_column = in->next_column };
}

/* The owner goes on behind `end`, in another buffer. */
static void
go_on(struct in *in, size_t end, char *buf, size_t size)
{
	const char *old = in->buf, *p = old + in->text;
	size_t rest = in->to - end;

	while ((p = memchr(p, '\n', (size_t)(old + end - p))) != NULL) {
		p++;
		in->next_line++;
	}
	in->buf = buf;
	in->size = size;
	in->base += end;
	in->text = in->next = in->last = in->seen = in->to = 0;
	in->next_column = 0;
	in->fresh = false;
	if (rest != 0) {
		in_make_room(in, rest);
		memcpy(in->buf, old + end, rest);
		in->to = rest;
	}
}

static bool
is_text(const struct in *in)
{
	struct str start = { in->buf + in->text, pending(in) };

	return in->base + in->text != 0 || unpack_hint(start) == NULL;
}

enum in_lent
in_lend(struct in *in, struct in *to, size_t size)
{
	size_t end = 0, old_size = to->size;
	char *old = to->buf;

	while (in->fd >= 0 || in_next_file(in)) {
		end = find_end(in, size);
		if (pending(in) != 0)
			break;
		in_end_file(in);
	}
	if (in->fd < 0)
		return IN_NOTHING;
	*to = piece(in, end);
	if (end != in->text && is_text(in)) {
		go_on(in, end, old, old_size);
		return IN_PIECE;
	}
	to->at_end = in->at_end;
	to->walled = false;
	to->to = in->to;
	in->buf = old;
	in->size = old_size;
	return IN_ITSELF;
}

void
in_take_back(struct in *in, struct in *from)
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
	*from = (struct in){ .buf = spare, .size = spare_size };
}

void
in_lend_none(const struct in *in, struct in *to)
{
	*to = (struct in){ .max_line = in->max_line,
		.fd = -1,
		.buf = to->buf,
		.size = to->size };
}

bool
in_goes_on(const struct in *to)
{
	return to->walled;
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
in_end_loan(struct in *to)
{
	free(to->buf);
	to->buf = NULL;
}
