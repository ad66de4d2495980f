/* Changes members of objects where they stand. */
#include "check/advice/edit.h"

#include <string.h>

#include "base/ascii.h"

/* Returns whether YAML reads the text in quotes as the same text without them: the name
 * of a type. */
static bool
is_plain(struct str quoted)
{
	struct str word = str_slice(quoted, 1, quoted.n - 1);

	for (size_t i = 0; i < word.n; i++)
		if (!ascii_is_letter(word.s[i]) &&
		    (i == 0 || strchr("_-", word.s[i]) == NULL))
			return false;
	return word.n != 0 &&
	    !str_is_one_of(word, "true false null yes no on off");
}

/* Returns the text in single quotes, in which a backslash is itself; absent if the text
 * has one of these quotes, or what only an escape can say. */
static struct str
single_quoted(struct arena *a, struct str json)
{
	struct out o;

	if (!str_starts(json, "\"") || str_contains(json, STR("'")))
		return (struct str){ 0 };
	for (size_t i = 1; i + 1 < json.n; i++)
		if (json.s[i] == '\\' && strchr("\\\"", json.s[++i]) == NULL)
			return (struct str){ 0 };
	out_open_memory(&o);
	out_char(&o, '\'');
	for (size_t i = 1; i + 1 < json.n; i++) {
		i += json.s[i] == '\\';
		out_char(&o, json.s[i]);
	}
	out_char(&o, '\'');
	return out_keep(&o, a);
}

/* Returns the text as the document writes what was `old`. */
static struct str
written(struct arena *a, const struct document *doc, struct str old,
    struct str json)
{
	struct str single = { 0 };

	if (doc->yaml &&
	    (str_starts(old, "'") || str_contains(json, STR("\\"))))
		single = single_quoted(a, json);
	if (single.s != NULL)
		return single;
	return doc->yaml && !str_starts(old, "\"") && !str_starts(old, "'") &&
		str_starts(json, "\"") && is_plain(json)
	    ? str_slice(json, 1, json.n - 1)
	    : json;
}

/* The text of a member. */
struct span {
	struct str key, value;
	size_t start, behind_key, value_start, end;
};

/* Returns whether the member's key and value stand in the text, one behind the other:
 * no alias repeats one. */
static bool
find_span(const struct document *doc, const struct json *key, struct span *s)
{
	s->key = document_source(doc, key);
	s->value = document_source(doc, json_value(key));
	if (s->key.s == NULL || s->value.s == NULL || s->value.s < s->key.s)
		return false;
	while (s->value.n != 0 &&
	    strchr(" \t\r\n", s->value.s[s->value.n - 1]) != NULL)
		s->value.n--;
	s->start = edit_offset(doc, s->key);
	s->behind_key = s->start + s->key.n;
	s->value_start = edit_offset(doc, s->value);
	s->end = s->value_start + s->value.n;
	return s->value.n != 0;
}

/* Returns whether only the colon and blanks are between the member's key and value: no
 * anchor that an alias needs, and in a block not the signs of an explicit key. */
static bool
is_simple(const struct document *doc, const struct edit_change *c,
    const struct span *s)
{
	struct str between = str_slice(
		       document_text(doc), s->behind_key, s->value_start),
		   blank = str_slice(between, 0, str_find_char(between, ':'));

	return blank.n < between.n && !str_contains(between, STR("&")) &&
	    (edit_is_flow(doc, c->object) || !str_contains(blank, STR("\n")));
}

/* Inserts lines as comments above the line of an offset. */
static void
comment_lines(
    struct edits *e, const struct document *doc, size_t at, struct str lines)
{
	struct str text = document_text(doc), indent = edit_indent(text, at);
	struct out o;

	out_open_memory(&o);
	while (lines.s != NULL) {
		struct str line = str_cut(&lines, '\n');

		if (str_ends(line, "\r"))
			line.n--;
		line = str_starts(line, indent) ? str_from(line, indent.n)
						: str_trim(line);
		out_printf(&o, "%.*s#%s%.*s\n", STR_FMT(indent),
		    line.n == 0 ? "" : " ", STR_FMT(line));
	}
	edit_insert_lines(
	    e, doc, edit_line_start(text, at), out_keep(&o, e->arena));
}

