#include "extract/value/copy.h"

#include <string.h>

#include "io/out.h"

/* Joins the lines of a value. A newline cannot be inside a string, so that each
 * newline is white space between values. */
static __attribute__((noinline)) struct str
in_one_line(struct arena *a, struct str lines)
{
	char *line = arena_room(a, lines.n);
	size_t n = 0;

	while (lines.s != NULL) {
		struct str part = str_trim(str_cut(&lines, '\n'));

		memcpy(line + n, part.s, part.n);
		n += part.n;
	}
	return (struct str){ line, n };
}

struct str
copy_text(struct arena *a, struct str text)
{
	return arena_has(a, text.s) ? text : str_dup(a, text);
}

struct str
copy_any(struct arena *a, const struct json *v)
{
	if (v == NULL)
		return (struct str){ 0 };
	if (arena_has(a, v->text.s))
		return v->text;
	if (str_find_char(v->text, '\n') != v->text.n)
		return in_one_line(a, v->text);
	return str_dup(a, v->text);
}

struct str
copy_value(struct arena *a, const struct json *v)
{
	return copy_any(a, json_is(v, JSON_NULL) ? NULL : v);
}

struct str
copy_number(struct arena *a, const struct json *v)
{
	return copy_value(a, json_is(v, JSON_NUMBER) ? v : NULL);
}

struct str
copy_body(struct arena *a, const struct json *v)
{
	struct str body = json_raw(v);

	if (body.n == 0)
		return (struct str){ 0 };
	return copy_text(a, body);
}

const struct json *
copy_tree(struct arena *a, const struct json *v)
{
	struct json *copy;
	const char *text;

	if (v == NULL)
		return NULL;
	text = str_dup(a, v->text).s;
	copy = arena_room(a, v->span * sizeof *copy);
	for (uint32_t i = 0; i < v->span; i++) {
		copy[i] = v[i];
		copy[i].text.s = text + (v[i].text.s - v->text.s);
	}
	return copy;
}

static const struct json *
made(struct arena *a, struct str source, enum json_type type)
{
	struct json *v = arena_new(a, struct json);

	*v = (struct json){ .text = source, .span = 1, .type = (uint8_t)type };
	if (str_find_char(source, '\\') != source.n)
		v->flags = JSON_ESCAPED;
	return v;
}

struct str
copy_quoted(struct arena *a, struct str body)
{
	return str_join(a, (struct str[]){ STR("\""), STR("\"") }, 2, body);
}

struct str
copy_escaped(struct arena *a, struct str text)
{
	struct str source = out_quote(a, text);

	return str_slice(source, 1, source.n - 1);
}

const struct json *
copy_string(struct arena *a, struct str body)
{
	return made(a, copy_quoted(a, body), JSON_STRING);
}

const struct json *
copy_count(struct arena *a, struct str source)
{
	return made(a, source, JSON_NUMBER);
}

const struct json *
copy_parsed(struct arena *a, struct str text)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *v = json_read(&reader, text, NULL, &error);

	if (v != NULL && v->flags & JSON_LONE)
		v = json_read(
		    &reader, json_mend_surrogates(a, text), NULL, &error);
	v = json_keep(a, v);

	json_reader_free(&reader);
	return v;
}

/* Parses a number of a moment that was logged as a string. */
static bool
number_of_moment(struct str body, int64_t *ms)
{
	double n = 0, unit = 0; /* 0: the fraction has not begun */

	if (body.n < 10 || body.n > 20)
		return false;
	for (size_t i = 0; i < body.n; i++) {
		if (i >= 10 && unit == 0 && body.s[i] == '.') {
			unit = 1;
			continue;
		}
		if (body.s[i] < '0' || body.s[i] > '9')
			return false;
		n = n * 10 + (body.s[i] - '0');
		unit *= 10;
	}
	return timestamp_number(unit == 0 ? n : n / unit, ms);
}

struct moment
copy_time(struct arena *a, struct timestamp_minute *last, const struct json *v)
{
	struct str body = json_raw(v);
	struct moment m = { 0 };
	char buf[TIMESTAMP_SIZE];

	if (v == NULL)
		return m;
	if (json_is(v, JSON_NUMBER) ? !timestamp_number(json_double(v), &m.ms)
				    : !timestamp_text_near(body, last, &m.ms) &&
		    !number_of_moment(body, &m.ms))
		return m;
	if (m.ms < 0)
		return (
		    struct moment){ 0 }; /* Go writes the year 1 for an unknown
					  * time */
	if (!str_ends(body, "Z"))
		body = timestamp_print_near(m.ms, last, buf);
	m.text = copy_text(a, body);
	return m;
}
