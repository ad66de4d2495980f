/*
 * The construction of HTML's tree by the standard, as far as promptfoo asks: which
 * elements there are, and whether the body has a text of its own. No tree is
 * built but the stack of open elements and the list of formatting elements.
 */
#include "check/kind/html.h"
#include "check/kind/html_tokens.h"
#include "lang/js.h"
#include "text/caseless.h"

enum mode {
	INITIAL,
	BEFORE_HTML,
	BEFORE_HEAD,
	IN_HEAD,
	AFTER_HEAD,
	IN_BODY,
	IN_TABLE,
	IN_CAPTION,
	IN_COLUMNS,
	IN_TABLE_BODY,
	IN_ROW,
	IN_CELL,
	AFTER_BODY,
};

struct element {
	struct str name, attributes;
	struct element *parent;
};

/* The most elements that are open at once, and formatting elements. */
enum { OPEN_MAX = 256 };

struct tree {
	struct arena *arena;
	struct html_tokens tokens;
	enum mode mode;
	struct element *open[OPEN_MAX + 1]; /* the innermost last */
	size_t n;
	struct element *formats[OPEN_MAX + 1]; /* NULL: a marker */
	size_t nformats;
	struct element *form;
	bool quirks, foster;
	bool body_written; /* by its tag */
	bool known;        /* an element that counts was inserted */
	bool said;         /* the body has a text of its own */
	bool done;
	const char *unsure; /* why the rest is not read; NULL: it is */
};

/* ---- names ---- */

#define HEADINGS "h1 h2 h3 h4 h5 h6"
#define SCOPE "applet caption html table td th marquee object template"
#define IN_HEADS "base basefont bgsound link meta noframes script style title"
#define ROWS "tbody tfoot thead"
#define TABLE_PARTS "caption col colgroup " ROWS " td th tr"
#define BLOCKS \
	"address article aside blockquote center details dialog dir div dl " \
	"fieldset figcaption figure footer header hgroup main menu nav ol " \
	"search section summary ul"

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

static bool
among(struct str name, const char *list)
{
	return caseless_is_one_of(name, list);
}

static struct str
current(const struct tree *t)
{
	return t->n == 0 ? STR("") : t->open[t->n - 1]->name;
}

static bool
current_is(const struct tree *t, const char *list)
{
	return among(current(t), list);
}

/* ---- the stack ---- */

static void
unsure(struct tree *t, const char *why)
{
	if (t->unsure == NULL)
		t->unsure = why;
}

/* Returns the element in which something is inserted. */
static struct element *
place(const struct tree *t)
{
	if (t->n == 0)
		return NULL;
	if (!t->foster || !current_is(t, "table tr " ROWS))
		return t->open[t->n - 1];
	for (size_t i = t->n; i-- != 0;)
		if (str_is(t->open[i]->name, "table"))
			return t->open[i]->parent;
	return t->open[0];
}

static struct element *
create(struct tree *t, struct str name, struct str attributes)
{
	struct element *e = arena_new(t->arena, struct element);

	e->name = name;
	e->attributes = attributes;
	return e;
}

/* Inserts an element. Unless `written`, no tag of it was. */
static struct element *
insert(struct tree *t, struct str name, struct str attributes, bool written)
{
	struct element *e = create(t, name, attributes);

	e->parent = place(t);
	if (t->n == OPEN_MAX)
		unsure(t, "deep trees");
	else
		t->open[t->n++] = e;
	if ((written || !among(name, "html head body")) &&
	    (among(name, valid) || str_find_char(name, '-') < name.n))
		t->known = true;
	return e;
}

static struct element *
insert_tag(struct tree *t, const struct html_token *token)
{
	return insert(t, token->name, token->attributes, true);
}

static void
insert_empty(struct tree *t, const struct html_token *token)
{
	(void)insert_tag(t, token);
	t->n--;
}

static void
insert_text(struct tree *t, bool shown)
{
	const struct element *e = place(t);

	t->said |= shown && e != NULL && str_is(e->name, "body");
}

/* Returns the place in the stack + 1 of the innermost element of these names that
 * no element of `limits` is further in than; 0 if there is none. */
static size_t
in_scope(const struct tree *t, const char *names, const char *limits)
{
	for (size_t i = t->n; i != 0; i--) {
		if (among(t->open[i - 1]->name, names))
			return i;
		if (among(t->open[i - 1]->name, limits))
			return 0;
	}
	return 0;
}

