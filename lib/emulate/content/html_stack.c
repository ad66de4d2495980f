/* HTML's stack of open elements, and its list of formatting elements. */
#include "emulate/content/html_tree.h"
#include "text/caseless.h"

static const char valid[] =
    "html head title base link meta style body article section nav aside "
    "h1 h2 h3 h4 h5 h6 header footer address p hr pre blockquote ol ul li dl "
    "dt dd figure figcaption main div a em strong small s cite q dfn abbr ruby "
    "rt rp data time code var samp kbd sub sup i b u mark bdi bdo span br wbr "
    "img iframe embed object param picture source video audio track map area "
    "svg math script noscript canvas ins del table caption colgroup col tbody "
    "thead tfoot tr td th form label input button select datalist optgroup "
    "option textarea output progress meter fieldset legend details summary "
    "dialog menu slot template";
static const char special[] =
    "address applet area article aside base basefont bgsound blockquote body "
    "br button caption center col colgroup dd details dir div dl dt embed "
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 "
    "head header hgroup hr html iframe img input keygen li link listing main "
    "marquee menu meta nav noembed noframes noscript object ol p param "
    "plaintext pre script search section select source style summary table "
    "tbody td template textarea tfoot th thead title tr track ul wbr xmp";
static const char implied[] = "dd dt li optgroup option p rb rp rt rtc";
static const char formatting[] =
    "a b big code em font i nobr s small strike strong tt u";

bool
html_among(struct str name, const char *list)
{
	return caseless_is_one_of(name, list);
}

static struct str
current(const struct html_tree *t)
{
	return t->n == 0 ? STR("") : t->open[t->n - 1]->name;
}

bool
html_current_is(const struct html_tree *t, const char *list)
{
	return html_among(current(t), list);
}

bool
html_is_special(struct str name)
{
	return html_among(name, special);
}

bool
html_is_formatting(struct str name)
{
	return html_among(name, formatting);
}

/* ---- the stack ---- */

void
html_unsure(struct html_tree *t, const char *why)
{
	if (t->unsure == NULL)
		t->unsure = why;
}

/* Returns the element in which something is inserted. */
static struct html_element *
place(const struct html_tree *t)
{
	if (t->n == 0)
		return NULL;
	if (!t->foster || !html_current_is(t, "table tr " HTML_ROWS))
		return t->open[t->n - 1];
	for (size_t i = t->n; i-- != 0;)
		if (str_is(t->open[i]->name, "table"))
			return t->open[i]->parent;
	return t->open[0];
}

static struct html_element *
create(struct html_tree *t, struct str name, struct str attributes)
{
	struct html_element *e = arena_new(t->arena, struct html_element);

	e->name = name;
	e->attributes = attributes;
	return e;
}

/* Inserts an element. Unless `written`, no tag of it was. */
struct html_element *
html_insert(
    struct html_tree *t, struct str name, struct str attributes, bool written)
{
	struct html_element *e = create(t, name, attributes);

	e->parent = place(t);
	if (t->n == HTML_OPEN_MAX)
		html_unsure(t, "deep trees");
	else
		t->open[t->n++] = e;
	if ((written || !html_among(name, "html head body")) &&
	    (html_among(name, valid) || str_find_char(name, '-') < name.n))
		t->known = true;
	return e;
}

struct html_element *
html_insert_tag(struct html_tree *t, const struct html_token *token)
{
	return html_insert(t, token->name, token->attributes, true);
}

void
html_insert_empty(struct html_tree *t, const struct html_token *token)
{
	(void)html_insert_tag(t, token);
	t->n--;
}

void
html_insert_text(struct html_tree *t, bool shown)
{
	const struct html_element *e = place(t);

	t->said |= shown && e != NULL && str_is(e->name, "body");
}

/* Returns the place in the stack + 1 of the innermost element of these names that
 * no element of `limits` is further in than; 0 if there is none. */
size_t
html_in_scope(const struct html_tree *t, const char *names, const char *limits)
{
	for (size_t i = t->n; i != 0; i--) {
		if (html_among(t->open[i - 1]->name, names))
			return i;
		if (html_among(t->open[i - 1]->name, limits))
			return 0;
	}
	return 0;
}

bool
html_is_p_open(const struct html_tree *t)
{
	return html_in_scope(t, "p", HTML_SCOPE " button") != 0;
}

/* Closes elements whose end tags may be missing, but those of this name. */
void
html_close_implied(struct html_tree *t, struct str but)
{
	while (html_current_is(t, implied) && !str_eq(current(t), but))
		t->n--;
}

/* Closes elements up to and with the innermost one of these names. */
void
html_pop_to(struct html_tree *t, const char *names)
{
	while (t->n != 0 && !html_current_is(t, names))
		t->n--;
	t->n -= t->n != 0;
}

void
html_close_p(struct html_tree *t)
{
	if (!html_is_p_open(t))
		return;
	html_close_implied(t, STR("p"));
	html_pop_to(t, "p");
}

/* Closes elements down to one of these names, or html. */
void
html_clear_to(struct html_tree *t, const char *names)
{
	while (t->n > 1 && !html_current_is(t, names))
		t->n--;
}

size_t
html_find_open(const struct html_tree *t, const struct html_element *e)
{
	size_t i = t->n;

	while (i != 0 && t->open[i - 1] != e)
		i--;
	return i;
}

void
html_remove_at(struct html_element **list, size_t *n, size_t i)
{
	memmove(&list[i], &list[i + 1], (*n - i - 1) * sizeof list[0]);
	--*n;
}

static void
add_at(struct html_element **list, size_t *n, size_t i, struct html_element *e)
{
	memmove(&list[i + 1], &list[i], (*n - i) * sizeof list[0]);
	list[i] = e;
	++*n;
}

