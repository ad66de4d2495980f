/* Reading into the buffer of struct in, and how much is still to be read. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hugepage.h"
#include "io/follow.h"
#include "io/in.h"
#include "io/pipe.h"

void
in_make_room(struct in *in, size_t n)
{
	size_t size = in->size == 0 ? (size_t)2 * IN_BLOCK : in->size * 2;
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
	bigger = hugepage_realloc(in->buf, size);
	if (bigger == NULL)
		diag_die("out of memory (%zu bytes wanted for a line)", size);
	in->buf = bigger;
	in->size = size;
}

bool
in_would_wait(const struct in *in)
{
	struct pollfd ready = { .fd = in->fd, .events = POLLIN };

	return in->waits && poll(&ready, 1, 0) == 0;
}

/* Waits at the end of a file that is followed, and returns whether it grew. */
static bool
is_growing(struct in *in)
{
	if (in->patience <= 0 || in->waits || in->decompress.program != NULL)
		return false;
	if (in->idle != NULL)
		in->idle(in->idle_arg);
	return follow_more(in->fd, in->file, in->patience);
}

/* Returns whether the file ends here, before a byte that it had when it was
 * opened. A file of a system that does not know its size is as it was. */
static bool
is_shorter(const struct in *in)
{
	struct stat st;

	return in->had > 0 && lseek(in->fd, 0, SEEK_CUR) < in->had &&
	    fstat(in->fd, &st) == 0 && st.st_size != in->had;
}

bool
in_read(struct in *in, size_t size)
{
	ssize_t n;

	in_make_room(in, size);
	do
		n = in->fd == IN_SOURCE
		    ? in->source->read(in->source->arg, in->buf + in->to, size)
		    : read(in->fd, in->buf + in->to, size);
	while ((n < 0 && pipe_again(in->fd, POLLIN, errno)) ||
	    (n == 0 && is_growing(in)));
	if (n == 0 && is_shorter(in)) {
		errno = IN_SHORTER;
		n = -1;
	}
	in->at_end = n == 0;
	if (n > 0)
		in->to += (size_t)n;
	return n >= 0;
}

static bool
cannot_read(struct in *in)
{
	if (errno == IN_SHORTER)
		diag_error(in_whole_file(in), "%s", IN_IS_SHORTER);
	else
		diag_error(in_whole_file(in), "cannot read:");
	in->at_end = in->decompress.read_failed = true;
	in->skipped = in->next_line;
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

/* Returns the size of a regular file, else -1. `failed` is the result of
 * stat. */
static int64_t
size_of(int failed, const struct stat *st)
{
	return failed != 0 || !S_ISREG(st->st_mode) ? -1 : st->st_size;
}

int64_t
in_bytes_left(const struct in *in)
{
	bool standard = in->standard_input && in->fd < 0;
	struct stat st;
	int64_t left = 0, size;

	if (in->fd >= 0 || standard) {
		left =
		    size_of(fstat(standard ? STDIN_FILENO : in->fd, &st), &st);
		if (left < 0)
			return left;
		left -= standard ? 0 : (int64_t)(in->base + in->next);
	}
	for (char **f = in->files; f != NULL && *f != NULL; f++) {
		size = strcmp(*f, "-") == 0
		    ? size_of(fstat(STDIN_FILENO, &st), &st)
		    : size_of(stat(*f, &st), &st);
		if (size < 0)
			return size;
		left += size;
	}
	return left < 0 ? 0 : left;
}
