#include "judge/criteria.h"

/* ---- reading ---- */

/* Returns the rubric of a criterion as a JSON string: its name, its
 * description, and its examples by score. */
static struct str
rubric_of(const struct json *c, struct arena *a)
{
	const struct json *examples = json_get(c, "examples");
	struct out rubric;

	out_open_memory(&rubric);
	out_printf(&rubric, "%.*s: %.*s",
	    STR_FMT(json_text(json_get(c, "name"), a)),
	    STR_FMT(json_text(json_get(c, "description"), a)));
	if (json_count(examples) != 0)
		out_text(&rubric, "\nExamples:");
	for (json_members(key, examples))
		out_printf(&rubric, "\n  Score %.*s: %.*s",
		    STR_FMT(json_text(key, a)),
		    STR_FMT(json_text(json_value(key), a)));
	return out_quote(a, out_keep(&rubric, a));
}

static double
number_or(const struct json *v, double otherwise)
{
	return json_is(v, JSON_NUMBER) ? json_double(v) : otherwise;
}

static enum criteria_how
how_of(const struct json *aggregate)
{
	if (json_str_is(aggregate, "weighted"))
		return CRITERIA_WEIGHTED;
	if (json_str_is(aggregate, "min"))
		return CRITERIA_MIN;
	if (json_str_is(aggregate, "harmonic_mean"))
		return CRITERIA_HARMONIC;
	return CRITERIA_MEAN;
}

static double
sum_of_weights(const struct criteria *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += c->list[i].weight;
	return sum;
}

void
criteria_scale(struct prompt_check *ask, const struct json *scale)
{
	if (scale == NULL)
		return;
	ask->low = json_double(json_get(scale, "min"));
	ask->high = json_double(json_get(scale, "max"));
}

bool
criteria_read(struct criteria *c, struct arena *a, const struct json *judge,
    struct str *why)
{
	const struct json *list = json_get(judge, "criteria");
	bool confidence = json_is(json_get(judge, "confidence"), JSON_TRUE);
	struct criterion *read =
	    arena_new_n(a, struct criterion, json_count(list));

	*c = (struct criteria){
		.list = read,
		.how = how_of(json_get(judge, "aggregate")),
		.all = json_is(json_get(judge, "require_all_pass"), JSON_TRUE),
	};
	for (json_each(v, list)) {
		struct criterion *one = &read[c->n++];

		*one = (struct criterion){
			.name = json_text(json_get(v, "name"), a),
			.weight = number_or(json_get(v, "weight"), 1),
			.min_score = number_or(json_get(v, "min_score"), 0),
			.ask = { .rubric = rubric_of(v, a),
			    .least = number_or(json_get(v, "min_score"), 0) -
				CRITERIA_SLACK,
			    .score = true,
			    .low = number_or(json_path(v, "scale.min"), 0),
			    .high = number_or(json_path(v, "scale.max"), 0),
			    .confidence = confidence },
		};
		criteria_scale(&one->ask, json_get(v, "scale"));
	}
	if (c->n == 0)
		*why = STR("the check has no criteria");
	else if (!c->all && sum_of_weights(c) == 0)
		*why = STR("the weights of the criteria add up to 0");
	return why->s == NULL;
}

/* ---- what they come to ---- */

static double
weighted(const struct criteria *c, const struct verdict *v)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < c->n; i++) {
		double weight = c->list[i].weight * v[i].confidence;

		sum += v[i].score * weight;
		weights += weight;
	}
	return weights > 0 ? sum / weights : 0;
}

static double
lowest(const struct criteria *c, const struct verdict *v)
{
	double least = 1;

	for (size_t i = 0; i < c->n; i++)
		if (v[i].score < least)
			least = v[i].score;
	return least;
}

static double
harmonic(const struct criteria *c, const struct verdict *v)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (v[i].score <= 0)
			return 0;
		sum += 1 / v[i].score;
	}
	return (double)c->n / sum;
}

static double
mean(const struct criteria *c, const struct verdict *v)
{
	double sum = 0;

	for (size_t i = 0; i < c->n; i++)
		sum += v[i].score;
	return sum / (double)c->n;
}

double
criteria_score(const struct criteria *c, const struct verdict *v)
{
	switch (c->how) {
	case CRITERIA_WEIGHTED:
		return weighted(c, v);
	case CRITERIA_MIN:
		return lowest(c, v);
	case CRITERIA_HARMONIC:
		return harmonic(c, v);
	default:
		return mean(c, v);
	}
}

static bool
each_met(const struct criteria *c, const struct verdict *v)
{
	for (size_t i = 0; i < c->n; i++)
		if (v[i].score < c->list[i].min_score - CRITERIA_SLACK)
			return false;
	return true;
}

bool
criteria_met(const struct criteria *c, const struct verdict *v)
{
	double least = 0;

	if (c->all)
		return each_met(c, v);
	for (size_t i = 0; i < c->n; i++)
		least += c->list[i].weight * c->list[i].min_score;
	least /= sum_of_weights(c);
	return criteria_score(c, v) >= least - CRITERIA_SLACK;
}

/* ---- telling ---- */

struct str
criteria_reason(
    const struct criteria *c, const struct verdict *v, struct arena *a)
{
	struct str *parts = arena_new_n(a, struct str, c->n);

	for (size_t i = 0; i < c->n; i++)
		parts[i] = str_printf(a, "%.*s %.15g: %.*s",
		    STR_FMT(c->list[i].name), v[i].score, STR_FMT(v[i].reason));
	return str_join(a, parts, c->n, STR("; "));
}

void
criteria_write(struct out *o, const struct criteria *c, const struct verdict *v)
{
	out_begin(o, '[');
	for (size_t i = 0; i < c->n; i++) {
		out_begin(o, '{');
		out_key(o, "name");
		out_json_str(o, c->list[i].name);
		out_member_double(o, "score", v[i].score);
		if (prompt_is_scaled(&c->list[i].ask))
			out_member_double(o, "rating", v[i].rating);
		if (c->list[i].ask.confidence)
			out_member_double(o, "confidence", v[i].confidence);
		out_key(o, "reason");
		out_json_str(o, v[i].reason);
		verdict_put_quotes(o, &v[i]);
		out_end(o, '}');
	}
	out_end(o, ']');
}
