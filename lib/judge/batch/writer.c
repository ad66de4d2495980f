#include "judge/batch/writer.h"

#include "base/diag.h"

static const struct batch_api *
batch_of(const struct batch_writer *w)
{
	return w->folder.endpoint->provider->batch_api;
}

/* Records a name. `where` is &w->folder if the request is in a file that waits
 * for its results, and &w->out if the request was put by this process. */
static void
note_name(struct batch_writer *w, struct str name, void *where)
{
	*hash_put_copy(&w->there, name) = where;
}

static void
note_names(struct batch_writer *w, const struct batch_job *job)
{
	struct request_names names;
	struct str name;

	request_names_open(&names, batch_of(w), job->requests);
	while (request_names_next(&names, &name))
		note_name(w, name, &w->folder);
	request_names_close(&names);
}

bool
batch_writer_open(struct batch_writer *w, const char *dir,
    const struct endpoint *endpoint, size_t requests)
{
	*w = (struct batch_writer){ .requests =
					endpoint->provider->batch_api->requests,
		.bytes = endpoint->provider->batch_api->bytes,
		.good = true };
	if (requests != 0 && requests < w->requests)
		w->requests = requests;
	if (!batch_folder_open(&w->folder, dir, endpoint, BATCH_FOLDER_MAKE))
		return false;
	w->there.arena = &w->folder.arena;
	for (size_t i = 0; i < w->folder.n; i++)
		if (!w->folder.jobs[i].over)
			note_names(w, &w->folder.jobs[i]);
	return true;
}

/* ---- files ---- */

static void
begin_file(struct batch_writer *w)
{
	w->job = batch_folder_next(&w->folder);
	out_open(&w->out, w->job.requests, false);
	out_text(&w->out, batch_of(w)->begin);
	w->length = str_of(batch_of(w)->begin).n;
}

static void
end_file(struct batch_writer *w)
{
	if (w->job.n == 0)
		return;
	out_text(&w->out, batch_of(w)->end);
	w->files++;
	*arena_push(&w->folder.arena, w->folder.jobs, w->folder.n) = w->job;
	w->job.n = 0;
	w->good &= out_close(&w->out);
}

/* ---- requests ---- */

static struct str
request_of(const struct batch_writer *w, struct str name, struct str body,
    struct arena *a)
{
	struct out o;

	out_open_memory(&o);
	out_text(&o, batch_of(w)->open);
	out_quoted(&o, name);
	batch_of(w)->put(&o, w->folder.endpoint, body);
	return out_keep(&o, a);
}

/* Returns whether a file of `length` bytes has room for a request of `more`
 * bytes. */
static bool
fits(const struct batch_writer *w, size_t length, size_t more)
{
	const struct batch_api *b = batch_of(w);

	return length + str_of(b->between).n + more + str_of(b->end).n <=
	    w->bytes;
}

static void
put(struct batch_writer *w, struct str request)
{
	if (w->job.n != 0 &&
	    (w->job.n == w->requests || !fits(w, w->length, request.n)))
		end_file(w);
	if (w->job.n == 0)
		begin_file(w);
	else
		out_text(&w->out, batch_of(w)->between);
	out_str(&w->out, request);
	w->length += request.n + str_of(batch_of(w)->between).n;
	w->job.n++;
	w->written++;
}

bool
batch_writer_has(const struct batch_writer *w, struct str name)
{
	return hash_get(&w->there, name) != NULL;
}

void
batch_writer_put(struct batch_writer *w, struct str name, struct str body)
{
	const void *there = hash_get(&w->there, name);
	struct arena a = { 0 };
	struct str request;

	if (there == &w->out)
		return;
	note_name(w, name, &w->out);
	if (there != NULL) {
		w->waiting++;
		return;
	}
	request = request_of(w, name, body, &a);
	if (fits(w, str_of(batch_of(w)->begin).n, request.n))
		put(w, request);
	else
		w->too_long++;
	arena_free(&a);
}

bool
batch_writer_finish(struct batch_writer *w)
{
	end_file(w);
	return w->good;
}

void
batch_writer_close(struct batch_writer *w)
{
	batch_folder_close(&w->folder);
}
