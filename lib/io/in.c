#include "io/in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/database.h"
#include "io/pipe.h"

enum {
	END_OF_LINE = 3, /* bytes before a border that in_border looks at, */
	BORDER_NEXT = 2, /* and bytes after it */
};

void
in_open(struct in *in, char **files)
{
	*in = (struct in){ .files = files,
		.max_line = IN_MAX_LINE,
		.fd = -1,
		.standard_input = files == NULL || *files == NULL };
	in_make_room(in, IN_BLOCK);
}

void
in_refuse(struct in *in, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return;
	in->output_device = st.st_dev;
	in->output_inode = st.st_ino;
}

void
in_again(struct in *in, char **files)
{
	struct in before = *in;

	in_open(in, files);
	in->max_line = before.max_line;
	in->patience = before.patience;
	in->source = before.source;
	in->converters = before.converters;
	in->queries = before.queries;
	in->idle = before.idle;
	in->idle_arg = before.idle_arg;
	in->output_device = before.output_device;
	in->output_inode = before.output_inode;
}

static void
stop_reading(struct in *in)
{
	if (in->fd > STDIN_FILENO && in->fd != IN_SOURCE && !in->lent)
		close(in->fd);
	in->fd = -1;
}

/* Returns whether reading the file would read what is written meanwhile. */
static bool
is_output(const struct in *in, const struct stat *st)
{
	return in->output_inode == st->st_ino &&
	    in->output_device == st->st_dev;
}

/* Returns the descriptor from which to read the text of the file that is open, or -1
 * after a message. */
static int
open_text(struct in *in, const char *name)
{
	if (in->queries == NULL || in->fd == STDIN_FILENO ||
	    !database_is_open(in->fd))
		return decompress_open(&in->decompress, in->fd, in->file);
	close(in->fd);
	return database_open(&in->decompress, name, in->queries);
}

/* Converts a text that is read from a pipe, if a converter owns it. Returns false after
 * a message. */
static bool
convert_stream(struct in *in)
{
	enum converter_owns owns;
	int to;

	do
		owns = converter_owns(
		    in->converters, (struct str){ in->buf, in->to });
	while (owns == CONVERTER_NEEDS_MORE && in->to < CONVERTER_START_MAX &&
	    in_fill(in, IN_BLOCK));
	if (owns != CONVERTER_OWNS)
		return true;
	if (in->fd == IN_SOURCE)
		while (in->to < in->max_line && in_fill(in, IN_BLOCK))
			continue;
	to = converter_read(in->converters, (struct str){ in->buf, in->to },
	    in->fd == IN_SOURCE ? -1 : in->fd, in->file, in->max_line);
	stop_reading(in);
	if (to < 0) {
		decompress_close(&in->decompress, in->file, true);
		return false;
	}
	in->fd = to;
	in->waits = in->at_end = false;
	in->to = 0;
	return true;
}

/* Begins to read the text of the file that is open. */
static void
begin_text(struct in *in)
{
	in->at_end = in->replaced = false;
	in->fresh = true;
	in->text = in->next = in->last = in->seen = in->to = in->base = 0;
	in->next_line = 1;
	in->next_column = 0;
}

/* Begins to read the caller's bytes. */
static bool
begin_source(struct in *in)
{
	in->file = in->source->name;
	in->fd = IN_SOURCE;
	in->waits = false;
	in->had = 0;
	begin_text(in);
	return in->converters == NULL || convert_stream(in);
}

static bool
begin_file(struct in *in, const char *name)
{
	bool standard = strcmp(name, "-") == 0;
	struct stat st = { 0 };
	bool streams;
	int opened;

	if (standard && in->source != NULL)
		return begin_source(in);
	in->file = standard ? "<stdin>" : name;
	in->fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0) {
		diag_error(in_whole_file(in), "cannot read:");
		return false;
	}
	in->waits = fstat(in->fd, &st) != 0 || !S_ISREG(st.st_mode);
	if (!in->waits && is_output(in, &st)) {
		diag_error(in_whole_file(in), "input file is output file");
		in->refused = true;
		stop_reading(in);
		return false;
	}
	in->fd = open_text(in, name);
	opened = in->fd;
	streams = in->waits || in->decompress.program != NULL;
	if (in->fd >= 0 && in->converters != NULL && !streams)
		in->fd = converter_open(
		    in->converters, in->fd, in->file, in->max_line);
	if (in->fd < 0)
		return false;
	in->had = streams || in->fd != opened ? 0 : st.st_size;
	pipe_widen(in->fd);
	begin_text(in);
	return !streams || in->converters == NULL || convert_stream(in);
}

