#include "text/layout.h"

#include <stdio.h>
#include <string.h>

#include "text/unicode.h"
#include "text/visible.h"

#define ELLIPSIS "\xe2\x80\xa6"

bool
layout_shows(uint32_t c)
{
	return !visible_is_hidden(c) || c == 0xad || c == 0x200c ||
	    c == 0x200d || (c >= 0xfe00 && c <= 0xfe0f);
}

/* Returns the number of printable ASCII characters at the front of the text. */
static size_t
plain(struct str text)
{
	size_t n = 0;

	while (n < text.n && text.s[n] >= ' ' && text.s[n] <= '~')
		n++;
	return n;
}

/* Returns the form of the character in clean text: the source or a text in
 * buf. */
static struct str
shown(uint32_t c, struct str source, bool lines, char buf[16])
{
	if (c == UNICODE_REPLACEMENT)
		return STR("\xef\xbf\xbd"); /* for invalid UTF-8, too */
	if (layout_shows(c) || (c == '\n' && lines))
		return source;
	if (c == '\t' || c == '\n')
		return STR(" ");
	snprintf(buf, 16, c < 0x100 ? "\\x%02x" : "\\u{%x}", c);
	return str_of(buf);
}

/* Writes the clean text to `to`, unless that is NULL, and returns its
 * length. */
static size_t
write_clean(char *to, struct str text, bool lines)
{
	size_t used = 0, n;
	char buf[16];

	for (; text.n != 0; text = str_from(text, n)) {
		struct str piece;
		uint32_t c;

		n = plain(text);
		piece = str_slice(text, 0, n);
		if (n == 0) {
			c = unicode_decode(text, &n);
			if (c == '\r' && n < text.n && text.s[n] == '\n')
				continue;
			piece = shown(c, str_slice(text, 0, n), lines, buf);
		}
		if (to != NULL)
			memcpy(to + used, piece.s, piece.n);
		used += piece.n;
	}
	return used;
}

struct str
layout_clean(struct arena *a, struct str text, bool lines)
{
	size_t n;
	char *clean;

	if (plain(text) == text.n)
		return text;
	n = write_clean(NULL, text, lines);
	clean = arena_alloc(a, n);
	write_clean(clean, text, lines);
	return (struct str){ clean, n };
}

/* Returns the number of bytes that fit into the width. *used becomes the number
 * of cells that they take. */
static size_t
fitting(struct str text, size_t width, size_t *used)
{
	size_t at = 0, n, cells;

	for (*used = 0; at < text.n; at += n) {
		struct str rest = str_from(text, at);

		n = cells = plain(str_slice(rest, 0, width - *used));
		if (n == 0)
			cells = (size_t)unicode_width(unicode_decode(rest, &n));
		if (cells > width - *used)
			break;
		*used += cells;
	}
	return at;
}

size_t
layout_width(struct str text)
{
	size_t used;

	fitting(text, SIZE_MAX, &used);
	return used;
}

struct str
layout_squeeze(struct arena *a, struct str text, size_t width)
{
	size_t all = layout_width(text), used, head, tail, skip;

	if (all <= width || width == 0)
		return text;
	head = fitting(text, (width - 1) / 2, &used);
	skip = all - (width - 1 - used);
	tail = fitting(text, skip, &used);
	if (used < skip) /* the cut would split a wide character */
		tail = fitting(text, skip + 1, &used);
	return str_printf(a, "%.*s" ELLIPSIS "%.*s",
	    STR_FMT(str_slice(text, 0, head)), STR_FMT(str_from(text, tail)));
}

struct str
layout_cut(struct arena *a, struct str text, size_t limit)
{
	struct str start = str_truncate(text, limit);

	if (start.n == text.n)
		return text;
	return str_cat(
	    a, start, str_printf(a, "... [%zu more bytes]", text.n - start.n));
}

void
layout_space(struct out *o, size_t cells)
{
	while (cells-- > 0)
		out_char(o, ' ');
}

/* Returns the number of bytes that form the next line: up to the last blank
 * that fits into the width, or as many as fit. */
static size_t
line_break(struct str text, size_t width)
{
	size_t used, fit = fitting(text, width, &used), at = fit, n;

	if (fit == text.n)
		return fit;
	while (at > 0 && text.s[at] != ' ')
		at--;
	if (at > 0)
		return at;
	if (fit > 0)
		return fit;
	unicode_decode(text, &n); /* wider than the width, but needed */
	return n;
}

void
layout_wrap(struct out *o, struct str text, const struct layout *l)
{
	size_t lines = 0;
	size_t width = l->width > l->indent ? l->width - l->indent : 1;

	while (text.s != NULL) {
		struct str line = str_cut(&text, '\n');

		do {
			size_t n = line_break(line, width);

			if (lines++ < l->most) {
				if (lines > 1 || !l->begun)
					layout_space(o, l->indent);
				out_str(o, str_slice(line, 0, n));
				out_line(o);
			}
			line = str_from(line, n);
			while (str_starts(line, " "))
				line = str_from(line, 1);
		} while (line.n != 0);
	}
	if (lines > l->most) {
		out_printf(o, "%*s[%zu more line%s]", (int)l->indent, "",
		    lines - l->most, lines - l->most == 1 ? "" : "s");
		out_line(o);
	}
}
