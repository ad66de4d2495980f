#include "mcp_eval_fields.h"

#include <math.h>

#include "../py.h"

static const double min_score_default = 0.8; /* mcp-eval's own */

/* Here null is a value, and of the wrong type. */
static const struct json *
given(struct entry *e, const char *key)
{
	(void)entry_get(e, key);
	return json_get(e->object, str_of(key));
}

static void
expected(
    struct entry *e, const struct json *v, const char *key, const char *what)
{
	struct str source = doc_source(e->doc, v);

	entry_wrong(
	    e, v, "%s: expected %s, found %.*s", key, what, STR_FMT(source));
}

static int64_t
int_of(struct entry *e, const struct json *v, const char *key)
{
	int64_t value = 0;

	if (!py_int(v, &value, e->arena))
		expected(e, v, key, "a whole number");
	return value;
}

int64_t
mcp_eval_int(struct entry *e, const char *key)
{
	const struct json *v = entry_need(e, key);

	return v == NULL ? 0 : int_of(e, v, key);
}

int64_t
mcp_eval_int_or(struct entry *e, const char *key, int64_t otherwise)
{
	const struct json *v = given(e, key);

	return v == NULL ? otherwise : int_of(e, v, key);
}

double
mcp_eval_float(struct entry *e, const char *key)
{
	const struct json *v = entry_need(e, key);
	double value = 0;

	if (v != NULL && !py_float(v, &value, e->arena))
		expected(e, v, key, "a number");
	return value;
}

bool
mcp_eval_bool_or(struct entry *e, const char *key, bool otherwise)
{
	const struct json *v = given(e, key);
	bool value = otherwise;

	if (v != NULL && !py_bool(v, &value, e->arena))
		expected(e, v, key, "true or false");
	return value;
}

/* What is no score is told: mcp-eval takes its own without a word. */
double
mcp_eval_min_score(struct entry *e)
{
	const struct json *v = entry_get(e, "min_score");
	double score = min_score_default;

	if (v == NULL)
		return min_score_default;
	if (!py_float(v, &score, e->arena) || score < 0) {
		struct str source = doc_source(e->doc, v);

		diag_warn(doc_place(e->doc, v),
		    "%.*s: min_score: %.*s is no score, taken as %g",
		    STR_FMT(e->where), STR_FMT(source), min_score_default);
		return min_score_default;
	}
	if (isinf(score)) {
		expected(e, v, "min_score", "a score from 0 to 1");
		return min_score_default;
	}
	while (score > 1)
		score /= 10;
	return score > 0 ? score : 0;
}
