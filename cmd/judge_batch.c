#include "cmd/judge_batch.h"

#include "base/diag.h"
#include "judge/batch/poll.h"
#include "judge/batch/send.h"

int
judge_bulk_talk(struct judge_options *o)
{
	const struct bulk_options *b = &o->bulk;
	const char *dir = b->send == NULL ? b->poll : b->send;
	struct errand errand = { .peer = &o->asker.peer,
		.retries = o->asker.retries,
		.seconds = o->asker.seconds };
	struct bulk_folder folder;
	bool good;

	if (dir == NULL)
		return -1;
	if (!bulk_folder_open(&folder, dir, &o->asker.peer, BULK_WORK))
		return 2;
	errand_open(&errand);
	good = b->send != NULL ? bulk_send(&folder, &errand)
			       : bulk_poll(&folder, &errand, b->interval);
	errand_close(&errand);
	bulk_folder_close(&folder);
	return good ? diag_status(0) : 2;
}

bool
judge_bulk_open(struct bulk_desk *d, struct judge_options *o)
{
	const struct bulk_options *b = &o->bulk;
	struct asker *a = &o->asker;
	bool good = true;

	*d = (struct bulk_desk){ .peer = &a->peer,
		.writes = b->write != NULL,
		.prices = a->prices,
		.cache = a->cache };
	if (b->write == NULL && b->n_read == 0)
		return true;
	if (d->writes &&
	    !bulk_writer_open(&d->writer, b->write, &a->peer, b->size))
		return false;
	bulk_results_open(&d->results, &a->peer);
	d->asked.arena = &d->results.arena;
	if (d->writes)
		good = bulk_results_add(&d->results, b->write);
	for (size_t i = 0; good && i < b->n_read; i++)
		good = bulk_results_add(&d->results, b->read[i]);
	a->desk = d;
	return good;
}

static void
tell_written(const struct bulk_desk *d, const struct asker *a)
{
	const struct bulk_writer *w = &d->writer;

	diag_warn((struct place){ 0 },
	    "%s: requests written: %zu, in files: %zu; waiting for their "
	    "batch: %zu; answered: %zu; in the cache: %zu",
	    w->folder.dir, w->written, w->files, w->waiting, d->answered,
	    a->cached);
	if (w->too_long != 0)
		diag_trouble("%s: requests that are too long for a batch: %zu",
		    w->folder.dir, w->too_long);
	if (a->stopped.s != NULL)
		diag_trouble(
		    "%.*s: not all requests are written", STR_FMT(a->stopped));
}

static void
tell_read(const struct bulk_desk *d)
{
	const struct place nowhere = { 0 };
	size_t left = bulk_results_left(&d->results);
	bool why = d->again != 0;

	diag_warn(nowhere,
	    "requests that a batch answered: %zu, refused: %zu; to be asked "
	    "again: %zu%s%.*s%s; without a result: %zu",
	    d->answered, d->refused, d->again, why ? " (" : "", STR_FMT(d->why),
	    why ? ")" : "", d->lacking);
	if (left != 0)
		diag_warn(nowhere,
		    "results of requests that these runs do not make: %zu (are "
		    "the options those of --batch-write?)",
		    left);
}

void
judge_bulk_close(struct bulk_desk *d, struct asker *a)
{
	if (a->desk == NULL)
		return;
	usage_add(&a->usage, &d->usage);
	if (d->writes) {
		bulk_writer_finish(&d->writer);
		tell_written(d, a);
		bulk_writer_close(&d->writer);
	} else {
		tell_read(d);
	}
	bulk_results_close(&d->results);
}
