#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"

enum { BLOCK = 128 * 1024 };

void
out_open(struct out *o, const char *path, bool by_line)
{
	*o = (struct out){ .fd = STDOUT_FILENO, .by_line = by_line };
	if (path == NULL || strcmp(path, "-") == 0) {
		o->by_line |= isatty(STDOUT_FILENO) == 1;
		return;
	}
	if (asprintf(&o->temporary, "%s.XXXXXX", path) < 0)
		diag_die("out of memory");
	o->path = strdup(path);
	o->fd = mkstemp(o->temporary);
	if (o->path == NULL || o->fd < 0)
		diag_die("%s:", path);
}

void
out_open_memory(struct out *o)
{
	*o = (struct out){ .fd = -1 };
}

struct str
out_memory(const struct out *o)
{
	return (struct str){ o->n == 0 ? "" : o->buf, o->n };
}

void
out_clear(struct out *o)
{
	o->n = 0;
	o->comma = false;
}

void
out_flush(struct out *o)
{
	size_t done = 0;

	if (o->fd < 0)
		return;
	while (done < o->n && o->error == 0) {
		ssize_t n = write(o->fd, o->buf + done, o->n - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			o->error = errno;
	}
	o->n = 0;
}

/* Makes room for n more bytes; what is there may be written out first. */
static char *
room(struct out *o, size_t n)
{
	size_t size = o->size == 0 ? BLOCK : o->size;
	char *bigger;

	if (o->fd >= 0 && o->n + n > size)
		out_flush(o);
	while (size - o->n < n)
		size *= 2;
	if (size > o->size) {
		bigger = realloc(o->buf, size);
		if (bigger == NULL)
			diag_die("out of memory (%zu bytes wanted)", size);
		o->buf = bigger;
		o->size = size;
	}
	return o->buf + o->n;
}

void
out_str(struct out *o, struct str text)
{
	if (text.n == 0)
		return;
	memcpy(room(o, text.n), text.s, text.n);
	o->n += text.n;
}

void
out_text(struct out *o, const char *text)
{
	out_str(o, str_of(text));
}

void
out_char(struct out *o, char c)
{
	*room(o, 1) = c;
	o->n++;
}

void
out_int(struct out *o, int64_t value)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%lld", (long long)value);

	out_str(o, (struct str){ digits, (size_t)n });
}

void
out_printf(struct out *o, const char *format, ...)
{
	va_list args;
	char *text;
	int n;

	va_start(args, format);
	n = vasprintf(&text, format, args);
	va_end(args);
	if (n < 0)
		diag_die("out of memory");
	out_str(o, (struct str){ text, (size_t)n });
	free(text);
}

void
out_line(struct out *o)
{
	out_char(o, '\n');
	o->comma = false;
	if (o->by_line)
		out_flush(o);
}

/* A new file gets the mode that open(2) would have given it. */
static void
publish(struct out *o)
{
	mode_t mask = umask(0);

	umask(mask);
	if (o->error == 0 && fchmod(o->fd, 0666 & ~mask) != 0)
		o->error = errno;
	if (close(o->fd) != 0 && o->error == 0)
		o->error = errno;
	if (o->error == 0 && rename(o->temporary, o->path) != 0)
		o->error = errno;
	if (o->error != 0)
		unlink(o->temporary);
}

bool
out_close(struct out *o)
{
	bool well;

	out_flush(o);
	if (o->path != NULL)
		publish(o);
	else if (o->fd >= 0 && close(o->fd) != 0 && o->error == 0)
		o->error = errno;
	well = o->error == 0;
	errno = o->error;
	if (!well)
		diag_trouble("cannot write %s:",
		    o->path == NULL ? "standard output" : o->path);
	free(o->buf);
	free(o->path);
	free(o->temporary);
	*o = (struct out){ .fd = -1 };
	return well;
}

static void
separate(struct out *o)
{
	if (o->comma)
		out_char(o, ',');
	o->comma = true;
}

void
out_begin(struct out *o, char bracket)
{
	separate(o);
	out_char(o, bracket);
	o->comma = false;
}

void
out_end(struct out *o, char bracket)
{
	out_char(o, bracket);
	o->comma = true;
}

void
out_key(struct out *o, const char *plain)
{
	separate(o);
	out_char(o, '"');
	out_text(o, plain);
	out_str(o, STR("\":"));
	o->comma = false;
}

void
out_key_str(struct out *o, struct str key)
{
	separate(o);
	out_quoted(o, key);
	out_char(o, ':');
	o->comma = false;
}

/* How many bytes of valid UTF-8 begin at p (0: none). */
static size_t
utf8_length(const unsigned char *p, size_t n)
{
	size_t need = p[0] < 0x80 ? 1
	    : p[0] < 0xc2         ? 0
	    : p[0] < 0xe0         ? 2
	    : p[0] < 0xf0         ? 3
	    : p[0] < 0xf5         ? 4
				  : 0;

	if (need == 0 || need > n)
		return 0;
	for (size_t i = 1; i < need; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return need;
}

static void
put_escape(struct out *o, unsigned char c)
{
	static const char names[] = "btn\0fr"; /* from U+0008 on */

	if (c == '"' || c == '\\')
		out_printf(o, "\\%c", c);
	else if (c >= 8 && c <= 13 && names[c - 8] != 0)
		out_printf(o, "\\%c", names[c - 8]);
	else
		out_printf(o, "\\u%04x", c);
}

void
out_quoted(struct out *o, struct str text)
{
	const unsigned char *p = (const unsigned char *)text.s;
	size_t plain = 0, i = 0;

	out_char(o, '"');
	while (i < text.n) {
		size_t n = utf8_length(p + i, text.n - i);

		if (n > 1 ||
		    (n == 1 && p[i] >= 0x20 && p[i] != '"' && p[i] != '\\')) {
			i += n;
			continue;
		}
		out_str(o, str_slice(text, plain, i));
		if (n == 0)
			out_text(o, "\xef\xbf\xbd");
		else
			put_escape(o, p[i]);
		plain = ++i;
	}
	out_str(o, str_from(text, plain));
	out_char(o, '"');
}

void
out_json_str(struct out *o, struct str text)
{
	separate(o);
	out_quoted(o, text);
}

void
out_json_raw(struct out *o, struct str json)
{
	separate(o);
	out_str(o, json);
}

void
out_json_int(struct out *o, int64_t value)
{
	separate(o);
	out_int(o, value);
}

void
out_json_double(struct out *o, double value)
{
	char digits[32];
	int precision = 15;

	separate(o);
	if (!isfinite(value)) {
		out_text(o, "null");
		return;
	}
	do
		snprintf(digits, sizeof digits, "%.*g", precision, value);
	while (strtod(digits, NULL) != value && ++precision <= 17);
	out_text(o, digits);
}

void
out_json_bool(struct out *o, bool value)
{
	separate(o);
	out_text(o, value ? "true" : "false");
}

void
out_json_null(struct out *o)
{
	separate(o);
	out_text(o, "null");
}
