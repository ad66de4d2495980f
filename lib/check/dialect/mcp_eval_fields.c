#include "check/dialect/mcp_eval.h"

#include <math.h>

#include "emulate/lang/py.h"

const struct mcp_eval_scenario *
mcp_eval_scenario_of(const struct fields *e)
{
	return scenarios_part_of(e);
}

/* Lets a schema know that a number or truth value is read, also as text, unless
 * the scenario is strict. */
static void
note(const struct fields *e, const char *key)
{
	fields_note(e->doc, e->object, key,
	    mcp_eval_scenario_of(e)->strict ? IS(SCALAR) : IS(LOOSE));
}

static void
expected(
    struct fields *e, const struct json *v, const char *key, const char *what)
{
	struct str source = document_source(e->doc, v);

	fields_mistake(
	    e, v, "%s: expected %s, found %.*s", key, what, STR_FMT(source));
}

static bool
is_strict(const struct fields *e)
{
	return mcp_eval_scenario_of(e)->strict;
}

/* Returns whether the value is a text that must not be read as another type. */
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
mcp_eval_int(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);
	const struct json *v = scenarios_value(e, name);

	note(e, p->key);
	return v == NULL ? (int64_t)p->otherwise
			 : mcp_eval_int_of(e, v, p->key);
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
mcp_eval_float(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);
	const struct json *v = scenarios_value(e, name);

	note(e, p->key);
	return v == NULL ? p->otherwise : float_of(e, v, p->key);
}

bool
mcp_eval_bool(struct fields *e, const char *name)
{
	const struct param *p = scenarios_param(e, name);
	const struct json *v = scenarios_value(e, name);
	bool value = p->otherwise != 0;

	note(e, p->key);
	if (v != NULL && (is_text(e, v) || !py_bool(v, &value, e->arena)))
		expected(e, v, p->key, "true or false");
	return value;
}

const struct json *
mcp_eval_list(struct fields *e, const char *key)
{
	const struct json *v = fields_need(e, key);

	fields_note(e->doc, e->object, key, IS(LIST));
	if (v == NULL || v->type == JSON_ARRAY)
		return v;
	fields_mistake(
	    e, v, "%s: expected a list, found %s", key, json_type_name(v));
	return NULL;
}

/* Scales a score of 0 to 100 to one of 0 to 1. */
static double
scaled(double score)
{
	while (score > 1)
		score /= 10;
	return score > 0 ? score : 0;
}

/* Reads a score as Python's float() does, whose result pydantic sees. */
static bool
is_score(const struct json *v, double *score, struct arena *a)
{
	bool good = json_is(v, JSON_STRING)
	    ? py_float_text(json_text(v, a), score, a)
	    : py_float(v, score, a);

	return good && !(*score < 0);
}

/* A scenario's value that is no score is warned of, since mcp-eval takes its
 * own default without a message. A dataset's score is taken as it is, and may
 * be of 0 to 100. */
double
mcp_eval_min_score(struct fields *e)
{
	double otherwise = scenarios_param(e, "min_score")->otherwise;
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

		fields_remark(e, v,
		    "min_score: %.*s is not a score, read as %g",
		    STR_FMT(source), otherwise);
		return otherwise;
	} else if (!isinf(score)) {
		return scaled(score);
	}
	expected(e, v, "min_score", "a score from 0 to 1");
	return otherwise;
}

/* ---- all assertions ---- */

/* To mcp-eval an unquoted date is a date of Python's, not text. */
void
mcp_eval_refuse_dates(struct fields *e, const struct json *v)
{
	for (uint32_t i = 0; v != NULL && i < v->span; i++)
		if (json_is(&v[i], JSON_STRING) &&
		    document_is_plain(e->doc, &v[i]) &&
		    py_is_instant(document_source(e->doc, &v[i])))
			fields_mistake(e, &v[i],
			    "expected a JSON value, found a date (quote a date "
			    "that is text: \"%.*s\")",
			    STR_FMT(document_source(e->doc, &v[i])));
}

struct check
mcp_eval_labelled(struct fields *e, struct check c, struct str about)
{
	mcp_eval_refuse_dates(e, e->object);
	c.label = e->where;
	if (fields_ok(e) && about.n != 0)
		c.label = str_printf(
		    e->arena, "%.*s %.*s", STR_FMT(e->where), STR_FMT(about));
	return c;
}

struct str
mcp_eval_source(struct arena *a, const struct json *v)
{
	struct out o;

	if (v == NULL)
		return (struct str){ 0 };
	out_open_memory(&o);
	out_source(&o, v->text);
	return out_keep(&o, a);
}
