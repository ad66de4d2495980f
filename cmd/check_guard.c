#include "cmd/check_guard.h"

#include "base/diag.h"
#include "check/dialect/guard_run.h"
#include "json/stream.h"

enum { FORBIDDEN = 2 }; /* the exit status that blocks a call */

struct guarding {
	const struct check_options *options;
	const struct spec *spec;
	struct out out;
	struct view view;
	struct arena arena; /* of the record */
	struct trace_filter_count where;
	struct redact_quotes quotes; /* of the record */
	size_t hooks;                /* records with what a hook asks */
	bool forbidden;
};

/* Prints the reasons that the answer does not tell. */
static void
say(struct guarding *g, const struct guard_verdict *v, bool told)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct guard_reason *r = &v->reasons[i];

		if (!told || r->finding.found != v->found)
			diag_say(r->check->source.place, "%.*s",
			    STR_FMT(guard_reason_text(r, &g->arena)));
	}
}

static void
judge(struct guarding *g, const struct json *record)
{
	struct guard_verdict v;
	struct trace t;
	struct str answer;

	if (!trace_read(&t, record) ||
	    json_get(t.member[TRACE_META], "hook") == NULL ||
	    !trace_filter_holds(&g->options->where, record, &g->where))
		return;
	arena_reset(&g->arena);
	g->quotes = redact_quotes_of(g->options->redact, &g->arena, record);
	g->view.quotes = g->options->redact == NULL ? NULL : &g->quotes;
	v = guard_run(g->spec, &t, &g->view, &g->arena);
	g->hooks += !v.guard.beside;
	if (!g->options->guard_json) {
		say(g, &v, false);
		g->forbidden |= v.found == GUARD_BROKEN;
		return;
	}
	answer = guard_answer(&v, &g->arena);
	say(g, &v, answer.n > 2);
	out_str(&g->out, answer);
	if (answer.n != 0)
		out_line(&g->out);
}

int
check_guard(
    const struct check_options *o, const struct spec *spec, char **files)
{
	struct guarding g = { .options = o, .spec = spec };
	struct json_stream values;
	const struct json *record;
	struct in in;

	if (spec->understood == 0)
		diag_error((struct place){ 0 },
		    "--guard: the files of -s have nothing to check");
	g.view.options = o->view;
	cli_open(&o->cli, &in, &g.out, files);
	json_stream_open(&values, &in, true);
	while ((record = json_stream_next(&values)) != NULL)
		judge(&g, record);
	if (g.hooks + g.where.others == 0 && diag_errors() == 0)
		diag_error((struct place){ 0 },
		    "--guard: no record tells what a hook asks (mcpl-extract "
		    "--hook writes such records)");
	json_stream_close(&values);
	view_free(&g.view);
	arena_free(&g.arena);
	in_close(&in);
	if (!out_close(&g.out))
		return diag_trouble();
	return g.forbidden ? FORBIDDEN : diag_status(0);
}
