#include "emulate/content/xml.h"

#include <stdlib.h>

#include "check/answer/answer_kinds.h"

/* ---- parts of a text that may be XML ---- */

/* A part of a text, in the innermost element that was open there. */
struct part {
	size_t from, to;
	size_t parent; /* where the element begins, + 1; 0: none */
};

struct parts {
	struct arena *arena;
	struct str text;
	struct part *list;
	size_t n;
	struct part *open; /* of open elements; `to` is the end of the name */
	size_t depth, room;
};

static void
add(struct parts *p, size_t from, size_t to)
{
	size_t parent = p->depth == 0 ? 0 : p->open[p->depth - 1].from + 1;

	*arena_push(p->arena, p->list, p->n) =
	    (struct part){ from, to, parent };
}

static void
open_element(struct parts *p, size_t from, size_t name)
{
	if (p->depth == p->room)
		(void)arena_push(p->arena, p->open, p->room);
	p->open[p->depth++] = (struct part){ from, name, 0 };
}

/* Closes the innermost element if it has this name; else no element is open any
 * more. */
static void
close_element(struct parts *p, struct str name, size_t end)
{
	struct part e;

	if (p->depth == 0)
		return;
	e = p->open[p->depth - 1];
	if (!str_eq(str_slice(p->text, e.from + 1, e.to), name)) {
		p->depth = 0;
		return;
	}
	p->depth--;
	add(p, e.from, end);
}

/* Returns the end of a comment, CDATA, instruction or declaration at i. */
static size_t
declaration_end(struct str t, size_t i)
{
	static const char *const kinds[][2] = { { "<!--", "-->" },
		{ "<![CDATA[", "]]>" }, { "<?", "?>" } };
	size_t depth = 0;
	char quote = '\0';

	for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
		size_t from = i + strlen(kinds[k][0]), at;

		if (!str_starts(str_from(t, i), kinds[k][0]))
			continue;
		at = from + str_find(str_from(t, from), kinds[k][1]);
		return at < t.n ? at + strlen(kinds[k][1]) : t.n;
	}
	for (i += 2; i < t.n; i++) {
		char c = t.s[i];

		if (quote != '\0') {
			if (c == quote)
				quote = '\0';
		} else if (c == '"' || c == '\'')
			quote = c;
		else if (c == '[')
			depth++;
		else if (c == ']' && depth != 0)
			depth--;
		else if (c == '>' && depth == 0)
			return i + 1;
	}
	return t.n;
}

/* Reads the markup at i, a '<'. Returns where to go on. */
static size_t
read_markup(struct parts *p, size_t i)
{
	struct str t = p->text;
	bool closing = i + 1 < t.n && t.s[i + 1] == '/';
	size_t from = i + 1 + closing, name, end;

	if (i + 1 < t.n && (t.s[i + 1] == '!' || t.s[i + 1] == '?'))
		return declaration_end(t, i);
	name = xml_after_name(t, from);
	end = name == from ? t.n : xml_tag_end(t, i, false);
	if (end == t.n)
		return i + 1;
	if (closing)
		close_element(p, str_slice(t, from, name), end + 1);
	else if (str_ends(str_trim(str_slice(t, i, end)), "/"))
		add(p, i, end + 1);
	else
		open_element(p, i, name);
	return end + 1;
}

