/* HTML's rules on tags and texts in a body. */
#include "emulate/content/html_tree.h"

/* ---- elements whose content has no tags ---- */

static void
insert_content(struct html_tree *t, const struct html_token *token)
{
	(void)html_insert_tag(t, token);
	if (html_pass_content(&t->tokens, token->name) &&
	    str_is(token->name, "script"))
		html_unsure(t, "comments in a script");
	t->n--;
}

/* Inserts an element that belongs into the head. */
void
html_insert_in_head(struct html_tree *t, const struct html_token *token)
{
	if (html_among(token->name, "base basefont bgsound link meta"))
		html_insert_empty(t, token);
	else
		insert_content(t, token);
}

/* ---- in the body: opening tags ---- */

/* Closes the list item that a new one ends. */
static void
close_item(struct html_tree *t, const char *names)
{
	for (size_t i = t->n; i != 0; i--) {
		struct str name = t->open[i - 1]->name;

		if (html_among(name, names)) {
			html_close_implied(t, name);
			t->n = i - 1;
			break;
		}
		if (html_is_special(name) && !html_among(name, "address div p"))
			break;
	}
	html_close_p(t);
}

/* Opens an element that is a block, of which most end a paragraph. Returns false
 * if it is another element. */
static bool
open_block(struct html_tree *t, const struct html_token *token)
{
	struct str name = token->name;

	if (html_among(
		name, HTML_BLOCKS " p pre listing plaintext " HTML_HEADINGS)) {
		html_close_p(t);
		if (html_among(name, HTML_HEADINGS) &&
		    html_current_is(t, HTML_HEADINGS))
			t->n--;
		(void)html_insert_tag(t, token);
		if (str_is(name, "plaintext"))
			t->done = true;
		return true;
	}
	if (str_is(name, "form")) {
		if (t->form != NULL)
			return true;
		html_close_p(t);
		t->form = html_insert_tag(t, token);
		return true;
	}
	if (!html_among(name, "li dd dt"))
		return false;
	close_item(t, str_is(name, "li") ? "li" : "dd dt");
	(void)html_insert_tag(t, token);
	return true;
}

static void
open_format(struct html_tree *t, const struct html_token *token)
{
	struct html_element *e;

	for (size_t i = t->nformats;
	     str_is(token->name, "a") && i != 0 && t->formats[i - 1] != NULL;
	     i--) {
		e = t->formats[i - 1];
		if (!str_is(e->name, "a"))
			continue;
		html_close_format(t, token->name);
		i = html_find_format(t, e);
		if (i != 0)
			html_remove_at(t->formats, &t->nformats, i - 1);
		html_remove_open(t, e);
		break;
	}
	html_reconstruct(t);
	if (str_is(token->name, "nobr") &&
	    html_in_scope(t, "nobr", HTML_SCOPE) != 0) {
		html_close_format(t, token->name);
		html_reconstruct(t);
	}
	html_add_format(t, html_insert_tag(t, token));
}

/* Opens an element whose content has no tags, or that has no content. Returns
 * false if it is another element. */
static bool
open_simple(struct html_tree *t, const struct html_token *token)
{
	struct str name = token->name;

	if (html_among(name, "area br embed img keygen wbr input")) {
		html_reconstruct(t);
		html_insert_empty(t, token);
	} else if (html_among(name, "param source track")) {
		html_insert_empty(t, token);
	} else if (str_is(name, "hr")) {
		html_close_p(t);
		html_insert_empty(t, token);
	} else if (html_among(name, "textarea xmp iframe noembed noscript")) {
		if (str_is(name, "xmp")) {
			html_close_p(t);
			html_reconstruct(t);
		}
		insert_content(t, token);
	} else {
		return false;
	}
	return true;
}

/* Opens a table in the body. */
static void
open_table(struct html_tree *t, const struct html_token *token)
{
	if (!t->quirks)
		html_close_p(t);
	(void)html_insert_tag(t, token);
	t->mode = HTML_IN_TABLE;
}

