#include "check/advice/edit.h"

/* ---- places ---- */

size_t
edit_offset(const struct document *doc, struct str source)
{
	return (size_t)(source.s - document_text(doc).s);
}

bool
edit_is_flow(const struct document *doc, const struct json *v)
{
	struct str source = document_source(doc, v);

	return !doc->yaml || str_starts(source, "{") || str_starts(source, "[");
}

static bool
is_container(const struct json *v)
{
	return json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT);
}

/* Returns the last element of the list, or the last member's value. */
static const struct json *
last_child(const struct json *v)
{
	const struct json *last = NULL;

	for (json_each(one, v))
		last = one;
	for (json_members(key, v))
		last = json_value(key);
	return last;
}

/* Returns the offset behind the content of the value, at most at the end of its
 * line; 0 if the content is not within the text behind `from`, since an alias
 * repeats it. The end of a block of YAML is that of its last scalar. */
static size_t
end_of(const struct document *doc, const struct json *v, size_t from)
{
	struct str text = document_text(doc), source;
	size_t end;

	while (is_container(v) && !edit_is_flow(doc, v) && json_count(v) != 0)
		v = last_child(v);
	source = document_source(doc, v);
	if (source.s == NULL || edit_offset(doc, source) < from)
		return 0;
	end = edit_offset(doc, source) + source.n;
	while (end > from &&
	    (text.s[end - 1] == '\n' || text.s[end - 1] == '\r' ||
		text.s[end - 1] == ' '))
		end--;
	return end;
}

size_t
edit_next_line(struct str text, size_t at)
{
	while (at < text.n && text.s[at] != '\n')
		at++;
	return at < text.n ? at + 1 : at;
}

size_t
edit_line_start(struct str text, size_t at)
{
	while (at > 0 && text.s[at - 1] != '\n')
		at--;
	return at;
}

/* Returns whether only a comment is left of the line. */
static bool
ends_line(struct str text, size_t at)
{
	while (at < text.n && (text.s[at] == ' ' || text.s[at] == '\t'))
		at++;
	return at == text.n || text.s[at] == '\n' || text.s[at] == '\r' ||
	    text.s[at] == '#';
}

static struct str
blanks(struct arena *a, size_t n)
{
	return str_printf(a, "%*s", (int)n, "");
}

struct str
edit_indent(struct str text, size_t at)
{
	size_t start = edit_line_start(text, at), end = start;

	while (end < at && (text.s[end] == ' ' || text.s[end] == '\t'))
		end++;
	return str_slice(text, start, end);
}

/* ---- insertions ---- */

void
edit_replace(struct edits *e, const struct document *doc, size_t offset,
    size_t removed, struct str text)
{
	struct edit edit = {
		.doc = doc, .offset = offset, .text = text, .removed = removed
	};

	/* Cases that share assertions would get the same additions. */
	e->known.arena = e->arena;
	if (!hash_is_new(&e->known,
		str_printf(e->arena, "%p %zu %zu %.*s", (const void *)doc,
		    offset, removed, STR_FMT(text))))
		return;
	while (edit.indent < text.n && text.s[edit.indent] == ' ')
		edit.indent++;
	*arena_push(e->arena, e->list, e->n) = edit;
}

/* Returns the lines as Windows ends them. */
static struct str
with_returns(struct arena *a, struct str lines)
{
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < lines.n; i++) {
		if (lines.s[i] == '\n')
			out_char(&o, '\r');
		out_char(&o, lines.s[i]);
	}
	return out_keep(&o, a);
}

bool
edit_has_returns(struct str text, size_t at)
{
	size_t end = at > 1 && text.s[at - 1] == '\n'
	    ? at - 1
	    : str_find_char(text, '\n');

	return end > 0 && end < text.n && text.s[end - 1] == '\r';
}

void
edit_insert_lines(struct edits *e, const struct document *doc, size_t offset,
    struct str lines)
{
	struct str text = document_text(doc);

	if (offset == text.n && text.n != 0 && text.s[text.n - 1] != '\n') {
		lines = str_cat(e->arena, STR("\n"), lines);
		lines.n--;
	}
	if (edit_has_returns(text, offset))
		lines = with_returns(e->arena, lines);
	edit_replace(e, doc, offset, 0, lines);
}

