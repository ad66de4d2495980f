#include "io/out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/diag.h"
#include "io/pipe.h"

enum {
	BLOCK = 128 * 1024,       /* of a write */
	MEMORY = 512,             /* first size of a memory buffer */
	AT_ONCE = 64,             /* texts in a write */
	LARGE = 64 * 1024 * 1024, /* from here on a buffer grows by an eighth */
};

void
out_open(struct out *o, const char *path, bool by_line)
{
	*o = (struct out){ .by_line = by_line, .line_begins = true };
	if (path == NULL || strcmp(path, "-") == 0)
		o->file = (struct atomic_file){ .fd = STDOUT_FILENO };
	else if (atomic_file_open(&o->file, path))
		o->path = path;
	else
		diag_die("%s: cannot write:", path);
	pipe_widen(o->file.fd);
	o->by_line |= isatty(o->file.fd) == 1;
}

void
out_open_end(struct out *o, const char *path)
{
	*o = (struct out){ .path = path, .line_begins = true };
	o->file.fd =
	    open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (o->file.fd < 0)
		diag_die("%s: cannot write:", path);
}

void
out_open_memory(struct out *o)
{
	*o = (struct out){ .file.fd = -1, .line_begins = true };
}

struct str
out_memory(const struct out *o)
{
	return (struct str){ o->n == 0 ? "" : o->buf, o->n };
}

struct str
out_keep(struct out *o, struct arena *a)
{
	struct str text = str_dup(a, out_memory(o));

	out_close(o);
	return text;
}

void
out_clear(struct out *o)
{
	o->n = 0;
	o->comma = false;
}

void
out_pass_on(struct out *o, const struct out *to)
{
	o->file.fd = to->file.fd;
	o->error = to->error;
	o->by_line = to->by_line;
}

void
out_keep_again(struct out *o, struct out *to)
{
	out_flush(o);
	to->error = o->error;
	o->file.fd = -1;
	o->error = 0;
	o->by_line = false;
}

/* Ends the program because the pipe has no reader. If SIGPIPE is ignored (by a
 * parent process, or by a program that uses libcurl), the program still ends as
 * SIGPIPE would end it. */
static _Noreturn void
end_of_pipe(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	_exit(128 + SIGPIPE); /* SIGPIPE may be blocked, too */
}

/* Writes the n texts to the descriptor without the buffer. */
static void
put_all(struct out *o, struct iovec *v, int n)
{
	size_t done = 0;
	ssize_t now;

	while (o->error == 0) {
		for (; n > 0 && done >= v->iov_len; v++, n--)
			done -= v->iov_len;
		if (n == 0)
			break;
		v->iov_base = (char *)v->iov_base + done;
		v->iov_len -= done;
		now = writev(o->file.fd, v, n);
		if (now < 0 && errno == EPIPE)
			end_of_pipe();
		if (now < 0 && !pipe_again(o->file.fd, POLLOUT, errno))
			o->error = errno;
		done = now < 0 ? 0 : (size_t)now;
	}
}

/* Returns the text for writev, which does not change the text. */
static struct iovec
vector(struct str text)
{
	union {
		const char *text;
		void *base;
	} at = { text.s };

	return (struct iovec){ at.base, text.n };
}

static void
put_unguarded(struct out *o, struct str text)
{
	struct iovec v = vector(text);

	put_all(o, &v, 1);
}

static void
put(struct out *o, struct str text)
{
	size_t done = 0;
	char escape[8];

	for (size_t i = 0; o->guard != OUT_UNGUARDED && text.n != 0; i++) {
		unsigned char c;

		i += workflow_command_skip(&o->command, text.s + i, text.n - i);
		if (i == text.n)
			break;
		c = (unsigned char)text.s[i];
		if (!workflow_command_opens(&o->command, c))
			continue;
		put_unguarded(o, str_slice(text, done, i));
		snprintf(escape, sizeof escape,
		    o->guard == OUT_GUARD_TEXT ? "\\x%02x" : "\\u%04x", c);
		put_unguarded(o, str_of(escape));
		done = i + 1;
	}
	put_unguarded(o, str_from(text, done));
}

