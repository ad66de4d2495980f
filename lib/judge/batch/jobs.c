#include "judge/batch/jobs.h"

#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/sha256.h"
#include "io/interrupt.h"
#include "judge/batch/trial.h"
#include "judge/provider/error.h"
#include "text/layout.h"

enum {
	LABEL_DIGITS = 32,
	AWAIT_FIRST = 1, /* seconds until an upload is looked at again */
	AWAIT_MOST = 16, /* the most seconds between two looks */
};

struct jobs {
	struct batch_folder *folder;
	struct batch_client *batch_client;
	const struct batch_api *batch_api;
	const struct endpoint *endpoint;
	struct arena arena; /* for one job */
	bool hopeless;      /* no other request will succeed */
	bool tried;         /* the server accepts this form of request */

	/* State of one round of polling: */
	size_t under_way; /* batches that have not ended */
	size_t failed;    /* batches that could not be looked at or fetched */
	bool changes;     /* another round may have another result */
};

static struct jobs
jobs_of(struct batch_folder *f, struct batch_client *client)
{
	return (struct jobs){ .folder = f,
		.batch_client = client,
		.batch_api = f->endpoint->provider->batch_api,
		.endpoint = f->endpoint };
}

static struct place
place_of(const struct batch_job *job)
{
	return (struct place){ .file = job->requests };
}

enum found { FOUND, NOWHERE, UNKNOWN };

/* Reports why something failed for the job. Returns false. */
static bool
fail(struct jobs *s, const struct batch_job *job, const char *what,
    const struct batch_client_end *end)
{
	s->hopeless |= end->kind == ANSWER_NEVER;
	diag_error(place_of(job), "cannot %s: %.*s", what, STR_FMT(end->why));
	return false;
}

/* Reads the news in a reply. Returns false if the exchange failed or the reply
 * names nothing, which becomes a failure in *end. */
static bool
read_news(
    struct jobs *s, struct batch_client_end *end, struct batch_status *news)
{
	*news = (struct batch_status){ 0 };
	if (end->kind != ANSWER_TEXT)
		return false;
	s->batch_api->news(end->reply, &s->arena, news);
	if (news->name.n != 0)
		return true;
	end->kind = ANSWER_NONE;
	end->why = STR("the reply has no id");
	return false;
}

static struct str
keep(struct jobs *s, struct str text)
{
	return str_dup(&s->folder->arena, text);
}

/* ---- what was sent before ---- */

static bool
is_another_job(const struct jobs *s, struct str batch)
{
	const struct batch_folder *f = s->folder;

	for (size_t i = 0; i < f->n; i++)
		if (str_eq(f->jobs[i].batch, batch))
			return true;
	return false;
}

static enum found
find_on_page(struct jobs *s, struct batch_job *job, enum batch_kind kind,
    const struct json *page)
{
	const struct json *list =
	    json_get(page, str_of(s->batch_api->elements));

	for (json_each(element, list)) {
		struct batch_status news = { 0 };

		if (!s->batch_api->is_job(element, job))
			continue;
		s->batch_api->news(element, &s->arena, &news);
		if (news.name.n == 0 || is_another_job(s, news.name))
			continue;
		*(kind == BATCH_JOBS ? &job->batch : &job->upload) =
		    keep(s, news.name);
		return FOUND;
	}
	return NOWHERE;
}

static enum found
fail_search(struct jobs *s, const struct batch_job *job,
    struct batch_client_end *end, struct str why)
{
	if (end->kind == ANSWER_TEXT)
		end->why = why;
	fail(s, job, "find out whether it was sent before", end);
	return UNKNOWN;
}

/* Searches the server's lists for the batch or the upload of a job whose
 * sending was begun. */
static enum found
find(struct jobs *s, struct batch_job *job, enum batch_kind kind)
{
	struct str after = { 0 }, before;
	struct batch_client_end end;
	enum found found;

	do {
		struct exchange x = { .arena = &s->arena };

		s->batch_api->list(s->endpoint, kind, after, &x);
		end = batch_client_run(s->batch_client, &x);
		if (end.kind != ANSWER_TEXT || end.reply == NULL)
			return fail_search(
			    s, job, &end, STR("the reply is not JSON"));
		found = find_on_page(s, job, kind, end.reply);
		if (found == FOUND)
			return found;
		before = after;
		after = s->batch_api->next(end.reply, &s->arena);
		if (after.s != NULL && str_eq(after, before))
			return fail_search(s, job, &end,
			    STR("the server's list repeats a page"));
	} while (after.s != NULL);
	return NOWHERE;
}

