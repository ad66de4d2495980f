/* Writes insertions and removals as a unified diff. */
#include "check/advice/edit.h"

static const size_t context = 3;

/* A line of the old text, and what becomes of it. */
struct diff_line {
	struct str text;   /* without its newline */
	struct str before; /* whole lines that are inserted before it */
	struct str after;  /* the line with edits within it; absent: none */
	bool gone;         /* removed, or what remains is in an earlier line */
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

/* The end of removed text, and the line that takes up the text behind the end. */
struct removal {
	size_t until;
	struct diff_line *line; /* NULL: whole lines are removed */
};

/* Takes the edits within the line that begins at an offset, and returns the line
 * without removed text and with insertions; absent if nothing changes. */
static struct str
edit_line(struct str line, size_t start, struct edits *rest, struct removal *r)
{
	size_t at = r->until > start ? r->until - start : 0;
	struct out o;

	if (at == 0 && (rest->n == 0 || rest->list->offset > start + line.n))
		return (struct str){ 0 };
	out_open_memory(&o);
	for (; rest->n != 0 && rest->list->offset <= start + line.n;
	     rest->list++, rest->n--) {
		const struct edit *edit = rest->list;

		if (edit->offset > start + at) {
			out_str(&o, str_slice(line, at, edit->offset - start));
			at = edit->offset - start;
		}
		out_str(&o, edit->text);
		if (edit->offset + edit->removed > start + at)
			at = edit->offset + edit->removed - start;
	}
	if (at <= line.n)
		out_str(&o, str_from(line, at));
	if (start + at > r->until)
		r->until = start + at;
	return out_keep(&o, rest->arena);
}

/* Applies the edits to a line. */
static void
put_edits(struct diff_line *l, size_t start, struct edits *rest,
    struct removal *r, struct str text)
{
	size_t end = start + l->text.n, before = r->until;
	struct str edited;

	if (before > end) {
		l->gone = true;
		return;
	}
	edited = edit_line(l->text, start, rest, r);
	if (before > start && r->line != NULL) {
		r->line->after = str_cat(rest->arena, r->line->after, edited);
		l->gone = true;
		return;
	}
	r->line = l;
	if (r->until > end && edited.n == 0 &&
	    (r->until > text.n || text.s[r->until - 1] == '\n')) {
		l->gone = true;
		r->line = NULL;
	} else {
		l->after = edited;
	}
}

/* Takes lines that are inserted behind an unchanged line out of the edits within this
 * line. */
static void
simplify(struct diff *d)
{
	for (size_t i = 0; i < d->n; i++) {
		struct diff_line *l = &d->lines[i];
		struct str more = l->after;

		if (i + 1 == d->n && !d->newline)
			continue;
		if (l->after.n <= l->text.n || l->after.s[l->text.n] != '\n' ||
		    !str_eq(str_cut(&more, '\n'), l->text))
			continue;
		l->after = (struct str){ 0 };
		l[1].before = str_cat(
		    d->arena, str_cat(d->arena, more, STR("\n")), l[1].before);
	}
}

static struct diff
diff_of(struct str text, struct edits rest)
{
	struct diff d = { .arena = rest.arena,
		.newline = str_ends(text, "\n") };
	struct removal removal = { 0 };
	size_t start = 0, end, n = str_count_char(text, '\n') + 2;

	/* The lines stay where they are: a removal refers to one. */
	d.lines = arena_new_n(d.arena, struct diff_line, n);
	for (; start < text.n; start = end + 1) {
		struct diff_line *l = &d.lines[d.n++];

		end = start + str_find_char(str_from(text, start), '\n');
		l->text = str_slice(text, start, end);
		l->before = take_lines(&rest, start);
		put_edits(l, start, &rest, &removal, text);
	}
	d.lines[d.n].before = take_lines(&rest, text.n);
	simplify(&d);
	return d;
}

static bool
changes(const struct diff *d, size_t line)
{
	return line <= d->n &&
	    (d->lines[line].before.n != 0 || d->lines[line].after.s != NULL ||
		d->lines[line].gone);
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
put_old(struct out *o, const struct diff *d, size_t i, char sign)
{
	put(o, sign, d->lines[i].text, i + 1 == d->n && !d->newline);
}

static void
put_new(struct out *o, const struct diff *d, size_t i)
{
	if (d->lines[i].after.s != NULL)
		put(o, '+', d->lines[i].after, i + 1 == d->n && !d->newline);
}

static void
put_line(struct out *o, const struct diff *d, size_t i)
{
	const struct diff_line *l = &d->lines[i];

	if (l->before.n != 0)
		put(o, '+', l->before, false);
	if (i == d->n)
		return;
	put_old(o, d, i, l->after.s == NULL ? ' ' : '-');
	put_new(o, d, i);
}

/* Returns the line behind the changed lines that begin at `from`, of which one is
 * removed; `from` if none is. */
static size_t
behind_removal(const struct diff *d, size_t from)
{
	size_t i = from;
	bool gone = false;

	for (; i < d->n && (d->lines[i].gone || d->lines[i].after.s != NULL);
	     i++)
		gone |= d->lines[i].gone;
	return gone ? i : from;
}

/* Writes lines: where some are removed, all old ones before the new ones. */
static void
put_lines(struct out *o, const struct diff *d, size_t from, size_t to)
{
	while (from < to) {
		size_t end = behind_removal(d, from);

		for (size_t i = from; i < end; i++)
			put_old(o, d, i, '-');
		for (size_t i = from; i < end; i++) {
			if (d->lines[i].before.n != 0)
				put(o, '+', d->lines[i].before, false);
			put_new(o, d, i);
		}
		if (end == from)
			put_line(o, d, end++);
		from = end;
	}
}

/* Returns the number of lines that the line becomes. */
static size_t
count_new(const struct diff *d, size_t line)
{
	const struct diff_line *l = &d->lines[line];
	size_t n = count(l->before);

	if (line == d->n || l->gone)
		return n;
	return n + (l->after.s == NULL ? 1 : count(l->after));
}

/* Writes the hunk that begins with the change at a line. `*moved` is how many lines the
 * new text has more than the old one so far. Returns the line behind the hunk. */
static size_t
put_hunk(struct out *o, const struct diff *d, size_t first, size_t *moved)
{
	size_t from = first < context ? 0 : first - context, last = first, to,
	       now = 0;

	for (size_t i = first; i <= d->n && i <= last + 2 * context; i++)
		if (changes(d, i))
			last = i;
	to = last + context < d->n ? last + context + 1 : d->n;
	for (size_t i = from; i <= to; i++)
		if (i < to || i == d->n)
			now += count_new(d, i);
	out_printf(o, "@@ -%zu,%zu +%zu,%zu @@\n", to == from ? from : from + 1,
	    to - from, from + (now != 0) + *moved, now);
	put_lines(o, d, from, to);
	if (to == d->n)
		put_line(o, d, d->n);
	*moved += now - (to - from); /* wraps around if there are fewer */
	return to == d->n ? to + 1 : to;
}

static void
put_file(struct out *o, const struct edits *all, const struct document *doc)
{
	struct edits own = edits_of(all, doc);
	struct diff d = diff_of(document_text(doc), own);
	size_t moved = 0;

	out_printf(o, "--- %s\n+++ %s\n", doc->file, doc->file);
	for (size_t i = 0; i <= d.n; i++)
		if (changes(&d, i))
			i = put_hunk(o, &d, i, &moved) - 1;
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
