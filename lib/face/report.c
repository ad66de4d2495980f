/* Reports on checked records. */
#include <stdlib.h>

#include "face/face.h"
#include "report/report.h"
#include "trace/prices.h"

enum { EXIT_TROUBLE = 2 };

struct mcplt_report {
	struct face face;
	struct report_plan plan;
	struct arena arena; /* of the plan's prices */
	struct report report;
	struct json_reader reader;
	struct out out;
	size_t lost; /* records that were not understood */
	bool ended;
	int gate;
	struct mcplt_text record; /* the argument of _add */
};

static void
start(void *arg)
{
	struct mcplt_report *r = arg;

	r->plan.prices = prices_embedded(&r->arena);
	report_start(&r->report, &r->plan);
	out_open_memory(&r->out);
}

mcplt_report *
mcplt_report_open(mcplt *m, const struct mcplt_report_options *given)
{
	struct mcplt_report *r = m == NULL ? NULL : calloc(1, sizeof *r);
	struct mcplt_report_options o = { 0 };

	if (r == NULL)
		return NULL;
	r->face.of = m;
	r->gate = EXIT_TROUBLE;
	r->plan = report_default();
	if (face_options(&o, given, sizeof o)) {
		if (o.format != NULL)
			r->plan.format = report_format_named(o.format);
		r->plan.look.width = SIZE_MAX;
		r->plan.look.details = o.details != 0;
		if (o.min_pass_rate > 0)
			r->plan.gate.fail_under = o.min_pass_rate;
		if (r->plan.format != NULL && o.min_pass_rate >= 0 &&
		    o.min_pass_rate <= 1 &&
		    face_run(&r->face, start, r) != MCPLT_SYSTEM)
			return r;
	}
	free(r);
	return NULL;
}

static void
add(void *arg)
{
	struct mcplt_report *r = arg;
	const struct json *v = face_record(&r->reader, r->record);

	if (v != NULL)
		report_add(&r->report, v, (struct place){ 0 });
	r->lost += diag_errors() != 0;
}

enum mcplt_code
mcplt_report_add(mcplt_report *r, struct mcplt_text record)
{
	if (r == NULL || r->ended)
		return MCPLT_MISUSE;
	r->record = record;
	return face_run(&r->face, add, r);
}

static void
end(void *arg)
{
	struct mcplt_report *r = arg;

	r->ended = true;
	if (r->lost != 0)
		diag_error((struct place){ 0 },
		    "records that were not understood: %zu", r->lost);
	r->gate = report_end(&r->report, &r->out);
}

enum mcplt_code
mcplt_report_end(mcplt_report *r, struct mcplt_text *text, int *gate)
{
	enum mcplt_code code = r != NULL && r->ended && !r->face.dead
	    ? MCPLT_OK
	    : face_run(FACE_OF(r), end, r);
	const struct mcplt_text none = { NULL, 0 };

	if (text != NULL)
		*text = r == NULL ? none : face_text(out_memory(&r->out));
	if (gate != NULL)
		*gate = r == NULL ? EXIT_TROUBLE : r->gate;
	return code;
}

void
mcplt_report_close(mcplt_report *r)
{
	if (r == NULL)
		return;
	(void)mcplt_report_end(r, NULL, NULL);
	json_reader_free(&r->reader);
	arena_free(&r->arena);
	(void)out_close(&r->out);
	free(r);
}

const char *
mcplt_report_format(size_t i, const char **about)
{
	return report_row(i, about);
}