/* Keeps the lines from one offset to another as a comment. */
static void
keep_lines(
    struct edits *e, const struct document *doc, size_t start, size_t end)
{
	struct str text = document_text(doc), lines;

	lines = str_slice(
	    text, edit_line_start(text, start), edit_next_line(text, end));
	if (str_ends(lines, "\n"))
		lines.n--;
	comment_lines(e, doc, start, lines);
}

static void
change_member(struct edits *e, const struct document *doc,
    const struct edit_change *c, const struct span *s)
{
	struct str value = written(e->arena, doc, s->value, c->value),
		   between = str_slice(
		       document_text(doc), s->behind_key, s->value_start);

	if (c->name.s != NULL)
		edit_replace(e, doc, s->start, s->key.n,
		    written(
			e->arena, doc, s->key, out_quote(e->arena, c->name)));
	if (c->value.s == NULL)
		return;
	if (edit_is_flow(doc, c->object) || !str_contains(between, STR("\n")))
		edit_replace(e, doc, s->value_start, s->value.n, value);
	else
		edit_replace(e, doc, s->behind_key, s->end - s->behind_key,
		    str_cat(e->arena, STR(": "), value));
}

static void
add_member(
    struct edits *e, const struct document *doc, const struct edit_change *c)
{
	struct edit_value one = { .json = c->value,
		.yaml = written(e->arena, doc, STR(""), c->value) };

	(void)edit_member(e, doc, c->object,
	    str_printf(e->arena, "%.*s", STR_FMT(c->name)).s,
	    &(struct edit_values){ &one, 1, true });
}

/* Keeps the lines from the first change to the last one as comments, and all of a flow. */
static void
keep_old(struct edits *e, const struct document *doc,
    const struct edit_changes *changes, const struct span *spans)
{
	size_t first = SIZE_MAX, last = 0;

	for (size_t i = 0; i < changes->n; i++) {
		const struct edit_change *c = &changes->list[i];
		struct str object = document_source(doc, c->object);
		size_t start = spans[i].start, end = spans[i].end;

		if (edit_is_flow(doc, c->object)) {
			size_t from = edit_offset(doc, object);

			start = c->key == NULL || from < start ? from : start;
			end = from + object.n > end ? from + object.n : end;
		}
		if (c->key != NULL || edit_is_flow(doc, c->object)) {
			first = start < first ? start : first;
			last = end > last ? end : last;
		}
	}
	if (first < last)
		keep_lines(e, doc, first, last);
}

/* Returns whether no set with the same assertion has changed the assertion. */
static bool
is_first(struct edits *e, const struct document *doc, size_t start)
{
	e->known.arena = e->arena;
	return hash_is_new(&e->known,
	    str_printf(e->arena, "%p change %zu", (const void *)doc, start));
}

enum edit_result
edit_change(struct edits *e, const struct document *doc,
    const struct edit_changes *changes)
{
	struct span spans[EDIT_CHANGES] = { 0 };
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < changes->n; i++) {
		const struct edit_change *c = &changes->list[i];
		struct str object = document_source(doc, c->object);

		if (object.s == NULL ||
		    (c->key != NULL &&
			(!find_span(doc, c->key, &spans[i]) ||
			    !is_simple(doc, c, &spans[i]))))
			return EDIT_NO_PLACE;
		if (c->key == NULL)
			spans[i].start = edit_offset(doc, object);
		if (spans[i].start < first)
			first = spans[i].start;
	}
	if (changes->n == 0 || !is_first(e, doc, first))
		return EDIT_COMMENTED;
	for (size_t i = 0; doc->yaml && i < changes->nreasons; i++)
		comment_lines(e, doc, first, changes->reasons[i]);
	if (doc->yaml)
		keep_old(e, doc, changes, spans);
	for (size_t i = 0; i < changes->n; i++)
		if (changes->list[i].key == NULL)
			add_member(e, doc, &changes->list[i]);
		else
			change_member(e, doc, &changes->list[i], &spans[i]);
	return doc->yaml ? EDIT_COMMENTED : EDIT_SILENT;
}
