/*
 * What may stand where in a JSON text. Strings, which are most of a log, are
 * not looked at here: the scan (json_strings.h) tells where they end. What is
 * rare is kept out of line, so that the rest stays in registers.
 */
#include <stdlib.h>

#include "diag.h"
#include "json_parser.h"

#define INLINE static inline __attribute__((always_inline))
#define RARE static __attribute__((noinline, cold))

enum { STEP_MAX = 2 }; /* values that a step adds at most */

/* Nothing that is not inlined is given a pointer to one. */
struct walk {
	struct json *next;    /* where the next value goes */
	struct json *full;    /* behind this there may be no room for a step */
	struct json *open;    /* the innermost open container */
	char closes;          /* what closes it */
	bool first;           /* nothing has been in it yet */
	const uint16_t *ends; /* of the strings to come */
};

/* Something else stands at p than what was expected, or the text ends. */
RARE const char *
unexpected(
    struct json_parser *r, const char *p, const char *why, const char *at_end)
{
	return json_fail(r, p, p == r->end ? at_end : why);
}

RARE const char *
no_comma(struct json_parser *r, const char *p, char closes)
{
	if (closes == '}')
		return unexpected(r, p, "expected ',' or '}'",
		    "text ends where ',' or '}' was expected");
	return unexpected(r, p, "expected ',' or ']'",
	    "text ends where ',' or ']' was expected");
}

INLINE bool
is_at(const struct json_parser *r, const char *p, char c)
{
	return p < r->end && *p == c;
}

/* ---- values ---- */

INLINE void
place(struct walk *w, const struct json_reader *reader)
{
	w->next = reader->values + reader->n;
	w->full = reader->values + reader->size - STEP_MAX;
	w->open = reader->values + reader->open;
}

INLINE void
keep_place(const struct walk *w, struct json_reader *reader)
{
	reader->n = (size_t)(w->next - reader->values);
	reader->open = (uint32_t)(w->open - reader->values);
}

/* False if there are too many values already. */
RARE bool
make_room(struct json_reader *reader)
{
	size_t size = reader->size == 0 ? 256 : reader->size * 2;

	if (size > UINT32_MAX)
		return false;
	reader->values = realloc(reader->values, size * sizeof *reader->values);
	if (reader->values == NULL)
		diag_die("out of memory (%zu values in one text)", size);
	reader->size = size;
	return true;
}

/* Room for a step. */
INLINE bool
have_room(struct json_parser *r, const char *p, struct walk *w)
{
	if (__builtin_expect(w->next <= w->full, 1))
		return true;
	keep_place(w, r->reader);
	if (!make_room(r->reader)) {
		json_fail(r, p, "more values than can be counted");
		return false;
	}
	place(w, r->reader);
	return true;
}

/* Of what closes a string that is not known yet, or not known to be right. */
RARE const uint16_t *
find_end(struct json_parser *r, const char *p, const uint16_t *ends)
{
	r->strings.next = ends;
	if (!json_strings_more(&r->strings) && json_check_string(r, p) == NULL)
		return NULL;
	return r->strings.next;
}

INLINE const char *
string(struct json_parser *r, const char *p, struct walk *w, struct json *v)
{
	const struct json_strings *s = &r->strings;
	const uint16_t *at = w->ends;
	const char *end;

	if (__builtin_expect(at >= s->right, 0)) {
		at = find_end(r, p, at);
		if (at == NULL)
			return NULL;
	}
	w->ends = at + 1;
	end = json_strings_end(s, at) + 1;
	*v = (struct json){ .text = { p, (size_t)(end - p) },
		.span = 1,
		.type = JSON_STRING,
		.flags = json_strings_escaped(s, at) ? JSON_ESCAPED : 0 };
	return end;
}

/* An open container's span tells which container it is in. */
INLINE const char *
open_container(
    struct json_parser *r, const char *p, struct walk *w, struct json *v)
{
	struct json_reader *reader = r->reader;
	bool object = *p == '{';

	if (reader->depth == JSON_DEPTH_MAX)
		return json_fail(r, p, "nested too deeply");
	reader->depth++;
	*v = (struct json){ .text = { p, 0 },
		.span = (uint32_t)(w->open - reader->values),
		.type = object ? JSON_OBJECT : JSON_ARRAY };
	w->open = v;
	w->closes = object ? '}' : ']';
	w->first = true;
	w->next = v + 1;
	return p + 1;
}

INLINE const char *
close_container(struct json_parser *r, const char *p, struct walk *w)
{
	struct json_reader *reader = r->reader;
	struct json *v = w->open;

	v->text.n = (size_t)(p + 1 - v->text.s);
	w->open = reader->values + v->span;
	v->span = (uint32_t)(w->next - v);
	w->closes = w->open->type == JSON_OBJECT ? '}' : ']';
	w->first = false;
	reader->depth--;
	return p + 1;
}

/* ---- the grammar ---- */

INLINE const char *
value(struct json_parser *r, const char *p, struct walk *w, struct json *v)
{
	if (p == r->end)
		return json_fail(r, p, "text ends where a value was expected");
	if (*p == '{' || *p == '[')
		return open_container(r, p, w, v);
	p = *p == '"' ? string(r, p, w, v) : json_scalar(r, p, v);
	if (p != NULL) {
		w->next = v + 1;
		w->first = false;
	}
	return p;
}

/* A member's name and the colon. */
INLINE const char *
name(struct json_parser *r, const char *p, struct walk *w, struct json *v)
{
	if (!is_at(r, p, '"'))
		return unexpected(r, p, "expected a name in double quotes",
		    "text ends where a name was expected");
	p = string(r, p, w, v);
	if (p == NULL)
		return NULL;
	p = json_skip_space(r, p);
	if (!is_at(r, p, ':'))
		return unexpected(r, p, "expected ':' after a name",
		    "text ends where ':' was expected");
	return json_skip_space(r, p + 1);
}

/* A value, or a member, and what must stand before it; or a closing bracket. */
INLINE const char *
step(struct json_parser *r, const char *p, struct walk *w)
{
	struct json *v;

	p = json_skip_space(r, p);
	if (!w->first && is_at(r, p, ','))
		p = json_skip_space(r, p + 1);
	else if (is_at(r, p, w->closes))
		return close_container(r, p, w);
	else if (!w->first)
		return no_comma(r, p, w->closes);
	if (!have_room(r, p, w))
		return NULL;
	v = w->next;
	if (w->closes == '}')
		p = name(r, p, w, v++);
	return p == NULL ? NULL : value(r, p, w, v);
}

/* Where the text is cut in the midst of a step, the step can be taken again:
 * what it has changed is not looked at before. */
const char *
json_grammar(struct json_parser *r, const char *p)
{
	struct json_reader *reader = r->reader;
	const char *from = p;
	struct walk w;

	if (reader->size == 0)
		make_room(reader);
	place(&w, reader);
	w.closes =
	    reader->depth != 0 && w.open->type == JSON_OBJECT ? '}' : ']';
	w.first = reader->state == JSON_FIRST;
	w.ends = r->strings.next;
	if (reader->state == JSON_VALUE)
		p = value(r, json_skip_space(r, p), &w, w.next);
	while (p != NULL && reader->depth != 0) {
		from = p;
		p = step(r, p, &w);
	}
	if (p != NULL)
		from = p;
	reader->at = (size_t)(from - r->text);
	keep_place(&w, reader);
	if (reader->n != 0)
		reader->state = w.first ? JSON_FIRST : JSON_AFTER;
	return p;
}
