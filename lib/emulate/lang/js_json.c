/* js_stringify: writes values as JSON.stringify does. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "emulate/lang/js.h"
#include "text/unicode.h"

/* Returns a number with at most fifteen digits and no exponent as JavaScript
 * prints it: its own source without zeros at the end of the fraction. Absent if
 * the number is not of that form. */
static struct str
short_form(struct str number)
{
	size_t point = str_find_char(number, '.');

	if (number.n > 16 || number.s[0] == '-' ||
	    str_starts(number, "0.0000") ||
	    str_find_char(number, 'e') < number.n ||
	    str_find_char(number, 'E') < number.n)
		return (struct str){ 0 };
	if (point == number.n)
		return number.n < 16 ? number : (struct str){ 0 };
	while (number.s[number.n - 1] == '0')
		number.n--;
	if (number.n == point + 1)
		number.n = point;
	return number;
}

static void
put_number(struct out *o, const struct json *v)
{
	struct str text = short_form(v->text);
	char buf[JS_NUMBER_SIZE];
	double value;

	if (text.s == NULL) {
		value = json_double(v);
		text = isfinite(value) ? js_number(value, buf) : STR("null");
	}
	out_str(o, text);
}

/* Returns the UTF-16 code unit of the \uXXXX escape at p. */
static unsigned
unit_at(const char *p)
{
	char hex[5] = { p[2], p[3], p[4], p[5], '\0' };

	return (unsigned)strtoul(hex, NULL, 16);
}

static void
put_unit(struct out *o, unsigned unit)
{
	static const char escaped[] = "\b\t\n\f\r\"\\", letters[] = "btnfr\"\\";
	const char *found = memchr(escaped, (int)unit, sizeof escaped - 1);
	char buf[4];

	if (unit < 0x80 && found != NULL) {
		out_char(o, '\\');
		out_char(o, letters[found - escaped]);
	} else if (unit < 0x20 || (unit >= 0xd800 && unit <= 0xdfff)) {
		out_printf(o, "\\u%04x", unit);
	} else {
		out_str(o, (struct str){ buf, unicode_encode(unit, buf) });
	}
}

/* Writes the character of the escape at p; returns the length of the escape. */
static size_t
put_escape(struct out *o, const char *p, const char *end)
{
	unsigned unit, low;
	char buf[4];

	if (p[1] == '/') {
		out_char(o, '/');
		return 2;
	}
	if (p[1] != 'u') {
		out_str(o, (struct str){ p, 2 });
		return 2;
	}
	unit = unit_at(p);
	if (unit >= 0xd800 && unit < 0xdc00 && end - p >= 12 && p[6] == '\\' &&
	    p[7] == 'u' && (low = unit_at(p + 6)) >= 0xdc00 && low <= 0xdfff) {
		unit = 0x10000 + ((unit - 0xd800) << 10) + low - 0xdc00;
		out_str(o, (struct str){ buf, unicode_encode(unit, buf) });
		return 12;
	}
	put_unit(o, unit);
	return 6;
}

/* Writes a string. Without escapes, the source is already what JavaScript
 * writes. */
static void
put_string(struct out *o, const struct json *v)
{
	const char *p = v->text.s, *end = p + v->text.n;

	while (p < end) {
		const char *stop = v->flags & JSON_ESCAPED
		    ? memchr(p, '\\', (size_t)(end - p))
		    : NULL;

		if (stop == NULL)
			stop = end;
		out_str(o, (struct str){ p, (size_t)(stop - p) });
		p = stop;
		if (p < end)
			p += put_escape(o, p, end);
	}
}

/* A member of an object in JavaScript's order. */
struct member {
	const struct json *key, *value;
	uint64_t index; /* the key as an array index, or NO_INDEX */
	size_t place;
};

#define NO_INDEX UINT64_MAX

static uint64_t
array_index(struct str key)
{
	uint64_t index = 0;

	if (key.n == 0 || key.n > 10 || (key.n > 1 && key.s[0] == '0'))
		return NO_INDEX;
	for (size_t i = 0; i < key.n; i++) {
		if (key.s[i] < '0' || key.s[i] > '9')
			return NO_INDEX;
		index = index * 10 + (uint64_t)(key.s[i] - '0');
	}
	return index < UINT32_MAX ? index : NO_INDEX;
}

static int
by_index_then_place(const void *a, const void *b)
{
	const struct member *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Returns the key in a canonical spelling. (Decoding would make all lone
 * surrogates the same.) */
static struct str
one_spelling(const struct json *key, struct arena *a)
{
	struct str copy;
	struct out o;

	if (!(key->flags & JSON_ESCAPED))
		return json_raw(key);
	out_open_memory(&o);
	put_string(&o, key);
	copy = out_keep(&o, a);
	return str_slice(copy, 1, copy.n - 1);
}

/* Returns the object's members in the order of JSON.parse, in the arena. */
static struct member *
ordered(const struct json *object, size_t *n, struct arena *a)
{
	struct member *list = arena_new_n(a, struct member, json_count(object));
	struct hash_table seen = { .arena = a };

	*n = 0;
	for (json_members(key, object)) {
		struct str name = one_spelling(key, a);
		void **slot = hash_put(&seen, name);
		struct member *m = *slot;

		if (m == NULL) {
			*slot = m = &list[*n];
			*m = (struct member){ .key = key,
				.index = array_index(name),
				.place = (*n)++ };
		}
		m->value = json_value(key);
	}
	qsort(list, *n, sizeof *list, by_index_then_place);
	return list;
}

static void
put_object(struct out *o, const struct json *object, struct arena *a)
{
	size_t n;
	const struct member *list = ordered(object, &n, a);

	out_char(o, '{');
	for (size_t i = 0; i < n; i++) {
		if (i != 0)
			out_char(o, ',');
		put_string(o, list[i].key);
		out_char(o, ':');
		js_stringify(o, list[i].value, a);
	}
	out_char(o, '}');
}

void
js_stringify(struct out *o, const struct json *v, struct arena *a)
{
	switch (v->type) {
	case JSON_NUMBER:
		put_number(o, v);
		break;
	case JSON_STRING:
		put_string(o, v);
		break;
	case JSON_OBJECT:
		put_object(o, v, a);
		break;
	case JSON_ARRAY:
		out_char(o, '[');
		for (json_each(item, v)) {
			if (item != json_first(v))
				out_char(o, ',');
			js_stringify(o, item, a);
		}
		out_char(o, ']');
		break;
	default:
		out_str(o, v->text);
	}
}

uint64_t
js_hash(uint64_t so_far, const struct json *v, struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	js_stringify(&o, v, a);
	return hash_add(so_far, out_keep(&o, a));
}
