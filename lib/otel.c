#include "otel.h"

#include <math.h>

#include "keep.h"
#include "out.h"
#include "when.h"

const struct json *
otel_find(const struct json *attributes, const char *names)
{
	const struct json *found = NULL;
	struct str rest = str_of(names);

	while (found == NULL && rest.s != NULL) {
		struct str name = str_cut(&rest, ' ');

		found = json_get(attributes, name);
		if (found == NULL && str_find_char(name, '.') != name.n)
			for (found = attributes;
			     found != NULL && name.s != NULL;)
				found = json_get(found, str_cut(&name, '.'));
		if (json_is(found, JSON_NULL))
			found = NULL;
	}
	return found;
}

/* ---- ids and times ---- */

#define TRACE_ID "traceId trace_id traceID context.trace_id spanContext.traceId"
#define SPAN_ID "spanId span_id spanID context.span_id spanContext.spanId"
#define PARENT_ID \
	"parentSpanId parent_span_id parent_id parentId " \
	"parentSpanContext.spanId parent.span_id parent.spanId"
#define START "startTimeUnixNano start_time_unix_nano startTime start_time"
#define END "endTimeUnixNano end_time_unix_nano endTime end_time"

bool
otel_is_span(const struct json *v)
{
	return otel_find(v, SPAN_ID) != NULL && otel_find(v, START) != NULL &&
	    otel_find(v, "name operationName") != NULL;
}

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
		return SPAN_NO_TIME;
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
			return SPAN_NO_TIME;
		exact = (int64_t)n;
	}
	return nano ? exact : scaled(n, exact);
}

static int64_t
time_of_text(struct str text, bool nano)
{
	struct json_reader reader = { 0 };
	struct json_error error;
	int64_t t = SPAN_NO_TIME, ms;

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
	return SPAN_NO_TIME;
}

/* ---- how it ended ---- */

static bool
is_failed(const struct json *span)
{
	const struct json *code =
	    otel_find(span, "status.code status.status_code status_code");

	return json_double(code) == 2 || json_str_is(code, STR("ERROR")) ||
	    json_str_is(code, STR("STATUS_CODE_ERROR"));
}

/* An exception's message, from the events. */
static const struct json *
exception_of(struct arena *a, const struct json *span)
{
	for (json_each(event, otel_find(span, "events logs"))) {
		const struct json *message =
		    otel_find(otel_attributes(a, event), "exception.message");

		if (message != NULL)
			return message;
	}
	return NULL;
}

static const struct json *
error_of(struct arena *a, const struct json *span)
{
	const struct json *v =
	    otel_find(span, "status.message status.description status_message");

	if (json_raw(v).n == 0)
		v = exception_of(a, span);
	if (v == NULL)
		v = otel_find(otel_attributes(a, span),
		    "exception.message error.message error.type");
	if (v == NULL)
		v = keep_string(a,
		    str_printf(a, "%.*s ended in an error",
			STR_FMT(
			    json_raw(otel_find(span, "name operationName")))));
	return v;
}

static struct str
id_of(const struct json *v)
{
	return json_is(v, JSON_STRING) ? json_raw(v)
	    : json_is(v, JSON_NUMBER)  ? v->text
				       : (struct str){ 0 };
}

void
otel_place(struct arena *a, struct span *s, const struct json *v, bool nano)
{
	static const struct json no = { { "false", 5 }, 1, JSON_FALSE, 0 };
	static const struct json yes = { { "true", 4 }, 1, JSON_TRUE, 0 };

	s->trace = id_of(otel_find(v, TRACE_ID));
	s->id = id_of(otel_find(v, SPAN_ID));
	s->parent = id_of(otel_find(v, PARENT_ID));
	s->start = otel_time(otel_find(v, START), nano);
	s->end = otel_time(otel_find(v, END), nano);
	if (is_failed(v)) {
		s->error = error_of(a, v);
		s->is_error = &yes;
	} else if (s->end != SPAN_NO_TIME) {
		s->is_error = &no;
	}
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

/* A value as OTLP wraps it, or, as Jaeger has it, the value itself. */
static void
put_wrapped(struct out *o, const struct json *wrapped)
{
	const struct json *key =
	    json_first(json_is(wrapped, JSON_OBJECT) ? wrapped : NULL);
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

const struct json *
otel_attributes(struct arena *a, const struct json *v)
{
	const struct json *attributes = otel_find(v, "attributes tags fields");
	struct out o;

	if (!json_is(attributes, JSON_ARRAY))
		return attributes;
	out_open_memory(&o);
	put_pairs(&o, attributes);
	return keep_parsed(a, out_keep(&o, a));
}
