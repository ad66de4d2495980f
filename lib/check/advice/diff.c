/* Writes insertions as a unified diff. */
#include "check/advice/edit.h"

enum { CONTEXT = 3 };

/* A line of the old text, and what becomes of it. */
struct diff_line {
	struct str text;   /* without its newline */
	struct str before; /* whole lines that are inserted before it */
	struct str after; /* the line with insertions within it; absent: none */
};

struct diff {
	struct arena *arena;
	struct diff_line *lines; /* and one more, behind the last */
	size_t n;
	bool newline; /* the old text ends in a newline */
};

/* Returns whether an edit belongs behind another one. At the end of containers
 * within each other, the inner one is continued first. */
static bool
is_behind(const struct edit *x, const struct edit *y)
{
	return x->offset != y->offset ? x->offset > y->offset
				      : x->indent < y->indent;
}

/* Returns the edits of the document by their places; others keep their order. */
static struct edits
edits_of(const struct edits *all, const struct document *doc)
{
	struct edits own = { .arena = all->arena };

	for (size_t i = 0; i < all->n; i++)
		if (all->list[i].doc == doc)
			*arena_push(own.arena, own.list, own.n) = all->list[i];
	/* An insertion sort is stable; there are few edits. */
	for (size_t i = 1; i < own.n; i++)
		for (size_t k = i;
		     k > 0 && is_behind(&own.list[k - 1], &own.list[k]); k--) {
			struct edit swapped = own.list[k];

			own.list[k] = own.list[k - 1];
			own.list[k - 1] = swapped;
		}
	return own;
}

struct str
edit_apply(const struct edits *all, const struct document *doc)
{
	struct edits own = edits_of(all, doc);
	struct str text = document_text(doc);
	struct out o;
	size_t at = 0;

	out_open_memory(&o);
	for (size_t i = 0; i < own.n; i++) {
		out_str(&o, str_slice(text, at, own.list[i].offset));
		out_str(&o, own.list[i].text);
		at = own.list[i].offset;
	}
	out_str(&o, str_from(text, at));
	return out_keep(&o, all->arena);
}

/* Returns the line with the edits within it, and sets *used to their number. */
static struct str
edit_line(struct arena *a, struct str line, size_t start,
    const struct edit *edits, size_t n, size_t *used)
{
	struct out o;
	size_t at = 0, i = 0;

	out_open_memory(&o);
	for (; i < n && edits[i].offset <= start + line.n; i++) {
		out_str(&o, str_slice(line, at, edits[i].offset - start));
		out_str(&o, edits[i].text);
		at = edits[i].offset - start;
	}
	out_str(&o, str_from(line, at));
	*used = i;
	return out_keep(&o, a);
}

static struct diff
diff_of(struct arena *a, struct str text, const struct edits *own)
{
	struct diff d = { .arena = a, .newline = str_ends(text, "\n") };
	size_t start = 0, i = 0, used;

	while (start < text.n || (start == 0 && text.n == 0)) {
		struct diff_line *l = arena_push(a, d.lines, d.n);
		size_t end = start;

		while (end < text.n && text.s[end] != '\n')
			end++;
		l->text = str_slice(text, start, end);
		for (; i < own->n && own->list[i].offset == start &&
		     str_ends(own->list[i].text, "\n");
		     i++)
			l->before = str_cat(a, l->before, own->list[i].text);
		if (i < own->n && own->list[i].offset <= end) {
			l->after = edit_line(a, l->text, start, own->list + i,
			    own->n - i, &used);
			i += used;
		}
		start = end + 1;
		if (text.n == 0)
			break;
	}
	arena_push(a, d.lines, d.n);
	for (d.n--; i < own->n; i++)
		d.lines[d.n].before =
		    str_cat(a, d.lines[d.n].before, own->list[i].text);
	return d;
}

static bool
changes(const struct diff *d, size_t line)
{
	return line <= d->n &&
	    (d->lines[line].before.n != 0 || d->lines[line].after.s != NULL);
}

/* Writes lines with a sign; `last` says that no newline is behind them. */
static void
put(struct out *o, char sign, struct str lines, bool last)
{
	while (lines.s != NULL) {
		struct str line = str_cut(&lines, '\n');

		if (lines.s != NULL && lines.n == 0)
			lines.s = NULL; /* the newline ended the last line */
		out_char(o, sign);
		out_str(o, line);
		out_char(o, '\n');
	}
	if (last)
		out_text(o, "\\ No newline at end of file\n");
}

static size_t
count(struct str lines)
{
	size_t n = str_count_char(lines, '\n');

	return n + (lines.n != 0 && !str_ends(lines, "\n"));
}

static void
put_line(struct out *o, const struct diff *d, size_t i)
{
	const struct diff_line *l = &d->lines[i];
	bool last = i + 1 == d->n && !d->newline;

	if (l->before.n != 0)
		put(o, '+', l->before, false);
	if (i == d->n)
		return;
	put(o, l->after.s == NULL ? ' ' : '-', l->text, last);
	if (l->after.s != NULL)
		put(o, '+', l->after, last);
}

/* Writes the hunk that begins with the change at a line; returns the line behind
 * the hunk. */
static size_t
put_hunk(struct out *o, const struct diff *d, size_t first, size_t *added)
{
	size_t from = first < CONTEXT ? 0 : first - CONTEXT, last = first, to,
	       more = 0;

	for (size_t i = first; i <= d->n && i <= last + 2 * CONTEXT; i++)
		if (changes(d, i))
			last = i;
	to = last + CONTEXT < d->n ? last + CONTEXT + 1 : d->n;
	for (size_t i = from; i <= to; i++)
		if (i < to || i == d->n)
			more += count(d->lines[i].before) +
			    (d->lines[i].after.s == NULL
				    ? 0
				    : count(d->lines[i].after) - 1);
	out_printf(o, "@@ -%zu,%zu +%zu,%zu @@\n", to == from ? from : from + 1,
	    to - from, from + 1 + *added, to - from + more);
	for (size_t i = from; i < to; i++)
		put_line(o, d, i);
	if (to == d->n)
		put_line(o, d, d->n);
	*added += more;
	return to == d->n ? to + 1 : to;
}

static void
put_file(struct out *o, const struct edits *all, const struct document *doc)
{
	struct edits own = edits_of(all, doc);
	struct diff d = diff_of(all->arena, document_text(doc), &own);
	size_t added = 0;

	out_printf(o, "--- %s\n+++ %s\n", doc->file, doc->file);
	for (size_t i = 0; i <= d.n; i++)
		if (changes(&d, i))
			i = put_hunk(o, &d, i, &added) - 1;
}

void
edit_diff(struct out *o, struct edits *all)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct document *doc = all->list[i].doc;
		bool known = false;

		for (size_t k = 0; k < i; k++)
			known |= all->list[k].doc == doc;
		if (!known)
			put_file(o, all, doc);
	}
}
