#include "judge/batch/poll.h"

#include "base/diag.h"
#include "io/interrupt.h"
#include "judge/provider/endpoint.h"

struct polling {
	struct batch_folder *folder;
	struct batch_client *batch_client;
	const struct batch_api *batch_api;
	const struct endpoint *endpoint;
	struct arena arena; /* for one batch */
	size_t under_way;   /* batches, in this round, that have not ended, */
	size_t failed;      /* and that could not be looked at or fetched; */
	bool changes;       /* what another round may find otherwise */
	bool hopeless;      /* nothing more need be tried */
};

static struct place
place_of(const struct batch_job *job)
{
	return (struct place){ .file = job->requests };
}

static bool
fail(struct polling *p, const struct batch_job *job, const char *what,
    const struct batch_client_end *end)
{
	p->hopeless |= end->kind == ANSWER_NEVER && end->status != 404;
	p->changes |= end->kind == ANSWER_RETRY || end->kind == ANSWER_TEXT;
	diag_error(place_of(job), "%.*s: cannot %s: %.*s", STR_FMT(job->batch),
	    what, STR_FMT(end->why));
	return false;
}

/* What the server has thrown away will not come back. */
static bool
is_gone(const struct batch_client_end *end)
{
	return end->status == 404 || end->status == 410;
}

/* False if the results may still be had another time. */
static bool
fetch(struct polling *p, const struct batch_job *job, struct str from,
    const char *what)
{
	struct exchange x = { .arena = &p->arena,
		.save = batch_folder_path(p->folder, job, what) };
	struct batch_client_end end;

	p->batch_api->fetch(p->endpoint, job, from, &x);
	end = batch_client_run(p->batch_client, &x);
	if (end.kind == ANSWER_TEXT)
		return true;
	fail(p, job, "fetch its results", &end);
	return is_gone(&end);
}

static bool
fetch_all(struct polling *p, const struct batch_job *job,
    const struct batch_status *news)
{
	static const char *const kinds[] = { "results", "errors" };
	bool all = true;

	for (size_t i = 0; i < 2; i++)
		if (news->results[i].s != NULL)
			all &= fetch(p, job, news->results[i], kinds[i]);
	return all;
}

static void
tell(struct polling *p, const struct batch_job *job,
    const struct batch_status *news)
{
	struct str trouble =
	    endpoint_hide_secrets(p->endpoint, &p->arena, news->trouble);

	if (news->n > 0)
		diag_warn(place_of(job), "%.*s: %.*s, %.0f of %.0f requests",
		    STR_FMT(job->batch), STR_FMT(job->status), news->done,
		    news->n);
	else
		diag_warn(place_of(job), "%.*s: %.*s", STR_FMT(job->batch),
		    STR_FMT(job->status));
	if (trouble.s != NULL)
		diag_error(place_of(job), "%.*s: %.*s", STR_FMT(job->batch),
		    STR_FMT(trouble));
}

/* The state is written down last: what was not fetched before is fetched
 * again. */
static bool
look(struct polling *p, struct batch_job *job)
{
	struct exchange x = { .arena = &p->arena };
	struct batch_status news = { 0 };
	struct batch_client_end end;

	p->batch_api->look(p->endpoint, job, &x);
	end = batch_client_run(p->batch_client, &x);
	if (end.kind == ANSWER_TEXT) {
		p->batch_api->news(end.reply, &p->arena, &news);
		end.why = STR("the reply is no batch");
	}
	if (news.status.n == 0)
		return fail(p, job, "be looked at", &end);
	job->status = str_dup(&p->folder->arena, news.status);
	tell(p, job, &news);
	p->under_way += !news.ended;
	p->changes |= !news.ended;
	if (!news.ended)
		return batch_folder_note(p->folder, job);
	job->over = fetch_all(p, job, &news);
	return batch_folder_note(p->folder, job) && job->over;
}

static void
look_at_all(struct polling *p)
{
	struct batch_folder *f = p->folder;

	p->under_way = p->failed = 0;
	p->changes = false;
	for (size_t i = 0; i < f->n && !p->hopeless; i++) {
		if (f->jobs[i].batch.s == NULL || f->jobs[i].over)
			continue;
		p->failed += !look(p, &f->jobs[i]);
		arena_reset(&p->arena);
	}
}

static size_t
count_unsent(const struct batch_folder *f)
{
	size_t n = 0;

	for (size_t i = 0; i < f->n; i++)
		n += f->jobs[i].batch.s == NULL;
	return n;
}

bool
batch_poll(struct batch_folder *f, struct batch_client *e, size_t interval)
{
	struct polling p = { .folder = f,
		.batch_client = e,
		.batch_api = f->endpoint->provider->batch_api,
		.endpoint = f->endpoint };
	size_t unsent = count_unsent(f);

	do
		look_at_all(&p);
	while (p.changes && !p.hopeless && interval != 0 &&
	    batch_client_wait((double)interval));
	arena_free(&p.arena);
	if (p.under_way != 0)
		diag_trouble("%s%s: batches under way: %zu",
		    interrupt_came() ? "interrupted: " : "", f->dir,
		    p.under_way);
	if (unsent != 0)
		diag_trouble(
		    "%s: files that are not sent: %zu", f->dir, unsent);
	return p.under_way + p.failed + unsent == 0 && !p.hopeless;
}
