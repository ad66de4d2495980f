#include "json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"

/* ---- getters ---- */

bool
json_is(const struct json *v, enum json_type type)
{
	return v != NULL && v->type == type;
}

const char *
json_type_name(const struct json *v)
{
	static const char *const names[] = { "nothing", "null", "a boolean",
		"a boolean", "a number", "a string", "a list", "an object" };

	return names[v == NULL ? 0 : v->type];
}

const struct json *
json_first(const struct json *container)
{
	return container == NULL || container->span == 1 ? NULL : container + 1;
}

const struct json *
json_next(const struct json *container, const struct json *child)
{
	const struct json *next = child + child->span;

	return next < container + container->span ? next : NULL;
}

const struct json *
json_value(const struct json *key)
{
	return key == NULL ? NULL : key + 1;
}

const struct json *
json_get(const struct json *object, struct str name)
{
	const struct json *found = NULL;

	for (json_members(key, object))
		if (json_str_is(key, name))
			found = json_value(key);
	return found;
}

const struct json *
json_path(const struct json *v, const char *names)
{
	struct str rest = str_of(names);

	while (rest.s != NULL && v != NULL)
		v = json_get(v, str_cut(&rest, '.'));
	return v;
}

const struct json *
json_at(const struct json *list, size_t index)
{
	for (json_each(v, list))
		if (index-- == 0)
			return v;
	return NULL;
}

size_t
json_count(const struct json *container)
{
	size_t n = 0;

	for (json_each(v, container))
		n++;
	for (json_members(key, container))
		n++;
	return n;
}

/* ---- strings ---- */

struct str
json_raw(const struct json *v)
{
	if (!json_is(v, JSON_STRING))
		return (struct str){ 0 };
	return str_slice(v->text, 1, v->text.n - 1);
}