void
in_end_file(struct in *in)
{
	stop_reading(in);
	if (!decompress_close(&in->decompress, in->file, !in->at_end))
		in->skipped = in->next_line;
}

bool
in_next_file(struct in *in)
{
	in_end_file(in); /* the caller has used all of it */
	while (
	    in->standard_input || (in->files != NULL && *in->files != NULL)) {
		const char *name = in->standard_input ? "-" : *in->files++;

		in->standard_input = false;
		if (begin_file(in, name))
			return true;
	}
	return false;
}

/* Returns the first newline at or after index `from` in the buffer, or NULL. */
static char *
find_newline(struct in *in, size_t from)
{
	struct in_newlines *known = &in->newlines;

	while (known->next > 0 && known->at[known->next - 1] >= from)
		known->next--; /* in_unread moved back */
	while (known->next < known->n && known->at[known->next] < from)
		known->next++;
	if (known->next < known->n)
		return in->buf + known->at[known->next];
	return from == in->to ? NULL
			      : memchr(in->buf + from, '\n', in->to - from);
}

/*
 * Moves in->next behind the next newline, or to the end of the file. Returns
 * false, with in->next unchanged, if no byte is left, the text would exceed
 * max_line, or only a part of the line is wanted.
 */
static bool
take_line(struct in *in)
{
	/* relative to the text, which in_fill() moves */
	size_t next = in->next - in->text, seen = in->seen - in->text;
	size_t most =
	    in->part != 0 && in->part < in->max_line ? in->part : in->max_line;
	char *newline = NULL;

	do {
		size_t at = in->text + seen, end;

		newline = find_newline(in, at);
		end = newline == NULL ? in->to : (size_t)(newline - in->buf);
		seen = end - in->text;
	} while (newline == NULL && seen <= most && in_fill(in, IN_BLOCK));
	in->partly = in->part != 0 &&
	    (seen > in->max_line || (newline == NULL && seen > most));
	if (in->partly || seen > in->max_line ||
	    (newline == NULL && in->next == in->to))
		return false;
	in->whole = newline != NULL;
	in->last = in->text + next;
	in->next = in->seen = in->text + seen + (newline != NULL ? 1 : 0);
	return true;
}

/* Returns the text up to in->next, without its line end. */
static struct str
taken(const struct in *in)
{
	const char *s = in->buf + in->text;
	size_t n = in->next - in->text - (in->whole ? 1 : 0);

	if (in->whole && n > 0 && s[n - 1] == '\r')
		n--;
	return (struct str){ s, n };
}

/* Skips a line that is too long. The buffer keeps the last bytes of the line,
 * for in_border. */
static void
skip_line(struct in *in)
{
	char *newline;

	diag_error((struct place){ .file = in->file, .line = in->next_line },
	    "line longer than %zu bytes skipped (see --max-line)",
	    in->max_line);
	in->skipped = in->next_line;
	do {
		newline = memchr(in->buf + in->next, '\n', in->to - in->next);
		in->next =
		    newline == NULL ? in->to : (size_t)(newline + 1 - in->buf);
		if (in->next - in->text > END_OF_LINE)
			in->text = in->next - END_OF_LINE;
		in->last = in->seen = in->next;
	} while (newline == NULL && in_fill(in, IN_BLOCK));
	in->whole = newline != NULL;
	in->next_line++;
	in->next_column = 0;
}

/* Moves the beginning of the text forward by n bytes. */
static void
drop_front(struct in *in, struct str *line, size_t n)
{
	*line = str_from(*line, n);
	in->text += n;
	in->last += n;
}

/* Removes a byte order mark and RS from the front of a line. Returns false,
 * after a message, if the file is not text. */
