#include "cmd/judge_batch.h"

#include "base/diag.h"
#include "judge/batch/jobs.h"

int
judge_batch_run(struct judge_options *o)
{
	const struct batch_options *b = &o->batch_api;
	const char *dir = b->send == NULL ? b->poll : b->send;
	struct batch_client batch_client = { .endpoint =
						 &o->scheduler.lanes->endpoint,
		.retries = o->scheduler.retries,
		.seconds = o->scheduler.seconds,
		.recorder = o->scheduler.recorder };
	struct batch_folder folder;
	bool good;

	if (dir == NULL)
		return -1;
	if (o->scheduler.lanes->endpoint.lacking.s != NULL)
		diag_die("%.*s", STR_FMT(o->scheduler.lanes->endpoint.lacking));
	if (!batch_folder_open(
		&folder, dir, &o->scheduler.lanes->endpoint, BATCH_FOLDER_WORK))
		return 2;
	batch_client_open(&batch_client);
	good = b->send != NULL
	    ? batch_send(&folder, &batch_client)
	    : batch_poll(&folder, &batch_client, b->interval);
	batch_client_close(&batch_client);
	batch_folder_close(&folder);
	return good ? diag_status(0) : 2;
}

bool
judge_batch_open(struct batch_lookup *d, struct judge_options *o)
{
	const struct batch_options *b = &o->batch_api;
	struct scheduler *s = &o->scheduler;
	bool good = true;

	*d = (struct batch_lookup){ .endpoint = &s->lanes->endpoint,
		.writes = b->write != NULL,
		.prices = s->prices,
		.cache = s->cache };
	if (b->write == NULL && b->n_read == 0)
		return true;
	s->lanes->endpoint.hasty = true;
	if (d->writes &&
	    !batch_writer_open(
		&d->writer, b->write, &s->lanes->endpoint, b->size))
		return false;
	batch_results_open(&d->results, &s->lanes->endpoint);
	d->asked.arena = &d->results.arena;
	if (d->writes)
		good = batch_results_add(&d->results, b->write);
	for (size_t i = 0; good && i < b->n_read; i++)
		good = batch_results_add(&d->results, b->read[i]);
	s->batches = d;
	return good;
}

static void
warn_written(const struct batch_lookup *d, const struct scheduler *s)
{
	const struct batch_writer *w = &d->writer;

	diag_warn((struct place){ 0 },
	    "%s: requests written: %zu, in files: %zu; waiting for their "
	    "batch: %zu; answered: %zu; in the cache: %zu",
	    w->folder.dir, w->written, w->files, w->waiting, d->answered,
	    s->cached);
	if (w->too_long != 0)
		diag_system_error(
		    "%s: requests that are too long for a batch: %zu",
		    w->folder.dir, w->too_long);
	if (s->stopped.s != NULL)
		diag_system_error(
		    "%.*s: not all requests are written", STR_FMT(s->stopped));
}

static void
warn_read(const struct batch_lookup *d)
{
	const struct place nowhere = { 0 };
	size_t left = batch_results_left(&d->results);
	bool why = d->again != 0;

	diag_warn(nowhere,
	    "requests answered by a batch: %zu, refused: %zu; to be sent "
	    "again: %zu%s%.*s%s; without a result: %zu",
	    d->answered, d->refused, d->again, why ? " (" : "", STR_FMT(d->why),
	    why ? ")" : "", d->lacking);
	if (left != 0)
		diag_warn(nowhere,
		    "results that match no request of these runs: %zu (are the "
		    "options the same as with --batch-write?)",
		    left);
}

void
judge_batch_close(struct batch_lookup *d, struct scheduler *s)
{
	if (s->batches == NULL)
		return;
	usage_add(&s->usage, &d->usage);
	if (d->writes) {
		batch_writer_finish(&d->writer);
		warn_written(d, s);
		batch_writer_close(&d->writer);
	} else {
		warn_read(d);
	}
	batch_results_close(&d->results);
}
