/* HTML's rules outside of the body and in tables. */
#include "emulate/content/html_tree.h"
#include "emulate/content/html.h"
#include "emulate/lang/js.h"

/* ---- before the body ---- */

static bool
initial(struct html_tree *t, const struct html_token *token)
{
	if (token->kind == HTML_BLANK)
		return false;
	t->mode = HTML_BEFORE_HTML;
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
		!html_among(token->name, "head body html br"));
}

static bool
before_html(struct html_tree *t, const struct html_token *token)
{
	bool tag = token->kind == HTML_OPEN && str_is(token->name, "html");

	if (is_passed(token))
		return false;
	(void)html_insert(t, STR("html"), STR(""), tag);
	t->mode = HTML_BEFORE_HEAD;
	return !tag;
}

static bool
before_head(struct html_tree *t, const struct html_token *token)
{
	bool tag = token->kind == HTML_OPEN && str_is(token->name, "head");

	if (is_passed(token) ||
	    (token->kind == HTML_OPEN && str_is(token->name, "html")))
		return false;
	(void)html_insert(t, STR("head"), STR(""), tag);
	t->mode = HTML_IN_HEAD;
	return !tag;
}

/* In the head, and behind it, where head is not open. */
static bool
in_head(struct html_tree *t, const struct html_token *token)
{
	bool after = t->mode == HTML_AFTER_HEAD;
	bool open = token->kind == HTML_OPEN;

	if (token->kind == HTML_BLANK || token->kind == HTML_DOCTYPE ||
	    (open && html_among(token->name, "html head")))
		return false;
	if (open &&
	    (html_among(token->name, HTML_IN_HEADS) ||
		(!after && str_is(token->name, "noscript")))) {
		html_insert_in_head(t, token);
		return false;
	}
	if (open && html_among(token->name, "template frameset"))
		html_unsure(t, "frames and template");
	if (token->kind == HTML_CLOSE &&
	    !html_among(
		token->name, after ? "body html br" : "head body html br"))
		return false;
	if (!after) {
		t->n--;
		t->mode = HTML_AFTER_HEAD;
		return token->kind != HTML_CLOSE ||
		    !str_is(token->name, "head");
	}
	t->body_written = open && str_is(token->name, "body");
	(void)html_insert(t, STR("body"), STR(""), t->body_written);
	t->mode = HTML_IN_BODY;
	return !t->body_written;
}

/* ---- tables ---- */

static void
reset_mode(struct html_tree *t)
{
	static const struct {
		const char *names;
		enum html_mode mode;
	} modes[] = { { "td th", HTML_IN_CELL }, { "tr", HTML_IN_ROW },
		{ HTML_ROWS, HTML_IN_TABLE_BODY },
		{ "caption", HTML_IN_CAPTION }, { "colgroup", HTML_IN_COLUMNS },
		{ "table", HTML_IN_TABLE }, { "body", HTML_IN_BODY } };

	for (size_t i = t->n; i != 0; i--)
		for (size_t k = 0; k < sizeof modes / sizeof modes[0]; k++)
			if (html_among(t->open[i - 1]->name, modes[k].names)) {
				t->mode = modes[k].mode;
				return;
			}
	t->mode = HTML_IN_BODY;
}

static bool
in_table_scope(const struct html_tree *t, const char *names)
{
	return html_in_scope(t, names, "html table template") != 0;
}

/* Opens a part of a table, after closing all down to `within`. */
static void
open_part(struct html_tree *t, const char *within, struct str name,
    enum html_mode mode)
{
	html_clear_to(t, within);
	(void)html_insert(t, name, STR(""), true);
	t->mode = mode;
}

/* Closes the table. Returns false if none is open. */
static bool
close_table(struct html_tree *t)
{
	if (!in_table_scope(t, "table"))
		return false;
	html_pop_to(t, "table");
	reset_mode(t);
	return true;
}

/* Opens a part of a table in the table. Returns whether the token is read again;
 * sets *known to false if the tag is none of these. */
