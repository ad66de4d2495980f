/*
 * The construction of HTML's tree by the standard, as far as promptfoo asks: which
 * elements there are, and whether the body has a text of its own. No tree is
 * built but the stack of open elements and the list of formatting elements.
 * html_stack.c has both, html_body.c the rules within a body, html_tree.c all
 * others.
 */
#pragma once

#include "emulate/content/html_tokens.h"

enum html_mode {
	HTML_INITIAL,
	HTML_BEFORE_HTML,
	HTML_BEFORE_HEAD,
	HTML_IN_HEAD,
	HTML_AFTER_HEAD,
	HTML_IN_BODY,
	HTML_IN_TABLE,
	HTML_IN_CAPTION,
	HTML_IN_COLUMNS,
	HTML_IN_TABLE_BODY,
	HTML_IN_ROW,
	HTML_IN_CELL,
	HTML_AFTER_BODY,
};

struct html_element {
	struct str name, attributes;
	struct html_element *parent;
};

/* The most elements that are open at once, and formatting elements. */
enum { HTML_OPEN_MAX = 256 };

struct html_tree {
	struct arena *arena;
	struct html_tokens tokens;
	enum html_mode mode;
	struct html_element *open[HTML_OPEN_MAX + 1]; /* the innermost last */
	size_t n;
	struct html_element *formats[HTML_OPEN_MAX + 1]; /* NULL: a marker */
	size_t nformats;
	struct html_element *form;
	bool quirks, foster;
	bool body_written; /* by its tag */
	bool known;        /* an element that counts was inserted */
	bool said;         /* the body has a text of its own */
	bool done;
	const char *unsure; /* why the rest is not read; NULL: it is */
};

#define HTML_HEADINGS "h1 h2 h3 h4 h5 h6"
#define HTML_SCOPE "applet caption html table td th marquee object template"
#define HTML_IN_HEADS \
	"base basefont bgsound link meta noframes script style title"
#define HTML_ROWS "tbody tfoot thead"
#define HTML_TABLE_PARTS "caption col colgroup " HTML_ROWS " td th tr"
#define HTML_BLOCKS \
	"address article aside blockquote center details dialog dir div dl " \
	"fieldset figcaption figure footer header hgroup main menu nav ol " \
	"search section summary ul"

/* Returns whether the name is in a list with blanks between names. */
bool html_among(struct str name, const char *list);
bool html_current_is(const struct html_tree *, const char *list);
/* Return whether the standard calls elements of this name special, or formatting
 * elements. */
bool html_is_special(struct str name);
bool html_is_formatting(struct str name);

/* Notes that rules decide that are not followed here. */
void html_unsure(struct html_tree *, const char *why);

/* ---- the stack of open elements ---- */

/* Inserts an element. `written`: the text has its tag. */
struct html_element *html_insert(
    struct html_tree *, struct str name, struct str attributes, bool written);
struct html_element *html_insert_tag(
    struct html_tree *, const struct html_token *);
/* Inserts an element that has no content. */
void html_insert_empty(struct html_tree *, const struct html_token *);
void html_insert_text(struct html_tree *, bool shown);

/* Returns the place in the stack + 1 of the innermost element of these names; 0 if
 * there is none, or if an element of `limits` is further in. */
size_t html_in_scope(
    const struct html_tree *, const char *names, const char *limits);
/* Returns the place of an element + 1; 0 if the element is not open. */
size_t html_find_open(const struct html_tree *, const struct html_element *);
void html_remove_open(struct html_tree *, const struct html_element *);
/* Closes elements whose end tags may be missing, but those of this name. */
void html_close_implied(struct html_tree *, struct str but);
/* Closes elements up to and with the innermost one of these names. */
void html_pop_to(struct html_tree *, const char *names);
/* Closes elements down to one of these names, or html. */
void html_clear_to(struct html_tree *, const char *names);
bool html_is_p_open(const struct html_tree *);
void html_close_p(struct html_tree *);
/* Closes the element of an end tag that has no rules of its own. */
void html_close_other(struct html_tree *, struct str name);

/* ---- formatting elements ---- */

void html_add_marker(struct html_tree *);
void html_clear_formats(struct html_tree *); /* up to the last marker */
void html_add_format(struct html_tree *, struct html_element *);
size_t html_find_format(const struct html_tree *, const struct html_element *);
void html_remove_at(struct html_element **list, size_t *n, size_t i);
/* Opens formatting elements again that were closed with an element around. */
void html_reconstruct(struct html_tree *);
void html_close_format(struct html_tree *, struct str name);

/* ---- rules (html_body.c) ---- */

/* Inserts an element that belongs into the head. */
void html_insert_in_head(struct html_tree *, const struct html_token *);
/* Reads a token in the body. Returns false always: the caller does not read the token
 * again. */
bool html_in_body(struct html_tree *, const struct html_token *);
