/* Edits lists of JSON. */
#include "check/advice/edit.h"

/* The places of a list's elements. */
struct elements {
	const struct document *doc;
	size_t *start, *end, n;
	size_t open, close; /* behind the first bracket, and before the last */
};

static struct elements
elements_of(
    struct arena *a, const struct document *doc, const struct json *list)
{
	struct str source = document_source(doc, list);
	struct elements el = { .doc = doc,
		.start = arena_new_n(a, size_t, json_count(list) + 1),
		.end = arena_new_n(a, size_t, json_count(list) + 1) };

	el.open = edit_offset(doc, source) + 1;
	el.close = el.open + source.n - 2;
	for (json_each(item, list)) {
		struct str one = document_source(doc, item);

		el.start[el.n] = edit_offset(doc, one);
		el.end[el.n] = el.start[el.n] + one.n;
		el.n++;
	}
	return el;
}

/* Returns the start of the element, or of its line if only blanks are before it. */
static size_t
begin_of(const struct elements *el, size_t i)
{
	struct str blank = edit_blanks(document_text(el->doc), el->start[i]);

	return blank.s == NULL ? el->start[i] : el->start[i] - blank.n;
}

/* Removes the elements from `from` up to `to`, some others remain. */
static void
remove_elements(
    struct edits *e, const struct elements *el, size_t from, size_t to)
{
	size_t start = begin_of(el, from), end;

	if (to == el->n) { /* and the comma before them */
		start = el->end[from - 1];
		end = el->end[to - 1];
	} else if (start != el->start[from] &&
	    begin_of(el, to) != el->start[to]) {
		end = begin_of(el, to);
	} else {
		start = el->start[from];
		end = el->start[to];
	}
	edit_replace(e, el->doc, start, end - start, STR(""));
}

/* Returns the line break and the blanks before elements within a list whose line has
 * the indentation `outer`; absent if the text has no indentation to go by. */
static struct str
break_within(struct arena *a, struct str text, size_t at, struct str outer)
{
	struct str inner = edit_indent(text, at);

	if (inner.n <= outer.n)
		return (struct str){ 0 };
	return str_printf(a, "%s\n%.*s%.*s",
	    edit_has_returns(text, edit_line_start(text, at)) ? "\r" : "",
	    STR_FMT(inner), STR_FMT(str_from(inner, outer.n)));
}

/* Returns the values between the brackets of a list in the line of `at`, in an object
 * whose line has the indentation `outer`. */
static struct str
list_content(struct edits *e, const struct document *doc, size_t at,
    struct str outer, const struct edit_values *values)
{
	struct arena *a = e->arena;
	struct str text = document_text(doc);
	struct str within = break_within(a, text, at, outer), all;
	struct str behind = within.s == NULL
	    ? within
	    : str_slice(
		  within, 0, within.n - (edit_indent(text, at).n - outer.n));

	all = edit_joined(e, doc, values,
	    within.s == NULL ? STR(", ") : str_cat(a, STR(","), within));
	return str_cat(a, str_cat(a, within, all), behind);
}

/* Returns the indentation of the nearest line above that has less than the line of an
 * offset: that of the object around the line. */
static struct str
outer_indent(struct str text, size_t at)
{
	struct str own = edit_indent(text, at), outer = own;
	size_t start = edit_line_start(text, at);

	while (start > 0 && outer.n >= own.n) {
		size_t end = start - 1;

		start = edit_line_start(text, end);
		if (str_trim(str_slice(text, start, end)).n != 0)
			outer = edit_indent(text, end);
	}
	return outer;
}

/* Removes all elements; the values take their place. */
static void
replace_all(struct edits *e, const struct elements *el, const struct json *list,
    const struct edit_values *values)
{
	struct str text = document_text(el->doc);
	struct str between = edit_separator(e, el->doc, list);

	if (values->n == 0)
		edit_replace(
		    e, el->doc, el->open, el->close - el->open, STR(""));
	else if (el->n != 0)
		edit_replace(e, el->doc, el->start[0],
		    el->end[el->n - 1] - el->start[0],
		    edit_joined(e, el->doc, values, between));
	else
		edit_replace(e, el->doc, el->open, el->close - el->open,
		    list_content(e, el->doc, el->open,
			outer_indent(text, el->open), values));
}

void
edit_list(struct edits *e, const struct document *doc, const struct json *list,
    const bool *gone, const struct edit_values *values)
{
	struct elements el = elements_of(e->arena, doc, list);
	size_t kept = 0, from;

	for (size_t i = 0; i < el.n; i++)
		kept += !gone[i];
	if (kept == 0) {
		if (el.n != 0 || values->n != 0)
			replace_all(e, &el, list, values);
		return;
	}
	for (size_t to = 0; to < el.n; to++) {
		for (from = to; to < el.n && gone[to]; to++)
			;
		if (to != from)
			remove_elements(e, &el, from, to);
	}
	if (values->n != 0)
		(void)edit_append(e, doc, list, values);
}

bool
edit_list_member(struct edits *e, const struct document *doc,
    const struct json *object, const char *key,
    const struct edit_values *values)
{
	struct str source = document_source(doc, object), outer, content;
	const struct json *first = json_first(object);
	struct edit_value list = { .reason = STR("") };
	size_t at;

	if (source.s == NULL)
		return false;
	at = edit_offset(doc, source);
	outer = edit_indent(document_text(doc), at);
	if (first != NULL)
		at = edit_offset(doc, document_source(doc, first));
	content = list_content(e, doc, at, outer, values);
	list.json = str_printf(e->arena, "[%.*s]", STR_FMT(content));
	return edit_member(e, doc, object, key,
		   &(struct edit_values){ &list, 1, true }) != EDIT_NO_PLACE;
}
