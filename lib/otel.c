#include "otel.h"

#include <math.h>

#include "keep.h"
#include "out.h"
#include "when.h"

/* The bit of a name by its end, and by how long it is. */
static uint64_t
ending(const char *last, size_t n)
{
	return UINT64_C(1) << ((*last + 5 * n) & 63);
}

struct otel_object
otel_object(const struct json *v)
{
	struct otel_object o = { .json = v };

	for (json_members(key, v)) {
		const char *name = key->text.s + 1;
		size_t n = key->text.n - 2;

		o.initials |= UINT64_C(1) << (*name & 63);
		o.endings |= ending(name + n - 1, n);
		if (key->flags & JSON_ESCAPED)
			o.initials = o.endings = UINT64_MAX;
		o.nested |= json_is(json_value(key), JSON_OBJECT);
	}
	return o;
}

const struct json *
otel_get_name(const struct otel_object *o, struct str name)
{
	const struct json *found = NULL;

	if ((o->initials >> (*name.s & 63) & 1) == 0)
		return NULL;
	if (o->endings & ending(name.s + name.n - 1, name.n))
		found = json_get(o->json, name);
	if (found == NULL && o->nested && str_find_char(name, '.') != name.n)
		for (found = o->json; found != NULL && name.s != NULL;)
			found = json_get(found, str_cut(&name, '.'));
	return json_is(found, JSON_NULL) ? NULL : found;
}

const struct json *
otel_get(const struct otel_object *o, const char *names)
{
	while (names != NULL && o->initials != 0) {
		const char *end = strchr(names, ' ');
		size_t n = end == NULL ? strlen(names) : (size_t)(end - names);
		const struct json *found =
		    otel_get_name(o, (struct str){ names, n });

		if (found != NULL)
			return found;
		names = end == NULL ? NULL : end + 1;
	}
	return NULL;
}

const struct json *
otel_find(const struct json *v, const char *names)
{
	struct otel_object o = otel_object(v);

	return otel_get(&o, names);
}

struct str
otel_id(const struct json *v)
{
	return json_is(v, JSON_STRING) ? json_raw(v)
	    : json_is(v, JSON_NUMBER)  ? v->text
				       : (struct str){ 0 };
}

/* ---- times ---- */

/* What RFC 3339 text has behind the milliseconds, in nanoseconds. */
static int64_t
below_milliseconds(struct str text)
{
	int64_t ns = 0, weight = 100000000;

	for (size_t i = str_find_char(text, '.') + 1; i < text.n; i++) {
		if (text.s[i] < '0' || text.s[i] > '9')
			break;
		ns += (text.s[i] - '0') * weight;
		weight /= 10;
	}
	return ns % 1000000;
}

/* A count since 1970 of the smallest unit that does not put it in the far
 * past; what is below a microsecond in seconds is noise. */
static int64_t
scaled(double n, int64_t exact)
{
	if (fabs(n) >= 1e17)
		return exact;
	if (fabs(n) >= 1e14)
		return exact * 1000;
	if (fabs(n) >= 1e11)
		return exact * 1000000;
	if (fabs(n) >= 9e9)
		return OTEL_NO_TIME;
	return exact * 1000000000 +
	    (int64_t)llround((n - (double)exact) * 1e6) * 1000;
}

static int64_t
time_of_number(const struct json *v, bool nano)
{
	double n = json_double(v);
	int64_t exact;

	if (!json_int(v, &exact)) {
		if (!(fabs(n) < 9e18))
			return OTEL_NO_TIME;
		exact = (int64_t)n;
	}
	return nano ? exact : scaled(n, exact);
}

static int64_t
time_of_text(struct str text, bool nano)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	int64_t t = OTEL_NO_TIME, ms;

	if (when_text(text, &ms)) {
		if (ms / 1000000 > -9000000 && ms / 1000000 < 9000000)
			t = ms * 1000000 + below_milliseconds(text);
		return t;
	}
	t = time_of_number(json_read(&reader, text, NULL, &error), nano);
	json_reader_free(&reader);
	return t;
}

int64_t
otel_time(const struct json *v, bool nano)
{
	int64_t seconds, ns;

	if (json_is(v, JSON_STRING))
		return time_of_text(json_raw(v), nano);
	if (json_is(v, JSON_NUMBER))
		return time_of_number(v, nano);
	if (json_count(v) == 2 && json_int(json_at(v, 0), &seconds) &&
	    json_int(json_at(v, 1), &ns) && seconds >= 0 &&
	    seconds < 9000000000 && ns >= 0 && ns < 1000000000)
		return seconds * 1000000000 + ns;
	return OTEL_NO_TIME;
}

/* ---- attributes ---- */

static void put_wrapped(struct out *, const struct json *);

static void
put_pairs(struct out *o, const struct json *list)
{
	out_begin(o, '{');
	for (json_each(pair, list)) {
		const struct json *key = json_get(pair, STR("key"));

		if (!json_is(key, JSON_STRING))
			continue;
		out_key_body(o, json_raw(key));
		put_wrapped(o, json_get(pair, STR("value")));
	}
	out_end(o, '}');
}

