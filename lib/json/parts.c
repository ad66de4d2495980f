/* Values of a stream that are read in parts. */
#include <string.h>

#include "base/utf8.h"
#include "json/lenient.h"
#include "json/stream.h"

enum {
	NEAR = 8, /* bytes before an error in which an element may begin */
	OPENING_MAX = 96, /* bytes of an element's beginning */
	GROWTH = 4,   /* times an unfinished element: a part's least bytes */
	ESCAPES = 12, /* bytes of the escapes of a pair of surrogates */
};

/* Returns the text, at most `most` bytes, of which more may follow: without the last
 * bytes if they may be those of an escape, since half of one would look like a lone
 * surrogate's. Makes room for closing brackets behind the text. */
static struct str
text_so_far(const struct json_stream *v, size_t most)
{
	struct str text;
	size_t n;

	in_make_room(v->in, JSON_LEVELS);
	text = in_rest(v->in);
	n = text.n = text.n < most ? text.n : most;
	while (n > 0 && text.n - n < ESCAPES)
		if (text.s[--n] == '\\')
			text.n = n;
	return text;
}

static size_t
line_of(const struct json_stream *v, size_t offset)
{
	return in_place(v->in, offset).line;
}

/* ---- the list ---- */

static void
find_chain(struct json_parts *p, const struct json_reader *r)
{
	size_t i = r->open;

	for (size_t d = r->depth; d-- > 0; i = r->values[i].span)
		if (d < JSON_LEVELS)
			p->chain[d] = (uint32_t)i;
}

/* Returns the names of the members in which the list at this level is, joined by
 * dots. */
static struct str
path_of(struct json_parts *p, const struct json *values, size_t level)
{
	struct str path = { "", 0 };

	arena_reset(&p->scratch);
	for (size_t d = 1; d <= level; d++)
		if (values[p->chain[d - 1]].type == JSON_OBJECT)
			path = str_printf(&p->scratch, "%.*s%s%.*s",
			    STR_FMT(path), path.n == 0 ? "" : ".",
			    STR_FMT(json_raw(&values[p->chain[d] - 1])));
	return path;
}

/* Closes the containers around the elements before the value with the index
 * `stop`. The last element ends at p->end of the text. */
static const struct json *
close_list(struct json_parts *p, struct json_reader *r, char *text, size_t stop)
{
	size_t n = p->levels;

	memcpy(p->covered, text + p->end, n);
	for (size_t d = 0; d < n; d++) {
		struct json *v = &r->values[p->chain[d]];
		char *to = text + p->end + (n - 1 - d);

		*to = v->type == JSON_OBJECT ? '}' : ']';
		v->text.n = (size_t)(to + 1 - v->text.s);
		v->span = (uint32_t)(stop - p->chain[d]);
	}
	if (r->lone)
		r->values->flags |= JSON_LONE;
	return r->values;
}

/* Undoes close_list. */
static void
open_list(struct json_parts *p, struct json_reader *r, char *text)
{
	memcpy(text + p->end, p->covered, p->levels);
	for (size_t d = 0; d < p->levels; d++)
		r->values[p->chain[d]].span = d == 0 ? 0 : p->chain[d - 1];
}

/* Returns where the element behind `end` begins. */
static size_t
behind_comma(struct str text, size_t end)
{
	while (end < text.n && json_is_space(text.s[end]))
		end++;
	if (end < text.n && text.s[end] == ',')
		end++;
	while (end < text.n && json_is_space(text.s[end]))
		end++;
	return end;
}

/*
 * Finds the elements of the list at this level that are whole. *stop becomes the
 * index of the value behind the elements. At the end of the text (`cut`), a value
 * may not be whole though it looks so.
 */
static bool
find_elements(struct json_parts *p, const struct json_reader *r,
    struct str text, size_t level, size_t *stop)
{
	bool inner = level + 1 < r->depth;
	size_t end = inner ? p->chain[level + 1] : r->n;
	size_t last = 0, before = 0;

