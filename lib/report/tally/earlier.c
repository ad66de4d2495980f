#include "report/tally/earlier.h"

#include "base/diag.h"
#include "io/workers.h"
#include "report/tally/partial.h"
#include "json/stream.h"

/* The state of a thread that reads the file. */
struct earlier_reader {
	const struct earlier *plan;
	void *taker;
	struct json_stream values;
	struct json_reader redacted;
	struct result_cache cache;
	struct arena moment; /* reset with each record */
	size_t n;            /* runs */
};

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
add_run(struct earlier_reader *b, const struct json *scenario,
    const struct json *run, struct str start)
{
	struct arena *moment = &b->moment;
	struct trace trace = { .record = run };
	struct result r = {
		.trace = &trace,
		.scenario =
		    json_text(json_get(scenario, "scenario_id"), moment),
		.agent = json_text(json_get(scenario, "agent"), moment),
		.model = json_text(json_get(scenario, "model"), moment),
		.start = start,
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
	b->plan->run(b->taker, &r, moment);
}

static bool
is_results(const struct json *v)
{
	return json_path(v, "metadata.run_id") != NULL &&
	    json_is(json_get(v, "scenarios"), JSON_ARRAY);
}

static size_t
add_results(struct earlier_reader *b, const struct json *v)
{
	struct str start =
	    json_text(json_path(v, "metadata.timestamp"), &b->moment);
	size_t n = 0;

	for (json_each(scenario, json_get(v, "scenarios"))) {
		for (json_each(run, json_get(scenario, "runs"))) {
			add_run(b, scenario, run, start);
			n++;
		}
	}
	return n;
}

/* ---- records ---- */

static bool
add_partial(struct earlier_reader *b, const struct json *v, struct place at)
{
	if (b->plan->filter == NULL)
		return b->plan->partial(b->taker, v, at, &b->moment);
	diag_error(at,
	    "partial: --filter needs single runs, which a partial does not "
	    "have");
	return false;
}

/* Adds a record. Returns the number of runs in it. */
static size_t
add_record(struct earlier_reader *b, const struct json *v, struct place at)
{
	struct result run;
	struct trace trace;
	struct str why;

	arena_reset(&b->moment);
	v = redact_reread(b->plan->redact, &b->moment, &b->redacted, v);
	if (is_results(v))
		return add_results(b, v);
	if (partial_is(v))
		return add_partial(b, v, at);
	if (!trace_read(&trace, v)) {
		trace_warn_version(v, at);
		return 0;
	}
	if (!result_read(&run, &trace, &b->cache, &b->moment, &why)) {
		diag_error(at, "%.*s", STR_FMT(why));
		return 0;
	}
	b->plan->run(b->taker, &run, &b->moment);
	return 1;
}

/* Reads one piece of the file. */
static void
read_records(void *reader, struct workers_chunk *piece)
{
	struct earlier_reader *b = reader;
	const struct json *v;

	json_stream_begin(&b->values, piece->in, false);
	while ((v = json_stream_next(&b->values)) != NULL)
		b->n += add_record(b, v, b->values.at);
}

static void
close_reader(struct earlier_reader *b)
{
	json_stream_close(&b->values);
	json_reader_free(&b->redacted);
	result_cache_free(&b->cache);
	arena_free(&b->moment);
}

void
earlier_read(const struct earlier *plan, char *path)
{
	char *files[] = { path, NULL };
	struct arena a = { 0 };
	struct earlier_reader *readers =
	    arena_new_n(&a, struct earlier_reader, plan->jobs);
	void *members[WORKERS_MAX];
	size_t errors = diag_errors(), n = 0;
	struct out nothing;
	struct in in;
	struct workers workers = { .jobs = plan->jobs,
		.in = &in,
		.out = &nothing,
		.work = read_records,
		.members = members };

	for (size_t i = 0; i < plan->jobs; i++) {
		members[i] = &readers[i];
		readers[i].plan = plan;
		readers[i].taker = plan->takers[i];
	}
	in_open(&in, files);
	in.max_line = plan->max_line;
	out_open_memory(&nothing);
	workers_run(&workers);
	out_close(&nothing);
	for (size_t i = 0; i < plan->jobs; i++) {
		n += readers[i].n;
		close_reader(&readers[i]);
	}
	if (n == 0 && diag_errors() == errors)
		diag_error((struct place){ .file = path },
		    "%s: expected records, a partial or MCPLab's "
		    "results.json, found no run",
		    plan->option);
	in_close(&in);
	arena_free(&a);
}
