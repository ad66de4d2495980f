/*
 * The grammar of JSON text. Strings, which make up most of a log, are not read
 * here: the scan (json/strings.h) has found their ends. Rare cases are kept out
 * of line, so that the common path stays in registers.
 */
#include <stdlib.h>

#include "base/diag.h"
#include "base/hugepage.h"
#include "json/parser.h"

#define INLINE static inline __attribute__((always_inline))
#define RARE static __attribute__((noinline, cold))

enum { STEP_MAX = 2 }; /* the most values that one step adds */

/* The state of the walk. No function that is not inlined gets a pointer to
 * it. */
struct walk {
	struct json *next;    /* place of the next value */
	struct json *full;    /* behind this there may be no room for a step */
	struct json *open;    /* the innermost open container */
	unsigned depth;       /* number of open containers */
	char closes;          /* the bracket that closes it; NUL at the top */
	const uint16_t *ends; /* the ends of the next strings */
	const char *end;      /* end of the text */
	bool fenced; /* the text ends with a bracket: every loop stops there,
		      * and only a step that has passed the bracket checks
		      * the end */
};

/* Reports a character at p that is not the expected one, or the end of the
 * text. */
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
is_end(const struct walk *w, const char *p)
{
	return !w->fenced && p == w->end;
}

INLINE bool
is_at(const struct walk *w, const char *p, char c)
{
	return !is_end(w, p) && *p == c;
}

/* Like is_at, but also skips white space before the character, and moves *p
 * there. Most logs have none. */
INLINE bool
finds(const struct walk *w, const char **p, char c)
{
	if (is_at(w, *p, c))
		return true;
	if (is_end(w, *p) || !json_is_space(**p))
		return false;
	*p = json_skip_space(*p, w->end);
	return is_at(w, *p, c);
}

/* ---- values ---- */

INLINE void
load_place(struct walk *w, const struct json_reader *reader)
{
	w->next = reader->values + reader->n;
	w->full = reader->values + reader->size - STEP_MAX;
	w->open = reader->values + reader->open;
	w->depth = reader->depth;
}

INLINE void
save_place(const struct walk *w, struct json_reader *reader)
{
	reader->n = (size_t)(w->next - reader->values);
	reader->open = (uint32_t)(w->open - reader->values);
	reader->depth = (uint16_t)w->depth;
}

/* Returns false if there are too many values already. */
RARE bool
make_room(struct json_reader *reader)
{
	size_t size = reader->size == 0 ? 256 : reader->size * 2;

	if (size > UINT32_MAX)
		return false;
	reader->values =
	    hugepage_realloc(reader->values, size * sizeof *reader->values);
	if (reader->values == NULL)
		diag_die("out of memory (%zu values in one text)", size);
	reader->size = size;
	return true;
}

/* Makes room for one step. */
INLINE bool
have_room(struct json_parser *r, const char *p, struct walk *w)
{
	if (__builtin_expect(w->next <= w->full, 1))
		return true;
	save_place(w, r->reader);
	if (!make_room(r->reader)) {
		json_fail(r, p, "more values than can be counted");
		return false;
	}
	load_place(w, r->reader);
	return true;
}

/* Finds the end of a string whose end is not known yet, or is not known to be
 * valid. */
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

/* Reads an unsigned integer with the end of a value behind it, as most scalars
 * are, and moves *p behind the integer. */
INLINE bool
integer(const struct walk *w, const char **p, struct json *v)
{
	const char *from = *p, *end = from;

	while (end < w->end && *end >= '0' && *end <= '9')
		end++;
	if (end == from || end == w->end || (*from == '0' && end - from > 1) ||
	    (*end != ',' && *end != w->closes))
		return false;
	*v = (struct json){ .text = { from, (size_t)(end - from) },
		.span = 1,
		.type = JSON_NUMBER };
	*p = end;
	return true;
}

/* While a container is open, its span holds the index of the container around
 * it. */
