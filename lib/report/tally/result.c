#include "report/tally/result.h"

#include <math.h>

#include "base/hash.h"

enum status
result_status_at(const struct result *r, enum severity least)
{
	size_t counts[STATUS_COUNT] = { 0 };

	if (r->mildest == SEVERITY_ERROR)
		return r->status;
	for (size_t i = 0; i < r->n + r->n_notes; i++)
		if (r->checks[i].severity <= least)
			counts[r->checks[i].status]++;
	counts[r->recorded] += r->mildest <= least;
	return trace_status(counts, r->error);
}

static bool
is_set_aside(const struct result_check *c)
{
	return c->permission && c->severity == SEVERITY_NOTE;
}

void
result_set_notes_aside(struct result *r, struct arena *a)
{
	struct result_check *notes = arena_new_n(a, struct result_check, r->n);
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < r->n; i++)
		n += is_set_aside(&r->checks[i]);
	if (n == r->n)
		return;
	for (size_t i = 0; i < r->n; i++)
		if (is_set_aside(&r->checks[i]))
			notes[r->n_notes++] = r->checks[i];
		else
			r->checks[kept++] = r->checks[i];
	for (size_t i = 0; i < n; i++)
		r->checks[kept + i] = notes[i];
	r->n = kept;
}

bool
result_is_of(const struct result *r, const bool statuses[STATUS_COUNT])
{
	return statuses == NULL || (r->checked && statuses[r->status]);
}

static void
read_metrics(struct result *r, const struct trace *t)
{
	const struct json *calls = t->member[TRACE_TOOL_SEQUENCE];

	metric_usage(t->member[TRACE_USAGE], r->used);
	r->used[METRIC_ESTIMATE] = -1;
	r->used[METRIC_DURATION] =
	    metric_read(t->member[TRACE_DURATION_MS], METRIC_DURATION);
	r->used[METRIC_TOOL_CALLS] =
	    json_is(calls, JSON_ARRAY) ? (int64_t)json_count(calls) : -1;
}

void
result_estimate(struct result *r, struct prices *prices, struct arena *a)
{
	double usd;

	if (r->used[USAGE_COST] < 0 &&
	    prices_estimate(prices, r->trace->record, a, &usd, &r->unpriced))
		r->used[METRIC_ESTIMATE] =
		    llround(usd * metric_units(METRIC_ESTIMATE));
}

/* Sets the ordinals and hashes of the checks. The table has the last check of each
 * name. */
static void
name_checks(struct result *r, struct arena *a)
{
	struct hash_table before = { .arena = a };
	uint64_t of_run = result_check_scenario(r->scenario, a);

	for (size_t i = 0; i < r->n; i++) {
		struct result_check *c = &r->checks[i];
		uint64_t scenario = str_eq(c->scenario, r->scenario)
		    ? of_run
		    : result_check_scenario(c->scenario, a);
		const struct result_check *last;
		void **place;

		if (c->names == 0)
			c->names = result_check_names(c, a);
		c->hash = result_check_hash(c->names, scenario, 0);
		place = hash_put(&before,
		    (struct str){ (const char *)&c->hash, sizeof c->hash });
		last = *place;
		*place = c;
		if (last == NULL)
			continue;
		c->ordinal = last->ordinal + 1;
		c->hash = result_check_hash(c->names, scenario, c->ordinal);
	}
}

static void
read_calls(struct result *r, struct arena *a)
{
	const struct trace *t = r->trace;
	struct trace_calls calls;
	int64_t failed = 0;

	if (!json_is(t->member[TRACE_TOOL_SEQUENCE], JSON_ARRAY))
		return;
	calls = trace_calls(t, a);
	r->n_calls = calls.n;
	r->calls = arena_new_n(a, struct result_call, calls.n);
	for (size_t i = 0; i < calls.n; i++) {
		const struct trace_call *c = &calls.list[i];
		bool error = json_is(c->is_error, JSON_TRUE);

		r->calls[i] = (struct result_call){
			.tool = c->tool,
			.error = error,
			.duration =
			    metric_read(c->duration_ms, METRIC_DURATION),
		};
		failed += error;
	}
	if (t->member[TRACE_TURNS] != NULL)
		r->used[AMOUNT_FAILED_CALLS] = failed;
}

void
result_read_details(struct result *r, struct arena *a)
{
	const struct json *answer = r->trace->member[TRACE_FINAL_TEXT];

	r->used[AMOUNT_FAILED_CALLS] = r->used[AMOUNT_ANSWER] = -1;
	name_checks(r, a);
	read_calls(r, a);
	if (answer != NULL)
		r->used[AMOUNT_ANSWER] =
		    (int64_t)str_characters(json_text(answer, a));
}

