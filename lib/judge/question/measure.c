#include "judge/question/measure.h"

#include <float.h>
#include <math.h>

#include "json/json.h"

enum measure
measure_of(const struct json *judge)
{
	const struct json *method = json_get(judge, "method");

	return json_str_is(method, "similar")   ? MEASURE_SIMILAR
	    : json_str_is(method, "moderation") ? MEASURE_MODERATION
						: MEASURE_NONE;
}

struct str
measure_rubric(struct arena *a, const struct json *judge)
{
	static const char *const names[] = { "method", "metric", "threshold",
		"categories", "negate" };
	struct out o;

	out_open_memory(&o);
	out_begin(&o, '{');
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const struct json *v = json_get(judge, str_of(names[i]));

		if (v == NULL)
			continue;
		out_key(&o, names[i]);
		out_json_raw(&o, v->text);
	}
	out_end(&o, '}');
	return out_keep(&o, a);
}

static bool
is_negated(const struct json *way)
{
	return json_is(json_get(way, "negate"), JSON_TRUE);
}

static void
set(struct verdict *v, bool pass, struct str reason)
{
	*v = (struct verdict){ .found = pass ? VERDICT_PASS : VERDICT_FAIL,
		.reason = reason };
}

/* ---- embeddings ---- */

struct vector {
	double *at;
	size_t n;
};

/* Reads a vector. Returns false if the value is not a list of finite numbers. */
static bool
read_vector(struct vector *x, const struct json *list, struct arena *a)
{
	*x = (struct vector){ 0 };
	for (json_each(item, list)) {
		double value = json_double(item);

		if (!isfinite(value))
			return false;
		*arena_push(a, x->at, x->n) = value;
	}
	return x->n != 0;
}

static double
dot(const struct vector *x, const struct vector *y)
{
	double sum = 0;

	for (size_t i = 0; i < x->n; i++)
		sum += x->at[i] * y->at[i];
	return sum;
}

static double
distance(const struct vector *x, const struct vector *y)
{
	double sum = 0;

	for (size_t i = 0; i < x->n; i++)
		sum += (x->at[i] - y->at[i]) * (x->at[i] - y->at[i]);
	return sqrt(sum);
}

static double
cosine(const struct vector *x, const struct vector *y)
{
	return dot(x, y) / (sqrt(dot(x, x)) * sqrt(dot(y, y)));
}

/* Returns a number that is printed with two digits as JavaScript's toFixed(2) prints
 * x: a tie, which is an odd number of eighths, goes away from zero. */
static double
for_two_digits(double x)
{
	return fmod(fabs(x) * 8, 2) == 1
	    ? nextafter(x, copysign((double)INFINITY, x))
	    : x;
}

/* Compares a similarity or distance with the threshold, with promptfoo's
 * tolerance and words. */
static void
compare(
    struct verdict *v, const struct json *way, double value, struct arena *a)
{
	bool far = json_str_is(json_get(way, "metric"), "euclidean");
	const struct json *limit = json_get(way, "threshold");
	double least = json_double(limit);
	bool negated = is_negated(way);
	bool at_least = value >= least - DBL_EPSILON;
	bool at_most = value <= least + DBL_EPSILON;
	bool pass = far == negated ? at_least : at_most;
	const char *words[2][2] = {
		{ "greater than or equal to", "less than" },
		{ "less than or equal to", "greater than" },
	};

	set(v, pass,
	    str_printf(a, "%s %.2f is %s threshold %.*s",
		far ? "Distance" : "Similarity", for_two_digits(value),
		words[far][pass == negated], STR_FMT(limit->text)));
}

static double
measure(const struct json *way, const struct vector *x, const struct vector *y)
{
	const struct json *metric = json_get(way, "metric");

	return json_str_is(metric, "euclidean") ? distance(x, y)
	    : json_str_is(metric, "dot")        ? dot(x, y)
						: cosine(x, y);
}

/* Decides by the vectors: the first is that of the answer. One of the other texts
 * has to be near, or with `negate`, none; the reason is then about the nearest. */
static bool
decide_similar(struct verdict *v, const struct json *way,
    const struct json *vectors, struct arena *a)
{
	bool far = json_str_is(json_get(way, "metric"), "euclidean");
	bool negated = is_negated(way);
	double near, nearest = -INFINITY;
	struct vector answer = { 0 }, other;
	struct verdict one;
	size_t n = 0;

	for (json_each(list, vectors)) {
		if (!read_vector(n == 0 ? &answer : &other, list, a))
			return false;
		if (n++ == 0)
			continue;
		near = other.n == answer.n ? measure(way, &answer, &other)
					   : (double)NAN;
		if (!isfinite(near))
			return false;
		compare(&one, way, near, a);
		near = far ? -near : near;
		if (near > nearest || (one.found == VERDICT_PASS) != negated)
			*v = one;
		nearest = fmax(near, nearest);
		if ((one.found == VERDICT_PASS) != negated)
			return true;
	}
	if (!negated && n > 2)
		v->reason = STR("None of the provided values met the "
				"similarity threshold");
	return n > 1;
}

/* ---- moderation ---- */

static bool
is_among(const struct json *list, const struct json *name, struct arena *a)
{
	struct str want = json_text(name, a);

	for (json_each(item, list))
		if (str_eq(json_text(item, a), want))
			return true;
	return json_count(list) == 0;
}

/* Decides by the results: none of the categories (of all, if the author names none)
 * may be flagged. */
static bool
decide_moderation(struct verdict *v, const struct json *way,
    const struct json *results, struct arena *a)
{
	const struct json *wanted = json_get(way, "categories");
	struct str *found = NULL;
	size_t n = 0, flags = 0;

	for (json_each(result, results)) {
		const struct json *flagged = json_get(result, "flagged");

		if (!json_is(flagged, JSON_TRUE) &&
		    !json_is(flagged, JSON_FALSE))
			return false;
		if (json_is(flagged, JSON_FALSE))
			continue;
		for (json_members(key, json_get(result, "categories"))) {
			if (!json_is(json_value(key), JSON_TRUE))
				continue;
			flags++;
			if (is_among(wanted, key, a))
				*arena_push(a, found, n) =
				    str_dup(a, json_text(key, a));
		}
	}
	set(v, (n == 0) != is_negated(way),
	    n != 0           ? str_cat(a, STR("Moderation flags detected: "),
				   str_join(a, found, n, STR(", ")))
		: flags != 0 ? STR("No relevant moderation flags detected")
			     : STR("No moderation flags detected"));
	return json_count(results) != 0;
}

bool
measure_decide(struct verdict *v, struct arena *a, const struct prompt *p,
    struct str reply, struct str *why)
{
	struct json_reader readers[3] = { 0 };
	struct json_error error;
	const struct json *way =
	    json_read(&readers[0], p->checks[0].rubric, NULL, &error);
	const struct json *said = json_read(&readers[1], reply, NULL, &error);
	const struct json *texts =
	    json_read(&readers[2], p->data, NULL, &error);
	bool similar = measure_of(way) == MEASURE_SIMILAR;
	bool good = similar ? json_count(said) == json_count(texts) &&
		decide_similar(v, way, said, a)
			    : decide_moderation(v, way, said, a);

	if (!good)
		*why = similar
		    ? STR("the reply has no vectors of one length for "
			  "all texts")
		    : STR("the reply has no results of a moderation");
	for (size_t i = 0; i < 3; i++)
		json_reader_free(&readers[i]);
	return good;
}
