#include "result.h"

#include <math.h>

static const char *const severities[SEVERITY_COUNT] = { "error", "warning",
	"note" };

const char *
severity_name(enum severity s)
{
	return severities[s];
}

bool
severity_of(struct str name, enum severity *s)
{
	for (int i = 0; i < SEVERITY_COUNT; i++) {
		if (!str_is(name, severities[i]))
			continue;
		*s = (enum severity)i;
		return true;
	}
	return false;
}

enum status
result_status_at(const struct result *r, enum severity least)
{
	size_t counts[STATUS_COUNT] = { 0 };
	bool all = true;

	for (size_t i = 0; i < r->n; i++) {
		if (r->checks[i].severity <= least)
			counts[r->checks[i].status]++;
		else
			all = false;
	}
	return all ? r->status : trace_status(counts, r->error);
}

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

int64_t
measure_add(int64_t sum, int64_t amount)
{
	if (amount < 0)
		return sum;
	return amount > INT64_MAX - sum ? INT64_MAX : sum + amount;
}

static struct str
text(const struct json *object, struct str name, struct arena *a)
{
	return json_text(json_get(object, name), a);
}

int64_t
measure_read(const struct json *v, int measure)
{
	double n = json_double(v) * measure_units(measure);

	return n >= 0 && n < 0x1p62 ? llround(n) : -1;
}

static void
read_measures(struct result *r, const struct trace *t)
{
	const struct json *usage = json_get(t->record, STR("usage"));
	const struct json *calls = t->member[TRACE_TOOL_SEQUENCE];

	for (int i = 0; i < USAGE_COUNT; i++)
		r->used[i] =
		    measure_read(json_get(usage, str_of(measure_name(i))), i);
	r->used[MEASURE_DURATION] = measure_read(
	    json_get(t->record, STR("duration_ms")), MEASURE_DURATION);
	r->used[MEASURE_TOOL_CALLS] =
	    json_is(calls, JSON_ARRAY) ? (int64_t)json_count(calls) : -1;
}

static void
read_calls(struct result *r, const struct trace *t, struct arena *a)
{
	struct trace_calls calls;

	if (!json_is(t->member[TRACE_TOOL_SEQUENCE], JSON_ARRAY))
		return;
	calls = trace_calls(t, a);
	r->n_calls = calls.n;
	r->calls = arena_new_n(a, struct result_call, calls.n);
	for (size_t i = 0; i < calls.n; i++) {
		const struct json *step = calls.list[i].step;

		r->calls[i] = (struct result_call){
			.tool = calls.list[i].tool,
			.error =
			    json_is(json_get(step, STR("is_error")), JSON_TRUE),
			.duration =
			    measure_read(json_get(step, STR("duration_ms")),
				MEASURE_DURATION),
		};
	}
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

static bool
read_severity(
    const struct json *v, enum severity *s, struct arena *a, struct str *why)
{
	struct str name = json_text(v, a);

	if (v == NULL || (name.s != NULL && severity_of(name, s)))
		return true;
	*why = str_printf(a,
	    "severity: expected error, warning or note, found %.*s",
	    STR_FMT(name.s != NULL ? name : v->text));
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
		.scenario = text(result, STR("scenario"), a),
		.judge = json_get(result, STR("judge")),
		.metadata = json_get(result, STR("metadata")),
	};
	if (o->scenario.s == NULL)
		o->scenario = c->scenario;
	if (c->scenario.s == NULL)
		c->scenario = o->scenario;
	return read_severity(
		   json_get(result, STR("severity")), &c->severity, a, why) &&
	    read_status(json_get(result, STR("status")), &c->status, a, why);
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
read_checks(
    struct result *r, const struct trace *t, struct arena *a, struct str *why)
{
	const struct json *error = t->member[TRACE_ERROR];
	bool bad = r->status == STATUS_FAILED || r->status == STATUS_ERROR;

	r->error = error != NULL;
	if (r->error && r->checked)
		add_of_run(r, a, STATUS_ERROR, run_error(error, a));
	if (r->checked)
		for (json_each(result, t->member[TRACE_CHECK_RESULTS]))
			if (!add_check(r, result, a, why))
				return false;
	if (r->n == 0 && bad)
		for (json_each(reason, t->member[TRACE_FAILURES]))
			add_of_run(r, a, r->status, json_text(reason, a));
	if (r->n == 0)
		add_of_run(r, a, r->status, (struct str){ 0 });
	return true;
}

bool
result_read(
    struct result *r, const struct trace *t, struct arena *a, struct str *why)
{
	const struct json *source = json_get(t->record, STR("source"));
	const struct json *status = t->member[TRACE_STATUS];

	*r = (struct result){
		.trace = t,
		.id = json_text(t->member[TRACE_ID], a),
		.scenario = json_text(t->member[TRACE_SCENARIO_ID], a),
		.agent = json_text(t->member[TRACE_AGENT], a),
		.model = text(t->record, STR("model"), a),
		.file = text(source, STR("file"), a),
		.run_index = -1,
		.start = text(t->record, STR("ts_start"), a),
		.checked = status != NULL,
		.status = STATUS_UNCHECKED,
	};
	json_int(json_get(source, STR("line")), &r->line);
	json_int(json_get(t->record, STR("run_index")), &r->run_index);
	read_measures(r, t);
	read_calls(r, t, a);
	if (r->checked && !read_status(status, &r->status, a, why))
		return false;
	return read_checks(r, t, a, why);
}