	for (size_t i = p->chain[level] + 1; i < end; i += r->values[i].span) {
		before = last;
		last = i;
	}
	*stop = end;
	if (!inner && p->cut) {
		*stop = last;
		last = before;
	}
	if (last == 0)
		return false;
	p->end =
	    (size_t)(r->values[last].text.s - text.s) + r->values[last].text.n;
	if (inner || p->cut)
		p->next = (size_t)(r->values[*stop].text.s - text.s);
	else if (p->why == NULL)
		p->next = behind_comma(text, p->end);
	else
		p->next = p->end - 1; /* for in_border */
	return true;
}

/* Returns the white space before the offset. */
static struct str
space_before(struct str text, size_t at)
{
	size_t n = 0;

	while (n < at && json_is_space(text.s[at - n - 1]))
		n++;
	return str_slice(text, at - n, at);
}

/* Keeps how the list's elements begin, by its first ones. */
static void
note_opening(struct json_parts *p, struct str text, const struct json *list)
{
	const struct json *first = json_first(list), *second, *key;

	if (!json_is(first, JSON_OBJECT) || first->span == 1)
		return;
	second = json_next(list, first);
	if (p->space.s == NULL && second != NULL)
		p->space = str_dup(&p->arena,
		    space_before(text, (size_t)(second->text.s - text.s)));
	key = first + 1;
	if (p->opening.n != 0 ||
	    key->text.s + key->text.n > first->text.s + OPENING_MAX)
		return;
	p->opening = str_dup(&p->arena,
	    (struct str){ first->text.s,
		(size_t)(key->text.s + key->text.n - first->text.s) });
	key = json_next(first, json_value(key));
	p->second = (struct str){ 0 };
	if (key != NULL)
		p->second = str_dup(&p->arena, key->text);
}

/* Returns the part of the value with all elements that are whole before the error,
 * or NULL if there are none in a list that the caller accepts. */
static const struct json *
find_part(struct json_stream *v, const struct json_error *error)
{
	struct json_parts *p = &v->parts;
	struct json_reader *r = &v->reader;
	struct str rest = in_rest(v->in);
	char *text = v->in->buf + v->in->text;
	size_t depth = r->depth < JSON_LEVELS ? r->depth : JSON_LEVELS - 1;
	size_t stop, levels = p->levels;

	p->cut = error->cut;
	p->why = error->cut || (!v->strict && json_is_bad_utf8(error))
	    ? NULL
	    : error->why;
	find_chain(p, r);
	for (size_t d = 0; d < depth; d++) {
		const struct json *part, *list = &r->values[p->chain[d]];

		if (list->type != JSON_ARRAY ||
		    !find_elements(p, r, rest, d, &stop))
			continue;
		p->levels = d + 1;
		part = close_list(p, r, text, stop);
		p->keeps =
		    v->splits(v->splits_arg, path_of(p, r->values, d), part);
		if (p->keeps != NULL) {
			note_opening(p, rest, list);
			p->error = error->offset - p->next;
			return part;
		}
		open_list(p, r, text);
	}
	p->levels = levels;
	p->next = 0;
	p->why = NULL;
	return NULL;
}

/* ---- the head ---- */

/* Returns the head with the member of the object at `path` that `name` names, if it
 * names one. */
static struct str
keep(struct json_parts *p, struct str head, const struct json *object,
    struct str path, struct str name)
{
	const struct json *kept;

	if (!str_starts(name, path))
		return head;
	name = str_from(name, path.n);
	kept = json_get(object, name);
	return kept == NULL
	    ? head
	    : str_printf(&p->scratch, "%.*s\"%.*s\":%.*s,", STR_FMT(head),
		  STR_FMT(name), STR_FMT(kept->text));
}

/* Returns the head of the next part: the containers around the elements, and the
 * members of the value that each part has. No newline is in it, so that the
 * elements' lines can be counted. */