static bool
open_in_table(struct html_tree *t, const struct html_token *token, bool *known)
{
	struct str name = token->name;

	if (str_is(name, "caption")) {
		html_clear_to(t, "table");
		html_add_marker(t);
		open_part(t, "table", name, HTML_IN_CAPTION);
	} else if (html_among(name, "colgroup col")) {
		open_part(t, "table", STR("colgroup"), HTML_IN_COLUMNS);
		return str_is(name, "col");
	} else if (html_among(name, HTML_ROWS)) {
		open_part(t, "table", name, HTML_IN_TABLE_BODY);
	} else if (html_among(name, "td th tr")) {
		open_part(t, "table", STR("tbody"), HTML_IN_TABLE_BODY);
		return true;
	} else if (str_is(name, "table")) {
		return close_table(t);
	} else if (html_among(name, "style script")) {
		html_insert_in_head(t, token);
	} else if (str_is(name, "form")) {
		if (t->form == NULL) {
			t->form = html_insert_tag(t, token);
			t->n--;
		}
	} else if (str_is(name, "input") &&
	    html_attribute_is(token->attributes, "type", "hidden")) {
		html_insert_empty(t, token);
	} else {
		*known = false;
	}
	return false;
}

static bool
in_table(struct html_tree *t, const struct html_token *token)
{
	bool known = true, again = false;

	if (token->kind == HTML_DOCTYPE || token->kind == HTML_END)
		return false;
	if (token->kind == HTML_BLANK &&
	    html_current_is(t, "table tr " HTML_ROWS))
		return false;
	if (token->kind == HTML_OPEN)
		again = open_in_table(t, token, &known);
	else if (token->kind == HTML_CLOSE && str_is(token->name, "table"))
		(void)close_table(t);
	else if (token->kind != HTML_CLOSE ||
	    !html_among(token->name, "body html " HTML_TABLE_PARTS))
		known = false;
	if (known)
		return again;
	t->foster = true;
	(void)html_in_body(t, token);
	t->foster = false;
	return false;
}

static bool
is_tag(const struct html_token *token, enum html_token_kind kind,
    const char *names)
{
	return token->kind == kind && html_among(token->name, names);
}

static bool
in_caption(struct html_tree *t, const struct html_token *token)
{
	bool close = is_tag(token, HTML_CLOSE, "caption");

	if (close || is_tag(token, HTML_OPEN, HTML_TABLE_PARTS) ||
	    is_tag(token, HTML_CLOSE, "table")) {
		if (!in_table_scope(t, "caption"))
			return false;
		html_close_implied(t, STR(""));
		html_pop_to(t, "caption");
		html_clear_formats(t);
		t->mode = HTML_IN_TABLE;
		return !close;
	}
	if (is_tag(token, HTML_CLOSE,
		"body col colgroup html tbody td tfoot th thead tr"))
		return false;
	return html_in_body(t, token);
}

static bool
in_columns(struct html_tree *t, const struct html_token *token)
{
	bool close = is_tag(token, HTML_CLOSE, "colgroup");

	if (token->kind == HTML_BLANK || token->kind == HTML_DOCTYPE ||
	    is_tag(token, HTML_CLOSE, "col") ||
	    is_tag(token, HTML_OPEN, "html"))
		return false;
	if (is_tag(token, HTML_OPEN, "col")) {
		html_insert_empty(t, token);
		return false;
	}
	if (is_tag(token, HTML_OPEN, "template"))
		html_unsure(t, "template");
	if (!html_current_is(t, "colgroup"))
		return false;
	t->n--;
	t->mode = HTML_IN_TABLE;
	return !close;
}

static bool
in_table_body(struct html_tree *t, const struct html_token *token)
{
	if (is_tag(token, HTML_OPEN, "tr td th")) {
		open_part(t, HTML_ROWS " template", STR("tr"), HTML_IN_ROW);
		return !str_is(token->name, "tr");
	}
	if (is_tag(token, HTML_CLOSE, HTML_ROWS)) {
		if (!in_table_scope(t, str_c(t->arena, token->name)))
			return false;
		html_clear_to(t, HTML_ROWS);
		t->n--;
		t->mode = HTML_IN_TABLE;
		return false;
	}
	if (is_tag(token, HTML_OPEN, "caption col colgroup " HTML_ROWS) ||
	    is_tag(token, HTML_CLOSE, "table")) {
		if (!in_table_scope(t, HTML_ROWS))
			return false;
		html_clear_to(t, HTML_ROWS);
		t->n--;
		t->mode = HTML_IN_TABLE;
		return true;
	}
	if (is_tag(
		token, HTML_CLOSE, "body caption col colgroup html td th tr"))
		return false;
	return in_table(t, token);
}