static bool
is_p_open(const struct tree *t)
{
	return in_scope(t, "p", SCOPE " button") != 0;
}

/* Closes elements whose end tags may be missing, but those of this name. */
static void
close_implied(struct tree *t, struct str but)
{
	while (current_is(t, implied) && !str_eq(current(t), but))
		t->n--;
}

/* Closes elements up to and with the innermost one of these names. */
static void
pop_to(struct tree *t, const char *names)
{
	while (t->n != 0 && !current_is(t, names))
		t->n--;
	t->n -= t->n != 0;
}

static void
close_p(struct tree *t)
{
	if (!is_p_open(t))
		return;
	close_implied(t, STR("p"));
	pop_to(t, "p");
}

/* Closes elements down to one of these names, or html. */
static void
clear_to(struct tree *t, const char *names)
{
	while (t->n > 1 && !current_is(t, names))
		t->n--;
}

static size_t
find_open(const struct tree *t, const struct element *e)
{
	size_t i = t->n;

	while (i != 0 && t->open[i - 1] != e)
		i--;
	return i;
}

static void
remove_at(struct element **list, size_t *n, size_t i)
{
	memmove(&list[i], &list[i + 1], (*n - i - 1) * sizeof list[0]);
	--*n;
}

static void
add_at(struct element **list, size_t *n, size_t i, struct element *e)
{
	memmove(&list[i + 1], &list[i], (*n - i) * sizeof list[0]);
	list[i] = e;
	++*n;
}

static void
remove_open(struct tree *t, const struct element *e)
{
	size_t i = find_open(t, e);

	if (i != 0)
		remove_at(t->open, &t->n, i - 1);
}

/* ---- formatting elements ---- */

static size_t
find_format(const struct tree *t, const struct element *e)
{
	size_t i = t->nformats;

	while (i != 0 && t->formats[i - 1] != e)
		i--;
	return i;
}

static void
add_marker(struct tree *t)
{
	if (t->nformats == OPEN_MAX)
		unsure(t, "many formatting elements");
	else
		t->formats[t->nformats++] = NULL;
}

static void
clear_formats(struct tree *t)
{
	while (t->nformats != 0 && t->formats[--t->nformats] != NULL)
		;
}

/* Adds a formatting element. Of three that are the same the oldest goes. */
static void
add_format(struct tree *t, struct element *e)
{
	size_t same = 0, oldest = 0;

	for (size_t i = t->nformats; i != 0 && t->formats[i - 1] != NULL; i--)
		if (str_eq(t->formats[i - 1]->name, e->name) &&
		    str_eq(t->formats[i - 1]->attributes, e->attributes)) {
			same++;
			oldest = i - 1;
		}
	if (same >= 3)
		remove_at(t->formats, &t->nformats, oldest);
	if (t->nformats == OPEN_MAX)
		unsure(t, "many formatting elements");
	else
		t->formats[t->nformats++] = e;
}

/* Opens formatting elements again that were closed with an element around. */
static void
reconstruct(struct tree *t)
{
	size_t i = t->nformats;

	while (i != 0 && t->formats[i - 1] != NULL &&
	    find_open(t, t->formats[i - 1]) == 0)
		i--;
	for (; i < t->nformats && t->unsure == NULL; i++)
		t->formats[i] = insert(
		    t, t->formats[i]->name, t->formats[i]->attributes, true);
}

/* Closes the element of an end tag that has no rules of its own. */
static void
close_other(struct tree *t, struct str name)
{
	for (size_t i = t->n; i != 0; i--) {
		if (str_eq(t->open[i - 1]->name, name)) {
			close_implied(t, name);
			t->n = t->n < i ? t->n : i - 1;
			return;
		}
		if (among(t->open[i - 1]->name, special))
			return;
	}
}

/* Moves the elements between a formatting element, at `from` in the stack, and a
 * block at `block` into copies of them. Returns what is moved with the block.
 * *mark is a place in the list of formatting elements. */