static struct str
next_head(struct json_parts *p, const struct json *values)
{
	struct str head = { "", 0 }, path = { "", 0 };
	char *copy;

	for (size_t d = 0; d < p->levels; d++) {
		const struct json *v = &values[p->chain[d]];
		bool named = d + 1 < p->levels && v->type == JSON_OBJECT;
		struct str rest = str_of(p->keeps);

		head = str_printf(&p->scratch, "%.*s%c", STR_FMT(head),
		    v->type == JSON_OBJECT ? '{' : '[');
		while (rest.n != 0)
			head = keep(p, head, v, path, str_cut(&rest, ' '));
		if (named) {
			const struct json *key = &values[p->chain[d + 1] - 1];

			head = str_printf(&p->scratch,
			    "%.*s%.*s:", STR_FMT(head), STR_FMT(key->text));
			path = str_printf(&p->scratch, "%.*s%.*s.",
			    STR_FMT(path), STR_FMT(json_raw(key)));
		}
	}
	copy = arena_room(&p->scratch, head.n);
	for (size_t i = 0; i < head.n; i++)
		copy[i] = (char)(head.s[i] == '\n' ? ' ' : head.s[i]);
	return (struct str){ copy, head.n };
}

/* Removes the elements of the part that was returned last. */
static void
drop_elements(struct json_stream *v)
{
	struct json_parts *p = &v->parts;
	struct str head = next_head(p, v->reader.values);

	memcpy(v->in->buf + v->in->text + p->end, p->covered, p->levels);
	in_cut(v->in, p->next, head);
	p->head = head.n;
	p->next = 0;
}

/* ---- elements that cannot be read ---- */

/* Returns whether an element seems to begin at this offset: behind a comma, or near
 * the place of an error; and two of its names are those of the list's first
 * element. */
static bool
begins_element(struct json_stream *v, struct str text, size_t at, bool near)
{
	const struct json_parts *p = &v->parts;
	struct json_error error = { 0 };
	const struct json *value, *key;
	struct str space = space_before(text, at);
	size_t end;

	if (!near &&
	    (at == space.n || text.s[at - space.n - 1] != ',' ||
		(p->space.s != NULL && !str_eq(space, p->space))))
		return false;
	value = json_read(&v->reader, str_from(text, at), &end, &error);
	if (value == NULL)
		return error.cut || json_is_bad_utf8(&error);
	key = json_next(value, json_value(json_first(value)));
	return key == NULL ? p->second.n == 0 : str_eq(key->text, p->second);
}

/* Returns the offset at or behind `from` at which an element begins, or a value
 * behind the list; or the end of the text. */
static size_t
find_begin(struct json_stream *v, struct str text, size_t from, size_t error)
{
	const struct json_parts *p = &v->parts;
	const char *newline = text.s + from, *end = text.s + text.n;
	size_t border = text.n;

	while (border == text.n &&
	    (newline = memchr(newline, '\n', (size_t)(end - newline))) != NULL)
		if (in_border(text.s + p->head, newline++, end))
			border = (size_t)(newline - text.s);
	for (size_t at = from; p->opening.n != 0 && at < border; at++) {
		at += str_find(str_from(text, at), p->opening);
		if (at < border &&
		    begins_element(v, text, at, at < error + NEAR))
			return at;
	}
	return border;
}

/*
 * Passes over the element at the beginning of the text, of which `fault` is at the
 * offset `error`. The text then begins with the next element, if one is found, or
 * with the value that follows the list.
 */
