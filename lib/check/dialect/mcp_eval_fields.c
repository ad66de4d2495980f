#include "check/dialect/mcp_eval_fields.h"

#include <math.h>

#include "lang/py.h"

/* Here null is a value, and of the wrong type. */
static const struct json *
given(struct fields *e, const char *key)
{
	(void)fields_get(e, key);
	return json_get(e->object, str_of(key));
}

static void
expected(
    struct fields *e, const struct json *v, const char *key, const char *what)
{
	struct str source = document_source(e->doc, v);

	fields_wrong(
	    e, v, "%s: expected %s, found %.*s", key, what, STR_FMT(source));
}

static bool
is_strict(const struct fields *e)
{
	const struct mcp_eval_scenario *s = e->context;

	return s->strict;
}

/* Text that names nothing but itself. */
static bool
is_text(const struct fields *e, const struct json *v)
{
	return is_strict(e) && json_is(v, JSON_STRING);
}

int64_t
mcp_eval_int_of(struct fields *e, const struct json *v, const char *key)
{
	int64_t value = 0;

	if (is_text(e, v) || !py_int(v, &value, e->arena))
		expected(e, v, key, "a whole number");
	return value;
}

int64_t
mcp_eval_int(struct fields *e, const char *key)
{
	const struct json *v = fields_need(e, key);

	return v == NULL ? 0 : mcp_eval_int_of(e, v, key);
}

int64_t
mcp_eval_int_or(struct fields *e, const char *key, int64_t otherwise)
{
	const struct json *v = given(e, key);

	return v == NULL ? otherwise : mcp_eval_int_of(e, v, key);
}

static double
float_of(struct fields *e, const struct json *v, const char *key)
{
	double value = 0;

	if (is_text(e, v) || !py_float(v, &value, e->arena))
		expected(e, v, key, "a number");
	return value;
}

double
mcp_eval_float(struct fields *e, const char *key)
{
	const struct json *v = fields_need(e, key);

	return v == NULL ? 0 : float_of(e, v, key);
}

double
mcp_eval_float_or(struct fields *e, const char *key, double otherwise)
{
	const struct json *v = given(e, key);

	return v == NULL ? otherwise : float_of(e, v, key);
}

bool
mcp_eval_bool_or(struct fields *e, const char *key, bool otherwise)
{
	const struct json *v = given(e, key);
	bool value = otherwise;

	if (v != NULL && (is_text(e, v) || !py_bool(v, &value, e->arena)))
		expected(e, v, key, "true or false");
	return value;
}

const struct json *
mcp_eval_list(struct fields *e, const char *key)
{
	const struct json *v = fields_need(e, key);

	if (v == NULL || v->type == JSON_ARRAY)
		return v;
	fields_wrong(
	    e, v, "%s: expected a list, found %s", key, json_type_name(v));
	return NULL;
}

/* Of 0 to 100. */
static double
scaled(double score)
{
	while (score > 1)
		score /= 10;
	return score > 0 ? score : 0;
}

/* As Python's float() takes it; pydantic sees what comes of it. */
static bool
is_score(const struct json *v, double *score, struct arena *a)
{
	bool good = json_is(v, JSON_STRING)
	    ? py_float_text(json_text(v, a), score, a)
	    : py_float(v, score, a);

	return good && !(*score < 0);
}

/* What a scenario has that is no score is told: mcp-eval takes its own without
 * a word. A dataset's is as it is, and may be of 0 to 100. */
double
mcp_eval_min_score(struct fields *e, double otherwise)
{
	const struct json *v = fields_get(e, "min_score");
	double score = otherwise;
	bool good;

	if (v == NULL)
		return otherwise;
	good = is_score(v, &score, e->arena);
	if (is_strict(e)) {
		if (json_is(v, JSON_NUMBER) && score >= 0 && score <= 100)
			return scaled(score);
	} else if (!good) {
		struct str source = document_source(e->doc, v);

		diag_warn(document_place(e->doc, v),
		    "%.*s: min_score: %.*s is no score, taken as %g",
		    STR_FMT(e->where), STR_FMT(source), otherwise);
		return otherwise;
	} else if (!isinf(score)) {
		return scaled(score);
	}
	expected(e, v, "min_score", "a score from 0 to 1");
	return otherwise;
}
