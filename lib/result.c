#include "result.h"

#include <math.h>

const char *
measure_name(int measure)
{
	switch (measure) {
	case MEASURE_TOOL_CALLS:
		return "tool_calls";
	case MEASURE_DURATION:
		return "duration_ms";
	default:
		return usage_name((enum usage_kind)measure);
	}
}

double
measure_units(int measure)
{
	switch (measure) {
	case USAGE_COST:
		return 1e9;
	case MEASURE_DURATION:
		return 1e3;
	default:
		return 1;
	}
}

static struct str
text(const struct json *object, struct str name, struct arena *a)
{
	return json_text(json_get(object, name), a);
}

/* -1 for what is no amount. */
static int64_t
amount(const struct json *v, int measure)
{
	double n = json_double(v) * measure_units(measure);

	return n >= 0 && n < 0x1p62 ? llround(n) : -1;
}

static void
read_measures(struct result *o, const struct json *record)
{
	const struct json *usage = json_get(record, STR("usage"));
	const struct json *calls = json_get(record, STR("tool_sequence"));

	for (int i = 0; i < USAGE_COUNT; i++)
		o->used[i] =
		    amount(json_get(usage, str_of(measure_name(i))), i);
	o->used[MEASURE_DURATION] =
	    amount(json_get(record, STR("duration_ms")), MEASURE_DURATION);
	o->used[MEASURE_TOOL_CALLS] =
	    json_is(calls, JSON_ARRAY) ? (int64_t)json_count(calls) : -1;
}

static bool
read_status(
    const struct json *v, enum status *s, struct arena *a, struct str *why)
{
	struct str name = json_text(v, a);

	if (name.s != NULL && status_of(name, s))
		return true;
	*why = name.s != NULL
	    ? str_printf(a, "status: no such status: '%.*s'", STR_FMT(name))
	    : str_printf(
		  a, "status: expected a string, found %s", json_type_name(v));
	return false;
}

static struct result_check *
add(struct result *o, struct arena *a)
{
	return arena_push(a, o->checks, o->n);
}

static void
add_of_run(struct result *o, struct arena *a, enum status s, struct str reason)
{
	*add(o, a) = (struct result_check){ .status = s,
		.type = STR("run"),
		.label = STR("the run itself"),
		.reason = reason,
		.of_run = true };
}

static bool
add_check(struct result *o, const struct json *result, struct arena *a,
    struct str *why)
{
	struct result_check *c = add(o, a);

	*c = (struct result_check){
		.type = text(result, STR("type"), a),
		.label = text(result, STR("label"), a),
		.dialect = text(result, STR("dialect"), a),
		.at = text(result, STR("at"), a),
		.reason = text(result, STR("reason"), a),
	};
	if (o->scenario.s == NULL)
		o->scenario = text(result, STR("scenario"), a);
	return read_status(json_get(result, STR("status")), &c->status, a, why);
}

/* What MCPLab puts before the reason of such a run. */
static struct str
run_error(const struct json *error, struct arena *a)
{
	struct str why = json_text(error, a);

	return str_cat(
	    a, STR("Scenario error: "), why.s == NULL ? error->text : why);
}

static bool
read_checks(struct result *o, const struct json *record, struct arena *a,
    struct str *why)
{
	const struct json *error = json_get(record, STR("error"));
	const struct json *results = json_get(record, STR("check_results"));
	bool bad = o->status == STATUS_FAILED || o->status == STATUS_ERROR;

	o->error = error != NULL && !json_is(error, JSON_NULL);
	if (o->error && o->checked)
		add_of_run(o, a, STATUS_ERROR, run_error(error, a));
	for (json_each(result, o->checked ? results : NULL))
		if (!add_check(o, result, a, why))
			return false;
	if (o->n == 0 && bad)
		for (json_each(reason, json_get(record, STR("failures"))))
			add_of_run(o, a, o->status, json_text(reason, a));
	if (o->n == 0)
		add_of_run(o, a, o->status, (struct str){ 0 });
	return true;
}

bool
result_read(struct result *o, const struct json *record, struct arena *a,
    struct str *why)
{
	const struct json *source = json_get(record, STR("source"));
	const struct json *status = json_get(record, STR("status"));

	*o = (struct result){
		.id = text(record, STR("id"), a),
		.scenario = text(record, STR("scenario_id"), a),
		.agent = text(record, STR("agent"), a),
		.model = text(record, STR("model"), a),
		.file = text(source, STR("file"), a),
		.run_index = -1,
		.start = text(record, STR("ts_start"), a),
		.checked = status != NULL,
		.status = STATUS_UNCHECKED,
	};
	json_int(json_get(source, STR("line")), &o->line);
	json_int(json_get(record, STR("run_index")), &o->run_index);
	read_measures(o, record);
	if (o->checked && !read_status(status, &o->status, a, why))
		return false;
	return read_checks(o, record, a, why);
}