static void
pass_over(struct json_stream *v, const struct json_fault *fault, size_t error)
{
	struct json_parts *p = &v->parts;
	struct str text = in_rest(v->in);
	struct str head = str_dup(&p->scratch, str_slice(text, 0, p->head));
	size_t from = line_of(v, p->head), to, at;
	size_t kept = OPENING_MAX + NEAR + p->space.n;
	size_t start = error > p->head + NEAR ? error - NEAR : p->head + 1;

	v->torn = fault->at.line;
	v->ended = v->strict;
	while ((at = find_begin(v, text, start, error)) == text.n) {
		in_cut(
		    v->in, text.n > start + kept ? text.n - kept : start, head);
		start = p->head;
		error = 0;
		p->open = in_more(v->in, IN_BLOCK);
		text = in_rest(v->in);
		if (!p->open) {
			in_unread(v->in, text.n);
			json_stream_warn(fault, from, line_of(v, text.n));
			return;
		}
	}
	if (!str_starts(str_from(text, at), p->opening))
		p->head = p->levels = head.n = 0;
	in_cut(v->in, at, head);
	to = line_of(v, p->head);
	to -= to > from && in_place(v->in, p->head).column == 1;
	json_stream_warn(fault, from, to);
}

/* ---- all ---- */

/* Replaces bytes that are no UTF-8, at the offset `bad` and up to the next line or
 * the end of the text, but for a character that the end may cut off. */
static void
mend(struct json_stream *v, size_t bad)
{
	struct json_parts *p = &v->parts;
	struct in *in = v->in;
	struct str rest = str_from(in_rest(in), bad), mended;
	size_t n = str_find_char(rest, '\n');

	json_stream_warn_utf8(in_place(in, bad));
	for (size_t tail = 1; tail < 4 && n == rest.n && tail < n; tail++)
		if (utf8_is_cut(rest.s + n - tail, tail))
			n -= tail;
	arena_reset(&p->scratch);
	mended = json_mend_utf8(&p->scratch, str_slice(rest, 0, n));
	in_replace(in, bad, n, mended);
}

/* Reads what is whole of the text before the offset `end`, where the end of the file
 * cuts it off, or where what follows the list cannot be read. */
static const struct json *
read_cut(struct json_stream *v, const struct json_fault *fault, size_t end)
{
	v->parts.open = false;
	v->text = str_slice(in_rest(v->in), 0, end);
	in_unread(v->in, end);
	v->ended = v->strict && !fault->cut;
	if (v->repair_cut && !v->ended)
		return json_stream_repair(v, fault);
	json_stream_warn(fault, 0, 0);
	v->torn = fault->at.line;
	return NULL;
}

/* Gives back what follows the value, which ends at `end`. */
static const struct json *
finish(struct json_stream *v, const struct json *value, size_t end)
{
	v->parts.open = false;
	in_unread(v->in, json_stream_skip_blank(in_rest(v->in), end));
	return value;
}

/* Returns the first element longer than --max-line, or NULL. The list's bracket ends
 * the head. */
static const struct json *
find_long(const struct json_stream *v)
{
	const struct json *values = v->reader.values, *element;
	const struct json *end = values + v->reader.n, *list = values;
	struct str text = in_rest(v->in);
	size_t head = v->parts.head;

	if (head == 0 || text.n - head <= v->in->max_line)
		return NULL;
	while (list < end && list->text.s < text.s + head - 1)
		list++;
	if (list == end || !json_is(list, JSON_ARRAY))
		return NULL;
	element = list + 1; /* an open one has no length yet */
	while (element < end && element->text.n != 0 &&
	    element->text.n <= v->in->max_line)
		element += element->span;
	return element < end && element->text.n > v->in->max_line ? element
								  : NULL;
}

/* Passes over an element that is too long, of which `n` bytes are known. */
static void
pass_over_long(struct json_stream *v, size_t n)
{
	size_t at = v->parts.head;
	const struct json_fault fault = { in_place(v->in, at),
		"value longer than --max-line allows", false };

	pass_over(v, &fault, at + n);
}

/* Reads the text up to its first element that is too long. Returns NULL, with
 * *error, if there is one. */
static const struct json *
read_to_long(struct json_stream *v, const struct json *value, size_t *end,
    struct json_error *error)
{
	const struct json *element = find_long(v);
	struct str text = in_rest(v->in);
	size_t at = element == NULL ? 0 : (size_t)(element->text.s - text.s);

