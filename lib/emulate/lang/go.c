#include "emulate/lang/go.h"

#include <math.h>
#include <stdlib.h>

#include "base/date.h"
#include "emulate/lang/js.h"
#include "io/out.h"
#include "text/unicode.h"
#include "json/decimal.h"
#include "json/keys.h"

/* Numbers below 0.0001, and from 1e+06 on, are printed with an exponent. The
 * limits are values of js_decimal's `point`. */
enum {
	EXPONENT_LOW = -4,
	EXPONENT_HIGH = 6,
};

/* Prints a float as %v does: the fewest digits that read back as the same
 * number. */
static void
print_float(struct out *o, double value)
{
	struct js_decimal d;

	if (isinf(value) || value == 0) {
		out_text(o, signbit(value) ? "-" : isinf(value) ? "+" : "");
		out_text(o, value == 0 ? "0" : "Inf");
		return;
	}
	d = js_shortest(fabs(value));
	if (d.point <= EXPONENT_LOW || d.point > EXPONENT_HIGH)
		out_printf(o, "%s%.1s%s%se%+03d", value < 0 ? "-" : "",
		    d.digits, d.n > 1 ? "." : "", d.digits + 1, d.point - 1);
	else
		out_printf(o, "%.*f", d.n > d.point ? d.n - d.point : 0, value);
}

struct str
go_json_str(struct arena *a, struct str text)
{
	text = out_quote(a, text);
	text = str_replace(a, text, STR("<"), STR("\\u003c"));
	text = str_replace(a, text, STR(">"), STR("\\u003e"));
	text = str_replace(a, text, STR("&"), STR("\\u0026"));
	text = str_replace(a, text, STR("\u2028"), STR("\\u2028"));
	return str_replace(a, text, STR("\u2029"), STR("\\u2029"));
}

static void
print_number(struct out *o, const struct json *v, bool written)
{
	struct str digits = v->text;

	if (!written || !decimal_is_plain(digits))
		print_float(o, json_double(v));
	else
		out_str(o, str_is(digits, "-0") ? STR("0") : digits);
}

/* ---- instants ---- */

/* Returns what %v prints for an instant that yaml.v3 reads (2024-01-15, or with
 * a time of day, or with a zone): 2024-01-15 00:00:00 +0000 UTC. Absent if the
 * text is not an instant. */
static struct str
print_time(struct arena *a, struct str text)
{
	struct date t;
	struct str zone = STR("+0000 UTC");
	int minutes;

	if (!date_read(&t, text))
		return (struct str){ 0 };
	minutes = t.offset < 0 ? -t.offset : t.offset;
	if (minutes != 0) {
		zone = str_printf(a, "%c%02d%02d", t.offset < 0 ? '-' : '+',
		    minutes / 60, minutes % 60);
		zone = str_printf(a, "%.*s %.*s", STR_FMT(zone), STR_FMT(zone));
	}
	return str_printf(a, "%04d-%02d-%02d %02d:%02d:%02d%s%.*s %.*s", t.year,
	    t.month, t.day, t.hour, t.minute, t.second,
	    t.fraction.n == 0 ? "" : ".", STR_FMT(t.fraction), STR_FMT(zone));
}

/* ---- containers ---- */

struct printer {
	struct out *out;
	struct arena *arena;
	const struct document *written; /* NULL: JSON */
};

struct member {
	struct str key;
	const struct json *value;
};

static int
by_key(const void *a, const void *b)
{
	return str_cmp(
	    ((const struct member *)a)->key, ((const struct member *)b)->key);
}

/* Returns the object's members sorted by key; of duplicate keys, the last
 * counts. */
static struct member *
sorted(const struct json *object, struct arena *a, size_t *n)
{
	struct hash_table last = json_keys_last(object, a);
	struct member *list = NULL;

	*n = 0;
	for (json_members(key, object))
		if (json_keys_is_last(&last, key, a))
			*arena_push(a, list, *n) =
			    (struct member){ json_text(key, a),
				    json_value(key) };
	if (*n != 0)
		qsort(list, *n, sizeof *list, by_key);
	return list;
}

