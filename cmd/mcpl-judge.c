/* mcpl-judge: judges pending checks. See mcpl-judge(1). */
#include <stdio.h>

#include "base/diag.h"
#include "cmd/judge_batch.h"
#include "cmd/judge_label.h"
#include "cmd/judge_pairwise.h"
#include "cmd/judge_progress.h"
#include "cmd/judge_settle.h"
#include "io/interrupt.h"
#include "json/stream.h"

/* ---- the final messages ---- */

/* Returns why checks were not asked about. */
static struct str
why_stopped(const struct scheduler *s)
{
	struct str why = s->stopped;

	for (size_t i = 0; why.s == NULL && i < s->n_lanes; i++)
		why = s->lanes[i].stopped;
	return why;
}

/* Reports unread input and checks that stay pending, with the reason. A check
 * that no judge is sure of is no error, unless the user wants an exit status
 * (`error`): it is not decided. */
static void
warn_rest(const struct record_queue *queue, const struct in *in, bool error)
{
	size_t unsure = queue->tally.unsure;
	size_t left = queue->tally.checks[STATUS_PENDING] - unsure;

	if (in->stop)
		diag_system_error(
		    "interrupted: the rest of the input was not read");
	if (queue->unnamed != 0)
		diag_warn((struct place){ 0 },
		    "checks pending: %zu; no judge is named (see --model, "
		    "--exec)",
		    queue->unnamed);
	if (left != 0)
		diag_system_error("%.*s: checks left pending: %zu",
		    STR_FMT(why_stopped(queue->scheduler)), left);
	if (unsure != 0)
		(error ? diag_error : diag_warn)((struct place){ 0 },
		    "the judge is unsure: checks left pending: %zu", unsure);
}

/* Reports that there was nothing to judge or to decide by, and how many values
 * are no traces. */
static void
warn_nothing(const struct record_queue *queue, bool exit_status)
{
	if (queue->traces == 0) {
		cli_no_runs(exit_status, queue->foreign);
		return;
	}
	if (queue->checked == 0 && diag_errors() == 0)
		(exit_status ? diag_error : diag_warn)((struct place){ 0 },
		    "no run has check results (mcpl-check adds these to "
		    "traces); runs: %zu",
		    queue->traces);
	trace_warn_foreign("through", queue->foreign);
}

/* Notes that evolve's checks went to another model than evolve's own, so that
 * the verdicts need not be evolve's. */
static void
warn_other_judge(const struct record_queue *queue)
{
	const struct scheduler *s = queue->scheduler;

	for (size_t i = 0;
	     queue->evolve != 0 && s != NULL && i < queue->way.judges; i++) {
		const struct endpoint *e = &s->lanes[i].endpoint;
		struct str model = str_of(e->model != NULL ? e->model : e->to);

		if (!str_contains(model, "claude-sonnet-4-6") &&
		    !str_contains(model, "claude-sonnet-4.6"))
			diag_warn((struct place){ 0 },
			    "evolve's checks go to %.*s; evolve judges with "
			    "claude-sonnet-4-6, whatever the model under test",
			    STR_FMT(model));
	}
}

/* Reports that no judge is named, and the keys that are in the environment. The
 * user who wants an exit status (`error`) does not get a good one. */
static void
warn_no_judge(const struct record_queue *queue, bool error)
{
	struct arena arena = { 0 };
	struct str seen = endpoint_keys_seen(&arena);
	struct str text = str_printf(&arena,
	    "checks pending: %zu; runs: %zu; no judge is named%s%.*s",
	    queue->checks, queue->runs,
	    seen.s == NULL ? " (see --model, --exec)" : "; ", STR_FMT(seen));

	if (error)
		diag_system_error("%.*s", STR_FMT(text));
	else
		diag_warn((struct place){ 0 }, "%.*s", STR_FMT(text));
	arena_free(&arena);
}

static void
warn_dry_run(const struct record_queue *queue)
{
	const struct scheduler *s = queue->scheduler;
	char cost[64] = "";

	if (s->prices != NULL && s->estimate.usd >= 0)
		snprintf(cost, sizeof cost, "; cost (estimated): $%.4f",
		    s->estimate.usd);
	diag_warn((struct place){ 0 },
	    "checks to be judged: %zu; runs: %zu; requests: %zu; bytes: %zu; "
	    "in the cache: %zu; tokens (estimated): %.0f in, %.0f out%s",
	    queue->checks, queue->runs, s->requests, s->estimate.bytes,
	    s->cached, s->estimate.tokens[0], s->estimate.tokens[1], cost);
}

static void
warn_counts(const struct record_queue *queue, bool exit_status)
{
	const struct place nowhere = { 0 };
	const struct scheduler *s = queue->scheduler;
	const size_t *n = queue->tally.checks;
	const double *u = s == NULL ? NULL : s->usage.n;

	char cost[64] = "";

	if (s != NULL && s->usage.known & 1U << USAGE_COST)
		snprintf(cost, sizeof cost, "; cost: $%.4f", u[USAGE_COST]);
	if (queue->errors != 0 && queue->calibration == NULL)
		diag_warn(nowhere,
		    "checks with an error of the judge: %zu (see "
		    "--retry-errors)",
		    queue->errors);
	if (queue->checks == 0 && queue->decided != 0 && s != NULL &&
	    queue->calibration == NULL)
		diag_warn(nowhere,
		    "no check is pending; checks that a judge decided before: "
		    "%zu (see --again)",
		    queue->decided);
	if (queue->checks == 0 ||
	    (s != NULL && s->batches != NULL && s->batches->writes))
		return;
	if (s == NULL)
		warn_no_judge(queue, exit_status);
	else if (s->dry_run)
		warn_dry_run(queue);
	else
		diag_warn(nowhere,
		    "checks judged: %zu (passed %zu, failed %zu, error %zu); "
		    "runs: %zu; requests: %zu; from the cache: %zu; tokens: "
		    "%.0f in, %.0f out%s",
		    n[STATUS_PASSED] + n[STATUS_FAILED] + n[STATUS_ERROR],
		    n[STATUS_PASSED], n[STATUS_FAILED], n[STATUS_ERROR],
		    queue->runs, s->requests, s->cached,
		    u[USAGE_INPUT] + u[USAGE_CACHE_READ] + u[USAGE_CACHE_WRITE],
		    u[USAGE_OUTPUT], cost);
}

