#include "in.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "follow.h"
#include "large.h"
#include "pipe.h"

enum {
	BLOCK = 256 * 1024, /* of one read; more gains nothing */
	END_OF_LINE = 3,    /* bytes that in_border looks at */
};

void
in_make_room(struct in *in, size_t n)
{
	size_t size = in->size == 0 ? (size_t)2 * BLOCK : in->size * 2;
	char *bigger;

	if (in->text > 0) {
		memmove(in->buf, in->buf + in->text, in->to - in->text);
		in->base += in->text;
		in->next -= in->text;
		in->last -= in->text;
		in->seen -= in->text;
		in->to -= in->text;
		in->text = 0;
	}
	if (in->size - in->to >= n)
		return;
	while (size - in->to < n)
		size *= 2;
	bigger = large_realloc(in->buf, size);
	if (bigger == NULL)
		diag_die("out of memory (%zu bytes wanted for a line)", size);
	in->buf = bigger;
	in->size = size;
}

void
in_open(struct in *in, char **files)
{
	*in = (struct in){ .files = files,
		.max_line = IN_MAX_LINE,
		.fd = -1,
		.standard_input = files == NULL || *files == NULL };
	in_make_room(in, BLOCK);
}

void
in_again(struct in *in, char **files)
{
	struct in before = *in;

	in_open(in, files);
	in->max_line = before.max_line;
	in->patience = before.patience;
	in->idle = before.idle;
	in->idle_arg = before.idle_arg;
}

static struct place
whole_file(const struct in *in)
{
	return (struct place){ .file = in->file };
}

static bool
begin_file(struct in *in, const char *name)
{
	bool standard = strcmp(name, "-") == 0;
	struct stat st;

	in->file = standard ? "<stdin>" : name;
	in->fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0) {
		diag_error(whole_file(in), "cannot read:");
		return false;
	}
	in->waits = fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode);
	in->fd = unpack_open(&in->unpack, in->fd, in->file);
	if (in->fd < 0)
		return false;
	pipe_widen(in->fd);
	in->at_end = false;
	in->fresh = true;
	in->text = in->next = in->last = in->seen = in->to = in->base = 0;
	in->next_line = 1;
	in->next_column = 0;
	return true;
}

static void
stop_reading(struct in *in)
{
	if (in->fd > STDIN_FILENO && !in->lent)
		close(in->fd);
	in->fd = -1;
}

void
in_end_file(struct in *in)
{
	stop_reading(in);
	unpack_close(&in->unpack, in->file, !in->at_end);
}

bool
in_next_file(struct in *in)
{
	in_end_file(in); /* what was read last has been looked at */
	while (
	    in->standard_input || (in->files != NULL && *in->files != NULL)) {
		const char *name = in->standard_input ? "-" : *in->files++;

		in->standard_input = false;
		if (begin_file(in, name))
			return true;
	}
	return false;
}

bool
in_would_wait(const struct in *in)
{
	struct pollfd ready = { .fd = in->fd, .events = POLLIN };

	return in->waits && poll(&ready, 1, 0) == 0;
}

/* Whether more of the file came where it ended. */
static bool
is_growing(struct in *in)
{
	if (in->patience <= 0 || in->waits || in->unpack.program != NULL)
		return false;
	if (in->idle != NULL)
		in->idle(in->idle_arg);
	return follow_more(in->fd, in->file, in->patience);
}

bool
in_read(struct in *in, size_t size)
{
	ssize_t n;

	in_make_room(in, size);
	do
		n = read(in->fd, in->buf + in->to, size);
	while ((n < 0 && errno == EINTR) || (n == 0 && is_growing(in)));
	in->at_end = n == 0;
	if (n > 0)
		in->to += (size_t)n;
	return n >= 0;
}

static bool
cannot_read(struct in *in)
{
	diag_error(whole_file(in), "cannot read:");
	in->at_end = in->unpack.unread = true;
	return false;
}

bool
in_fill(struct in *in, size_t size)
{
	size_t had = in->to - in->text;

	if (in->at_end)
		return false;
	if (in->missing.error != 0) {
		errno = in->missing.error;
		return cannot_read(in);
	}
	if (in->idle != NULL && (in->lent || in_would_wait(in)))
		in->idle(in->idle_arg);
	if (in->stop) {
		in->at_end = true;
		in->files = NULL;
		return false;
	}
	if (!in_read(in, size))
		return cannot_read(in);
	return in->to - in->text > had;
}

/* The first newline from there on in what was read. */
static char *
find_newline(struct in *in, size_t from)
{
	struct in_newlines *known = &in->newlines;

	while (known->next > 0 && known->at[known->next - 1] >= from)
		known->next--; /* some was given back */
	while (known->next < known->n && known->at[known->next] < from)
		known->next++;
	if (known->next < known->n)
		return in->buf + known->at[known->next];
	return from == in->to ? NULL
			      : memchr(in->buf + from, '\n', in->to - from);
}

/*
 * Moves in->next behind the next newline, or to the end of the file. False,
 * with in->next as it was, if nothing is left there or the text would grow
 * beyond max_line.
 */
static bool
take_line(struct in *in)
{
	/* relative to the text, which fill() moves */
	size_t next = in->next - in->text, seen = in->seen - in->text;
	char *newline = NULL;

	do {
		size_t at = in->text + seen, end;

		newline = find_newline(in, at);
		end = newline == NULL ? in->to : (size_t)(newline - in->buf);
		seen = end - in->text;
	} while (newline == NULL && seen <= in->max_line && in_fill(in, BLOCK));
	if (seen > in->max_line || (newline == NULL && in->next == in->to))
		return false;
	in->whole = newline != NULL;
	in->last = in->text + next;
	in->next = in->seen = in->text + seen + (newline != NULL ? 1 : 0);
	return true;
}