INLINE const char *
open_container(
    struct json_parser *r, const char *p, struct walk *w, struct json *v)
{
	struct json_reader *reader = r->reader;
	bool object = *p == '{';

	if (w->depth == JSON_DEPTH_MAX)
		return json_fail(r, p, "nested too deeply");
	w->depth++;
	*v = (struct json){ .text = { p, 0 },
		.span = (uint32_t)(w->open - reader->values),
		.type = object ? JSON_OBJECT : JSON_ARRAY };
	w->open = v;
	w->closes = object ? '}' : ']';
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
	w->depth--;
	return p + 1;
}

/* ---- the grammar ---- */

/* Reads a member's name and the colon. */
INLINE const char *
name(struct json_parser *r, const char *p, struct walk *w, struct json *v)
{
	if (!finds(w, &p, '"'))
		return unexpected(r, p, "expected a name in double quotes",
		    "text ends where a name was expected");
	p = string(r, p, w, v);
	if (p == NULL)
		return NULL;
	if (!finds(w, &p, ':'))
		return unexpected(r, p, "expected ':' after a name",
		    "text ends where ':' was expected");
	return p + 1;
}

/*
 * Parses up to the end of the text's value. *from becomes the place where the
 * last step began. If the text ends within a step, the step can be repeated:
 * nothing that the step has changed is read before it is set again.
 */
INLINE const char *
parse(struct json_parser *r, const char *p, struct walk *w, const char **from)
{
	struct json_reader *reader = r->reader;
	struct json *v = w->next;

	if (reader->n == 0)
		goto value;
	if (reader->n > reader->open + 1)
		goto next;
first: /* the first item of a container, or its end */
	*from = p;
	if (finds(w, &p, w->closes))
		goto close;
	goto item;
next:
	*from = p;
	if (!finds(w, &p, ',')) {
		if (is_at(w, p, w->closes))
			goto close;
		return no_comma(r, p, w->closes);
	}
	p++;
item:
	if (!have_room(r, p, w))
		return NULL;
	v = w->next;
	if (w->closes == '}')
		p = name(r, p, w, v++);
	if (p == NULL)
		return NULL;
value:
	if (finds(w, &p, '"')) {
		p = string(r, p, w, v);
	} else if (is_at(w, p, '{') || is_at(w, p, '[')) {
		p = open_container(r, p, w, v);
		if (p == NULL)
			return NULL;
		goto first;
	} else if (!integer(w, &p, v)) {
		reader->depth = (uint16_t)w->depth;
		p = json_scalar(r, p, v);
	}
	if (p == NULL)
		return NULL;
	w->next = v + 1;
	if (w->closes != '\0')
		goto next;
	return p;
close:
	p = close_container(r, p, w);
	if (w->depth == 0)
		return p;
	if (p < w->end)
		goto next;
	*from = p;
	return no_comma(r, p, w->closes);
}

/* Returns whether the text ends with a bracket. */
static bool
is_fenced(const struct json_parser *r, const char *p)
{
	return p < r->end && (r->end[-1] == '}' || r->end[-1] == ']');
}

const char *
json_grammar(struct json_parser *r, const char *p)
{
	/* cppcheck-suppress ctuuninitvar; json_read.c sets what is read */
	struct json_reader *reader = r->reader;
	const char *from = p;
	struct walk w;

	if (reader->size == 0)
		make_room(reader);
	load_place(&w, reader);
	w.closes = '\0';
	if (reader->n != 0)
		w.closes = w.open->type == JSON_OBJECT ? '}' : ']';
	w.ends = r->strings.next;
	w.end = r->end;
	/* Two calls, so that one inlined copy has no checks for the end. */
	if (is_fenced(r, p)) {
		w.fenced = true;
		p = parse(r, p, &w, &from);
	} else {
		w.fenced = false;
		p = parse(r, p, &w, &from);
	}
	save_place(&w, reader);
	reader->at = (size_t)((p != NULL ? p : from) - r->text);
	return p;
}
