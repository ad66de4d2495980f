#include "cmd/judge_pairwise.h"

#include <stdio.h>

#include "io/out.h"
#include "judge/pairwise.h"
#include "json/stream.h"

/* Refuses options that mean nothing for a comparison, and other numbers of files
 * than two. */
static void
settle_pairwise(const struct judge_options *o, char **files)
{
	const struct judge_way *way = &o->record_queue.way;
	const struct {
		const char *name;
		bool given;
	} others[] = {
		{ "--escalate", o->scheduler.n_lanes > way->panel },
		{ "--again", way->again },
		{ "--retry-errors", way->retry_errors },
		{ "--canary", way->canary },
		{ "--calibrate", o->labels != NULL },
		{ "--label", o->labelling.sample.wanted != 0 },
		{ "--exit-status", o->exit_status },
		{ "--batch-write", o->batch_api.write != NULL },
		{ "--batch-read", o->batch_api.n_read != 0 },
	};

	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (others[i].given)
			cli_usage(
			    &o->cli, "--pairwise: not with %s", others[i].name);
	if (o->scheduler.n_lanes == 0)
		cli_usage(&o->cli,
		    "--pairwise: no judge is named (see --model, --exec)");
	if (files[0] == NULL || files[1] == NULL || files[2] != NULL)
		cli_usage(&o->cli, "--pairwise: expected two files, A and B");
}

static void
read_side(struct pairwise *p, size_t side, struct in *in, bool strict)
{
	const struct json *record;
	struct json_stream values;

	json_stream_open(&values, in, strict);
	while ((record = json_stream_next(&values)) != NULL &&
	    (pairwise_add(p, side, record,
		 (struct place){ values.at.file, values.at.line, 0 }) ||
		!strict))
		continue;
	json_stream_close(&values);
	in_close(in);
	if (p->runs[side] == NULL)
		diag_error((struct place){ 0 },
		    "file %s has no runs to compare", side == 0 ? "A" : "B");
}

/* Reports the requests, and why not all were sent. */
static void
warn_requests(const struct pairwise *p)
{
	const struct scheduler *s = p->scheduler;
	const struct estimate *e = &s->estimate;
	const double *u = s->usage.n;
	char cost[64] = "";

	if (s->dry_run) {
		if (s->prices != NULL && e->usd >= 0)
			snprintf(cost, sizeof cost, "; cost (estimated): $%.4f",
			    e->usd);
		diag_warn((struct place){ 0 },
		    "pairs to be compared: %zu; requests: %zu; bytes: %zu; in "
		    "the cache: %zu; tokens (estimated): %.0f in, %.0f out%s",
		    p->pairs, s->requests, e->bytes, s->cached, e->tokens[0],
		    e->tokens[1], cost);
		return;
	}
	pairwise_warn(p);
	if (s->usage.known & 1U << USAGE_COST)
		snprintf(cost, sizeof cost, "; cost: $%.4f", u[USAGE_COST]);
	diag_warn((struct place){ 0 },
	    "pairs: %zu; requests: %zu; from the cache: %zu; tokens: %.0f in, "
	    "%.0f out%s",
	    p->pairs, s->requests, s->cached,
	    u[USAGE_INPUT] + u[USAGE_CACHE_READ] + u[USAGE_CACHE_WRITE],
	    u[USAGE_OUTPUT], cost);
	if (s->stopped.s != NULL)
		diag_system_error(
		    "%.*s: not all pairs were compared", STR_FMT(s->stopped));
}

int
judge_pairwise_run(struct judge_options *o, char **files)
{
	struct pairwise p = { .scheduler = &o->scheduler,
		.way = &o->record_queue.way,
		.rubrics = o->rubrics,
		.n = o->n_rubrics };
	struct str rubric = out_quote(&o->arena,
	    STR("The run does what the user asked for: completely, correctly, "
		"and without needless or harmful steps."));
	struct out out;
	struct in in;

	if (!o->pairwise)
		return -1;
	settle_pairwise(o, files);
	if (p.n == 0) {
		p.rubrics = &rubric;
		p.n = 1;
	}
	p.out = &out;
	scheduler_open(&o->scheduler);
	pairwise_open(&p);
	cli_open(&o->cli, &in, &out, (char *[]){ files[0], NULL });
	read_side(&p, 0, &in, o->cli.strict);
	in_open(&in, files + 1);
	in.max_line = o->cli.max_line;
	in_refuse(&in, out.file.fd);
	read_side(&p, 1, &in, o->cli.strict);
	pairwise_compare(&p);
	warn_requests(&p);
	redact_warn(o->record_queue.way.redact);
	scheduler_close(&o->scheduler);
	pairwise_close(&p);
	return out_close(&out) ? diag_status(0) : 2;
}