const struct json *
otel_unquoted(struct arena *a, const struct json *v)
{
	const struct json *inner = NULL;

	if (str_starts(json_raw(v), STR("\\\"")))
		inner = keep_parsed(a, json_text(v, a));
	return json_is(inner, JSON_STRING) ? inner : v;
}

/* {"stringValue": "a"}, {"intValue": "1"}, ... */
static void
put_scalar(struct out *o, struct str kind, const struct json *v)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	bool number = str_starts(kind, STR("int")) &&
	    json_is(json_read(&reader, json_raw(v), NULL, &error), JSON_NUMBER);

	out_json_raw(o, number ? json_raw(v) : v->text);
	json_reader_free(&reader);
}

/* Of a value as OTLP wraps it the member that holds it; NULL if the value is
 * plain, as Jaeger and the SDKs have it. Phoenix has a null for each kind that
 * the value is not of. */
static const struct json *
wrapped_in(const struct json *v)
{
	const struct json *holds = NULL;

	for (json_members(key, v)) {
		bool kind = str_ends(json_raw(key), STR("Value")) ||
		    str_ends(json_raw(key), STR("_value"));

		if (kind && json_is(json_value(key), JSON_NULL))
			continue;
		if (!kind || holds != NULL)
			return NULL;
		holds = key;
	}
	return holds;
}

static void
put_wrapped(struct out *o, const struct json *wrapped)
{
	const struct json *key = wrapped_in(wrapped);
	struct str kind = json_raw(key);
	const struct json *values;

	if (key == NULL) {
		out_json_raw(o, wrapped == NULL ? STR("null") : wrapped->text);
		return;
	}
	values = json_get(json_value(key), STR("values"));
	if (str_starts(kind, STR("kvlist"))) {
		put_pairs(o, values);
	} else if (str_starts(kind, STR("array"))) {
		out_begin(o, '[');
		for (json_each(element, values))
			put_wrapped(o, element);
		out_end(o, ']');
	} else {
		put_scalar(o, kind, json_value(key));
	}
}

/* The attribute that a column of Phoenix's tables has; else absent. */
static struct str
column_of(const struct json *key)
{
	struct str name = json_raw(key), before = STR("attributes.");

	if (!str_starts(name, before) || json_is(json_value(key), JSON_NULL))
		return (struct str){ 0 };
	return str_from(name, before.n);
}

/* As other exporters have it: each value under a name of its own. */
static void
put_flat(struct arena *a, struct out *o, struct str name, const struct json *v)
{
	int n = 0;

	for (json_each(element, v))
		put_flat(a, o, str_printf(a, "%.*s.%d", STR_FMT(name), n++),
		    element);
	for (json_members(key, v))
		put_flat(a, o,
		    str_printf(
			a, "%.*s.%.*s", STR_FMT(name), STR_FMT(json_raw(key))),
		    json_value(key));
	if (json_is(v, JSON_ARRAY) || json_is(v, JSON_OBJECT))
		return;
	out_key_body(o, name);
	out_json_raw(o, v->text);
}

/* Messages are lists in such a table, of objects with names of dots. */
static const struct json *
columns(struct arena *a, const struct json *row)
{
	struct out o;
	bool any = false;

	out_open_memory(&o);
	out_begin(&o, '{');
	for (json_members(key, row)) {
		struct str name = column_of(key);

		if (name.n == 0)
			continue;
		any = true;
		if (str_ends(name, STR("_messages"))) {
			put_flat(a, &o, name, json_value(key));
			continue;
		}
		out_key_body(&o, name);
		out_json_raw(&o, json_value(key)->text);
	}
	out_end(&o, '}');
	if (any)
		return keep_parsed(a, out_keep(&o, a));
	out_close(&o);
	return NULL;
}

const struct json *
otel_attributes(struct arena *a, const struct json *v)
{
	const struct json *attributes = otel_find(v, "attributes tags fields");
	struct out o;

	if (attributes == NULL)
		return columns(a, v);
	if (!json_is(attributes, JSON_ARRAY))
		return attributes;
	out_open_memory(&o);
	put_pairs(&o, attributes);
	return keep_parsed(a, out_keep(&o, a));
}

const struct json *
otel_value(struct arena *a, const struct json *v)
{
	struct out o;

	if (wrapped_in(v) == NULL)
		return v;
	out_open_memory(&o);
	put_wrapped(&o, v);
	return keep_parsed(a, out_keep(&o, a));
}

const struct json *
otel_attribute(const struct json *v, const char *name)
{
	const struct json *attributes = otel_find(v, "attributes tags fields");

	if (attributes == NULL)
		for (json_members(key, v))
			if (str_eq(column_of(key), str_of(name)))
				return json_value(key);
	if (!json_is(attributes, JSON_ARRAY))
		return otel_find(attributes, name);
	for (json_each(pair, attributes)) {
		const struct json *value = json_get(pair, STR("value"));
		const struct json *key;

		if (!json_str_is(json_get(pair, STR("key")), str_of(name)))
			continue;
		key = wrapped_in(value);
		return key == NULL ? value : json_value(key);
	}
	return NULL;
}

const struct json *
otel_text(const struct json *v)
{
	return json_str_is(v, STR("<REDACTED>")) ||
		json_str_is(v, STR("[REDACTED]"))
	    ? NULL
	    : v;
}
