#include "report/ingest.h"

#include "base/diag.h"
#include "report/tally/partial.h"

/* What hangs on single runs cannot be had of a partial. */
static void
add_partial(struct intake *r, const struct json *v, struct place at)
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
add_record(struct intake *r, const struct json *record, struct place at)
{
	struct result run;
	struct trace trace;
	struct str why;

	arena_reset(&r->moment);
	record = redact_reread(r->redact, &r->moment, &r->redacted, record);
	if (!trace_read(&trace, record)) {
		if (partial_is(record))
			add_partial(r, record, at);
		else if (!trace_tell_version(record, at))
			r->tally->other++;
		return;
	}
	if (!result_read(&run, &trace, &r->recall, &r->moment, &why)) {
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
intake_read(struct intake *r, struct in *in)
{
	const struct json *record;

	values_begin(&r->values, in, r->strict);
	while ((record = values_next(&r->values)) != NULL) {
		add_record(r, record, r->values.at);
		if (r->strict && diag_errors() != 0)
			break;
	}
}

void
intake_close(struct intake *r)
{
	values_close(&r->values);
	json_reader_free(&r->redacted);
	recall_free(&r->recall);
	arena_free(&r->moment);
}
