#include "extract/otel/span.h"

#include "extract/otel/otel.h"
#include "extract/value/copy.h"

bool
otel_span_is(const struct lookup *v)
{
	return otel_get(v, OTEL_SPAN_NAME) != NULL &&
	    otel_get(v, OTEL_SPAN_ID) != NULL &&
	    otel_get(v, OTEL_START) != NULL;
}

/* Returns the parent. Jaeger has a list of references, of which the first is
 * the parent. */
static const struct json *
parent_of(const struct lookup *span)
{
	const struct json *id = otel_get(span, OTEL_PARENT_ID);

	if (id == NULL)
		id = json_get(
		    json_at(json_get(span->json, "references"), 0), "spanID");
	return id;
}

/* Returns the end. Jaeger logs a duration in microseconds instead. */
static int64_t
end_of(const struct lookup *span, int64_t start, bool nano)
{
	const struct json *end = otel_get(span, OTEL_END);
	int64_t taken;

	if (end != NULL || start == SPAN_NO_TIME ||
	    json_get(span->json, "operationName") == NULL ||
	    !json_int(json_get(span->json, "duration"), &taken) ||
	    __builtin_mul_overflow(taken, 1000, &taken) ||
	    __builtin_add_overflow(start, taken, &taken))
		return otel_time(end, nano);
	return taken;
}

/* ---- how it ended ---- */

static bool
is_unset(const struct json *code)
{
	return code == NULL || json_double(code) == 0 ||
	    json_str_is(code, "UNSET") ||
	    json_str_is(code, "STATUS_CODE_UNSET");
}

/* Returns an attribute as it was logged: an error type may be a number that
 * OTLP writes as text. */
static const struct json *
logged(const struct lookup *span, const struct lookup *attributes,
    const char *name)
{
	return lookup_get(attributes, str_of(name)) == NULL
	    ? NULL
	    : otel_attribute(span->json, name);
}

static bool
is_failed(const struct lookup *span, const struct lookup *attributes)
{
	const struct json *code = otel_get(span, OTEL_STATUS_CODE);

	if (code == NULL)
		code = logged(span, attributes, "otel.status_code");
	if (is_unset(code))
		return json_raw(logged(span, attributes, "error.type")).n != 0;
	return json_double(code) == 2 || json_str_is(code, "ERROR") ||
	    json_str_is(code, "STATUS_CODE_ERROR");
}

/* Returns the message of an exception among the events. */
static const struct json *
exception_of(struct arena *a, const struct lookup *span)
{
	for (json_each(event, otel_get(span, OTEL_EVENTS))) {
		const struct json *message =
		    otel_find(otel_attributes(a, event), "exception.message");

		if (message != NULL)
			return message;
	}
	return NULL;
}

static const struct json *
error_of(
    struct arena *a, const struct lookup *span, const struct lookup *attributes)
{
	const struct json *v = otel_get(span, OTEL_STATUS_MESSAGE);

	if (json_raw(v).n == 0)
		v = exception_of(a, span);
	if (v == NULL)
		v = otel_get(attributes, OTEL_ERROR);
	if (v == NULL)
		v = copy_string(a,
		    str_printf(a, "%.*s ended in an error",
			STR_FMT(json_raw(otel_get(span, OTEL_SPAN_NAME)))));
	return v;
}

void
otel_span_place(struct arena *a, struct span *s, const struct lookup *span,
    const struct lookup *attributes, bool nano)
{
	s->trace = otel_id(otel_get(span, OTEL_TRACE_ID));
	s->id = otel_id(otel_get(span, OTEL_SPAN_ID));
	s->parent = otel_id(parent_of(span));
	s->start = otel_time(otel_get(span, OTEL_START), nano);
	s->end = end_of(span, s->start, nano);
	if (is_failed(span, attributes)) {
		s->error = error_of(a, span, attributes);
		s->is_error = builder_bool(true);
	} else if (s->end != SPAN_NO_TIME) {
		s->is_error = builder_bool(false);
	}
}