/* ---- sending ---- */

static size_t
count_requests(const struct jobs *s, const struct batch_job *job)
{
	struct request_names names;
	struct str name;
	size_t n = 0;

	request_names_open(&names, s->batch_api, job->requests);
	while (request_names_next(&names, &name))
		n++;
	request_names_close(&names);
	return n;
}

static bool
begin(struct jobs *s, struct batch_job *job)
{
	struct timespec now;
	char noise[32] = { 0 }; /* zeroed because MemorySanitizer does not know
				 * getentropy */

	if (getentropy(noise, sizeof noise) != 0)
		diag_die("cannot get random numbers:");
	clock_gettime(CLOCK_REALTIME, &now);
	job->begun = (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
	job->label = str_slice(
	    sha256_hex(&s->folder->arena, (struct str){ noise, sizeof noise }),
	    0, LABEL_DIGITS);
	job->n = count_requests(s, job);
	return batch_folder_note(s->folder, job);
}

/* Waits until the server has processed the upload. If the server cannot
 * process it, removes the label from the job, so that the upload is not found
 * again. */
static bool
await(struct jobs *s, struct batch_job *job, struct batch_status *news)
{
	for (unsigned wait = AWAIT_FIRST;
	     !news->ended && news->trouble.s == NULL; wait *= 2) {
		struct exchange x = { .arena = &s->arena };
		struct batch_client_end end = { .kind = ANSWER_NONE,
			.why =
			    STR("the server is still processing the upload") };

		if (wait > AWAIT_MOST || !batch_client_wait(wait))
			return fail(s, job, "be sent yet", &end);
		s->batch_api->await(s->endpoint, job, &x);
		end = batch_client_run(s->batch_client, &x);
		if (!read_news(s, &end, news))
			return fail(s, job, "be sent yet", &end);
	}
	if (news->trouble.s == NULL)
		return true;
	job->label = job->upload = (struct str){ 0 };
	batch_folder_note(s->folder, job);
	diag_error(
	    place_of(job), "cannot be sent: %.*s", STR_FMT(news->trouble));
	return false;
}

/* Uploads the file of a job. An upload that was found or sent before may still
 * be in process. */
static bool
upload(struct jobs *s, struct batch_job *job)
{
	struct exchange x = { .arena = &s->arena };
	bool known = job->upload.s != NULL;
	struct batch_status news;
	struct batch_client_end end;

	if (known)
		s->batch_api->await(s->endpoint, job, &x);
	else
		s->batch_api->upload(s->endpoint, job, &x);
	end = batch_client_run(s->batch_client, &x);
	if (known && end.status == 404) { /* the upload is gone: send the file
					   * again */
		job->upload = (struct str){ 0 };
		return upload(s, job);
	}
	if (!read_news(s, &end, &news))
		return fail(s, job, "be sent", &end);
	job->upload = keep(s, news.name);
	return batch_folder_note(s->folder, job) && await(s, job, &news);
}

/* Creates the batch. A request without a good reply may have been carried out
 * all the same, so the batch is searched for before another try. */
static bool
create(struct jobs *s, struct batch_job *job)
{
	struct batch_status news;
	struct batch_client_end end;
	struct exchange x;
	unsigned tries = 0;

	for (;;) {
		x = (struct exchange){ .arena = &s->arena, .once = true };
		s->batch_api->create(s->endpoint, job, &x);
		end = batch_client_try(s->batch_client, &x);
		if (read_news(s, &end, &news)) {
			job->batch = keep(s, news.name);
			return true;
		}
		if (!batch_client_again(s->batch_client, &x, &end, &tries))
			return fail(s, job, "be sent", &end);
		switch (find(s, job, BATCH_JOBS)) {
		case FOUND:
			return true;
		case UNKNOWN:
			return false;
		case NOWHERE:
			break;
		}
	}
}

/* Tries a request of the job, unless another job's request was accepted. */
static bool
try_job(struct jobs *s, struct batch_job *job)
{
	enum trial trial = s->tried
	    ? TRIAL_WELL
	    : batch_trial(s->folder, s->batch_client, job);

	s->tried = trial == TRIAL_WELL;
	s->hopeless |= trial == TRIAL_REFUSED;
	return s->tried;
}

static bool
send_job(struct jobs *s, struct batch_job *job)
{
	bool known = job->label.s != NULL;

	if (!known && !try_job(s, job))
		return false;
	if (known) {
		enum found found = find(s, job, BATCH_JOBS);

		if (found == UNKNOWN)
			return false;
		if (found == FOUND)
			return true;
	} else if (!begin(s, job)) {
		return false;
	}
	if (s->batch_api->upload == NULL)
		return create(s, job);
	if (known && job->upload.s == NULL && s->batch_api->lists_uploads &&
	    find(s, job, BATCH_UPLOADS) == UNKNOWN)
		return false;
	return upload(s, job) && create(s, job);
}

bool
batch_send(struct batch_folder *f, struct batch_client *client)
{
	struct jobs s = jobs_of(f, client);
	bool good = true;

	for (size_t i = 0; i < f->n && !s.hopeless; i++) {
		struct batch_job *job = &f->jobs[i];

		if (job->batch.s != NULL)
			continue;
		if (send_job(&s, job) && batch_folder_note(f, job))
			diag_warn(place_of(job), "sent as %.*s: requests: %zu",
			    STR_FMT(job->batch), job->n);
		else
			good = false;
		arena_reset(&s.arena);
	}
	arena_free(&s.arena);
	return good;
}

/* ---- polling ---- */

static bool
fail_poll(struct jobs *p, const struct batch_job *job, const char *what,
    const struct batch_client_end *end)
{
	p->hopeless |= end->kind == ANSWER_NEVER && end->status != 404;
	p->changes |= end->kind == ANSWER_RETRY || end->kind == ANSWER_TEXT;
	diag_error(place_of(job), "%.*s: cannot %s: %.*s", STR_FMT(job->batch),
	    what, STR_FMT(end->why));
	return false;
}

/* Returns whether the server has deleted the results for good. */
static bool
is_gone(const struct batch_client_end *end)
{
	return end->status == 404 || end->status == 410;
}

/* Fetches a file of results. Returns false if a later try may succeed. */
static bool
fetch(struct jobs *p, const struct batch_job *job, struct str from,
    const char *what)
{
	struct exchange x = { .arena = &p->arena,
		.save = batch_folder_path(p->folder, job, what) };
	struct batch_client_end end;

	p->batch_api->fetch(p->endpoint, job, from, &x);
	end = batch_client_run(p->batch_client, &x);
	if (end.kind == ANSWER_TEXT)
		return true;
	fail_poll(p, job, "fetch the results", &end);
	return is_gone(&end);
}

static bool
fetch_all(struct jobs *p, const struct batch_job *job,
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
warn_status(struct jobs *p, const struct batch_job *job,
    const struct batch_status *news)
{
	struct str trouble = layout_clean(&p->arena, news->trouble, false);

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

/* Looks at the batch of a job. The state is written last, so that results that
 * were not fetched are fetched next time. */
static bool
look(struct jobs *p, struct batch_job *job)
{
	struct exchange x = { .arena = &p->arena };
	struct batch_status news = { 0 };
	struct batch_client_end end;

	p->batch_api->look(p->endpoint, job, &x);
	end = batch_client_run(p->batch_client, &x);
	if (end.kind == ANSWER_TEXT) {
		p->batch_api->news(end.reply, &p->arena, &news);
		end.why = STR("the reply is not a batch");
	}
	if (news.status.n == 0)
		return fail_poll(p, job, "get the status", &end);
	job->status = str_dup(
	    &p->folder->arena, provider_error_clip(&p->arena, news.status));
	warn_status(p, job, &news);
	p->under_way += !news.ended;
	p->changes |= !news.ended;
	if (!news.ended)
		return batch_folder_note(p->folder, job);
	job->over = fetch_all(p, job, &news);
	return batch_folder_note(p->folder, job) && job->over;
}

static void
look_at_all(struct jobs *p)
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
batch_poll(struct batch_folder *f, struct batch_client *client, size_t interval)
{
	struct jobs p = jobs_of(f, client);
	size_t unsent = count_unsent(f);

	do
		look_at_all(&p);
	while (p.changes && !p.hopeless && interval != 0 &&
	    batch_client_wait((double)interval));
	arena_free(&p.arena);
	if (p.under_way != 0)
		diag_system_error("%s%s: batches under way: %zu",
		    interrupt_came() ? "interrupted: " : "", f->dir,
		    p.under_way);
	if (unsent != 0)
		diag_system_error(
		    "%s: files that are not sent: %zu", f->dir, unsent);
	return p.under_way + p.failed + unsent == 0 && !p.hopeless;
}