static void
open_inline(struct html_tree *t, const struct html_token *token)
{
	struct str name = token->name;

	if (str_is(name, "button") &&
	    html_in_scope(t, "button", HTML_SCOPE) != 0) {
		html_close_implied(t, STR(""));
		html_pop_to(t, "button");
	}
	if (html_among(name, "optgroup option") && html_current_is(t, "option"))
		t->n--;
	if (html_among(name, "rb rtc rp rt")) {
		if (html_in_scope(t, "ruby", HTML_SCOPE) != 0)
			html_close_implied(t,
			    html_among(name, "rp rt") ? STR("rtc") : STR(""));
	} else {
		html_reconstruct(t);
	}
	(void)html_insert_tag(t, token);
	if (html_among(name, "applet marquee object"))
		html_add_marker(t);
}

static void
open_in_body(struct html_tree *t, const struct html_token *from)
{
	struct html_token token = *from;

	if (str_is(token.name, "image"))
		token.name = STR("img");
	if (html_among(token.name, "svg math select template")) {
		html_reconstruct(t);
		t->known = true;
		html_unsure(t, "SVG, MathML, select and template");
		return;
	}
	if (str_is(token.name, "frameset"))
		html_unsure(t, "frames");
	if (html_among(
		token.name, "html head body frameset frame " HTML_TABLE_PARTS))
		return;
	if (html_among(token.name, HTML_IN_HEADS))
		html_insert_in_head(t, &token);
	else if (str_is(token.name, "table"))
		open_table(t, &token);
	else if (html_is_formatting(token.name))
		open_format(t, &token);
	else if (!open_block(t, &token) && !open_simple(t, &token))
		open_inline(t, &token);
}

/* ---- in the body: closing tags ---- */

static void
close_form(struct html_tree *t)
{
	struct html_element *form = t->form;

	t->form = NULL;
	if (form == NULL || html_find_open(t, form) == 0 ||
	    html_in_scope(t, "form", HTML_SCOPE) == 0)
		return;
	html_close_implied(t, STR(""));
	html_remove_open(t, form);
}

/* Closes the innermost element of these names, if it is in scope. */
static void
close_scoped(
    struct html_tree *t, const char *names, const char *limits, struct str but)
{
	if (html_in_scope(t, names, limits) == 0)
		return;
	html_close_implied(t, but);
	html_pop_to(t, names);
}

static void
close_in_body(struct html_tree *t, const struct html_token *token)
{
	struct str name = token->name;
	const char *c_name = str_c(t->arena, name);

	if (html_among(name, "body html")) {
		if (html_in_scope(t, "body", HTML_SCOPE) != 0)
			t->mode = HTML_AFTER_BODY;
	} else if (str_is(name, "template")) {
		return;
	} else if (html_among(name, HTML_BLOCKS " button listing pre")) {
		close_scoped(t, c_name, HTML_SCOPE, STR(""));
	} else if (str_is(name, "form")) {
		close_form(t);
	} else if (str_is(name, "p")) {
		if (!html_is_p_open(t))
			(void)html_insert(t, STR("p"), STR(""), false);
		html_close_p(t);
	} else if (html_among(name, "li dd dt")) {
		close_scoped(t, c_name,
		    str_is(name, "li") ? HTML_SCOPE " ol ul" : HTML_SCOPE,
		    name);
	} else if (html_among(name, HTML_HEADINGS)) {
		close_scoped(t, HTML_HEADINGS, HTML_SCOPE, STR(""));
	} else if (html_is_formatting(name)) {
		html_close_format(t, name);
	} else if (html_among(name, "applet marquee object")) {
		if (html_in_scope(t, c_name, HTML_SCOPE) == 0)
			return;
		close_scoped(t, c_name, HTML_SCOPE, STR(""));
		html_clear_formats(t);
	} else if (str_is(name, "br")) {
		html_reconstruct(t);
		(void)html_insert(t, name, STR(""), true);
		t->n--;
	} else {
		html_close_other(t, name);
	}
}

bool
html_in_body(struct html_tree *t, const struct html_token *token)
{
	switch (token->kind) {
	case HTML_TEXT:
	case HTML_BLANK:
		html_reconstruct(t);
		html_insert_text(t, token->shown);
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