static bool
in_row(struct html_tree *t, const struct html_token *token)
{
	bool close = is_tag(token, HTML_CLOSE, "tr");
	bool rows = is_tag(token, HTML_CLOSE, HTML_ROWS);

	if (is_tag(token, HTML_OPEN, "td th")) {
		open_part(t, "tr template", token->name, HTML_IN_CELL);
		html_add_marker(t);
		return false;
	}
	if (close || rows || is_tag(token, HTML_CLOSE, "table") ||
	    is_tag(token, HTML_OPEN, "caption col colgroup tr " HTML_ROWS)) {
		if (!in_table_scope(t, "tr") ||
		    (rows && !in_table_scope(t, str_c(t->arena, token->name))))
			return false;
		html_clear_to(t, "tr");
		t->n--;
		t->mode = HTML_IN_TABLE_BODY;
		return !close;
	}
	if (is_tag(token, HTML_CLOSE, "body caption col colgroup html td th"))
		return false;
	return in_table(t, token);
}

static void
close_cell(struct html_tree *t, const char *names)
{
	html_close_implied(t, STR(""));
	html_pop_to(t, names);
	html_clear_formats(t);
	t->mode = HTML_IN_ROW;
}

static bool
in_cell(struct html_tree *t, const struct html_token *token)
{
	if (is_tag(token, HTML_CLOSE, "td th")) {
		const char *name = str_c(t->arena, token->name);

		if (in_table_scope(t, name))
			close_cell(t, name);
		return false;
	}
	if (is_tag(token, HTML_OPEN, HTML_TABLE_PARTS)) {
		if (!in_table_scope(t, "td th"))
			return false;
		close_cell(t, "td th");
		return true;
	}
	if (is_tag(token, HTML_CLOSE, "body caption col colgroup html"))
		return false;
	if (is_tag(token, HTML_CLOSE, "table tr " HTML_ROWS)) {
		if (!in_table_scope(t, str_c(t->arena, token->name)))
			return false;
		close_cell(t, "td th");
		return true;
	}
	return html_in_body(t, token);
}

/* ---- all ---- */

static bool
after_body(struct html_tree *t, const struct html_token *token)
{
	if (token->kind == HTML_BLANK)
		return html_in_body(t, token);
	if (token->kind == HTML_END || token->kind == HTML_DOCTYPE ||
	    is_tag(token, HTML_CLOSE, "html") ||
	    is_tag(token, HTML_OPEN, "html"))
		return false;
	t->mode = HTML_IN_BODY;
	return true;
}

/* Reads a token. Returns whether the token is read again in another mode. */
static bool
read_token(struct html_tree *t, const struct html_token *token)
{
	static bool (*const modes[])(
	    struct html_tree *, const struct html_token *) = {
		[HTML_INITIAL] = initial,
		[HTML_BEFORE_HTML] = before_html,
		[HTML_BEFORE_HEAD] = before_head,
		[HTML_IN_HEAD] = in_head,
		[HTML_AFTER_HEAD] = in_head,
		[HTML_IN_BODY] = html_in_body,
		[HTML_IN_TABLE] = in_table,
		[HTML_IN_CAPTION] = in_caption,
		[HTML_IN_COLUMNS] = in_columns,
		[HTML_IN_TABLE_BODY] = in_table_body,
		[HTML_IN_ROW] = in_row,
		[HTML_IN_CELL] = in_cell,
		[HTML_AFTER_BODY] = after_body,
	};

	return modes[t->mode](t, token);
}

struct str
html_fault(struct arena *a, struct str text, bool *open)
{
	struct html_tree *t = arena_new(a, struct html_tree);
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
		html_unsure(t, "the character NUL");
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
	return t->known ? str_of(NULL) : STR("no element that HTML knows");
}