static int
by_parent(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static bool
begins_part(const struct parts *p, size_t from, const bool *begins)
{
	return from != 0 && from <= p->text.n && begins[from - 1];
}

/* Returns the parts that are looked at, in this order: what reaches from the
 * first to the last of several elements side by side, in no element that is a
 * part itself (*groups of these); then each element in no such element. */
static struct parts
find_parts(struct arena *a, struct str text, size_t *groups)
{
	struct parts p = { .arena = a, .text = text }, found = p;
	bool *begins = arena_new_n(a, bool, text.n + 1);

	for (size_t i = 0; i < text.n;)
		i = text.s[i] == '<' ? read_markup(&p, i) : i + 1;
	for (size_t i = 0; i < p.n; i++)
		begins[p.list[i].from] = true;
	if (p.n != 0)
		qsort(p.list, p.n, sizeof p.list[0], by_parent);
	for (size_t i = 0, to; i < p.n; i = to) {
		struct part all = p.list[i];

		for (to = i; to < p.n && p.list[to].parent == all.parent; to++)
			all.to = p.list[to].to;
		if (to - i > 1 && !begins_part(&p, all.parent, begins))
			*arena_push(a, found.list, found.n) = all;
	}
	*groups = found.n;
	for (size_t i = 0; i < p.n; i++)
		if (!begins_part(&p, p.list[i].parent, begins))
			*arena_push(a, found.list, found.n) = p.list[i];
	return found;
}

/* ---- the kind ---- */

/* Returns the paths that the tree lacks, with commas between them; absent if it
 * lacks none. */
static struct str
lacking(const struct xml_want *w, const struct xml_node *tree, struct arena *a)
{
	struct str all = { 0 };

	for (size_t i = 0; i < w->paths.n; i++)
		if (!xml_has_path(tree, w->paths.list[i]))
			all = str_printf(a, "%.*s%s%.*s", STR_FMT(all),
			    all.s == NULL ? "" : ", ",
			    STR_FMT(w->paths.list[i]));
	return all;
}

static struct finding
find_whole(const struct xml_want *w, struct str text, struct arena *a)
{
	struct finding f = { .found = FOUND_NO, .why = xml_fault(a, text) };
	const struct xml_node *tree;

	if (f.why.s != NULL)
		return f;
	tree = xml_tree(a, text);
	f.why = tree == NULL ? STR("no elements") : lacking(w, tree, a);
	if (f.why.s == NULL)
		return finding_why(FOUND_YES, "XML");
	f.why = str_cat(a, STR("no element "), f.why);
	return f;
}

/* Returns whether the part is within one that was read, of which each begins
 * behind the one before. */
static bool
is_within(const struct part *p, const struct part *list, size_t n)
{
	size_t low = 0, high = n;

	while (low < high) { /* the first that begins behind the part */
		size_t middle = (low + high) / 2;

		if (list[middle].from <= p->from)
			low = middle + 1;
		else
			high = middle;
	}
	return low != 0 && list[low - 1].to >= p->to;
}

/* Adds a part that was read. Its end becomes the last of all so far. */
static void
add_read(struct part *list, size_t *n, struct part p)
{
	if (*n != 0 && list[*n - 1].to > p.to)
		p.to = list[*n - 1].to;
	list[(*n)++] = p;
}

static struct finding
find_within(const struct xml_want *w, struct str text, struct arena *a)
{
	size_t groups, nread = 0, nvague = 0, unclear = 0;
	struct parts p = find_parts(a, text, &groups);
	struct part *read = arena_new_n(a, struct part, p.n + 1);
	/* Groups that promptfoo may read: then it reads no element of them. */
	struct part *vague = arena_new_n(a, struct part, p.n + 1);

	for (size_t i = 0; i < p.n; i++) {
		const struct part *part = &p.list[i];
		const struct xml_node *tree;

		if (is_within(part, read, nread))
			continue;
		tree = xml_tree(a, str_slice(text, part->from, part->to));
		if (tree != NULL && lacking(w, tree, a).s != NULL) {
			if (i < groups)
				add_read(read, &nread, *part);
			continue;
		}
		if (tree != NULL && !is_within(part, vague, nvague))
			return finding_why(FOUND_YES, "XML");
		unclear++;
		if (i < groups)
			add_read(vague, &nvague, *part);
	}
	if (unclear != 0)
		return finding_skip(
		    "a part of the answer is not well-formed, which promptfoo "
		    "may read as XML");
	return finding_why(FOUND_NO,
	    p.n == 0 ? STR("no XML") : STR("no XML with the elements"));
}

static struct finding
xml_find(const void *want, struct view *v)
{
	const struct xml_want *w = want;
	struct str text = view_text(v, VIEW_AS_WRITTEN);
	struct finding f = w->within ? find_within(w, text, v->arena)
				     : find_whole(w, text, v->arena);

	f.open = v->cut & VIEW_TEXT && !(w->within && f.found == FOUND_YES);
	return f;
}

static void
xml_show(const void *want, struct out *o)
{
	const struct xml_want *w = want;

	out_member_str(o, "xml", w->within ? STR("within") : STR("whole"));
	out_member_strs(o, "elements", w->paths);
}

struct check
xml_check(struct arena *a, const struct xml_want *want)
{
	static const struct check_kind kind = {
		.name = "xml", .find = xml_find, .show = xml_show
	};

	return check_new(a, &kind, want, sizeof *want, VIEW_TEXT);
}