static struct str
string(const struct printer *p, const struct json *v)
{
	struct str text = json_text(v, p->arena);

	return p->written != NULL && document_is_time(p->written, v)
	    ? print_time(p->arena, text)
	    : text;
}

static void print(const struct printer *, const struct json *);

static void
print_object(const struct printer *p, const struct json *object)
{
	size_t n;
	struct member *list = sorted(object, p->arena, &n);

	out_text(p->out, "map[");
	for (size_t i = 0; i < n; i++) {
		if (i != 0)
			out_char(p->out, ' ');
		out_str(p->out, list[i].key);
		out_char(p->out, ':');
		print(p, list[i].value);
	}
	out_char(p->out, ']');
}

static void
print_list(const struct printer *p, const struct json *list)
{
	out_char(p->out, '[');
	for (json_each(v, list)) {
		if (v != json_first(list))
			out_char(p->out, ' ');
		print(p, v);
	}
	out_char(p->out, ']');
}

static void
print(const struct printer *p, const struct json *v)
{
	switch (v->type) {
	case JSON_NULL:
		out_text(p->out, "<nil>");
		break;
	case JSON_NUMBER:
		print_number(p->out, v, p->written != NULL);
		break;
	case JSON_STRING:
		out_str(p->out, string(p, v));
		break;
	case JSON_ARRAY:
		print_list(p, v);
		break;
	case JSON_OBJECT:
		print_object(p, v);
		break;
	default:
		out_text(p->out, v->type == JSON_TRUE ? "true" : "false");
	}
}

struct str
go_text(struct arena *a, const struct json *v, const struct document *written)
{
	struct out o;
	const struct printer p = { &o, a, written };

	if (json_is(v, JSON_STRING))
		return string(&p, v);
	out_open_memory(&o);
	print(&p, v);
	return out_keep(&o, a);
}

/* ---- white space ---- */

struct str
go_trim(struct str text)
{
	return unicode_trim(text, unicode_is_space);
}

struct str
go_word(struct str text)
{
	struct str rest = text;
	size_t n;

	while (rest.n > 0 && !unicode_is_space(unicode_decode(rest, &n)))
		rest = str_from(rest, n);
	return str_slice(text, 0, text.n - rest.n);
}

/* ---- comparison ---- */

static bool
equal_numbers(const struct json *a, const struct json *b)
{
	int64_t x, y;

	if (json_int(a, &x) && json_int(b, &y))
		return x == y;
	return json_double(a) == json_double(b);
}

static bool
equal_lists(struct arena *a, const struct document *d,
    const struct json *expected, const struct json *actual)
{
	const struct json *other = json_first(actual);

	if (json_count(expected) != json_count(actual))
		return false;
	for (json_each(v, expected)) {
		if (!go_equal(a, d, v, other))
			return false;
		other = json_next(actual, other);
	}
	return true;
}

static bool
equal_objects(struct arena *a, const struct document *d,
    const struct json *expected, const struct json *actual)
{
	size_t n, m;
	struct member *x = sorted(expected, a, &n), *y = sorted(actual, a, &m);

	if (n != m)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!str_eq(x[i].key, y[i].key) ||
		    !go_equal(a, d, x[i].value, y[i].value))
			return false;
	return true;
}

bool
go_equal(struct arena *a, const struct document *d, const struct json *expected,
    const struct json *actual)
{
	if (expected->type == actual->type) {
		switch (expected->type) {
		case JSON_NUMBER:
			return equal_numbers(expected, actual);
		case JSON_ARRAY:
			return equal_lists(a, d, expected, actual);
		case JSON_OBJECT:
			return equal_objects(a, d, expected, actual);
		default:
			break;
		}
	}
	if (str_eq(go_text(a, expected, d), go_text(a, actual, NULL)))
		return true;
	return json_is(actual, JSON_STRING) &&
	    (json_is(expected, JSON_NUMBER) || document_is_time(d, expected)) &&
	    str_eq(document_source(d, expected), json_text(actual, a));
}