void
out_flush(struct out *o)
{
	struct str text = { o->buf, o->n };

	if (o->file.fd < 0 && o->sink == NULL)
		return;
	if (o->file.fd >= 0)
		put(o, text);
	else if (o->error == 0 && text.n != 0 && !o->sink(o->sink_arg, text))
		o->error = ECANCELED;
	o->n = 0;
}

static void
grow(struct out *o, size_t n)
{
	size_t first = o->file.fd >= 0 ? BLOCK : MEMORY;
	size_t size = o->size == 0 ? first : o->size;
	char *bigger;

	while (size - o->n < n && size < LARGE)
		size *= 2;
	if (size - o->n < n)
		size = o->n + n + (o->n + n) / 8;
	bigger = realloc(o->buf, size);
	if (bigger == NULL)
		diag_die("out of memory (%zu bytes wanted)", size);
	o->buf = bigger;
	o->size = size;
}

/* Calls o->full before n more bytes if the memory holds or gets much. */
static void
drain_if_much(struct out *o, size_t n)
{
	if (o->full != NULL && o->file.fd < 0 &&
	    (o->n >= OUT_MUCH || n >= OUT_MUCH))
		o->full(o->full_arg);
}

char *
out_room_slow(struct out *o, size_t n)
{
	if (o->line_begins) {
		o->line_begins = false;
		if (o->seq)
			out_char(o, '\x1e');
	}
	if (o->size - o->n < n) {
		drain_if_much(o, n);
		if (o->file.fd >= 0 && o->size != 0)
			out_flush(o);
		if (o->size - o->n < n)
			grow(o, n);
	}
	if (o->buf == NULL)
		grow(o, n);
	return o->buf + o->n;
}

void
out_str_slow(struct out *o, struct str text)
{
	drain_if_much(o, text.n);
	if (text.n > BLOCK && o->file.fd >= 0) {
		out_room_slow(o, 0);
		out_flush(o);
		put(o, text);
		return;
	}
	memcpy(out_room_slow(o, text.n), text.s, text.n);
	o->n += text.n;
}

void
out_strs(struct out *o, struct str_list texts)
{
	struct iovec v[AT_ONCE];
	int n = 0;

	out_flush(o);
	for (size_t i = 0; i < texts.n; i++) {
		if (o->file.fd < 0 || o->guard != OUT_UNGUARDED) {
			out_str(o, texts.list[i]);
			continue;
		}
		v[n++] = vector(texts.list[i]);
		if (n == AT_ONCE || i + 1 == texts.n) {
			put_all(o, v, n);
			n = 0;
		}
	}
}

void
out_text(struct out *o, const char *text)
{
	out_str(o, str_of(text));
}

static __attribute__((format(printf, 2, 0))) void
print_by_libc(struct out *o, const char *format, va_list args)
{
	size_t n;
	char *text = str_by_libc(format, args, &n);

	out_str(o, (struct str){ text, n });
	free(text);
}

void
out_printf(struct out *o, const char *format, ...)
{
	struct str_parts parts;
	va_list args;

	va_start(args, format);
	if (!str_take_apart(&parts, format, args)) {
		print_by_libc(o, format, args);
	} else {
		for (size_t i = 0; i < parts.n; i++)
			out_str(o, parts.list[i]);
	}
	va_end(args);
}

void
out_line(struct out *o)
{
	out_char(o, '\n');
	o->comma = false;
	o->line_begins = true;
	if (o->by_line)
		out_flush(o);
}

bool
out_close(struct out *o)
{
	bool keep, well;

	out_flush(o);
	keep = o->error == 0 && !(o->strict && diag_errors() != 0);
	well = atomic_file_close(&o->file, keep) && o->error == 0;
	if (o->error != 0)
		errno = o->error;
	if (!well)
		diag_error((struct place){ .file = o->path == NULL ? "<stdout>"
								   : o->path },
		    "cannot write:");
	free(o->buf);
	*o = (struct out){ .file.fd = -1 };
	return well;
}