	if (element == NULL)
		return value;
	if (at == v->parts.head) {
		pass_over_long(v, element->text.n);
		error->why = NULL;
		return NULL;
	}
	return json_read(&v->reader, str_slice(text, 0, at + 1), end, error);
}

/* Reads the text, joined with as many bytes as a whole element takes. */
static const struct json *
read_part(struct json_stream *v)
{
	struct json_parts *p = &v->parts;
	const struct json *value, *part;
	struct json_error error = { 0 };
	struct json_fault fault;
	bool more = true;
	struct str text;
	size_t end;

	v->reader.around = (struct str){ 0 };
	value = json_read(&v->reader, text_so_far(v, SIZE_MAX), &end, &error);
	value = read_to_long(v, value, &end, &error);
	while (value == NULL) {
		if (error.why == NULL)
			return NULL;
		if (!v->strict && json_is_bad_utf8(&error)) {
			mend(v, error.offset);
			value = json_read(
			    &v->reader, text_so_far(v, SIZE_MAX), &end, &error);
			continue;
		}
		part = find_part(v, &error);
		if (part != NULL)
			return part;
		fault = (struct json_fault){ in_place(v->in, error.offset),
			error.why, error.cut };
		if (error.cut && in_rest(v->in).n - p->head > v->in->max_line) {
			pass_over_long(v, 0);
			return NULL;
		}
		if (!more || (!fault.cut && v->reader.depth < p->levels))
			return read_cut(v, &fault, error.offset);
		if (!fault.cut) {
			pass_over(v, &fault, error.offset);
			return NULL;
		}
		more = in_more(v->in, in_rest(v->in).n);
		text = text_so_far(v, SIZE_MAX);
		value = json_read_on(
		    &v->reader, more ? text : in_rest(v->in), &end, &error);
	}
	return finish(v, value, end);
}

const struct json *
json_parts_next(struct json_stream *v)
{
	struct json_parts *p = &v->parts;
	struct json_fault fault = { .why = p->why };
	size_t rest;

	arena_reset(&p->scratch);
	if (p->next != 0)
		drop_elements(v);
	p->why = NULL;
	if (fault.why != NULL) {
		fault.at = in_place(v->in, p->head + p->error);
		pass_over(v, &fault, p->head + p->error);
		return NULL;
	}
	v->at = in_place(v->in, p->head);
	rest = GROWTH * (in_rest(v->in).n - p->head);
	if (p->cut)
		in_more(v->in, rest > IN_BLOCK ? rest : IN_BLOCK);
	return read_part(v);
}

/* Returns the first part of the text, or NULL. */
static const struct json *
first_part(struct json_stream *v)
{
	struct str text = text_so_far(v, v->in->max_line);
	struct json_error error;
	size_t end;

	v->text.s = text.s;
	v->reader.around = (struct str){ 0 };
	return json_read(&v->reader, text, &end, &error) == NULL
	    ? find_part(v, &error)
	    : NULL;
}

/* Adds what the caller adds to the value. */
static void
add_members(struct json_stream *v)
{
	struct json_parts *p = &v->parts;
	char *text = v->in->buf + v->in->text;
	const struct json *object = &v->reader.values[p->chain[p->add_level]];
	size_t at = (size_t)(object->text.s + 1 - text);

	open_list(p, &v->reader, text);
	in_replace(v->in, at, 0, p->add);
	v->in->column -= p->add.n; /* what follows is where it was */
	p->add.n = 0;
}

const struct json *
json_parts_begin(struct json_stream *v)
{
	struct json_parts *p = &v->parts;
	const struct json *part;

	p->head = p->next = p->levels = p->opening.n = p->add.n = 0;
	p->space.s = NULL;
	arena_reset(&p->arena);
	part = first_part(v);
	if (part != NULL && p->add.n != 0 && p->add_level < p->levels) {
		add_members(v);
		part = first_part(v);
	}
	p->open = part != NULL;
	return part;
}

void
json_parts_free(struct json_parts *p)
{
	arena_free(&p->arena);
	arena_free(&p->scratch);
}