static unsigned
hex4(const char *p)
{
	unsigned value = 0;

	for (int i = 0; i < 4; i++) {
		unsigned char c = (unsigned char)p[i];

		value = value * 16 +
		    (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return value;
}

static size_t
put_utf8(char *p, unsigned c)
{
	if (c < 0x80) {
		p[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		p[0] = (char)(0xc0 | c >> 6);
		p[1] = (char)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		p[0] = (char)(0xe0 | c >> 12);
		p[1] = (char)(0x80 | (c >> 6 & 0x3f));
		p[2] = (char)(0x80 | (c & 0x3f));
		return 3;
	}
	p[0] = (char)(0xf0 | c >> 18);
	p[1] = (char)(0x80 | (c >> 12 & 0x3f));
	p[2] = (char)(0x80 | (c >> 6 & 0x3f));
	p[3] = (char)(0x80 | (c & 0x3f));
	return 4;
}

/* Decodes the escape at *p (on its backslash) into buf, moves *p behind it. */
static size_t
decode_escape(const char **p, const char *end, char buf[4])
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	char c = (*p)[1];
	const char *simple = strchr(from, c);
	unsigned unit;

	if (c != 'u') {
		buf[0] = simple == NULL ? c : to[simple - from];
		*p += 2;
		return 1;
	}
	unit = hex4(*p + 2);
	*p += 6;
	if (unit < 0xd800 || unit > 0xdfff)
		return put_utf8(buf, unit);
	if (unit < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' &&
	    (*p)[1] == 'u') {
		unsigned low = hex4(*p + 2);

		if (low >= 0xdc00 && low <= 0xdfff) {
			*p += 6;
			return put_utf8(buf,
			    0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00);
		}
	}
	return put_utf8(buf, 0xfffd);
}

struct str
json_text(const struct json *v, struct arena *a)
{
	struct str raw = json_raw(v);
	const char *p = raw.s, *end;
	char *copy;
	size_t n = 0;

	if (raw.s == NULL || !(v->flags & JSON_ESCAPED))
		return raw;
	end = p + raw.n;
	copy = arena_alloc(a, raw.n);
	while (p < end) {
		const char *stop = memchr(p, '\\', (size_t)(end - p));

		if (stop == NULL)
			stop = end;
		memcpy(copy + n, p, (size_t)(stop - p));
		n += (size_t)(stop - p);
		p = stop;
		if (p < end)
			n += decode_escape(&p, end, copy + n);
	}
	return (struct str){ copy, n };
}

bool
json_str_is(const struct json *v, struct str text)
{
	const char *p, *end;
	char buf[4];

	if (!json_is(v, JSON_STRING))
		return false;
	p = v->text.s + 1;
	end = v->text.s + v->text.n - 1;
	if (!(v->flags & JSON_ESCAPED)) /* most keys: not one call more */
		return (size_t)(end - p) == text.n &&
		    (text.n == 0 || memcmp(p, text.s, text.n) == 0);
	while (p < end) {
		size_t n = 1;

		if (*p == '\\')
			n = decode_escape(&p, end, buf);
		else
			buf[0] = *p++;
		if (text.n < n || memcmp(text.s, buf, n) != 0)
			return false;
		text = str_from(text, n);
	}
	return text.n == 0;
}

/* ---- numbers ---- */

double
json_double(const struct json *v)
{
	char digits[64], *copy = digits;
	double value;

	if (!json_is(v, JSON_NUMBER))
		return NAN;
	if (v->text.n >= sizeof digits) {
		copy = malloc(v->text.n + 1);
		if (copy == NULL)
			diag_die("out of memory");
	}
	memcpy(copy, v->text.s, v->text.n);
	copy[v->text.n] = '\0';
	value = strtod(copy, NULL);
	if (copy != digits)
		free(copy);
	return value;
}

bool
json_int(const struct json *v, int64_t *value)
{
	double d = json_double(v);
	char digits[24];

	if (isnan(d) || d != floor(d) || d < -0x1p63 || d >= 0x1p63)
		return false;
	*value = (int64_t)d;
	if (v->text.n < sizeof digits &&
	    str_find_char(v->text, '.') == v->text.n &&
	    str_find_char(v->text, 'e') == v->text.n &&
	    str_find_char(v->text, 'E') == v->text.n) {
		memcpy(digits, v->text.s, v->text.n);
		digits[v->text.n] = '\0';
		*value = strtoll(digits, NULL, 10);
	}
	return true;
}

/* ---- equality ---- */

static bool
strings_equal(const struct json *a, const struct json *b)
{
	struct arena memory = { 0 };
	bool equal;

	if (!(b->flags & JSON_ESCAPED))
		return json_str_is(a, json_raw(b));
	if (!(a->flags & JSON_ESCAPED))
		return json_str_is(b, json_raw(a));
	equal = json_str_is(a, json_text(b, &memory));
	arena_free(&memory);
	return equal;
}

static const struct json *
get_same_key(const struct json *object, const struct json *name)
{
	const struct json *found = NULL;

	for (json_members(key, object))
		if (strings_equal(key, name))
			found = json_value(key);
	return found;
}

static bool
objects_within(const struct json *a, const struct json *b)
{
	for (json_members(key, a)) {
		const struct json *other = get_same_key(b, key);

		if (other == NULL || !json_equal(get_same_key(a, key), other))
			return false;
	}
	return true;
}

static bool
lists_equal(const struct json *a, const struct json *b)
{
	const struct json *x = json_first(a), *y = json_first(b);

	for (; x != NULL && y != NULL; x = json_next(a, x), y = json_next(b, y))
		if (!json_equal(x, y))
			return false;
	return x == y;
}

bool
json_equal(const struct json *a, const struct json *b)
{
	if (a == NULL || b == NULL || a->type != b->type)
		return a == b;
	switch (a->type) {
	case JSON_NUMBER:
		return json_double(a) == json_double(b);
	case JSON_STRING:
		return strings_equal(a, b);
	case JSON_ARRAY:
		return lists_equal(a, b);
	case JSON_OBJECT:
		return objects_within(a, b) && objects_within(b, a);
	default:
		return true;
	}
}
