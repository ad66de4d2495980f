/* Reads a text, at once or in parts. */
#include <stdlib.h>
#include <string.h>

#include "json/parser.h"

/* Returns the memory around the text that may be read. */
static struct str
around(const struct json_reader *reader, struct str text)
{
	struct str a = reader->around;

	return a.s != NULL && text.s >= a.s && text.s + text.n <= a.s + a.n
	    ? a
	    : text;
}

static const struct json *
parse_on(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	const char *p;
	struct json_parser r;

	if (text.s == NULL)
		text.s = ""; /* an empty text */
	p = text.s + reader->at;
	r.reader = reader;
	r.text = reader->text = text.s;
	r.end = text.s + text.n;
	json_strings_start(
	    &r.strings, reader->kernel, text, around(reader, text), p);
	p = json_grammar(&r, p);
	reader->lone |= r.strings.state.lone;
	if (p != NULL && end != NULL) {
		*end = (size_t)(p - text.s);
	} else if (p != NULL) {
		p = json_skip_space(p, r.end);
		if (p < r.end)
			p = json_fail(&r, p, "more text after the value");
	}
	if (p == NULL && error != NULL)
		*error = r.error;
	if (p == NULL)
		return NULL;
	if (reader->lone)
		reader->values->flags |= JSON_LONE;
	return reader->values;
}

const struct json *
json_read(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	if (reader->kernel == NULL)
		reader->kernel = json_kernel();
	reader->n = 0;
	reader->at = 0;
	reader->depth = 0;
	reader->open = 0;
	reader->lone = false;
	return parse_on(reader, text, end, error);
}

const struct json *
json_read_on(struct json_reader *reader, struct str text, size_t *end,
    struct json_error *error)
{
	uintptr_t from = (uintptr_t)reader->text, to = (uintptr_t)text.s;

	for (size_t i = 0; from != to && i < reader->n; i++) {
		struct str *s = &reader->values[i].text;

		s->s = text.s + ((uintptr_t)s->s - from);
	}
	return parse_on(reader, text, end, error);
}

const struct json *
json_keep(struct arena *a, const struct json *v)
{
	struct json *copy;

	if (v == NULL)
		return NULL;
	copy = arena_room(a, v->span * sizeof *copy);
	return memcpy(copy, v, v->span * sizeof *copy);
}

const struct json *
json_parse(struct arena *a, struct str text)
{
	struct json_reader reader = { 0 };
	const struct json *v =
	    json_keep(a, json_read(&reader, text, NULL, NULL));

	json_reader_free(&reader);
	return v;
}

void
json_reader_free(struct json_reader *reader)
{
	free(reader->values);
	*reader = (struct json_reader){ 0 };
}
