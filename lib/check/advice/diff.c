/* Writes insertions as a unified diff. */
#include "check/advice/edit.h"

static const size_t context = 3;

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

/* Takes the edits that begin at an offset and are whole lines. */
static struct str
take_lines(struct edits *rest, size_t start)
{
	struct str lines = STR("");

	for (; rest->n != 0 && rest->list->offset == start &&
	     str_ends(rest->list->text, "\n");
	     rest->list++, rest->n--)
		lines = str_cat(rest->arena, lines, rest->list->text);
	return lines;
}

/* Takes the edits within the line that begins at an offset, and returns the line
 * with them; absent if there are none. */
static struct str
edit_line(struct str line, size_t start, struct edits *rest)
{
	struct out o;
	size_t at = 0;

	if (rest->n == 0 || rest->list->offset > start + line.n)
		return (struct str){ 0 };
	out_open_memory(&o);
	for (; rest->n != 0 && rest->list->offset <= start + line.n;
	     rest->list++, rest->n--) {
		out_str(&o, str_slice(line, at, rest->list->offset - start));
		out_str(&o, rest->list->text);
		at = rest->list->offset - start;
	}
	out_str(&o, str_from(line, at));
	return out_keep(&o, rest->arena);
}

static struct diff
diff_of(struct str text, struct edits rest)
{
	struct diff d = { .arena = rest.arena,
		.newline = str_ends(text, "\n") };
	size_t start = 0, end;

	for (; start < text.n; start = end + 1) {
		struct diff_line *l = arena_push(d.arena, d.lines, d.n);

		end = start + str_find_char(str_from(text, start), '\n');
		l->text = str_slice(text, start, end);
		l->before = take_lines(&rest, start);
		l->after = edit_line(l->text, start, &rest);
	}
	arena_push(d.arena, d.lines, d.n)->before = take_lines(&rest, text.n);
	d.n--;
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
	size_t from = first < context ? 0 : first - context, last = first, to,
	       more = 0;

	for (size_t i = first; i <= d->n && i <= last + 2 * context; i++)
		if (changes(d, i))
			last = i;
	to = last + context < d->n ? last + context + 1 : d->n;
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
	struct diff d = diff_of(document_text(doc), own);
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

		for (size_t k = i; k-- > 0 && !known;)
			known = all->list[k].doc == doc;
		if (!known)
			put_file(o, all, doc);
	}
}