static bool
strip_front(struct in *in, struct str *line)
{
	bool first = in->base + in->text == 0;
	const char *why = first ? decompress_hint(*line) : NULL;

	if (why != NULL) {
		diag_error(in_whole_file(in), "%s", why);
		return false;
	}
	if (first && str_starts(*line, "\xef\xbb\xbf"))
		drop_front(in, line, 3);
	while (line->n > 0 && line->s[0] == '\x1e') {
		drop_front(in, line, 1);
		in->column++;
	}
	return true;
}

/* Makes the text the beginning of a line that take_line left. */
static bool
take_part(struct in *in, struct str *line)
{
	*line = in_rest(in);
	in->line = in->next_line;
	if (!strip_front(in, line))
		return false;
	in->next = in->seen = in->text;
	in->next_column = in->column;
	in->offset = in->base + in->text;
	return true;
}

/* Reads the next line of the open file, blank or not. Returns false at the end
 * of the file, and where in_line_here must stop. */
static bool
line_of_file(struct in *in, struct str *line)
{
	for (;;) {
		in->text = in->last = in->next;
		in->column = in->next_column;
		if (take_line(in))
			break;
		if (in->partly)
			return take_part(in, line);
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
		} else if (blank(*line)) {
			if (in->partly)
				in->part = 0; /* the line is skipped */
		} else {
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

	if (next < end && *next == '\x1e')
		next++;
	if (next == end || *next != '{')
		return false;
	if (newline > from && newline[-1] == '\r')
		newline--;
	return newline > from && newline[-1] == '}';
}

bool
in_value_begins(struct in *in)
{
	const char *buf;

	while (in->to - in->next < BORDER_NEXT && in_fill(in, IN_BLOCK))
		;
	if (in->next == in->to)
		return in->whole && in->more_follows;
	buf = in->buf;
	return in->whole &&
	    in_border(buf + in->text, buf + in->next - 1, buf + in->to);
}

/* Joins complete lines that are in the buffer already until the text has
 * `enough` bytes, since a value may have very many lines. */
static void
join_read(struct in *in, size_t enough)
{
	const char *text = in->buf + in->text, *end = in->buf + in->to;
	const char *next = in->buf + in->next, *newline;

	while ((size_t)(next - text) < enough && end - next >= BORDER_NEXT &&
	    !in_border(text, next - 1, end) &&
	    (newline = find_newline(in, (size_t)(next - in->buf))) != NULL &&
	    (size_t)(newline - text) <= in->max_line) {
		in->last = (size_t)(next - in->buf);
		in->next_line++;
		next = newline + 1;
	}
	in->next = in->seen = (size_t)(next - in->buf);
}

bool
in_join(struct in *in, struct str *text, size_t enough)
{
	bool more = !in_value_begins(in) && take_line(in);

	if (more) {
		in->next_line++;
		join_read(in, enough);
	}
	*text = taken(in);
	return more;
}

struct str
in_rest(const struct in *in)
{
	return (struct str){ in->buf + in->text, in->to - in->text };
}

bool
in_more(struct in *in, size_t n)
{
	size_t want = in->to - in->text + n;

	in->next = in->last = in->seen = in->to;
	in->whole = false;
	while (in->to - in->text < want && in_fill(in, IN_BLOCK))
		in->next = in->last = in->seen = in->to;
	return in->to - in->text > want - n;
}

void
in_cut(struct in *in, size_t offset, struct str head)
{
	struct place at = in_place(in, offset);

	in->text += offset - head.n;
	memcpy(in->buf + in->text, head.s, head.n);
	in->line = at.line;
	in->column = at.column - 1 - head.n; /* the sum with head.n is right */
	in->next = in->last = in->seen = in->to;
	in->whole = false;
}

void
in_replace(struct in *in, size_t offset, size_t n, struct str by)
{
	char *at;

	in_make_room(in, by.n);
	at = in->buf + in->text + offset;
	memmove(at + by.n, at + n, (size_t)(in->buf + in->to - at) - n);
	memcpy(at, by.s, by.n);
	in->to = in->to - n + by.n;
	in->replaced = true;
	in->next = in->last = in->seen = in->to;
}

enum in_end
in_end(struct in *in)
{
	if (in_value_begins(in))
		return IN_VALUE_BEGINS;
	return in->at_end && in->next == in->to ? IN_FILE_ENDS : IN_TOO_LONG;
}

bool
in_is_used_up(const struct in *in)
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
	/* A line of many values is not searched again for each value. */
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