struct idler {
	struct record_queue *record_queue;
	struct in *in;
};

static void
idle(void *arg)
{
	const struct idler *i = arg;

	i->in->stop = !record_queue_idle(i->record_queue, i->in->fd);
}

/* Opens the labels, the batches and the judge that the options name. Returns
 * false after a message if one of them cannot be opened. */
static bool
prepare(struct judge_options *o, struct batch_lookup *batches,
    struct calibration *calibration)
{
	if (o->labels != NULL && !calibration_open(calibration, o->labels))
		return false;
	if (o->labels != NULL)
		o->record_queue.calibration = calibration;
	if (!judge_batch_open(batches, o))
		return false;
	if (o->scheduler.n_lanes != 0) {
		scheduler_open(&o->scheduler);
		o->record_queue.scheduler = &o->scheduler;
	}
	return true;
}

static void
read_records(struct record_queue *record_queue, struct in *in, bool strict)
{
	const struct json *record;
	struct json_stream values;

	json_stream_open(&values, in, strict);
	while (record_queue->out->error == 0 &&
	    (record = json_stream_next(&values)) != NULL &&
	    (record_queue_add(record_queue, record,
		 (struct place){ values.at.file, values.at.line, 0 }) ||
		!strict))
		continue;
	record_queue_close(record_queue);
	json_stream_close(&values);
}

/* Reports what the seals of the input say, and writes the program's own. */
static void
seal(const struct judge_options *o, const struct in *in, struct out *out)
{
	const struct record_queue *queue = &o->record_queue;

	if (!queue->sealed || in->stop)
		return;
	seal_check(&queue->seals, o->cli.seal == CLI_SEALED, queue->traces);
	seal_write(out, o->cli.prog, queue->traces);
}

/* Writes how well the verdicts agree. Returns whether they agree as well as
 * --min-kappa demands. */
static bool
write_agreement(
    const struct judge_options *o, const struct calibration *c, struct out *out)
{
	if (c->labels.n == 0 || !calibration_warn(c))
		return true;
	if (o->json)
		calibration_json(c, out);
	else
		calibration_text(c, out, cli_width(out->file.fd));
	return o->min_kappa <= NO_KAPPA || calibration_reaches(c, o->min_kappa);
}

/* Reads, judges and writes the records. Returns the exit status. */
static int
judge(struct judge_options *o, char **files)
{
	struct calibration calibration = { .width = o->width };
	struct record_queue *record_queue = &o->record_queue;
	struct batch_lookup batches;
	struct progress progress;
	struct out out;
	struct in in;
	bool agrees;

	if (!prepare(o, &batches, &calibration)) {
		calibration_close(&calibration);
		return 2;
	}
	cli_open(&o->cli, &in, &out, files);
	record_queue->out = &out;
	record_queue->verdicts = o->exit_status;
	record_queue->sealed =
	    o->cli.seal != CLI_UNSEALED && record_queue->calibration == NULL;
	record_queue_open(record_queue);
	progress_open(&progress, record_queue, &in, out.file.fd);
	in.idle = idle;
	in.idle_arg = &(struct idler){ record_queue, &in };
	read_records(record_queue, &in, o->cli.strict);
	diag_show(NULL);
	judge_batch_close(&batches, &o->scheduler);
	if (!in.stop)
		warn_nothing(record_queue, o->exit_status);
	warn_other_judge(record_queue);
	warn_counts(record_queue, o->exit_status);
	redact_warn(record_queue->way.redact);
	warn_rest(record_queue, &in, o->exit_status);
	seal(o, &in, &out);
	agrees = write_agreement(o, &calibration, &out);
	if (record_queue->scheduler != NULL)
		scheduler_close(record_queue->scheduler);
	in_close(&in);
	calibration_close(&calibration);
	if (!out_close(&out))
		return 2;
	return diag_status((o->exit_status && record_queue->bad) || !agrees);
}

/* Refuses input files with --batch-send and --batch-poll, which do not read
 * runs. */
static void
refuse_files(const struct judge_options *o, char **files)
{
	if ((o->batch_api.send != NULL || o->batch_api.poll != NULL) &&
	    *files != NULL)
		cli_usage(&o->cli,
		    "--batch-%s: does not read a FILE, found '%s'",
		    o->batch_api.send != NULL ? "send" : "poll", *files);
}

int
main(int argc, char **argv)
{
	struct judge_options o = { 0 };
	int status;

	judge_options_read(&o, argc, argv);
	judge_settle(&o);
	refuse_files(&o, argv + optind);
	interrupt_watch();
	status = judge_label_run(&o, argv + optind);
	if (status < 0)
		status = judge_pairwise_run(&o, argv + optind);
	if (status < 0)
		status = judge_batch_run(&o);
	if (status < 0)
		status = judge(&o, argv + optind);
	redact_free(o.record_queue.way.redact);
	arena_free(&o.arena);
	return status;
}
