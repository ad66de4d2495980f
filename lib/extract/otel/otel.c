#include "extract/otel/otel.h"

#include <math.h>

#include "base/timestamp.h"
#include "extract/value/copy.h"
#include "io/out.h"

const struct json *
otel_find_in(const struct lookup *v, const char *names)
{
	const struct json *found = NULL;
	struct str rest = str_of(names);

	while (found == NULL && rest.s != NULL)
		found = lookup_get(v, str_cut(&rest, ' '));
	return found;
}

const struct json *
otel_find(const struct json *v, const char *names)
{
	struct lookup m = lookup_of(v);

	return otel_find_in(&m, names);
}

struct str
otel_id(const struct json *v)
{
	return json_is(v, JSON_STRING) ? json_raw(v)
	    : json_is(v, JSON_NUMBER)  ? v->text
				       : (struct str){ 0 };
}

/* ---- times ---- */

/* Returns the part of an RFC 3339 time below the milliseconds, in
 * nanoseconds. */
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

/* Converts a time since 1970 to nanoseconds. The unit is the smallest that does
 * not put the time in the distant past; digits of seconds below a microsecond
 * are noise. */
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
		return SPAN_NO_TIME;
	return exact * 1000000000 +
	    (int64_t)llround((n - (double)exact) * 1e6) * 1000;
}

static int64_t
time_of_number(const struct json *v, bool nano)
{
	int64_t exact;
	double n;

	if (json_int(v, &exact)) {
		n = (double)exact;
	} else {
		n = json_double(v);
		if (!(fabs(n) < 9e18))
			return SPAN_NO_TIME;
		exact = (int64_t)n;
	}
	return nano ? exact : scaled(n, exact);
}

/* Returns whether the text is a JSON number. Most such texts are digits only,
 * which is decided without the JSON reader. */
static bool
number_in(struct str text, struct json *number)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	const struct json *v;
	size_t n = 0;

	while (n < text.n && text.s[n] >= '0' && text.s[n] <= '9')
		n++;
	*number = (struct json){ .text = text, .span = 1, .type = JSON_NUMBER };
	if (n != 0 && n == text.n && (n == 1 || *text.s != '0'))
		return true;
	v = json_read(&reader, text, NULL, &error);
	if (json_is(v, JSON_NUMBER))
		*number = *v;
	else
		number->type = JSON_NULL;
	json_reader_free(&reader);
	return number->type == JSON_NUMBER;
}

static int64_t
time_of_text(struct str text, bool nano)
{
	int64_t t = SPAN_NO_TIME, ms;
	struct json number;
	uint64_t ns = 0;
	size_t n = 0;

	/* Nanoseconds of OTLP, which have 19 digits. */
	while (n < text.n && n < 19 && text.s[n] >= '0' && text.s[n] <= '9')
		ns = ns * 10 + (uint64_t)(text.s[n++] - '0');
	if (n == 19 && text.n == 19 && *text.s == '1')
		return (int64_t)ns;
	if (timestamp_text(text, &ms)) {
		if (ms / 1000000 > -9000000 && ms / 1000000 < 9000000)
			t = ms * 1000000 + below_milliseconds(text);
		return t;
	}
	return number_in(text, &number) ? time_of_number(&number, nano) : t;
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
	return SPAN_NO_TIME;
}

/* ---- attributes ---- */

/* Returns the key of the member that holds the value which OTLP wraps, or NULL
 * if the value is plain, as Jaeger and the SDKs write it. Phoenix writes a null
 * for each kind that the value is not. */
static const struct json *
wrapped_in(const struct json *v)
{
	const struct json *holds = NULL;

	/* As most are: {"stringValue": "a"}. */
	if (json_is(v, JSON_OBJECT) && v->span == 3 &&
	    str_ends(v[1].text, "Value\"") && v[2].type != JSON_NULL)
		return v + 1;
	for (json_members(key, v)) {
		bool kind = str_ends(json_raw(key), "Value") ||
		    str_ends(json_raw(key), "_value");

		if (kind && json_is(json_value(key), JSON_NULL))
			continue;
		if (!kind || holds != NULL)
			return NULL;
		holds = key;
	}
	return holds;
}

static void put_wrapped(struct out *, const struct json *);

static void
put_pairs(struct out *o, const struct json *list)
{
	out_begin(o, '{');
	for (json_each(pair, list)) {
		const struct json *key = json_get(pair, "key");

		if (!json_is(key, JSON_STRING))
			continue;
		out_key_body(o, json_raw(key));
		put_wrapped(o, json_get(pair, "value"));
	}
	out_end(o, '}');
}

/* Returns the scalar in {"stringValue": "a"}, {"intValue": "1"} and so on. */
static const struct json *
scalar(const struct json *key, struct json *number)
{
	const struct json *v = json_value(key);
	bool is_number = str_starts(json_raw(key), "int") &&
	    json_is(v, JSON_STRING) && number_in(json_raw(v), number);

	return is_number ? number : v;
}

/* Returns whether the key is that of a list or an object: {"arrayValue":
 * {"values": [...]}}, {"kvlistValue": ...}. */
static bool
is_container(const struct json *key)
{
	return str_starts(json_raw(key), "kvlist") ||
	    str_starts(json_raw(key), "array");
}