/* Returns lines of YAML: for each value its reason and the value, behind the
 * indentation and a prefix. */
static struct str
block_lines(struct arena *a, struct str indent, const char *prefix,
    const struct edit_values *values)
{
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < values->n; i++) {
		const struct edit_value *v = &values->list[i];

		if (v->reason.s != NULL)
			out_printf(&o, "%.*s# %.*s\n", STR_FMT(indent),
			    STR_FMT(v->reason));
		out_printf(&o, "%.*s%s%.*s\n", STR_FMT(indent), prefix,
		    STR_FMT(v->yaml));
	}
	return out_keep(&o, a);
}

struct str
edit_joined(const struct edits *e, const struct document *doc,
    const struct edit_values *values, struct str between)
{
	struct str *texts = arena_new_n(e->arena, struct str, values->n);

	for (size_t i = 0; i < values->n; i++)
		texts[i] =
		    doc->yaml ? values->list[i].yaml : values->list[i].json;
	return str_join(e->arena, texts, values->n, between);
}

/* Inserts the reasons as comments above the line of an offset. */
static void
insert_reasons(struct edits *e, const struct document *doc, size_t at,
    const struct edit_values *values)
{
	struct str text = document_text(doc), indent = edit_indent(text, at),
		   lines;
	struct out o;

	out_open_memory(&o);
	for (size_t i = 0; i < values->n; i++)
		if (values->list[i].reason.s != NULL)
			out_printf(&o, "%.*s# %.*s\n", STR_FMT(indent),
			    STR_FMT(values->list[i].reason));
	lines = out_keep(&o, e->arena);
	if (lines.n != 0)
		edit_insert_lines(e, doc, edit_line_start(text, at), lines);
}

/* Inserts a text into a flow: behind the last child, or behind the bracket of an
 * empty container. In YAML the reasons are above the container's first line. */
static enum edit_result
insert_flow(struct edits *e, const struct document *doc, const struct json *in,
    struct str added, const struct edit_values *values)
{
	struct str source = document_source(doc, in);
	const struct json *last = last_child(in);
	size_t start, end;

	if (source.s == NULL)
		return EDIT_NO_PLACE;
	start = edit_offset(doc, source);
	end = last == NULL ? start + 1 : end_of(doc, last, start);
	if (end == 0)
		return EDIT_NO_PLACE;
	edit_replace(e, doc, end, 0, added);
	if (!doc->yaml)
		return EDIT_SILENT;
	insert_reasons(e, doc, start, values);
	return EDIT_COMMENTED;
}

struct str
edit_blanks(struct str text, size_t at)
{
	size_t start = at;

	while (start > 0 &&
	    (text.s[start - 1] == ' ' || text.s[start - 1] == '\t'))
		start--;
	if (start > 0 && text.s[start - 1] != '\n')
		return (struct str){ 0 };
	return (struct str){ text.s + start, at - start };
}

struct str
edit_separator(
    const struct edits *e, const struct document *doc, const struct json *in)
{
	struct str text = document_text(doc), source, indent;
	const struct json *child = json_first(in);

	if (child == NULL)
		return (struct str){ 0 };
	source = document_source(doc, child);
	if (doc->yaml || source.s == NULL)
		return STR(", ");
	indent = edit_blanks(text, edit_offset(doc, source));
	if (indent.s == NULL || indent.s == text.s)
		return STR(", ");
	return str_printf(e->arena, ",%s\n%.*s",
	    indent.s - text.s > 1 && indent.s[-2] == '\r' ? "\r" : "",
	    STR_FMT(indent));
}

/* Returns the column of the dash of a list's element, or SIZE_MAX. */
static size_t
dash_column(const struct document *doc, const struct json *element)
{
	struct str text = document_text(doc),
		   source = document_source(doc, element);
	size_t at, start;

	if (source.s == NULL)
		return SIZE_MAX;
	at = edit_offset(doc, source);
	start = edit_line_start(text, at);
	while (at > start && text.s[at - 1] == ' ')
		at--;
	if (at == start || text.s[at - 1] != '-')
		return SIZE_MAX;
	return at - 1 - start;
}

