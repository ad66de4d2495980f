#include "text/csv.h"

static char
csv_take(struct csv *c)
{
	char next = *c->rest.s;

	c->rest = str_from(c->rest, 1);
	c->line += next == '\n';
	return next;
}

/* Takes the rest of a cell that began with a quote: two quotes are one. */
static struct str
take_quoted(struct csv *c)
{
	char *copy = arena_alloc(c->arena, c->rest.n + 1);
	size_t n = 0, line = c->line;

	for (;;) {
		if (c->rest.n == 0) {
			c->mistake(c->arg, line, "a quoted cell does not end");
			break;
		}
		copy[n] = csv_take(c);
		if (copy[n] != '"')
			n++;
		else if (c->rest.n != 0 && *c->rest.s == '"')
			copy[n++] = csv_take(c);
		else
			break;
	}
	return (struct str){ copy, n };
}

static struct str
take_plain(struct csv *c)
{
	size_t n = 0;
	struct str cell;

	while (n < c->rest.n && c->rest.s[n] != c->separator &&
	    c->rest.s[n] != '\n' && c->rest.s[n] != '\r')
		n++;
	cell = str_slice(c->rest, 0, n);
	c->rest = str_from(c->rest, n);
	return cell;
}

struct csv_row
csv_row(struct csv *c)
{
	struct csv_row row = { .line = c->line };

	for (;;) {
		struct str cell;

		if (c->rest.n != 0 && *c->rest.s == '"') {
			(void)csv_take(c);
			cell = take_quoted(c);
			if (take_plain(c).n != 0)
				c->mistake(c->arg, c->line,
				    "a cell goes on behind its closing quote");
		} else
			cell = take_plain(c);
		*arena_push(c->arena, row.cells, row.n) = cell;
		if (c->rest.n == 0 || *c->rest.s != c->separator)
			break;
		(void)csv_take(c);
	}
	if (c->rest.n != 0 && *c->rest.s == '\r')
		(void)csv_take(c);
	if (c->rest.n != 0)
		(void)csv_take(c);
	return row;
}