static void
put_wrapped(struct out *o, const struct json *wrapped)
{
	const struct json *key = wrapped_in(wrapped);
	const struct json *values = json_get(json_value(key), "values");
	struct json number;

	if (key == NULL) {
		out_json_raw(o, wrapped == NULL ? STR("null") : wrapped->text);
	} else if (!is_container(key)) {
		out_json_raw(o, scalar(key, &number)->text);
	} else if (str_starts(json_raw(key), "kvlist")) {
		put_pairs(o, values);
	} else {
		out_begin(o, '[');
		for (json_each(element, values))
			put_wrapped(o, element);
		out_end(o, ']');
	}
}

/* Returns the plain value, which may be stored in *room. */
static const struct json *
plain(struct arena *a, const struct json *v, struct json *room)
{
	const struct json *key = wrapped_in(v);
	struct out o;

	if (key == NULL)
		return v;
	if (!is_container(key))
		return scalar(key, room);
	out_open_memory(&o);
	put_wrapped(&o, v);
	return copy_parsed(a, out_keep(&o, a));
}

const struct json *
otel_value(struct arena *a, const struct json *v)
{
	return plain(a, v, arena_new(a, struct json));
}

/* Returns an object made of the list's pairs. Its nodes are copied side by
 * side, which is much faster than writing and parsing it. */
static const struct json *
plain_pairs(struct arena *a, const struct json *list)
{
	static const struct str pair_names[] = { STR_CONST("key"),
		STR_CONST("value") };
	static const struct json null = {
		.text = STR_CONST("null"), .span = 1, .type = JSON_NULL
	};
	struct json *object = arena_room(a, list->span * sizeof *object);

	*object =
	    (struct json){ .text = list->text, .span = 1, .type = JSON_OBJECT };
	for (json_each(pair, list)) {
		const struct json *of[2], *value;
		struct json room;

		if (pair->span >= 5 && pair->type == JSON_OBJECT &&
		    str_is(pair[1].text, "\"key\"") &&
		    str_is(pair[3].text, "\"value\"") &&
		    pair[4].span == pair->span - 4) {
			of[0] = pair + 2; /* as most are */
			of[1] = pair + 4;
		} else {
			json_pick(pair, pair_names, 2, of);
		}
		if (!json_is(of[0], JSON_STRING))
			continue;
		value = plain(a, of[1], &room);
		if (value == NULL)
			value = &null;
		object[object->span++] = *of[0];
		memcpy(
		    object + object->span, value, value->span * sizeof *value);
		object->span += value->span;
	}
	return object;
}

const struct json *
otel_unquoted(struct arena *a, const struct json *v)
{
	const struct json *inner = NULL;

	if (str_starts(json_raw(v), "\\\""))
		inner = copy_parsed(a, json_text(v, a));
	return json_is(inner, JSON_STRING) ? inner : v;
}

/* Returns the attribute that a column of Phoenix's tables holds, or the absent
 * text. */
static struct str
column_of(const struct json *key)
{
	struct str name = json_raw(key), before = STR("attributes.");

	if (!str_starts(name, before) || json_is(json_value(key), JSON_NULL))
		return (struct str){ 0 };
	return str_from(name, before.n);
}

/* Writes each value under a name of its own, as other exporters do. */
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

/* Returns the attributes of a row of such a table, or NULL. Messages are lists
 * there, of objects whose names contain dots. */
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
		if (str_ends(name, "_messages")) {
			put_flat(a, &o, name, json_value(key));
			continue;
		}
		out_key_body(&o, name);
		out_json_raw(&o, json_value(key)->text);
	}
	out_end(&o, '}');
	if (any)
		return copy_parsed(a, out_keep(&o, a));
	out_close(&o);
	return NULL;
}

static const struct json *
attributes_of(const struct json *v)
{
	const struct str *name = otel_names[OTEL_ATTRIBUTES];
	const struct json *found = NULL;

	for (; found == NULL && name->s != NULL; name++) {
		found = json_get(v, *name);
		if (json_is(found, JSON_NULL))
			found = NULL;
	}
	return found;
}

const struct json *
otel_attributes(struct arena *a, const struct json *v)
{
	const struct json *attributes = attributes_of(v);

	if (attributes == NULL)
		return columns(a, v);
	return json_is(attributes, JSON_ARRAY) ? plain_pairs(a, attributes)
					       : attributes;
}

const struct json *
otel_attribute(const struct json *v, const char *name)
{
	const struct json *attributes = attributes_of(v);

	if (attributes == NULL)
		for (json_members(key, v))
			if (str_eq(column_of(key), str_of(name)))
				return json_value(key);
	if (!json_is(attributes, JSON_ARRAY))
		return otel_find(attributes, name);
	for (json_each(pair, attributes)) {
		const struct json *value = json_get(pair, "value");
		const struct json *key;

		if (!json_str_is(json_get(pair, "key"), str_of(name)))
			continue;
		key = wrapped_in(value);
		return key == NULL ? value : json_value(key);
	}
	return NULL;
}

const struct json *
otel_text(const struct json *v)
{
	return json_str_is(v, "<REDACTED>") || json_str_is(v, "[REDACTED]")
	    ? NULL
	    : v;
}