static enum edit_result
append_block(struct edits *e, const struct document *doc,
    const struct json *list, const struct edit_values *values)
{
	struct str text = document_text(doc);
	const struct json *last = last_child(list);
	size_t column = dash_column(doc, last), end;

	end = end_of(doc, last, edit_offset(doc, document_source(doc, list)));
	if (column == SIZE_MAX || end == 0 || !ends_line(text, end))
		return EDIT_NO_PLACE;
	edit_insert_lines(e, doc, edit_next_line(text, end),
	    block_lines(e->arena, blanks(e->arena, column), "- ", values));
	return EDIT_COMMENTED;
}

enum edit_result
edit_append(struct edits *e, const struct document *doc,
    const struct json *list, const struct edit_values *values)
{
	struct str between, added;

	if (!json_is(list, JSON_ARRAY) || document_source(doc, list).s == NULL)
		return EDIT_NO_PLACE;
	if (!edit_is_flow(doc, list))
		return append_block(e, doc, list, values);
	between = edit_separator(e, doc, list);
	added = edit_joined(
	    e, doc, values, between.s == NULL ? STR(", ") : between);
	return insert_flow(
	    e, doc, list, str_cat(e->arena, between, added), values);
}

/* Returns the lines of a member of a block. */
static struct str
member_lines(struct arena *a, size_t column, const char *key,
    const struct edit_values *values)
{
	struct str indent = blanks(a, column);

	if (values->single)
		return block_lines(
		    a, indent, str_printf(a, "%s: ", key).s, values);
	return str_printf(a, "%.*s%s:\n%.*s", STR_FMT(indent), key,
	    STR_FMT(block_lines(a, blanks(a, column + 2), "- ", values)));
}

static enum edit_result
member_block(struct edits *e, const struct document *doc,
    const struct json *object, const char *key,
    const struct edit_values *values)
{
	struct str text = document_text(doc),
		   first = document_source(doc, json_first(object));
	size_t start, end;

	if (first.s == NULL)
		return EDIT_NO_PLACE;
	start = edit_offset(doc, first);
	end = end_of(doc, last_child(object), start);
	if (end == 0 || !ends_line(text, end))
		return EDIT_NO_PLACE;
	edit_insert_lines(e, doc, edit_next_line(text, end),
	    member_lines(
		e->arena, start - edit_line_start(text, start), key, values));
	return EDIT_COMMENTED;
}

enum edit_result
edit_member(struct edits *e, const struct document *doc,
    const struct json *object, const char *key,
    const struct edit_values *values)
{
	const char *quote = doc->yaml ? "" : "\"";
	struct str added;

	if (!json_is(object, JSON_OBJECT) ||
	    document_source(doc, object).s == NULL)
		return EDIT_NO_PLACE;
	if (!edit_is_flow(doc, object))
		return member_block(e, doc, object, key, values);
	added = edit_joined(e, doc, values, STR(", "));
	added = str_printf(e->arena, "%.*s%s%s%s: %s%.*s%s",
	    STR_FMT(edit_separator(e, doc, object)), quote, key, quote,
	    values->single ? "" : "[", STR_FMT(added),
	    values->single ? "" : "]");
	return insert_flow(e, doc, object, added, values);
}

enum edit_result
edit_lines(struct edits *e, const struct document *doc, size_t line,
    const struct edit_values *values)
{
	struct str text = document_text(doc);

	if (e->doc != doc || e->line > line) {
		e->doc = doc;
		e->line = e->at = 0;
	}
	for (; e->line < line; e->line++)
		e->at = edit_next_line(text, e->at);
	edit_insert_lines(
	    e, doc, e->at, block_lines(e->arena, STR(""), "", values));
	return EDIT_COMMENTED;
}

void
edit_say(struct place at, const struct edit_values *values, bool added)
{
	for (size_t i = 0; i < values->n; i++)
		diag_warn(at, "%s: %.*s: %.*s",
		    added ? "added" : "not added, since there is no place",
		    STR_FMT(values->list[i].reason),
		    STR_FMT(values->list[i].json));
}