void
html_remove_open(struct html_tree *t, const struct html_element *e)
{
	size_t i = html_find_open(t, e);

	if (i != 0)
		html_remove_at(t->open, &t->n, i - 1);
}

/* ---- formatting elements ---- */

size_t
html_find_format(const struct html_tree *t, const struct html_element *e)
{
	size_t i = t->nformats;

	while (i != 0 && t->formats[i - 1] != e)
		i--;
	return i;
}

void
html_add_marker(struct html_tree *t)
{
	if (t->nformats == HTML_OPEN_MAX)
		html_unsure(t, "many formatting elements");
	else
		t->formats[t->nformats++] = NULL;
}

void
html_clear_formats(struct html_tree *t)
{
	while (t->nformats != 0 && t->formats[--t->nformats] != NULL)
		;
}

/* Adds a formatting element. Of three that are the same the oldest goes. */
void
html_add_format(struct html_tree *t, struct html_element *e)
{
	size_t same = 0, oldest = 0;

	for (size_t i = t->nformats; i != 0 && t->formats[i - 1] != NULL; i--)
		if (str_eq(t->formats[i - 1]->name, e->name) &&
		    str_eq(t->formats[i - 1]->attributes, e->attributes)) {
			same++;
			oldest = i - 1;
		}
	if (same >= 3)
		html_remove_at(t->formats, &t->nformats, oldest);
	if (t->nformats == HTML_OPEN_MAX)
		html_unsure(t, "many formatting elements");
	else
		t->formats[t->nformats++] = e;
}

/* Opens formatting elements again that were closed with an element around. */
void
html_reconstruct(struct html_tree *t)
{
	size_t i = t->nformats;

	while (i != 0 && t->formats[i - 1] != NULL &&
	    html_find_open(t, t->formats[i - 1]) == 0)
		i--;
	for (; i < t->nformats && t->unsure == NULL; i++)
		t->formats[i] = html_insert(
		    t, t->formats[i]->name, t->formats[i]->attributes, true);
}

/* Closes the element of an end tag that has no rules of its own. */
void
html_close_other(struct html_tree *t, struct str name)
{
	for (size_t i = t->n; i != 0; i--) {
		if (str_eq(t->open[i - 1]->name, name)) {
			html_close_implied(t, name);
			t->n = t->n < i ? t->n : i - 1;
			return;
		}
		if (html_among(t->open[i - 1]->name, special))
			return;
	}
}

/* Moves the elements between a formatting element, at `from` in the stack, and a
 * block at `block` into copies of them. Returns what is moved with the block.
 * *mark is a place in the list of formatting elements. */
static struct html_element *
move_between(struct html_tree *t, size_t from, size_t block, size_t *mark)
{
	struct html_element *last = t->open[block], *furthest = last;
	size_t count = 0;

	for (size_t i = block; --i > from;) {
		struct html_element *node = t->open[i];
		size_t format = html_find_format(t, node);

		if (++count > 3 && format != 0) {
			html_remove_at(t->formats, &t->nformats, format - 1);
			*mark -= *mark > format - 1;
			format = 0;
		}
		if (format == 0) {
			html_remove_at(t->open, &t->n, i);
			continue;
		}
		node = create(t, node->name, node->attributes);
		node->parent = t->open[i]->parent;
		t->open[i] = t->formats[format - 1] = node;
		if (last == furthest)
			*mark = format;
		last->parent = node;
		last = node;
	}
	return last;
}

/* Closes a formatting element that is not the innermost, once. Returns whether
 * there may be more to do. */
static bool
adopt(struct html_tree *t, struct str name)
{
	size_t f = t->nformats, from, block, mark;
	struct html_element *e, *furthest, *last, *copy, *ancestor;
	size_t kept;
	bool foster = t->foster;

	while (f != 0 && t->formats[f - 1] != NULL &&
	    !str_eq(t->formats[f - 1]->name, name))
		f--;
	if (f == 0 || t->formats[f - 1] == NULL) {
		html_close_other(t, name);
		return false;
	}
	e = t->formats[f - 1];
	from = html_find_open(t, e);
	if (from == 0) {
		html_remove_at(t->formats, &t->nformats, f - 1);
		return false;
	}
	for (size_t i = t->n; i > from; i--)
		if (html_among(t->open[i - 1]->name, HTML_SCOPE))
			return false;
	for (block = from--; block < t->n; block++)
		if (html_among(t->open[block]->name, special))
			break;
	if (block == t->n || from == 0) {
		t->n = from;
		html_remove_at(t->formats, &t->nformats, f - 1);
		return false;
	}
	furthest = t->open[block];
	mark = f - 1;
	last = move_between(t, from, block, &mark);
	kept = t->n;
	t->n = from; /* the common ancestor is the innermost */
	t->foster = true;
	ancestor = place(t);
	t->foster = foster;
	t->n = kept;
	last->parent = ancestor;
	copy = create(t, e->name, e->attributes);
	copy->parent = furthest;
	f = html_find_format(t, e);
	if (mark > f - 1)
		mark--;
	html_remove_at(t->formats, &t->nformats, f - 1);
	add_at(t->formats, &t->nformats, mark, copy);
	html_remove_open(t, e);
	add_at(t->open, &t->n, html_find_open(t, furthest), copy);
	return true;
}

void
html_close_format(struct html_tree *t, struct str name)
{
	if (str_eq(current(t), name) &&
	    html_find_format(t, t->open[t->n - 1]) == 0) {
		t->n--;
		return;
	}
	for (int i = 0; i < 8; i++)
		if (!adopt(t, name))
			return;
}
