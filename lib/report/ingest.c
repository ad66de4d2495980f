#include "report/ingest.h"

#include "base/diag.h"
#include "report/tally/partial.h"

/* What hangs on single runs cannot be had of a partial. */
static void
add_partial(struct ingest *r, const struct json *v, struct place at)
{
	if (r->filter != NULL)
		diag_error(at, "partial: --filter: its runs are not known");
	else if (r->report->run != NULL)
		diag_error(at,
		    "partial: --format: its runs are not known, "
		    "which %s tells of",
		    r->report->name);
	else
		partial_read(r->tally, v, at, &r->moment);
}

static void
add_record(struct ingest *r, const struct json *record, struct place at)
{
	struct result run;
	struct trace trace;
	struct str why;

	arena_reset(&r->moment);
	record = redact_reread(r->redact, &r->moment, &r->redacted, record);
	if (!trace_read(&trace, record)) {
		if (partial_is(record))
			add_partial(r, record, at);
		else if (!trace_warn_version(record, at))
			r->tally->other++;
		return;
	}
	if (!result_read(&run, &trace, &r->result_cache, &r->moment, &why)) {
		diag_error(at, "%.*s", STR_FMT(why));
		return;
	}
	if (!result_is_of(&run, r->filter)) {
		r->tally->filtered++;
		return;
	}
	if (r->tally->plan.details)
		result_read_calls(&run, &r->moment);
	tally_add(r->tally, &run, &r->moment);
	if (r->compare != NULL)
		compare_now(r->compare, &run, &r->moment);
	if (r->report->run != NULL)
		r->report->run(r->job, &run, &r->moment);
}

void
ingest_read(struct ingest *r, struct in *in)
{
	const struct json *record;

	json_stream_begin(&r->values, in, r->strict);
	while ((record = json_stream_next(&r->values)) != NULL) {
		add_record(r, record, r->values.at);
		if (r->strict && diag_errors() != 0)
			break;
	}
}

void
ingest_close(struct ingest *r)
{
	json_stream_close(&r->values);
	json_reader_free(&r->redacted);
	result_cache_free(&r->result_cache);
	arena_free(&r->moment);
}
