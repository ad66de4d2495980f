#include "report/tally/compare.h"

#include "base/diag.h"
#include "report/tally/partial.h"
#include "json/stream.h"

/* ---- MCPLab's results.json ---- */

static enum status
status_of_run(const struct json *run)
{
	if (json_raw(json_get(run, "error")).n != 0)
		return STATUS_ERROR;
	if (json_str_is(json_get(run, "evaluation_status"), "skipped"))
		return STATUS_UNCHECKED;
	return json_is(json_get(run, "pass"), JSON_TRUE) ? STATUS_PASSED
							 : STATUS_FAILED;
}

static struct result_check
check_of(const struct json *result, struct str scenario, struct arena *moment)
{
	struct result_check c = {
		.type = json_text(json_get(result, "type"), moment),
		.label = json_text(json_get(result, "label"), moment),
		.reason = json_text(json_get(result, "reason"), moment),
		.dialect = STR("mcplab"),
		.scenario = scenario,
	};
	struct str status = json_text(json_get(result, "status"), moment);

	if (!status_of(status, &c.status))
		c.status = STATUS_SKIPPED; /* "not_applicable", ... */
	return c;
}

/* Adds a run of results.json as a record of the run would report it, as far as
 * the members exist. */
static void
add_run(struct compare *c, const struct json *scenario, const struct json *run,
    struct arena *moment)
{
	struct trace trace = { .record = run };
	struct result r = {
		.trace = &trace,
		.scenario =
		    json_text(json_get(scenario, "scenario_id"), moment),
		.agent = json_text(json_get(scenario, "agent"), moment),
		.model = json_text(json_get(scenario, "model"), moment),
		.run_index = -1,
		.checked = true,
		.status = status_of_run(run),
	};

	json_int(json_get(run, "run_index"), &r.run_index);
	r.error = r.status == STATUS_ERROR;
	for (int i = 0; i < METRICS; i++)
		r.used[i] = -1;
	for (json_each(result, json_get(run, "check_results")))
		*arena_push(moment, r.checks, r.n) =
		    check_of(result, r.scenario, moment);
	compare_was(c, &r, moment);
}

static bool
is_results(const struct json *v)
{
	return json_path(v, "metadata.run_id") != NULL &&
	    json_is(json_get(v, "scenarios"), JSON_ARRAY);
}

static size_t
add_results(struct compare *c, const struct json *v, struct arena *moment)
{
	size_t n = 0;

	for (json_each(scenario, json_get(v, "scenarios"))) {
		for (json_each(run, json_get(scenario, "runs"))) {
			add_run(c, scenario, run, moment);
			n++;
		}
	}
	return n;
}

/* ---- records ---- */

static bool
add_partial(struct compare *c, const struct json *v, struct place at,
    struct arena *moment)
{
	if (c->filter == NULL)
		return partial_read(&c->was, v, at, moment);
	diag_error(at,
	    "partial: --filter needs single runs, which a partial does not "
	    "have");
	return false;
}

/* Adds a record, which lives in `moment` if it was redacted. Returns the number
 * of runs in it. */
static size_t
add_record(struct compare *c, const struct json *v, struct place at,
    struct result_cache *cache, struct arena *moment)
{
	struct result run;
	struct trace trace;
	struct str why;

	if (is_results(v))
		return add_results(c, v, moment);
	if (partial_is(v))
		return add_partial(c, v, at, moment);
	if (!trace_read(&trace, v)) {
		trace_warn_version(v, at);
		return 0;
	}
	if (!result_read(&run, &trace, cache, moment, &why)) {
		diag_error(at, "%.*s", STR_FMT(why));
		return 0;
	}
	compare_was(c, &run, moment);
	return 1;
}

void
baseline_read(
    struct compare *c, char *path, size_t max_line, struct redact *redact)
{
	char *files[] = { path, NULL };
	struct arena moment = { 0 };
	struct json_reader reader = { 0 };
	struct result_cache cache = { 0 };
	const struct json *v;
	struct json_stream values;
	size_t errors = diag_errors(), n = 0;
	struct in in;

	in_open(&in, files);
	in.max_line = max_line;
	json_stream_open(&values, &in, false);
	while ((v = json_stream_next(&values)) != NULL) {
		arena_reset(&moment);
		n += add_record(c, redact_reread(redact, &moment, &reader, v),
		    values.at, &cache, &moment);
	}
	json_reader_free(&reader);
	if (n == 0 && diag_errors() == errors)
		diag_error((struct place){ .file = path },
		    "--baseline: expected records, a partial or MCPLab's "
		    "results.json, found no run");
	json_stream_close(&values);
	in_close(&in);
	result_cache_free(&cache);
	arena_free(&moment);
}