static void
add_of_run(struct result *r, enum status s, struct str reason)
{
	r->checks[r->n++] = (struct result_check){ .status = s,
		.type = STR("run"),
		.label = STR("the run itself"),
		.reason = reason,
		.applied = -1,
		.of_run = true };
}

/* Returns whether other runs may have the same source text, by how the text
 * ends: metadata and a judge's verdict are objects, and come last. */
static bool
may_be_common(struct str source)
{
	return !str_ends(source, "}}");
}

static bool
read_check(struct result_check *c, const struct json *result,
    struct result_cache *cache, struct arena *a, struct str *why)
{
	bool common = may_be_common(result->text);
	const struct result_check *known =
	    common ? result_cache_get(cache, result->text) : NULL;

	if (known != NULL) {
		*c = *known;
		return true;
	}
	if (!result_check_read(c, result, a, why))
		return false;
	if (!common || c->judge != NULL || c->metadata != NULL)
		return true;
	result_cache_keep(cache, result->text, c);
	return true;
}

static bool
add_check(struct result *r, const struct json *result,
    struct result_cache *cache, struct arena *a, struct str *why)
{
	struct result_check *c = &r->checks[r->n++];

	if (!read_check(c, result, cache, a, why))
		return false;
	if (r->scenario.s == NULL)
		r->scenario = c->scenario;
	c->general = c->scenario.s == NULL;
	if (c->general)
		c->scenario = r->scenario;
	if (c->severity > r->mildest)
		r->mildest = c->severity;
	return true;
}

/* Returns the reason as MCPLab writes it. */
static struct str
run_error(const struct json *error, struct arena *a)
{
	struct str why = json_text(error, a);

	return str_cat(
	    a, STR("Scenario error: "), why.s == NULL ? error->text : why);
}

/* Sets the run's status: the worst of the recorded one and of the checks that
 * count for it. */
static void
set_verdict(struct result *r)
{
	size_t counts[STATUS_COUNT] = { 0 }, by_author = 0;

	counts[r->recorded]++;
	for (size_t i = 0; i < r->n; i++) {
		const struct result_check *c = &r->checks[i];

		counts[c->status] += c->severity == SEVERITY_ERROR;
		by_author += c->status == STATUS_SKIPPED && c->by_author;
	}
	r->status = trace_status(counts, r->error && r->checked);
	r->by_author =
	    r->n != 0 && by_author == r->n && r->status == STATUS_SKIPPED;
}

static bool
read_checks(struct result *r, const struct trace *t, struct result_cache *cache,
    struct arena *a, struct str *why)
{
	const struct json *error = t->member[TRACE_ERROR];
	const struct json *results = t->member[TRACE_CHECK_RESULTS];
	const struct json *failures = t->member[TRACE_FAILURES];
	bool bad;

	result_cache_begin(cache);
	r->error = error != NULL;
	r->checks = arena_new_n(a, struct result_check,
	    2 + json_count(results) + json_count(failures));
	if (r->error && r->checked)
		add_of_run(r, STATUS_ERROR, run_error(error, a));
	if (r->checked)
		for (json_each(result, results))
			if (!add_check(r, result, cache, a, why))
				return false;
	set_verdict(r);
	bad = r->status == STATUS_FAILED || r->status == STATUS_ERROR;
	if (r->n == 0 && bad)
		for (json_each(reason, failures))
			add_of_run(r, r->status, json_text(reason, a));
	if (r->n == 0)
		add_of_run(r, r->status, (struct str){ 0 });
	return true;
}

bool
result_read(struct result *r, const struct trace *t, struct result_cache *cache,
    struct arena *a, struct str *why)
{
	const struct json *source = t->member[TRACE_SOURCE];
	const struct json *status = t->member[TRACE_STATUS],
			  *results = t->member[TRACE_CHECK_RESULTS];

	*r = (struct result){
		.trace = t,
		.id = json_text(t->member[TRACE_ID], a),
		.scenario = json_text(t->member[TRACE_SCENARIO_ID], a),
		.agent = json_text(t->member[TRACE_AGENT], a),
		.model = json_text(t->member[TRACE_MODEL], a),
		.file = json_text(json_get(source, "file"), a),
		.run_index = -1,
		.start = json_text(t->member[TRACE_TS_START], a),
		.checked = status != NULL || json_first(results) != NULL,
		.recorded = STATUS_UNCHECKED,
	};
	json_int(json_get(source, "line"), &r->line);
	json_int(t->member[TRACE_RUN_INDEX], &r->run_index);
	read_metrics(r, t);
	if (results != NULL && !json_is(results, JSON_ARRAY)) {
		*why = str_printf(a, "check_results: expected a list, found %s",
		    json_type_name(results));
		return false;
	}
	if (status != NULL &&
	    !result_check_status(status, &r->recorded, a, why))
		return false;
	return read_checks(r, t, cache, a, why);
}