static struct element *
move_between(struct tree *t, size_t from, size_t block, size_t *mark)
{
	struct element *last = t->open[block], *furthest = last;
	size_t count = 0;

	for (size_t i = block; --i > from;) {
		struct element *node = t->open[i];
		size_t format = find_format(t, node);

		if (++count > 3 && format != 0) {
			remove_at(t->formats, &t->nformats, format - 1);
			*mark -= *mark > format - 1;
			format = 0;
		}
		if (format == 0) {
			remove_at(t->open, &t->n, i);
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
adopt(struct tree *t, struct str name)
{
	size_t f = t->nformats, from, block, mark;
	struct element *e, *furthest, *last, *copy, *ancestor;
	size_t kept;
	bool foster = t->foster;

	while (f != 0 && t->formats[f - 1] != NULL &&
	    !str_eq(t->formats[f - 1]->name, name))
		f--;
	if (f == 0 || t->formats[f - 1] == NULL) {
		close_other(t, name);
		return false;
	}
	e = t->formats[f - 1];
	from = find_open(t, e);
	if (from == 0) {
		remove_at(t->formats, &t->nformats, f - 1);
		return false;
	}
	for (size_t i = t->n; i > from; i--)
		if (among(t->open[i - 1]->name, SCOPE))
			return false;
	for (block = from--; block < t->n; block++)
		if (among(t->open[block]->name, special))
			break;
	if (block == t->n || from == 0) {
		t->n = from;
		remove_at(t->formats, &t->nformats, f - 1);
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
	f = find_format(t, e);
	if (mark > f - 1)
		mark--;
	remove_at(t->formats, &t->nformats, f - 1);
	add_at(t->formats, &t->nformats, mark, copy);
	remove_open(t, e);
	add_at(t->open, &t->n, find_open(t, furthest), copy);
	return true;
}

static void
close_format(struct tree *t, struct str name)
{
	if (str_eq(current(t), name) &&
	    find_format(t, t->open[t->n - 1]) == 0) {
		t->n--;
		return;
	}
	for (int i = 0; i < 8; i++)
		if (!adopt(t, name))
			return;
}

/* ---- elements whose content has no tags ---- */

static void
insert_content(struct tree *t, const struct html_token *token)
{
	(void)insert_tag(t, token);
	if (html_pass_content(&t->tokens, token->name) &&
	    str_is(token->name, "script"))
		unsure(t, "comments in a script");
	t->n--;
}

/* Inserts an element that belongs into the head. */
static void
insert_in_head(struct tree *t, const struct html_token *token)
{
	if (among(token->name, "base basefont bgsound link meta"))
		insert_empty(t, token);
	else
		insert_content(t, token);
}

/* ---- in the body: opening tags ---- */

/* Closes the list item that a new one ends. */
static void
close_item(struct tree *t, const char *names)
{
	for (size_t i = t->n; i != 0; i--) {
		struct str name = t->open[i - 1]->name;

		if (among(name, names)) {
			close_implied(t, name);
			t->n = i - 1;
			break;
		}
		if (among(name, special) && !among(name, "address div p"))
			break;
	}
	close_p(t);
}

/* Opens an element that is a block, of which most end a paragraph. Returns false
 * if it is another element. */
static bool
open_block(struct tree *t, const struct html_token *token)
{
	struct str name = token->name;

	if (among(name, BLOCKS " p pre listing plaintext " HEADINGS)) {
		close_p(t);
		if (among(name, HEADINGS) && current_is(t, HEADINGS))
			t->n--;
		(void)insert_tag(t, token);
		if (str_is(name, "plaintext"))
			t->done = true;
		return true;
	}
	if (str_is(name, "form")) {
		if (t->form != NULL)
			return true;
		close_p(t);
		t->form = insert_tag(t, token);
		return true;
	}
	if (!among(name, "li dd dt"))
		return false;
	close_item(t, str_is(name, "li") ? "li" : "dd dt");
	(void)insert_tag(t, token);
	return true;
}

static void
open_format(struct tree *t, const struct html_token *token)
{
	struct element *e;

	for (size_t i = t->nformats;
	     str_is(token->name, "a") && i != 0 && t->formats[i - 1] != NULL;
	     i--) {
		e = t->formats[i - 1];
		if (!str_is(e->name, "a"))
			continue;
		close_format(t, token->name);
		i = find_format(t, e);
		if (i != 0)
			remove_at(t->formats, &t->nformats, i - 1);
		remove_open(t, e);
		break;
	}
	reconstruct(t);
	if (str_is(token->name, "nobr") && in_scope(t, "nobr", SCOPE) != 0) {
		close_format(t, token->name);
		reconstruct(t);
	}
	add_format(t, insert_tag(t, token));
}

/* Opens an element whose content has no tags, or that has no content. Returns
 * false if it is another element. */
static bool
open_simple(struct tree *t, const struct html_token *token)
{
	struct str name = token->name;

	if (among(name, "area br embed img keygen wbr input")) {
		reconstruct(t);
		insert_empty(t, token);
	} else if (among(name, "param source track")) {
		insert_empty(t, token);
	} else if (str_is(name, "hr")) {
		close_p(t);
		insert_empty(t, token);
	} else if (among(name, "textarea xmp iframe noembed noscript")) {
		if (str_is(name, "xmp")) {
			close_p(t);
			reconstruct(t);
		}
		insert_content(t, token);
	} else {
		return false;
	}
	return true;
}

/* Opens a table in the body. */
static void
open_table(struct tree *t, const struct html_token *token)
{
	if (!t->quirks)
		close_p(t);
	(void)insert_tag(t, token);
	t->mode = IN_TABLE;
}

static void
open_inline(struct tree *t, const struct html_token *token)
{
	struct str name = token->name;

	if (str_is(name, "button") && in_scope(t, "button", SCOPE) != 0) {
		close_implied(t, STR(""));
		pop_to(t, "button");
	}
	if (among(name, "optgroup option") && current_is(t, "option"))
		t->n--;
	if (among(name, "rb rtc rp rt")) {
		if (in_scope(t, "ruby", SCOPE) != 0)
			close_implied(
			    t, among(name, "rp rt") ? STR("rtc") : STR(""));
	} else {
		reconstruct(t);
	}
	(void)insert_tag(t, token);
	if (among(name, "applet marquee object"))
		add_marker(t);
}

static void
open_in_body(struct tree *t, const struct html_token *from)
{
	struct html_token token = *from;

	if (str_is(token.name, "image"))
		token.name = STR("img");
	if (among(token.name, "svg math select template")) {
		reconstruct(t);
		t->known = true;
		unsure(t, "SVG, MathML, select and template");
		return;
	}
	if (str_is(token.name, "frameset"))
		unsure(t, "frames");
	if (among(token.name, "html head body frameset frame " TABLE_PARTS))
		return;
	if (among(token.name, IN_HEADS))
		insert_in_head(t, &token);
	else if (str_is(token.name, "table"))
		open_table(t, &token);
	else if (among(token.name, formatting))
		open_format(t, &token);
	else if (!open_block(t, &token) && !open_simple(t, &token))
		open_inline(t, &token);
}

/* ---- in the body: closing tags ---- */

static void
close_form(struct tree *t)
{
	struct element *form = t->form;

	t->form = NULL;
	if (form == NULL || find_open(t, form) == 0 ||
	    in_scope(t, "form", SCOPE) == 0)
		return;
	close_implied(t, STR(""));
	remove_open(t, form);
}

/* Closes the innermost element of these names, if it is in scope. */
static void
close_scoped(
    struct tree *t, const char *names, const char *limits, struct str but)
{
	if (in_scope(t, names, limits) == 0)
		return;
	close_implied(t, but);
	pop_to(t, names);
}

static void
close_in_body(struct tree *t, const struct html_token *token)
{
	struct str name = token->name;
	const char *c_name = str_c(t->arena, name);

	if (among(name, "body html")) {
		if (in_scope(t, "body", SCOPE) != 0)
			t->mode = AFTER_BODY;
	} else if (str_is(name, "template")) {
		return;
	} else if (among(name, BLOCKS " button listing pre")) {
		close_scoped(t, c_name, SCOPE, STR(""));
	} else if (str_is(name, "form")) {
		close_form(t);
	} else if (str_is(name, "p")) {
		if (!is_p_open(t))
			(void)insert(t, STR("p"), STR(""), false);
		close_p(t);
	} else if (among(name, "li dd dt")) {
		close_scoped(t, c_name,
		    str_is(name, "li") ? SCOPE " ol ul" : SCOPE, name);
	} else if (among(name, HEADINGS)) {
		close_scoped(t, HEADINGS, SCOPE, STR(""));
	} else if (among(name, formatting)) {
		close_format(t, name);
	} else if (among(name, "applet marquee object")) {
		if (in_scope(t, c_name, SCOPE) == 0)
			return;
		close_scoped(t, c_name, SCOPE, STR(""));
		clear_formats(t);
	} else if (str_is(name, "br")) {
		reconstruct(t);
		(void)insert(t, name, STR(""), true);
		t->n--;
	} else {
		close_other(t, name);
	}
}

static bool
in_body(struct tree *t, const struct html_token *token)
{
	switch (token->kind) {
	case HTML_TEXT:
	case HTML_BLANK:
		reconstruct(t);
		insert_text(t, token->shown);
		break;
	case HTML_OPEN:
		open_in_body(t, token);
		break;
	case HTML_CLOSE:
		close_in_body(t, token);
		break;
	default:
		break;
	}
	return false;
}

/* ---- before the body ---- */

static bool
initial(struct tree *t, const struct html_token *token)
{
	if (token->kind == HTML_BLANK)
		return false;
	t->mode = BEFORE_HTML;
	if (token->kind != HTML_DOCTYPE) {
		t->quirks = true;
		return true;
	}
	t->quirks = !str_eq_ascii_nocase(token->name, STR("html"));
	return false;
}

static bool
is_passed(const struct html_token *token)
{
	return token->kind == HTML_BLANK || token->kind == HTML_DOCTYPE ||
	    (token->kind == HTML_CLOSE &&
		!among(token->name, "head body html br"));
}

static bool
before_html(struct tree *t, const struct html_token *token)
{
	bool tag = token->kind == HTML_OPEN && str_is(token->name, "html");

	if (is_passed(token))
		return false;
	(void)insert(t, STR("html"), STR(""), tag);
	t->mode = BEFORE_HEAD;
	return !tag;
}

static bool
before_head(struct tree *t, const struct html_token *token)
{
	bool tag = token->kind == HTML_OPEN && str_is(token->name, "head");

	if (is_passed(token) ||
	    (token->kind == HTML_OPEN && str_is(token->name, "html")))
		return false;
	(void)insert(t, STR("head"), STR(""), tag);
	t->mode = IN_HEAD;
	return !tag;
}

/* In the head, and behind it, where head is not open. */
static bool
in_head(struct tree *t, const struct html_token *token)
{
	bool after = t->mode == AFTER_HEAD;
	bool open = token->kind == HTML_OPEN;

	if (token->kind == HTML_BLANK || token->kind == HTML_DOCTYPE ||
	    (open && among(token->name, "html head")))
		return false;
	if (open &&
	    (among(token->name, IN_HEADS) ||
		(!after && str_is(token->name, "noscript")))) {
		insert_in_head(t, token);
		return false;
	}
	if (open && among(token->name, "template frameset"))
		unsure(t, "frames and template");
	if (token->kind == HTML_CLOSE &&
	    !among(token->name, after ? "body html br" : "head body html br"))
		return false;
	if (!after) {
		t->n--;
		t->mode = AFTER_HEAD;
		return token->kind != HTML_CLOSE ||
		    !str_is(token->name, "head");
	}
	t->body_written = open && str_is(token->name, "body");
	(void)insert(t, STR("body"), STR(""), t->body_written);
	t->mode = IN_BODY;
	return !t->body_written;
}

/* ---- tables ---- */

static void
reset_mode(struct tree *t)
{
	static const struct {
		const char *names;
		enum mode mode;
	} modes[] = { { "td th", IN_CELL }, { "tr", IN_ROW },
		{ ROWS, IN_TABLE_BODY }, { "caption", IN_CAPTION },
		{ "colgroup", IN_COLUMNS }, { "table", IN_TABLE },
		{ "body", IN_BODY } };

	for (size_t i = t->n; i != 0; i--)
		for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++)
			if (among(t->open[i - 1]->name, modes[k].names)) {
				t->mode = modes[k].mode;
				return;
			}
	t->mode = IN_BODY;
}

static bool
in_table_scope(const struct tree *t, const char *names)
{
	return in_scope(t, names, "html table template") != 0;
}

/* Opens a part of a table, after closing all down to `within`. */
static void
open_part(struct tree *t, const char *within, struct str name, enum mode mode)
{
	clear_to(t, within);
	(void)insert(t, name, STR(""), true);
	t->mode = mode;
}

/* Closes the table. Returns false if none is open. */
static bool
close_table(struct tree *t)
{
	if (!in_table_scope(t, "table"))
		return false;
	pop_to(t, "table");
	reset_mode(t);
	return true;
}

/* Opens a part of a table in the table. Returns whether the token is read again;
 * sets *known to false if the tag is none of these. */
static bool
open_in_table(struct tree *t, const struct html_token *token, bool *known)
{
	struct str name = token->name;

	if (str_is(name, "caption")) {
		clear_to(t, "table");
		add_marker(t);
		open_part(t, "table", name, IN_CAPTION);
	} else if (among(name, "colgroup col")) {
		open_part(t, "table", STR("colgroup"), IN_COLUMNS);
		return str_is(name, "col");
	} else if (among(name, ROWS)) {
		open_part(t, "table", name, IN_TABLE_BODY);
	} else if (among(name, "td th tr")) {
		open_part(t, "table", STR("tbody"), IN_TABLE_BODY);
		return true;
	} else if (str_is(name, "table")) {
		return close_table(t);
	} else if (among(name, "style script")) {
		insert_in_head(t, token);
	} else if (str_is(name, "form")) {
		if (t->form == NULL) {
			t->form = insert_tag(t, token);
			t->n--;
		}
	} else if (str_is(name, "input") &&
	    html_attribute_is(token->attributes, "type", "hidden")) {
		insert_empty(t, token);
	} else {
		*known = false;
	}
	return false;
}

static bool
in_table(struct tree *t, const struct html_token *token)
{
	bool known = true, again = false;

	if (token->kind == HTML_DOCTYPE || token->kind == HTML_END)
		return false;
	if (token->kind == HTML_BLANK && current_is(t, "table tr " ROWS))
		return false;
	if (token->kind == HTML_OPEN)
		again = open_in_table(t, token, &known);
	else if (token->kind == HTML_CLOSE && str_is(token->name, "table"))
		(void)close_table(t);
	else if (token->kind != HTML_CLOSE ||
	    !among(token->name, "body html " TABLE_PARTS))
		known = false;
	if (known)
		return again;
	t->foster = true;
	(void)in_body(t, token);
	t->foster = false;
	return false;
}

static bool
is_tag(const struct html_token *token, enum html_token_kind kind,
    const char *names)
{
	return token->kind == kind && among(token->name, names);
}

static bool
in_caption(struct tree *t, const struct html_token *token)
{
	bool close = is_tag(token, HTML_CLOSE, "caption");

	if (close || is_tag(token, HTML_OPEN, TABLE_PARTS) ||
	    is_tag(token, HTML_CLOSE, "table")) {
		if (!in_table_scope(t, "caption"))
			return false;
		close_implied(t, STR(""));
		pop_to(t, "caption");
		clear_formats(t);
		t->mode = IN_TABLE;
		return !close;
	}
	if (is_tag(token, HTML_CLOSE,
		"body col colgroup html tbody td tfoot th thead tr"))
		return false;
	return in_body(t, token);
}

static bool
in_columns(struct tree *t, const struct html_token *token)
{
	bool close = is_tag(token, HTML_CLOSE, "colgroup");

	if (token->kind == HTML_BLANK || token->kind == HTML_DOCTYPE ||
	    is_tag(token, HTML_CLOSE, "col") ||
	    is_tag(token, HTML_OPEN, "html"))
		return false;
	if (is_tag(token, HTML_OPEN, "col")) {
		insert_empty(t, token);
		return false;
	}
	if (is_tag(token, HTML_OPEN, "template"))
		unsure(t, "template");
	if (!current_is(t, "colgroup"))
		return false;
	t->n--;
	t->mode = IN_TABLE;
	return !close;
}

static bool
in_table_body(struct tree *t, const struct html_token *token)
{
	if (is_tag(token, HTML_OPEN, "tr td th")) {
		open_part(t, ROWS " template", STR("tr"), IN_ROW);
		return !str_is(token->name, "tr");
	}
	if (is_tag(token, HTML_CLOSE, ROWS)) {
		if (!in_table_scope(t, str_c(t->arena, token->name)))
			return false;
		clear_to(t, ROWS);
		t->n--;
		t->mode = IN_TABLE;
		return false;
	}
	if (is_tag(token, HTML_OPEN, "caption col colgroup " ROWS) ||
	    is_tag(token, HTML_CLOSE, "table")) {
		if (!in_table_scope(t, ROWS))
			return false;
		clear_to(t, ROWS);
		t->n--;
		t->mode = IN_TABLE;
		return true;
	}
	if (is_tag(
		token, HTML_CLOSE, "body caption col colgroup html td th tr"))
		return false;
	return in_table(t, token);
}

static bool
in_row(struct tree *t, const struct html_token *token)
{
	bool close = is_tag(token, HTML_CLOSE, "tr");
	bool rows = is_tag(token, HTML_CLOSE, ROWS);

	if (is_tag(token, HTML_OPEN, "td th")) {
		open_part(t, "tr template", token->name, IN_CELL);
		add_marker(t);
		return false;
	}
	if (close || rows || is_tag(token, HTML_CLOSE, "table") ||
	    is_tag(token, HTML_OPEN, "caption col colgroup tr " ROWS)) {
		if (!in_table_scope(t, "tr") ||
		    (rows && !in_table_scope(t, str_c(t->arena, token->name))))
			return false;
		clear_to(t, "tr");
		t->n--;
		t->mode = IN_TABLE_BODY;
		return !close;
	}
	if (is_tag(token, HTML_CLOSE, "body caption col colgroup html td th"))
		return false;
	return in_table(t, token);
}

static void
close_cell(struct tree *t, const char *names)
{
	close_implied(t, STR(""));
	pop_to(t, names);
	clear_formats(t);
	t->mode = IN_ROW;
}

static bool
in_cell(struct tree *t, const struct html_token *token)
{
	if (is_tag(token, HTML_CLOSE, "td th")) {
		const char *name = str_c(t->arena, token->name);

		if (in_table_scope(t, name))
			close_cell(t, name);
		return false;
	}
	if (is_tag(token, HTML_OPEN, TABLE_PARTS)) {
		if (!in_table_scope(t, "td th"))
			return false;
		close_cell(t, "td th");
		return true;
	}
	if (is_tag(token, HTML_CLOSE, "body caption col colgroup html"))
		return false;
	if (is_tag(token, HTML_CLOSE, "table tr " ROWS)) {
		if (!in_table_scope(t, str_c(t->arena, token->name)))
			return false;
		close_cell(t, "td th");
		return true;
	}
	return in_body(t, token);
}

/* ---- all ---- */

static bool
after_body(struct tree *t, const struct html_token *token)
{
	if (token->kind == HTML_BLANK)
		return in_body(t, token);
	if (token->kind == HTML_END || token->kind == HTML_DOCTYPE ||
	    is_tag(token, HTML_CLOSE, "html") ||
	    is_tag(token, HTML_OPEN, "html"))
		return false;
	t->mode = IN_BODY;
	return true;
}

/* Reads a token. Returns whether the token is read again in another mode. */
static bool
read_token(struct tree *t, const struct html_token *token)
{
	static bool (*const modes[])(
	    struct tree *, const struct html_token *) = {
		[INITIAL] = initial,
		[BEFORE_HTML] = before_html,
		[BEFORE_HEAD] = before_head,
		[IN_HEAD] = in_head,
		[AFTER_HEAD] = in_head,
		[IN_BODY] = in_body,
		[IN_TABLE] = in_table,
		[IN_CAPTION] = in_caption,
		[IN_COLUMNS] = in_columns,
		[IN_TABLE_BODY] = in_table_body,
		[IN_ROW] = in_row,
		[IN_CELL] = in_cell,
		[AFTER_BODY] = after_body,
	};

	return modes[t->mode](t, token);
}

struct str
html_fault(struct arena *a, struct str text, bool *open)
{
	struct tree *t = arena_new(a, struct tree);
	struct html_token token;

	text = js_trim(text);
	*open = false;
	if (text.n == 0)
		return STR("an empty answer");
	if (str_eq_ascii_nocase(str_slice(text, 0, 5), STR("<?xml")))
		return STR("XML");
	t->arena = a;
	t->tokens = (struct html_tokens){ .arena = a, .text = text };
	if (str_find_char(text, '\0') < text.n)
		unsure(t, "the character NUL");
	do {
		token = html_next(&t->tokens);
		while (t->unsure == NULL && read_token(t, &token))
			;
	} while (token.kind != HTML_END && !t->done && t->unsure == NULL);
	if (t->said && !t->body_written)
		return STR("text that is in no element");
	if (t->unsure != NULL && !(t->known && t->body_written)) {
		*open = true;
		return str_printf(a,
		    "HTML's rules on %s, which are not followed here",
		    t->unsure);
	}
	return t->known ? (struct str){ 0 } : STR("no element that HTML knows");
}