/* The text that the last take_line ended, without the end of its line. */
static struct str
taken(const struct in *in)
{
	const char *s = in->buf + in->text;
	size_t n = in->next - in->text - (in->whole ? 1 : 0);

	if (in->whole && n > 0 && s[n - 1] == '\r')
		n--;
	return (struct str){ s, n };
}

/* Drops what was read of a line that is too long, and the rest of it, but for
 * its end. */
static void
skip_line(struct in *in)
{
	char *newline;

	diag_error((struct place){ .file = in->file, .line = in->next_line },
	    "line longer than %zu bytes skipped (see --max-line)",
	    in->max_line);
	do {
		newline = memchr(in->buf + in->next, '\n', in->to - in->next);
		in->next =
		    newline == NULL ? in->to : (size_t)(newline + 1 - in->buf);
		if (in->next - in->text > END_OF_LINE)
			in->text = in->next - END_OF_LINE;
		in->last = in->seen = in->next;
	} while (newline == NULL && in_fill(in, BLOCK));
	in->whole = newline != NULL;
	in->next_line++;
	in->next_column = 0;
}

/* Moves the beginning of the text past n bytes. */
static void
drop_front(struct in *in, struct str *line, size_t n)
{
	*line = str_from(*line, n);
	in->text += n;
	in->last += n;
}

/* Sees to what may stand before the text of a line. False: give up on the
 * file. */
static bool
strip_front(struct in *in, struct str *line)
{
	bool first = in->base + in->text == 0;
	const char *why = first ? unpack_hint(*line) : NULL;

	if (why != NULL) {
		diag_error(whole_file(in), "%s", why);
		return false;
	}
	if (first && str_starts(*line, STR("\xef\xbb\xbf")))
		drop_front(in, line, 3);
	while (line->n > 0 && line->s[0] == '\x1e') {
		drop_front(in, line, 1);
		in->column++;
	}
	return true;
}

/* The next line of the open file, blank or not. False at its end. */
static bool
line_of_file(struct in *in, struct str *line)
{
	for (;;) {
		in->text = in->last = in->next;
		in->column = in->next_column;
		if (take_line(in))
			break;
		if (in->next == in->to)
			return false;
		skip_line(in);
		in->paused = in_value_begins(in);
		if (in->paused)
			return false;
	}
	*line = taken(in);
	in->line = in->next_line++;
	in->next_column = 0;
	if (!strip_front(in, line))
		return false;
	in->offset = in->base + in->text;
	return true;
}

static bool
blank(struct str line)
{
	return str_trim(line).n == 0;
}

bool
in_line_here(struct in *in, struct str *line)
{
	for (in->paused = false; in->fd >= 0;) {
		if (!line_of_file(in, line)) {
			if (in->paused)
				break;
			stop_reading(in);
		} else if (!blank(*line)) {
			in->file_begins = in->fresh;
			in->fresh = false;
			return true;
		}
	}
	return false;
}

bool
in_line(struct in *in, struct str *line)
{
	do
		if (in_line_here(in, line))
			return true;
	while (in->paused || in_next_file(in));
	return false;
}

bool
in_border(const char *from, const char *newline, const char *end)
{
	const char *next = newline + 1;

	if (newline > from && newline[-1] == '\r')
		newline--;
	if (next < end && *next == '\x1e')
		next++;
	return newline > from && newline[-1] == '}' && next < end &&
	    *next == '{';
}

bool
in_value_begins(struct in *in)
{
	const char *buf;

	while (in->to - in->next < IN_BORDER_NEXT && in_fill(in, BLOCK))
		;
	if (in->next == in->to)
		return in->whole && in->walled;
	buf = in->buf;
	return in->whole &&
	    in_border(buf + in->text, buf + in->next - 1, buf + in->to);
}

bool
in_join(struct in *in, struct str *text)
{
	bool more = !in_value_begins(in) && take_line(in);

	if (more)
		in->next_line++;
	*text = taken(in);
	return more;
}

enum in_end
in_end(struct in *in)
{
	if (in_value_begins(in))
		return IN_VALUE_BEGINS;
	return in->at_end && in->next == in->to ? IN_FILE_ENDS : IN_TOO_LONG;
}

bool
in_spent(const struct in *in)
{
	return in->lent && in->fd >= 0 && !in->at_end &&
	    in->missing.error == 0 && in->next == in->to;
}

struct place
in_place(const struct in *in, size_t offset)
{
	const char *p = in->buf + in->text, *to = p + offset;
	struct place at = { .file = in->file,
		.line = in->line,
		.column = in->column + offset + 1 };

	for (; (p = memchr(p, '\n', (size_t)(to - p))) != NULL; p++) {
		at.line++;
		at.column = (size_t)(to - p);
	}
	return at;
}

void
in_unread(struct in *in, size_t used)
{
	struct place at = in_place(in, used);
	size_t end = in->next - (in->whole ? 1 : 0);

	in->next = in->text + used;
	/* A line of many values is not searched again for each. */
	in->seen = in->next < in->last || end < in->next ? in->next : end;
	in->next_line = at.line;
	in->next_column = at.column - 1;
}

void
in_close(struct in *in)
{
	in_end_file(in);
	free(in->buf);
	in->buf = NULL;
}
